/* common.h - the options that many tools have.  profpipe(7) describes them. */
#ifndef PROFPIPE_COMMON_H
#define PROFPIPE_COMMON_H

#include "profile/rules.h"
#include "tools/option.h"

/* Which of them a tool has: bits for `common` of struct tool.  Those without a bit every tool has. */
enum common {
    COMMON_KEEP_GOING = 1 << 0,
    COMMON_STRICT = 1 << 1,
    COMMON_LOSSLESS = 1 << 2,
    COMMON_MAX_SIZE = 1 << 3,
    COMMON_READ = COMMON_KEEP_GOING | COMMON_STRICT | COMMON_LOSSLESS | COMMON_MAX_SIZE,
    COMMON_ALLOW_EMPTY = 1 << 4,
    COMMON_RULES = 1 << 5,
    COMMON_FORCE = 1 << 6,   /* the output is not text */
    COMMON_CONVERT = 1 << 7, /* reads one format, into rows */
};

/* What they were set to. */
struct tool_common {
    const char *output;
    const char *files_from;
    const char *max_size;
    const char *threads;
    const char *timeout; /* a tool's check may set another default than none */
    struct rules rules;
    bool null, strict, lossless, allow_empty, progress, force, keep_going;
    /* of tools that read one format into rows */
    const char *source_uri;
    const char *timestamp; /* seconds, or "mtime" */
    const char *profile_version;
};
extern struct tool_common tool_common;

/* What --profile-version can be. */
extern const char *const common_versions[2];

/* Their table: each with the bit of the tools that have it.  Those of converters come last. */
enum { COMMON_ROWS = 20 };
struct common_row {
    unsigned tools; /* a bit of enum common; 0: all */
    struct option_row option;
    const char *more; /* what profpipe(7) says beyond the help; NULL: nothing */
};
extern const struct common_row common_rows[COMMON_ROWS];

#endif
