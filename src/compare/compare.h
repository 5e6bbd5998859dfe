/* compare.h - compares the runs of two sides: base and new. */
#ifndef PROFPIPE_COMPARE_H
#define PROFPIPE_COMPARE_H

#include "stream/stage.h"
#include "summary/gate.h"

struct read_request;

/* The options; NULL: not given. */
struct compare_options {
    /* How to read the file of per_op_from. */
    const struct read_request *read;

    size_t base_count;         /* the first BASE_COUNT inputs are base, the others new */
    const char *type;          /* type of values: TYPE[/UNIT] */
    const char *by;            /* what rows are about */
    const char *sort;          /* self or total: which one is compared */
    const char *measure;       /* share or cost: which one is compared */
    const char *test;          /* t or rank: the test */
    const char *format;        /* of the table */
    const char *max;           /* max number of rows */
    const char *min_share;     /* in percent: min share for tests, gates and, if given, for rows */
    const char *per;           /* run, second or op: what cost refers to */
    const char *per_op;        /* number of operations of a run */
    const char *per_op_from;   /* a file with that of each run (operations.h) */
    const char *sides, *runs;  /* what says sides and runs instead of files (split.h) */
    const char *own;           /* an expression: which files are the user's own */
    struct gate_texts fail_if; /* gates (gate.h) */
    bool untested;             /* with too few runs for a test, gates judge the plain difference */
    bool absent_ok;            /* gates may name functions that do not occur */
    bool allow_equal;          /* runs may be equal */
    bool no_pairs;             /* functions whose names differ in a number are different */
    bool normalize;            /* scale new to the cost of base */
    bool rows;                 /* write profile rows, with the values of base negated */
    bool columns;              /* describe the columns of the table instead of writing it */
};

/* The values of --measure, --test and --per. */
extern const char *const compare_measures[2];
extern const char *const compare_tests[2];
extern const char *const compare_per_words[3];

/* Ends the tool (STATUS_USAGE) if an option is not valid, or if two exclude each other. */
void compare_check(const struct compare_options *options);

/* Writes the requested table. */
extern const struct stage compare_stage;

/* Writes rows instead: new minus base. */
extern const struct stage compare_rows_stage;

#endif
