/* legacy.h - what the readers of pprof's older formats share.
 *
 * Stacks in these files are addresses.  Their names, and the files mapped there, come later or not at
 * all: so samples wait until the file ends, and rows are pushed then. */
#ifndef PROFPIPE_LEGACY_H
#define PROFPIPE_LEGACY_H

#include "base/intern.h"
#include "base/spool.h"
#include "formats/format.h"

enum { LEGACY_VALUES = 4, LEGACY_TYPES = 40 };

struct legacy_type {
    struct str name, unit; /* canonical text */
    bool is_level;
    int64_t level; /* with is_level: its value */
};

/* A file in the memory of the process. */
struct legacy_map {
    uint64_t start, limit, offset;
    struct str file, build_id;
};

/* A step of a stack: an address or a named frame. Its frames are in `frames`: of an address those
 * inlined into each other, innermost first. */
struct legacy_step {
    uint64_t address;
    size_t frame, frame_count;
    uint32_t location;     /* without frames: its row */
    uint64_t sample;       /* the last one for which the next two are counted */
    uint32_t times, lines; /* how often its stack has the step, and lines name it */
};

struct legacy_frame {
    int64_t line; /* 0: unknown */
    uint32_t function;
    uint32_t location; /* its row */
};

/* A line that names an address. */
struct legacy_named {
    uint64_t address;
    int64_t line;
    uint32_t name, file; /* numbers of texts */
};

/* What stands in the spool in front of the steps and the labels of a sample. */
struct legacy_record {
    uint64_t depth, label_bytes;
    bool is_cut;
    int64_t values[LEGACY_VALUES];
};

/* A file being read.  What a reader sets is marked. */
struct legacy {
    struct in *in;
    const struct read_request *request;
    struct sink *sink;
    struct place where; /* of the last line */

    struct legacy_type types[LEGACY_TYPES]; /* set: first those of values, in order, then levels */
    size_t type_count, value_count;         /* set */
    unsigned unused;                        /* set: a bit for each value that no sample has */
    struct legacy_type period_type;         /* set; without a name: no period */
    int64_t period, duration;               /* set; the latter in nanoseconds, 0: unknown */
    bool keeps_no_address;                  /* set: addresses only number the frames */

    /* Lines. */
    struct str window;
    size_t window_size;
    bool is_back;
    struct str line;

    struct intern texts;     /* names of functions and files, bytes */
    struct intern functions; /* numbers of name and file */
    struct intern steps;     /* keys */
    struct intern locations; /* keys */
    struct legacy_step *step;
    struct legacy_frame *frames;
    struct legacy_map *maps;
    size_t step_capacity, frame_count, frame_capacity, map_count, map_capacity;
    struct arena arena; /* strings of maps and types */
    struct buf lines;   /* lines that nothing else holds, as items of a JSON list */
    struct buf scratch, text;

    /* The last sample, and those before it. */
    int64_t values[LEGACY_VALUES];
    struct buf stack, labels; /* numbers of steps, as uint32_t; items of a JSON list */
    bool is_cut;              /* frames of its stack are missing */
    struct legacy_named *named;
    size_t named_count, named_capacity;
    uint64_t sample_count;
    struct spool *samples;
};

/* --- lines --- */

/* Stores the next line in *LINE, without its end and the blanks around it; false at the end of the
 * input.  It is valid until the next call.  legacy_unread has the next call return it again. */
bool legacy_next_line(struct legacy *l, struct str *line);
void legacy_unread(struct legacy *l);

/* Ends the tool (STATUS_INPUT): EXPECTED was expected instead of the last line. */
_Noreturn void legacy_unexpected(const struct legacy *l, const char *expected);

/* Removes a part from the start of *S, after blanks; false if it does not start with one.  A number
 * is decimal, of 64 bits, and may be negative; an address is hexadecimal, with or without 0x. */
bool legacy_take(struct str *s, struct str what);
bool legacy_take_number(struct str *s, int64_t *n);
bool legacy_take_address(struct str *s, uint64_t *address);
struct str legacy_take_word(struct str *s);

/* Keeps LINE in the row of the source. */
void legacy_keep_line(struct legacy *l, struct str line);

