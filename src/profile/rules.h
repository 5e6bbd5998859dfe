/* rules.h - how functions, files and mappings are called instead, and which frames are one group: what lines of
 * files say that people give to --rules (profrules(5)).  rename.h applies them. */
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
    struct place where; /* it stands */
    bool has_matched;   /* set by who applies it */
};

/* All zero is none. */
struct rules {
    struct rules_line *lines; /* in the order in which they are applied */
    size_t count, capacity;
    struct arena texts;
};

/* Whether NAME is no file, but rules that come with the tools. */
bool rules_are_shipped(const char *name);

/* Adds the lines of the file NAME, `-` for standard input, or those of the set that comes with the tools if NAME is
 * "builds".  Ends the tool where a line is wrong (STATUS_USAGE), or the file cannot be read. */
void rules_add(struct rules *r, const char *name);

/* The same of what stands in IN. */
void rules_read(struct rules *r, struct in *in);

/* Warns of files with lines that have matched nothing; names these under -v.  The shipped set need not match. */
void rules_report(const struct rules *r);

/* --- for the parts of this --- */

/* What changes from build to build (rules_builds.c): as many as there are before one without an expression. */
struct rules_shipped {
    enum rules_kind kind;
    const char *expression, *replacement;
};
extern const struct rules_shipped rules_builds[];

#endif
