/* common.h - options that many tools share. profpipe(7) describes them. */
#ifndef PROFPIPE_COMMON_H
#define PROFPIPE_COMMON_H

#include "feed/expect.h"
#include "profile/label_add.h"
#include "profile/rules.h"
#include "tools/option.h"

/* The groups of them that a tool has: bits for `common` of struct tool.  Every tool has those
 * without a bit. */
enum common {
    COMMON_KEEP_GOING = 1 << 0,
    COMMON_STRICT = 1 << 1,
    COMMON_LOSSLESS = 1 << 2,
    COMMON_MAX_SIZE = 1 << 3,
    COMMON_ALLOW_EMPTY = 1 << 4,
    COMMON_RULES = 1 << 5,
    COMMON_FORCE = 1 << 6,   /* the output is not text */
    COMMON_LABELS = 1 << 8,  /* does something with samples */
    COMMON_PERF = 1 << 9,    /* reads files of any format, or those of perf */
    COMMON_EXPECT = 1 << 10, /* reads several inputs as one */
    COMMON_SIDES = 1 << 11,  /* can compare two sides */
    COMMON_READ = COMMON_KEEP_GOING | COMMON_STRICT | COMMON_LOSSLESS | COMMON_MAX_SIZE |
                  COMMON_PERF | COMMON_EXPECT,
    /* converts one format to rows */
    COMMON_CONVERT = 1 << 7 | COMMON_KEEP_GOING | COMMON_LOSSLESS | COMMON_MAX_SIZE |
                     COMMON_LABELS | COMMON_EXPECT,
};

/* The values of these options. */
struct tool_common {
    const char *output;
    const char *files_from;
    const char *base_from, *new_from;
    const char *manifest;
    const char *max_size;
    const char *threads;
    const char *perf;    /* a program, or "no" */
    const char *timeout; /* a tool's `check` may set a default */
    struct rules rules;
    struct label_add_options labels;
    struct expect_options expect;
    bool null, strict, lossless, allow_empty, progress, force, keep_going, unites_addresses;
    /* for tools that convert one format to rows */
    const char *source_uri;
    const char *timestamp; /* seconds, or "mtime" */
    const char *profile_version;
};
extern struct tool_common tool_common;

/* The values of --profile-version. */
extern const char *const common_versions[2];

/* The values of --errors. */
extern const char *const common_errors[2];

/* The table of these options.  Those for COMMON_CONVERT come last. */
enum { COMMON_ROWS = 31 };
struct common_row {
    unsigned tools; /* the tools that have it: a bit of enum common; 0: all */
    struct option_row option;
    const char *more; /* text for profpipe(7) after the help; NULL: none */
};
extern const struct common_row common_rows[COMMON_ROWS];

#endif
