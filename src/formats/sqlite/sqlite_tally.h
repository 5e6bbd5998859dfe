/* sqlite_tally.h - self and total of some of many things that are numbered, nodes or names. */
#ifndef PROFPIPE_SQLITE_TALLY_H
#define PROFPIPE_SQLITE_TALLY_H

#include "base/wide.h"
#include "formats/sqlite/sqlite_batch.h"

#include <stdbool.h>

/* The sum of both; a real where REAL is not 0 or WHOLE passes 64 bits. */
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
    uint32_t *items; /* those that are in it, COUNT */
    size_t count;
    struct sqlite_amount *selfs, *totals; /* by item */
    size_t size;
    unsigned char *is_in; /* by item, until they are settled */
};

/* Makes T, empty, one of things from 0 to before SIZE; to be freed by sqlite_tally_free. */
void sqlite_tally_open(struct sqlite_tally *t, size_t size);

/* Takes ITEM in, with nothing; false where it is already in. */
bool sqlite_tally_begin(struct sqlite_tally *t, uint32_t item);

/* Puts the items in order.  Then sums may be added to those that are in, and count set to 0 to begin anew. */
void sqlite_tally_finish(struct sqlite_tally *t);

/* Whether self and total of ITEM, which is in, are both 0. */
bool sqlite_tally_is_nothing(const struct sqlite_tally *t, uint32_t item);

/* Puts self and total of ITEM, the last two columns, into a row of B, and ends that. */
void sqlite_tally_put(struct sqlite_batch *b, const struct sqlite_tally *t, uint32_t item);

/* Frees what T holds. */
void sqlite_tally_free(struct sqlite_tally *t);

#endif
