/* relations.h - which ids a profile defines, and which it refers to (profstream(5), IDS and ORDER). */
#ifndef PROFPIPE_RELATIONS_H
#define PROFPIPE_RELATIONS_H

#include "base/arena.h"
#include "base/idmap.h"
#include "rows/finding.h"
#include "rows/schema.h"
#include "stream/samplemap.h"

/* All zero but for what the caller sets. */
struct relations {
    struct findings *findings; /* set */
    bool any_order;            /* set: a definition may follow what refers to it */

    struct idmap defined[TABLE_COUNT]; /* ids, but of samples only those that do not rise */
    struct samplemap samples;

    /* References to what is not defined, or not yet. */
    struct idmap pending_of[TABLE_COUNT]; /* id -> place in the next, from 1 */
    struct relations_pending *pending;
    size_t pending_count, pending_capacity;
    struct arena names;
};

/* A place in a row: for messages. */
struct column_place {
    struct place where;
    struct str table, column;
};

/* Enters ID as one that a row of TABLE at AT defines, and finds (unique) that it is so already.  A
 * sample's id that does not rise is found as well (order). */
void relations_define(struct relations *r, const struct column_place *at, enum table table,
                      int64_t id);

/* For relations_refer. */
void relations_wait(struct relations *r, const struct column_place *at, enum table table,
                    int64_t id);

/* Whether ID of TABLE is defined so far. */
static inline bool relations_has(const struct relations *r, enum table table, int64_t id)
{
    return (table == TABLE_SAMPLES && samplemap_find(&r->samples, id) != 0) ||
           idmap_get(&r->defined[table], (uint64_t)id) != 0;
}

/* Enters that the row at AT refers to ID of TABLE.  Where that is not defined it is found later: when
 * it is (order), or at the end of the profile (reference). */
static inline void relations_refer(struct relations *r, const struct column_place *at,
                                   enum table table, int64_t id)
{
    if (__builtin_expect(!relations_has(r, table, id), 0))
        relations_wait(r, at, table, id);
}

/* Ends the profile: finds what is still not defined, and forgets all ids. */
void relations_end(struct relations *r);

/* Frees what R holds. */
void relations_free(struct relations *r);

#endif
