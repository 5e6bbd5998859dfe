/* stacks.h - what the readers of printed stacks share.
 *
 * Tracers and debuggers print stacks for people: a frame in a line, innermost first.  Each program
 * has its own dialect, in a file of its own that ends in a struct stacks_dialect.  All but `sample`
 * are read in one pass: rows are pushed as soon as a stack ends. */
#ifndef PROFPIPE_FORMATS_STACKS_H
#define PROFPIPE_FORMATS_STACKS_H

#include "base/intern.h"
#include "formats/bytes_rows.h"
#include "formats/format.h"

struct stacks_reader;

/* The output of a program. */
struct stacks_dialect {
    struct str name;
    bool is_of_threads; /* dumps of threads in the order in which they were made, no sums */

    /* How sure it is of HEAD (format.h). */
    enum bid (*bid)(struct str head);

    /* Reads all of s->in. */
    void (*read)(struct stacks_reader *s);
};

extern const struct stacks_dialect stacks_bpftrace, stacks_bpftrace_json, stacks_dtrace,
    stacks_sample, stacks_jstack, stacks_gdb, stacks_pyspy;

enum { STACKS_VALUES = 2 };

/* How many different facts there are: see stacks_own.h. */
enum { STACKS_FACTS = 4 };

/* A frame as printed: bytes, empty where unknown. */
struct stacks_call {
    struct str name, file;
    int64_t line; /* 0: unknown */
    uint64_t address, offset;
    bool has_offset;
    bool is_native;      /* jstack has "Native Method" in place of a file */
    struct str binary;   /* what is mapped there; unused with MAPPING */
    uint32_t mapping_id; /* 0: that of BINARY */
};

struct stacks_reader {
    struct in *in;
    const struct read_request *request;
    struct sink *sink;
    const struct stacks_dialect *dialect;
    struct place where; /* of the last line */

    /* Lines. */
    struct str window;
    size_t window_size;
    bool is_back, is_torn;
    struct str line;

    /* The source of the next samples. */
    int64_t source_id, source_count; /* 0: none yet */
    uint32_t types[STACKS_VALUES];
    size_t type_count;
    struct buf facts; /* members of its object */
    const char *fact_names[STACKS_FACTS];
    size_t fact_count;
    struct buf held; /* lines in front of the first source, as members of a row each */

    struct intern functions;     /* keys */
    struct intern locations;     /* keys */
    struct intern binaries;      /* names of mapped files */
    struct intern mappings;      /* the text of their rows */
    uint32_t *mapping_of_binary; /* by number - 1 */
    size_t mapping_capacity;
    struct intern memo; /* lines of frames */
    uint32_t *memo_location;
    size_t memo_capacity;

    /* The sample being read. */
    int64_t *stack; /* innermost first */
    size_t depth, stack_capacity;
    struct buf labels, notes, thread; /* as JSON: items, items, a string */
    bool has_time, is_cut;
    int64_t time; /* in nanoseconds */
    int64_t sample_count;

    struct bytes_rows rows;
    struct buf text, extra, scratch; /* SCRATCH is for the dialect */
};

/* --- lines (stacks_text.c) --- */

/* Stores the next line in *LINE, without its end; false at the end of the input.  It is valid until
 * the next call.  stacks_unread has the next call return it again. */
bool stacks_next_line(struct stacks_reader *s, struct str *line);
void stacks_unread(struct stacks_reader *s);

/* Removes a last line that has no end from *WHOLE, the input, as the former does. */
void stacks_drop_torn(struct stacks_reader *s, struct str *whole);

/* Moves the blanks at the start of *LINE off; returns how many there were. */
size_t stacks_skip_blanks(struct str *line);

/* Removes a value of a sample from the start of *S: an integer of 64 bits, which may be below 0.
 * False, and nothing removed, if it does not start with one. */
bool stacks_take_value(struct str *s, int64_t *value);

/* The index of the first and of the last WHAT in S; S.n if there is none. */
size_t stacks_find(struct str s, struct str what);
size_t stacks_find_last(struct str s, struct str what);

/* Removes what stands in front of the first WHAT, and WHAT, from *S and returns it; all of *S if there
 * is no WHAT. */
struct str stacks_take_until(struct str *s, struct str what);

/* Moves ":12" off the end of *FILE; returns the line, or 0 if there is none. */
int64_t stacks_take_line(struct str *file);

/* --- rows (stacks_rows.c) --- */

/* Adds the member NAME, with VALUE, bytes, to what the next source says of itself; false if it has one. */
bool stacks_fact(struct stacks_reader *s, const char *name, struct str value);

/* A value of samples: names are bytes. */
struct stacks_type {
    struct str name, unit;
    int64_t period; /* of one sample; 0: none */
};

/* Pushes a source of samples with COUNT values. */
void stacks_begin_source(struct stacks_reader *s, const struct stacks_type *types, size_t count);

/* Pushes LINE, the last one, as a row of .stacks_text: nothing else holds it. */
void stacks_keep_line(struct stacks_reader *s, struct str line);

/* The location of FRAME; pushes the rows of what is new. */
uint32_t stacks_location(struct stacks_reader *s, const struct stacks_call *frame);

/* The number of LINE among the lines of frames: *LOCATION, valid until the next call, is 0 if it is
 * new, and is then to be set. */
uint32_t stacks_recall(struct stacks_reader *s, struct str line, uint32_t **location);

/* The id of the mapping of FILE from START to LIMIT; pushes a new one. */
uint32_t stacks_mapping(struct stacks_reader *s, struct str file, struct str build_id,
                        uint64_t start, uint64_t limit);

/* Adds LOCATION to the sample, outside of the frames before it. */
void stacks_push(struct stacks_reader *s, uint32_t location);

/* Adds a label to the sample: TEXT, or NUMBER where TEXT.p is null.  Bytes. */
void stacks_label(struct stacks_reader *s, const char *key, struct str text, int64_t number);

/* Adds LINE to what is said of the sample, behind the frame pushed last. */
void stacks_note(struct stacks_reader *s, struct str line);

/* Sets what else stands in the line of the thread. */
void stacks_set_thread(struct stacks_reader *s, struct str text);

/* Pushes the sample with VALUES, and begins the next.  Where there is no source yet, it begins one of
 * samples/count. */
void stacks_end_sample(struct stacks_reader *s, const int64_t *values);

/* Drops what the sample has so far. */
void stacks_drop_sample(struct stacks_reader *s);

/* Pushes a source if there is none: there are no samples. */
void stacks_end_source(struct stacks_reader *s);

#endif
