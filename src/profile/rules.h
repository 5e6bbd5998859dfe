/* rules.h - rules that rename functions, files and mappings, and that assign frames to groups:
 * the lines of files given to --rules (profrules(5)), with tabs or as CSV. rename.h applies them. */
#ifndef PROFPIPE_RULES_H
#define PROFPIPE_RULES_H

#include "base/arena.h"
#include "base/in.h"

#include <stdbool.h>

enum rules_kind { RULES_NAME, RULES_FILE, RULES_MAPPING, RULES_GROUP, RULES_KIND_COUNT };

struct rules_line {
    enum rules_kind kind;
    const char *expression;
    struct str replacement;
    struct place where; /* the place of the line */
    bool has_matched;   /* set by the code that applies it */
};

/* All zero: no rules. */
struct rules {
    struct rules_line *lines; /* in the order of their application */
    size_t count, capacity;
    struct arena texts;
};

/* Whether NAME names rules that come with the tools, not a file. */
bool rules_are_shipped(const char *name);

/* Adds the lines of the file NAME, `-` for standard input; "builds" is a set that comes with the
 * tools.  Ends the tool if a line is wrong (STATUS_USAGE) or the file cannot be read. */
void rules_add(struct rules *r, const char *name);

/* The same for the lines in IN. */
void rules_read(struct rules *r, struct in *in);

/* Warns of files with lines that never matched; -v shows the lines.  The set that comes with the
 * tools may have such lines. */
void rules_report(const struct rules *r);

/* --- for the parts of this module --- */

/* The set "builds", for names that change from build to build (rules_builds.c).  The last entry
 * has no expression. */
struct rules_shipped {
    enum rules_kind kind;
    const char *expression, *replacement;
};
extern const struct rules_shipped rules_builds[];

#endif