/* Whether LINE is the one in front of the map of memory. */
bool legacy_is_map(struct str line);

/* Reads the map of memory, up to the end of the input. */
void legacy_read_maps(struct legacy *l);

/* --- samples --- */

/* Begins a sample with VALUES: steps, names and labels that follow are its own. */
void legacy_begin_sample(struct legacy *l, const int64_t values[LEGACY_VALUES]);

/* Adds the step ADDRESS to the sample, outside of those before it. */
void legacy_add_address(struct legacy *l, uint64_t address);

/* Adds a frame without an address: NAME in FILE, bytes, at LINE; 0: unknown. */
void legacy_add_frame(struct legacy *l, struct str name, struct str file, int64_t line);

/* Names ADDRESS, a step of some sample: NAME in FILE, bytes, at LINE.  The first name counts. */
void legacy_name(struct legacy *l, uint64_t address, struct str name, struct str file,
                 int64_t line);

/* The same for a step of the last sample.  Several names of an address are frames inlined into each
 * other, innermost first, unless the stack has the address as often. */
void legacy_name_step(struct legacy *l, uint64_t address, struct str name, struct str file,
                      int64_t line);

/* Adds a label, TEXT or NUMBER of UNIT, to the sample; a null TEXT.p: the number. KEY, TEXT and UNIT are
 * bytes; UNIT may be empty. */
void legacy_label(struct legacy *l, struct str key, struct str text, int64_t number,
                  struct str unit);

/* Sets the types of values: COUNT of them. */
void legacy_set_types(struct legacy *l, const struct legacy_type *types, size_t count);

/* Adds a level: NAME has VALUE.  False if there is such a type. */
bool legacy_add_level(struct legacy *l, struct str name, struct str unit, int64_t value);

/* BYTES as canonical text, for a type or a unit. */
struct str legacy_canonical(struct legacy *l, struct str bytes);

/* Puts the last sample to the others. */
void legacy_finish_sample(struct legacy *l);

/* Pushes all rows, at the end. */
void legacy_push(struct legacy *l);

/* --- formats --- */

/* What a sampled count and size of allocations stand for, at a rate of one sample in RATE bytes; at a
 * RATE below 2 themselves.  IS_ROUNDED: to the nearest, as jemalloc does, else down, as pprof does.
 * Ends the tool (STATUS_INPUT) if there is no such number. */
void legacy_unsample(const struct legacy *l, int64_t *count, int64_t *size, int64_t rate,
                     bool is_rounded);

/* The counts of a heap: of what is in use, and of all that was ever allocated. */
struct legacy_counts {
    int64_t in_use, in_use_bytes, all, all_bytes;
};

/* Reads "1: 96 [2: 192]" off *LINE. */
bool legacy_take_counts(struct str *line, struct legacy_counts *c);

/* The bytes of each object: of those in use, or else of all; 0 if there is no such number. */
int64_t legacy_each(const struct legacy_counts *c);

/* The types of values of a heap that counts both: of all objects, then of those in use. */
extern const struct legacy_type legacy_heap_types[LEGACY_VALUES];

/* Read the rest of a file whose first line, still to be read, begins as theirs do. */
void legacy_read_counts(struct legacy *l);     /* Go: goroutine, threadcreate, and others */
void legacy_read_heap(struct legacy *l);       /* heap profile: ... */
void legacy_read_contention(struct legacy *l); /* --- mutex:, contention:, contentionz */
void legacy_read_threads(struct legacy *l);    /* --- threadz, --- Thread */
void legacy_read_java(struct legacy *l);       /* --- heapz, or contentionz of Java */
void legacy_read_jemalloc(struct legacy *l);   /* heap_v2/ */
void legacy_read_goroutines(struct legacy *l); /* goroutine N [state]: */

/* Whether LINE is as "goroutine 7 [running]:". */
bool legacy_is_goroutine(struct str line);

/* Reads a binary CPU profile, and the names of addresses that one of Java ends with. */
void legacy_read_cpu(struct legacy *l);
void legacy_read_java_names(struct legacy *l);

/* Whether HEAD begins like a binary CPU profile. */
bool legacy_is_cpu(struct str head);

#endif
