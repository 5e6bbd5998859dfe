/* tool.h - what every tool has in common: options, help, and the way it starts and ends.
 *
 * A tool is a table of options and a function.  Help text, the man page's synopsis and list of
 * options, and shell completion are all made from the table. */
#ifndef PROFPIPE_TOOL_H
#define PROFPIPE_TOOL_H

#include "base/out.h"
#include "run/feed.h"

enum option_type {
    OPTION_FLAG,    /* bool: present */
    OPTION_STRING,  /* const char *: the argument; may come once */
    OPTION_LEVEL,   /* int: -1 to -9, or the argument of the long form */
    OPTION_EACH,    /* void (*)(const char *): called with the argument, each time */
    OPTION_HELP,    /* ends the tool; --help=FORMAT is for the build */
    OPTION_VERSION, /* ends the tool */
    OPTION_QUIET,   /* lowers diag_level */
    OPTION_VERBOSE, /* raises it */
};

/* One option. */
struct option_row {
    char letter;          /* 0: none */
    const char *name;     /* the long form */
    const char *argument; /* what help calls the argument; NULL: none; "[=auto]": optional */
    enum option_type type;
    void *to;         /* what the type says */
    const char *help; /* a sentence without its full stop */
};

/* What the options that mean the same everywhere were set to. */
struct tool_common {
    const char *output;
    const char *files_from;
    const char *max_size;
    const char *threads;
    const char *timeout; /* a tool's check may set another default than none */
    struct rules rules;
    bool null, strict, lossless, allow_empty, progress, force, keep_going;
};
extern struct tool_common tool_common;

/* clang-format off: it does not see the tables in these */

/* Rows for tables: those of every tool, and those that several share. */
#define OPTIONS_ALL                                                                                \
    {'h', "help", NULL, OPTION_HELP, NULL, "print this help and exit"},                            \
        {'V', "version", NULL, OPTION_VERSION, NULL, "print the version and exit"},                \
        {'o',                                                                                      \
         "output",                                                                                 \
         "FILE",                                                                                   \
         OPTION_STRING,                                                                            \
         &tool_common.output,                                                                      \
         "write to FILE instead of standard output; FILE is whole or untouched"},                  \
        {'q', "quiet", NULL, OPTION_QUIET, NULL, "print errors only, no warnings"},                \
        {'v',  "verbose",                                                                          \
         NULL, OPTION_VERBOSE,                                                                     \
         NULL, "say more: what was left out or kept in part, by name"},                            \
        {0,                                                                                        \
         "progress",                                                                               \
         "[=auto]",                                                                                \
         OPTION_FLAG,                                                                              \
         &tool_common.progress,                                                                    \
         "draw a bar on standard error when that is a terminal and the work is long"},             \
        {0,                                                                                        \
         "files-from",                                                                             \
         "FILE",                                                                                   \
         OPTION_STRING,                                                                            \
         &tool_common.files_from,                                                                  \
         "read the names of the inputs from FILE, one on each line; the name - is standard "       \
         "input"},                                                                                 \
        {0,                                                                                        \
         "threads",                                                                                \
         "N",                                                                                      \
         OPTION_STRING,                                                                            \
         &tool_common.threads,                                                                     \
         "work on N threads: from 2 on, what the machine's cores allow by default, inputs are "    \
         "read and inflated ahead, and output is deflated behind; 1 does one after the other"},    \
        {0,                                                                                        \
         "timeout",                                                                                \
         "SECONDS",                                                                                \
         OPTION_STRING,                                                                            \
         &tool_common.timeout,                                                                     \
         "end with status 3 when SECONDS are over, waiting for others included"},                  \
    {                                                                                              \
        0, "null", NULL, OPTION_FLAG, &tool_common.null,                                           \
            "the names in the FILE of --files-from end in NUL, not in a line feed"                 \
    }

#define OPTION_ROW_STRICT                                                                          \
    {                                                                                              \
        0, "strict", NULL, OPTION_FLAG, &tool_common.strict,                                       \
            "treat cut samples and a torn last line, which real producers leave behind, as errors" \
    }
