/* limits.h - every limit on inputs that a user can meet (profpipe(7), LIMITS). */
#ifndef PROFPIPE_LIMITS_H
#define PROFPIPE_LIMITS_H

#include <stddef.h>
#include <stdint.h>

/* Maximum size, decompressed, of one file that is held in memory, unless --max-size says
 * otherwise. */
#define LIMITS_HELD ((uint64_t)4 << 30)

/* How many bytes an input may grow by beyond what it spells out (growth.h), unless --max-size
 * says otherwise.  All of these may have to be held. */
#define LIMITS_GROWTH ((uint64_t)32 << 20)

/* The same for samples that repeat the one before, which are not held: 600,000 samples of 20
 * frames. */
#define LIMITS_REPEATED ((uint64_t)128 << 20)

/* What a sample and a byte of the input count there, in bytes.  A byte counts as much as a sample,
 * because no format stores a sample in less than a byte. */
enum { LIMITS_SAMPLE = 64, LIMITS_BYTE = LIMITS_SAMPLE };

/* What each frame of a stack counts there besides its packed size (profile/stacks.h): some tools
 * have it once more to sort or draw it. */
enum { LIMITS_FRAME_HELD = 4 };

/* What each frame of a sample counts.  These have the same limit, but are added up apart, because
 * they only pass: as a row each has some 80 bytes.  They are cheap, because tracing a program
 * in deep recursion has a sample for each call, so a thousand frames in each 34 bytes. */
enum { LIMITS_FRAME = 2 };

/* What each frame of a sample that repeats the one before counts in LIMITS_REPEATED. */
enum { LIMITS_FRAME_REPEATED = 8 };

/* What a byte of a database counts against LIMITS_FRAME: it stores a stack of hundreds of frames
 * once, and then a sample with that stack in ten bytes. */
enum { LIMITS_BYTE_OF_DATABASE = 256 };

/* What the node of a tree of stacks counts: the memory that it takes. */
enum { LIMITS_NODE = 96 };

/* Maximum number of frames in a sample. */
#define LIMITS_FRAMES ((size_t)1000000)
#define LIMITS_FRAMES_TEXT "expected at most %zu frames in a sample, found more"

/* Maximum size in bytes of a line of rows, without its line feed, or of a token of JSON. */
#define LIMITS_LINE ((size_t)16 << 20)

/* Maximum number of values in a row that is not canonical, including those inside lists and
 * objects. */
#define LIMITS_LINE_VALUES 262144

/* Maximum number of value types in a flame graph; each has a sum for every stack. */
#define LIMITS_PICTURE_TYPES 256

/* Maximum number of values that a label has in a page: more would be no choice. */
#define LIMITS_PICTURE_VALUES 1000

/* Maximum size in bytes of the lines of source files in a page. */
#define LIMITS_PICTURE_SOURCE ((size_t)1 << 20)

/* Maximum number of boxes in a static picture or in text; the widest are drawn. */
#define LIMITS_PICTURE_BOXES 100000

/* Maximum nesting depth of arrays and objects. */
#define LIMITS_NESTING 2048

/* Maximum size of an expression in bytes, and maximum nesting depth of its parentheses. */
#define LIMITS_EXPRESSION ((size_t)64 << 10)
enum { LIMITS_EXPRESSION_NESTING = 250 };

/* Limits of one search: backtracking steps, and KiB of memory for them.  Both grow with the
 * length of the text in bytes, so that a search with a few steps per byte works in texts of any
 * length. */
enum { LIMITS_SEARCH_STEPS = 1000000, LIMITS_SEARCH_STEPS_BYTE = 20 };
enum { LIMITS_SEARCH_KIB = 32 << 10, LIMITS_SEARCH_BYTE = 64 };

/* Maximum size in bytes of a value that a database computes for an answer. */
#define LIMITS_ANSWER ((size_t)64 << 20)

/* Limits of reading a database: bytes of memory, and steps of its virtual machine.  Both grow
 * with the size of its file in bytes.  A row has ten bytes or more, and takes some thirty steps
 * to sort and read.  In a table without a key, each row that others refer to is found by a full
 * scan: for small tables the steps suffice.  The limits are needed because a file of a few pages
 * can be made to yield endless rows. */
enum { LIMITS_DATABASE = 64 << 20, LIMITS_DATABASE_BYTE = 96 };
enum { LIMITS_STEPS = 50000000, LIMITS_STEPS_BYTE = 50 };

#endif
