/* limits.h - what an input may cost: every limit that a user can meet, in one place (profpipe(7), LIMITS). */
#ifndef PROFPIPE_LIMITS_H
#define PROFPIPE_LIMITS_H

#include <stddef.h>
#include <stdint.h>

/* Most bytes of one file that is held in memory, decompressed, unless --max-size says otherwise. */
#define LIMITS_HELD ((uint64_t)4 << 30)

/* How many bytes an input may grow by beyond what it spells out (growth.h), unless --max-size says otherwise.  All of it may be
 * held: four million frames in 1 to 4 bytes each. */
#define LIMITS_GROWTH ((uint64_t)32 << 20)

/* The same of samples that repeat the one before, which nobody holds: 600,000 of 20 frames. */
#define LIMITS_REPEATED ((uint64_t)128 << 20)

/* What counts for that, in bytes: a sample, and a frame of it.  A byte of input spells out as much as a sample counts,
 * since no format has a sample in less than a byte. */
enum { LIMITS_SAMPLE = 64, LIMITS_FRAME = 8, LIMITS_BYTE = LIMITS_SAMPLE };

/* A byte of a database, which has a stack of hundreds of frames once and a sample of it in ten bytes, spells out more. */
enum { LIMITS_BYTE_OF_DATABASE = 256 };

/* And the node of a tree of stacks, where one is made: the memory that it takes. */
enum { LIMITS_NODE = 96 };

/* Most frames of a sample. */
#define LIMITS_FRAMES ((size_t)1000000)
#define LIMITS_FRAMES_TEXT "expected at most %zu frames in a sample, found more"

/* Most bytes of a line or a token of JSON, the line feed not counted. */
#define LIMITS_LINE ((size_t)16 << 20)

/* Most values in a line of rows that is not canonical, those inside of lists and objects counted. */
#define LIMITS_LINE_VALUES 262144

/* Most types of values in a flame graph, each of which has a sum for every stack. */
#define LIMITS_PICTURE_TYPES 256

/* Most boxes of a still picture or in text; the widest are drawn. */
#define LIMITS_PICTURE_BOXES 100000

/* Most arrays and objects in one another. */
#define LIMITS_NESTING 2048

/* Most bytes of an expression, and parentheses in one another. */
#define LIMITS_EXPRESSION ((size_t)64 << 10)
enum { LIMITS_EXPRESSION_NESTING = 250 };

/* What one search for it may take: steps back, and KiB of what is remembered for them; and more for each byte of the text,
 * so that what takes a few steps for each byte is found in texts of any length. */
enum { LIMITS_SEARCH_STEPS = 1000000, LIMITS_SEARCH_STEPS_BYTE = 20 };
enum { LIMITS_SEARCH_KIB = 32 << 10, LIMITS_SEARCH_BYTE = 64 };

/* Most bytes of a value that a database makes for an answer. */
#define LIMITS_ANSWER ((size_t)64 << 20)

/* What reading a database may cost: bytes of memory, and steps of its machine; and so much more for each byte of its
 * file.  A row has ten bytes or more, and is sorted and read in some thirty steps.  Where a table has no key, a row
 * that others refer to may have to be searched in all of it: there are steps for that in small tables.  A file of a few
 * pages can be made to have rows without end. */
enum { LIMITS_DATABASE = 64 << 20, LIMITS_DATABASE_BYTE = 96 };
enum { LIMITS_STEPS = 50000000, LIMITS_STEPS_BYTE = 50 };

#endif
