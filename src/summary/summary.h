/* summary.h - tables of a profile: where its time, memory or samples went. */
#ifndef PROFPIPE_SUMMARY_H
#define PROFPIPE_SUMMARY_H

#include "stream/stage.h"
#include "summary/gate.h"

/* The options; NULL: not given. At most one view. */
struct summary_options {
    const char *type;                    /* type of values: TYPE[/UNIT] */
    const char *by;                      /* what rows are about */
    const char *sort;                    /* self or total */
    const char *format;                  /* of the table */
    const char *max;                     /* max number of rows */
    const char *min_share;               /* in percent */
    const char *max_depth;               /* of --hot-paths */
    const char *peek;                    /* an expression */
    const char *list;                    /* an expression */
    const char *source_path, *trim_path; /* for --list: where to find files (lines.h) */
    struct gate_texts fail_if;           /* gates (gate.h) */
    bool absent_ok;                      /* gates may name functions that do not occur */
    bool nodes, stacks, traces, calls, hot_paths, profile, samples, models;
    struct plan *plan; /* parsed by summary_check for the stage, which frees it; or NULL */
    bool follow;       /* redraw the table for a terminal */
    bool columns;      /* describe the columns of the table instead of writing it */
};

/* Parses OPTIONS before the stage is opened; otherwise the stage does it. Ends the tool
 * (STATUS_USAGE) if one is not valid. */
void summary_check(struct summary_options *options);

/* Writes the requested table. */
extern const struct stage summary_stage;

#endif
