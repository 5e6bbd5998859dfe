/* compare.h - what became of a program: the runs of one side, base, beside those of another, new. */
#ifndef PROFPIPE_COMPARE_H
#define PROFPIPE_COMPARE_H

#include "stream/stage.h"
#include "summary/gate.h"

/* What options say; NULL: not given. */
struct compare_options {
    size_t base_count;     /* so many inputs are base, those behind them new */
    const char *type;      /* the type of values: TYPE[/UNIT] */
    const char *by;        /* what rows are about */
    const char *sort;      /* self or total: which one is compared */
    const char *measure;   /* share or cost: in what */
    const char *format;    /* of the table */
    const char *max;       /* how many rows */
    const char *min_share; /* in percent: of what is tested, judged and, if it is given, shown */
    const char *per;       /* run, second or op: what cost is told of */
    const char *per_op;    /* how many operations a run is */
    const char *own;       /* an expression: files that are one's own */
    struct gate_texts fail_if; /* what gates (gate.h) must not find */
    void (*fail)(void);        /* called where they do: after the table has been written */
    bool untested;             /* gates judge what too few runs tell, as it stands */
    bool absent_ok;            /* gates may be about names that are not there */
    bool allow_equal;          /* runs may be equal */
    bool no_pairs;             /* functions with other numbers in their names are others */
    bool normalize;            /* new is scaled to the cost of base */
    bool rows;                 /* write profile rows, those of base with their signs changed */
};

/* What --measure and --per can be. */
extern const char *const compare_measures[2];
extern const char *const compare_per_words[3];

/* Ends the tool (STATUS_USAGE) where one of OPTIONS is wrong, or does not fit another. */
void compare_check(const struct compare_options *options);

/* Writes the table that OPTIONS ask for. */
extern const struct stage compare_stage;

/* Writes rows instead: base is subtracted from new. */
extern const struct stage compare_rows_stage;

#endif
