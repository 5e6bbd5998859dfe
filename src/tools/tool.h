/* tool.h - what all tools share: options, help, start and end.
 *
 * A tool is a table of options and a function.  The help text, the synopsis and the option list
 * on the man page, and shell completion are all generated from the table. */
#ifndef PROFPIPE_TOOL_H
#define PROFPIPE_TOOL_H

#include "base/out.h"
#include "feed/feed.h"
#include "tools/common.h"
#include "tools/option.h"

/* The purpose of a tool: `profpipe` groups its list of tools by it. */
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
    const char *operands; /* as shown in the synopsis */
    /* Set if operands may be in two groups, separated by "--": receives the size of the first
     * group, 0 if there is only one.  NULL: "--" only ends the options. */
    size_t *base_count;
    /* A second group is required if there is a first: they are the two sides of a comparison. */
    bool has_other_side;
    /* Both groups are required and not empty.  Two operands alone need no "--"; "--" does not
     * end options. */
    bool has_two_sides;
    /* An option that says the sides otherwise: where it is given, operands are files as of any
     * tool; or NULL. */
    const char *const *sides_by;
    /* May be NULL.  Called with the operands before all other checks, or with the files of both
     * sides once the lists that name them are read; returns how many of the first ones are not
     * inputs, which is 0 with lists. */
    int (*take_operands)(int count, char **operands);
    const struct option_row *options; /* its own */
    size_t option_count;
    unsigned common;         /* the groups of common options it has: bits of enum common */
    const char *examples[2]; /* for --help: commands that work */
    bool converts;           /* to or from another format than rows: output replaces no input */
    /* The one format that it converts to rows (convert.h), or NULL. */
    const struct format *reads;
    const struct format *writes; /* the format of its output, or NULL */
    /* If `writes` is NULL: the endings of names of files that it writes, separated by spaces; or
     * NULL. */
    const char *suffixes;
    const void *read_options;  /* for the reader of `reads` */
    const struct stage *stage; /* what it does, if `run` does nothing else */
    const void *stage_options;
    const bool *about; /* set by an option: it describes its output, and reads no input; or NULL */
    /* Set by an option: inputs are followed (follow.h); or NULL. */
    const bool *follows;
    bool binary;         /* the output is not text: to a terminal only with --force, */
    const bool *is_text; /* unless `check` has set this; or NULL */
    /* Checks whether the options fit together, before anything is opened; or NULL. */
    void (*check)(void);
    void (*run)(struct inputs *inputs, struct out *out); /* NULL: use `reads` or `stage` */
};

/* Whether TOOL, whose options have been parsed, describes its output instead of making it. */
bool tool_is_about(const struct tool *tool);

/* Parses the command line, opens inputs and output, runs TOOL and closes them.  Returns the
 * result of main.  Ends the process itself on --help, --version and every error. */
int tool_main(const struct tool *tool, int argc, char **argv);

/* Parses TEXT, the argument of OPTION, as a number of bytes, with an optional K, M or G (powers
 * of 1024); ends the tool (STATUS_USAGE) if it is invalid. */
uint64_t tool_size(const char *option, const char *text);

/* Parses TEXT, the argument of OPTION, as a number of at least MIN; ends the tool (STATUS_USAGE)
 * if it is invalid. */
uint64_t tool_number(const char *option, const char *text, uint64_t min);

/* Notes that the tool reads the file PATH, besides its inputs; the output must not replace it.
 * PATH is borrowed.  Call this in the tool's `check` or earlier. */
void tool_read_beside(const char *path);

/* Notes that the tool reads files named in its inputs.  Call this in the tool's `check`. */
void tool_read_anywhere(void);

/* Handles --rules; NAME is its argument (rules.h). */
void tool_add_rules(const char *name);

/* Handle --add-label and --label-from-name (label_add.h). */
void tool_add_label(const char *text);
void tool_add_label_from_name(const char *text);

/* Handle --expect and --expect-from (expect.h). */
void tool_expect(const char *text);
void tool_expect_from(const char *path);

/* Whether --rules is given, for a tool's `check`: tool_common.rules is filled later. */
bool tool_has_rules(void);

/* The request for reading inputs that the common options make. */
struct feed_request tool_feeds(void);

/* For a tool's `check`: the output must not replace an input this time, as if the tool
 * converted. */
void tool_guard_inputs(void);

#endif
