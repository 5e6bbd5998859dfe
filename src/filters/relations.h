/* relations.h - checks ids: those that a profile defines, and those it refers to (profstream(5),
 * IDS and ORDER). */
#ifndef PROFPIPE_RELATIONS_H
#define PROFPIPE_RELATIONS_H

#include "base/arena.h"
#include "base/idmap.h"
#include "rows/finding.h"
#include "rows/schema.h"
#include "stream/samplemap.h"

/* All zero except the members set by the caller. */
struct relations {
    struct findings *findings; /* set by the caller */
    bool any_order;            /* set by the caller: a definition may come after references to it */

    struct idmap defined[TABLE_COUNT]; /* ids; for samples only those that are out of order */
    struct samplemap samples;

    /* References to ids that are not defined yet. */
    struct idmap pending_of[TABLE_COUNT]; /* id -> index in PENDING, from 1 */
    struct relations_pending *pending;
    size_t pending_count, pending_capacity;
    struct arena names;
};

/* A place in a row, for messages. */
struct column_place {
    struct place where;
    struct str table, column;
};

/* Records that the row at AT defines ID of TABLE. Reports (rule unique) a second definition, and
 * (rule order) the id of a sample that is not larger than the one before. */
void relations_define(struct relations *r, const struct column_place *at, enum table table,
                      int64_t id);

/* Slow path of relations_refer. */
void relations_wait(struct relations *r, const struct column_place *at, enum table table,
                    int64_t id);

/* Whether ID of TABLE is defined. */
static inline bool relations_has(const struct relations *r, enum table table, int64_t id)
{
    return (table == TABLE_SAMPLES && samplemap_find(&r->samples, id) != 0) ||
           idmap_get(&r->defined[table], (uint64_t)id) != 0;
}

/* Records that the row at AT refers to ID of TABLE. If ID is not defined yet it is reported later:
 * when it is defined (rule order), or at the end of the profile (rule reference). */
static inline void relations_refer(struct relations *r, const struct column_place *at,
                                   enum table table, int64_t id)
{
    if (__builtin_expect(!relations_has(r, table, id), 0))
        relations_wait(r, at, table, id);
}

/* Ends the profile: reports ids that are still not defined, and forgets all ids. */
void relations_end(struct relations *r);

/* Frees what R holds. */
void relations_free(struct relations *r);

#endif
