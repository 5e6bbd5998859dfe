/* listed.h - writes the value types that a source lists in its `.value_types`, and walks over them.
 *
 *     listed_begin(&columns);
 *     listed_add(&columns, STR("cpu"), STR("nanoseconds"), LISTED_SUM);
 *     listed_end(&columns);
 *
 *     struct listed types = listed_of(&walk, &member);
 *     while (listed_next(&types))
 *         add(buf_str(&types.type), buf_str(&types.unit));
 *     listed_free(&types); */
#ifndef PROFPIPE_LISTED_H
#define PROFPIPE_LISTED_H

#include "base/buf.h"
#include "rows/members.h"

/* What the values of a type are: see `gauge` and `inclusive` below. */
enum listed_kind { LISTED_SUM, LISTED_GAUGE, LISTED_INCLUSIVE };

/* Begin and end the column `.value_types` in TO, the dotted columns of a source. */
void listed_begin(struct buf *to);
void listed_end(struct buf *to);

/* Appends TYPE in UNIT, canonical text, to TO, with a comma where that ends in another type. */
void listed_add(struct buf *to, struct str type, struct str unit, enum listed_kind kind);

/* The same for TYPE and UNIT that are bytes. SCRATCH is overwritten. */
void listed_add_bytes(struct buf *to, struct buf *scratch, struct str type, struct str unit,
                      enum listed_kind kind);

/* Appends the column `.period`: VALUE of TYPE in UNIT, canonical text. */
void listed_period(struct buf *to, struct str type, struct str unit, int64_t value);

/* The same for TYPE and UNIT that are bytes. SCRATCH is overwritten. */
void listed_period_bytes(struct buf *to, struct buf *scratch, struct str type, struct str unit,
                         int64_t value);

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
