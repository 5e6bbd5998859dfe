/* rename.h - the stage that applies rules (rules.h) to functions, locations and mappings as they pass, and says of
 * each location which group it is of.
 *
 * It stands in front of the merge, so that functions that become equal become one there.  Each row is looked at
 * once, when it is defined.  What nothing matches passes as it stands. */
#ifndef PROFPIPE_RENAME_H
#define PROFPIPE_RENAME_H

#include "base/buf.h"
#include "base/idmap.h"
#include "base/intern.h"
#include "base/needles.h"
#include "profile/match.h"
#include "profile/rules.h"
#include "stream/sink.h"

/* What groups look for in a function or a mapping. */
struct rename_texts {
    struct str name, file; /* bytes, in the arena */
};

/* Those of the rows of one table, in the profile that passes. */
struct rename_table {
    struct idmap ids; /* to numbers from 1 */
    struct rename_texts *texts;
    size_t count, capacity;
};

struct rename {
    struct sink sink;
    struct sink *next;
    struct rules *rules;
    struct match *matches;   /* by line of these */
    struct regex_room *room; /* for all of them */
    /* Lines that can match only what has a word in it are looked for by these. */
    struct needles words[RULES_KIND_COUNT];
    uint64_t *rounds; /* by line: the last round whose text had its word; UINT64_MAX: it has none */
    uint64_t round;   /* this one */
    bool has_groups, has_lines; /* there are groups; some of them ask for lines */

    struct idmap changed;                    /* functions that are called otherwise, to 1 */
    struct rename_table functions, mappings; /* where there are groups */
    struct arena arena;
    struct idmap known; /* from a function and a mapping to the group of its locations, as below */
    struct intern groups; /* bytes */

    struct buf name, system, file, made; /* of the row in hand: bytes, */
    struct buf name_text, system_text, file_text, group_text;
    struct buf inexact, extra;
};

/* A stage that pushes to NEXT what RULES make of rows; both must outlive it. */
struct rename rename_of(struct sink *next, struct rules *rules);

/* Frees what R holds. */
void rename_free(struct rename *r);

#endif
