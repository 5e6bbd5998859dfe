/* sqlite_tally.h - self and total of a few out of many numbered things: nodes or names. */
#ifndef PROFPIPE_SQLITE_TALLY_H
#define PROFPIPE_SQLITE_TALLY_H

#include "base/wide.h"
#include "formats/sqlite/sqlite_batch.h"

#include <stdbool.h>

/* The sum of both members. It is a real if REAL is not 0 or WHOLE exceeds 64 bits. */
struct sqlite_amount {
    struct wide whole;
    double real;
} __attribute__((packed, aligned(8))); /* there are two for each node */

static inline void sqlite_amount_add(struct sqlite_amount *to, struct sqlite_amount other)
{
    to->whole = wide_add(to->whole, other.whole);
    to->real += other.real;
}

struct sqlite_tally {
    uint32_t *items; /* the COUNT items in the tally */
    size_t count;
    struct sqlite_amount *selfs, *totals; /* by item */
    size_t size;
    unsigned char *is_in; /* by item; used until sqlite_tally_finish */
};

/* Opens T, empty, for items from 0 to SIZE - 1. Free it with sqlite_tally_free. */
void sqlite_tally_open(struct sqlite_tally *t, size_t size);

/* Adds ITEM with sums of 0; false if it is already there. */
bool sqlite_tally_begin(struct sqlite_tally *t, uint32_t item);

/* Sorts the items. Then sums may be added to them, and count set to 0 to start again. */
void sqlite_tally_finish(struct sqlite_tally *t);

/* Whether self and total of ITEM, which must be in T, are both 0. */
bool sqlite_tally_is_nothing(const struct sqlite_tally *t, uint32_t item);

/* Appends self and total of ITEM, the last two columns, to a row of B, and ends the row. */
void sqlite_tally_put(struct sqlite_batch *b, const struct sqlite_tally *t, uint32_t item);

/* Frees what T holds. */
void sqlite_tally_free(struct sqlite_tally *t);

#endif
