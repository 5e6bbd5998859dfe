/* summary.h - tables of what a profile's samples say: where its time, its memory, its samples went. */
#ifndef PROFPIPE_SUMMARY_H
#define PROFPIPE_SUMMARY_H

#include "stream/stage.h"
#include "summary/gate.h"

/* What options say; NULL: not given.  One view at most. */
struct summary_options {
    const char *type;                    /* the type of values: TYPE[/UNIT] */
    const char *by;                      /* what rows are about */
    const char *sort;                    /* self or total */
    const char *format;                  /* of the table */
    const char *max;                     /* how many rows */
    const char *min_share;               /* in percent */
    const char *max_depth;               /* of --hot-paths */
    const char *peek;                    /* an expression */
    const char *list;                    /* an expression */
    const char *source_path, *trim_path; /* of --list: where files are (lines.h) */
    struct gate_texts fail_if;           /* what gates (gate.h) must not find */
    void (*fail)(void); /* called where it does: after the table has been written */
    bool absent_ok;     /* they may be about names that are not there */
    bool nodes, stacks, calls, hot_paths, profile, samples, models;
    struct plan
        *plan; /* what summary_check has read of all this, for the stage, which frees it; or NULL */
    bool follow; /* draw the table again and again while a terminal shows it */
};

/* Reads OPTIONS before the stage is opened, which does it itself otherwise.  Ends the tool (STATUS_USAGE) where one of
 * them is wrong. */
void summary_check(struct summary_options *options);

/* Writes the table that OPTIONS ask for. */
extern const struct stage summary_stage;

#endif
