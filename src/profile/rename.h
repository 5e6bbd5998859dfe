/* rename.h - the stage that applies rules (rules.h) to functions, locations and mappings, and
 * assigns locations to groups.
 *
 * It comes before the merge, so that functions which become equal are merged.  Each row is
 * examined once, when it is defined.  Rows that match no rule pass unchanged. */
#ifndef PROFPIPE_RENAME_H
#define PROFPIPE_RENAME_H

#include "base/buf.h"
#include "base/idmap.h"
#include "base/intern.h"
#include "base/needles.h"
#include "profile/match.h"
#include "profile/rules.h"
#include "stream/sink.h"

/* The texts of a function or a mapping that rules for groups search. */
struct rename_texts {
    struct str name, file; /* bytes, in the arena */
};

/* The texts of the rows of one table in the current profile. */
struct rename_table {
    struct idmap ids; /* to numbers from 1 */
    struct rename_texts *texts;
    size_t count, capacity;
};

struct rename {
    struct sink sink;
    struct sink *next;
    struct rules *rules;
    struct match *matches;   /* one for each line of the rules */
    struct regex_room *room; /* shared by all of them */
    /* Finds the words that a text must contain for some lines to match. */
    struct needles words[RULES_KIND_COUNT];
    uint64_t *rounds; /* by line: the last round whose text had its word; UINT64_MAX: no word */
    uint64_t round;   /* the current round */
    bool has_groups, has_lines; /* there are groups; some of them match lines */

    struct idmap changed;                    /* functions that were renamed, to 1 */
    struct rename_table functions, mappings; /* used if there are groups */
    struct arena arena;
    struct idmap known;   /* from a function and a mapping to the group of its locations */
    struct intern groups; /* bytes */

    struct buf name, system, file, made; /* of the current row: bytes, */
    struct buf name_text, system_text, file_text, group_text;
    struct buf inexact, extra;
};

/* A stage that applies RULES to rows and pushes them to NEXT; both must outlive it. */
struct rename rename_of(struct sink *next, struct rules *rules);

/* Frees what R holds. */
void rename_free(struct rename *r);

#endif
