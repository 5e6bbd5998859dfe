/* tool.h - what every tool has in common: options, help, and the way it starts and ends.
 *
 * A tool is a table of options and a function.  Help text, the man page's synopsis and list of
 * options, and shell completion are all made from the table. */
#ifndef PROFPIPE_TOOL_H
#define PROFPIPE_TOOL_H

#include "base/out.h"
#include "run/feed.h"
#include "tools/common.h"
#include "tools/option.h"

/* What a tool is for: `profpipe` lists tools by that. */
enum tool_task {
    TOOL_TASK_LOOK,
    TOOL_TASK_CHANGE,
    TOOL_TASK_WRITE,
    TOOL_TASK_READ,
    TOOL_TASK_ROWS,
    TOOL_TASKS,
};

struct tool {
    const char *name;
    enum tool_task task;
    const char *summary;  /* one line, no full stop */
    const char *operands; /* as in the synopsis */
    /* Operands may come in two groups, with "--" between: where the size of the first goes, 0 if there
     * is only one.  NULL: "--" does nothing but end options. */
    size_t *base_count;
    /* The second one is there where the first is: both are sides of a comparison. */
    bool has_other_side;
    /* Both groups are there, each with operands; two alone need no "--", which ends no options. */
    bool has_two_sides;
    int (*take_operands)(
        int count,
        char **operands); /* may be NULL: looks at the operands before all else is checked;
                                                       * returns how many, the first ones, are no inputs */
    const struct option_row *options; /* its own */
    size_t option_count;
    unsigned common; /* bits of enum common: which it has of the options that many tools have */
    const char *examples[2]; /* for --help: commands that run */
    bool converts;           /* from or to another format than rows: the output replaces no input */
    const struct format
        *reads; /* the one format whose files it converts to rows (convert.h), or NULL */
    const struct format *writes; /* the format of its output, or NULL */
    const char *
        suffixes; /* without that: names of files that it writes end so, with spaces between; or NULL */
    const void *read_options;  /* those of that format's reader */
    const struct stage *stage; /* what it does, where `run` does nothing else */
    const void *stage_options;
    bool binary; /* the output is not text: a terminal gets it by --force only (COMMON_FORCE) */
    void (*check)(
        void); /* whether the options fit each other, before anything is opened; or NULL */
    void (*run)(struct inputs *inputs, struct out *out); /* NULL: `reads` or `stage` */
};

/* Parses the command line, opens inputs and output, runs TOOL and closes them: what main returns.
 * Ends the process itself on --help, --version and every error. */
int tool_main(const struct tool *tool, int argc, char **argv);

/* Reads TEXT, the argument of OPTION, as a number of bytes, perhaps with K, M or G (1024 to the
 * first, second or third); ends the tool (STATUS_USAGE) if it is none. */
uint64_t tool_size(const char *option, const char *text);

/* Reads TEXT, the argument of OPTION, as a number from MIN; ends the tool (STATUS_USAGE) if it is none. */
uint64_t tool_number(const char *option, const char *text, uint64_t min);

/* Notes that the tool reads the file PATH, which is borrowed, beside its inputs: it must not be its output.  To be called
 * by the tool's check, at the latest. */
void tool_read_beside(const char *path);

/* Notes that the tool reads files that its inputs name. To be called by the tool's check. */
void tool_read_anywhere(void);

/* For --rules: NAME is its argument (rules.h). */
void tool_add_rules(const char *name);

/* How the options that tools share want inputs to be read. */
struct feed_request tool_feeds(void);

/* For a tool's `check`: the output replaces no input this time, as if the tool converted. */
void tool_guard_inputs(void);

/* Makes tool_main return STATUS_INPUT once the output has been written whole: a check that was asked
 * for has failed, and the output says how. */
void tool_fail(void);

#endif
