/* listed.h - a walk over the value types that a source lists in its `.value_types`.
 *
 *     struct listed types = listed_of(&walk, &member);
 *     while (listed_next(&types))
 *         add(buf_str(&types.type), buf_str(&types.unit));
 *     listed_free(&types); */
#ifndef PROFPIPE_LISTED_H
#define PROFPIPE_LISTED_H

#include "base/buf.h"
#include "rows/members.h"

/* The walk, and the current type. */
struct listed {
    struct buf type, unit; /* bytes, not text */
    bool gauge;            /* a level that must not be added up */
    bool inclusive;        /* must not be summed up a stack */
    struct str text;       /* the whole entry, as text */

    /* May be set: called with each MEMBER of COLUMN that is none of the above. */
    void (*other)(void *with, struct str column, const struct member *member);
    void *with;

    const struct members *walk; /* borrowed, as is COLUMN */
    const struct member *column;
    struct str rest;
};

/* Starts a walk over COLUMN, the `.value_types` that was taken from WALK; both must outlive it. */
struct listed listed_of(const struct members *walk, const struct member *column);

/* Moves to the next type; false after the last. */
bool listed_next(struct listed *l);

/* Frees what L holds. */
void listed_free(struct listed *l);

#endif
