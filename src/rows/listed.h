/* listed.h - the types of values that a source lists in its `.value_types`, one by one.
 *
 *     struct listed types = listed_of(&walk, &member);
 *     while (listed_next(&types))
 *         add(buf_str(&types.type), buf_str(&types.unit));
 *     listed_free(&types);
 */
#ifndef PROFPIPE_LISTED_H
#define PROFPIPE_LISTED_H

#include "base/buf.h"
#include "rows/members.h"

/* The one in hand. */
struct listed {
    struct buf type, unit; /* bytes, not text */
    bool gauge;            /* a level that must not be added up */
    bool inclusive;        /* must not be summed up a stack */
    struct str text;       /* all of it, as it stands */

    /* May be set: is given MEMBER, of COLUMN, which is none of these. */
    void (*other)(void *with, struct str column, const struct member *member);
    void *with;

    const struct members *walk; /* these are borrowed */
    const struct member *column;
    struct str rest;
};

/* Those that COLUMN has, the `.value_types` that has been taken from WALK; both must outlive them. */
struct listed listed_of(const struct members *walk, const struct member *column);

/* Takes the next; false after the last. */
bool listed_next(struct listed *l);

/* Frees what L holds. */
void listed_free(struct listed *l);

#endif