#define OPTION_ROW_LOSSLESS                                                                        \
    {                                                                                              \
        0, "lossless", NULL, OPTION_FLAG, &tool_common.lossless,                                   \
            "fail with status 1 if anything has no place in the output"                            \
    }
#define OPTION_ROW_MAX_SIZE                                                                        \
    {                                                                                              \
        0, "max-size", "SIZE", OPTION_STRING, &tool_common.max_size,                               \
            "hold at most SIZE bytes of a file, decompressed, and let it grow by at most SIZE "    \
            "beyond what it spells out; K, M or G may follow; 4G and 32M by default"              \
    }

/* What every tool offers whose inputs are profiles of any format. */
#define OPTIONS_READ                                                                               \
    OPTION_ROW_KEEP_GOING, OPTION_ROW_STRICT, OPTION_ROW_LOSSLESS, OPTION_ROW_MAX_SIZE
#define OPTION_ROW_ALLOW_EMPTY                                                                     \
    {                                                                                              \
        0, "allow-empty", NULL, OPTION_FLAG, &tool_common.allow_empty,                             \
            "accept an input without any profile, such as an empty file"                           \
    }
#define OPTION_ROW_KEEP_GOING                                                                      \
    {                                                                                              \
        'k', "keep-going", NULL, OPTION_FLAG, &tool_common.keep_going,                             \
            "report bad inputs and bad lines, leave them out, and go on; the status is then 1"     \
    }
/* For text whose encoding is not known: TO is where the name of one goes. */
#define OPTION_ROW_FROM_CODE(to)                                                                   \
    {                                                                                              \
        0, "from-code", "ENCODING", OPTION_STRING, to,                                             \
            "convert names and paths from ENCODING, as iconv calls it, to UTF-8"                   \
    }
/* For tools whose rows functions and files are named in. */
#define OPTION_ROW_RULES                                                                           \
    {                                                                                              \
        0, "rules", "FILE", OPTION_EACH, tool_add_rules,                                           \
            "change names, and put frames into groups, as the lines of FILE say, before anything " \
            "else is done; builds stands for what changes from build to build"                     \
    }
#define OPTION_ROW_FORCE                                                                           \
    {                                                                                              \
        'f', "force", NULL, OPTION_FLAG, &tool_common.force, "write to a terminal, too"            \
    }

/* clang-format on */

struct tool {
    const char *name;
    const char *summary;  /* one line */
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
    const struct option_row *options;
    size_t option_count;
    bool converts; /* from or to another format than rows: the output replaces no input */
    const struct format
        *reads; /* the one format whose files it converts to rows (convert.h), or NULL */
    const void *read_options;  /* those of that format's reader */
    const struct stage *stage; /* what it does, where `run` does nothing else */
    const void *stage_options;
    bool binary; /* the output is not text: a terminal gets it by OPTION_ROW_FORCE only */
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

/* Reads TEXT, the argument of OPTION, as a number from LEAST; ends the tool (STATUS_USAGE) if it is none. */
uint64_t tool_number(const char *option, const char *text, uint64_t least);

/* Notes that the tool reads the file PATH, which is borrowed, beside its inputs: it must not be its output.  To be called
 * by the tool's check, at the latest. */
void tool_read_beside(const char *path);

/* Notes that the tool reads files that its inputs name. To be called by the tool's check. */
void tool_read_anywhere(void);

/* For OPTION_ROW_RULES: NAME is its argument (rules.h). */
void tool_add_rules(const char *name);

/* How the options that tools share want inputs to be read. */
struct feed_request tool_feeds(void);

/* For a tool's `check`: the output replaces no input this time, as if the tool converted. */
void tool_guard_inputs(void);

/* Makes tool_main return STATUS_INPUT once the output has been written whole: a check that was asked
 * for has failed, and the output says how. */
void tool_fail(void);

#endif
