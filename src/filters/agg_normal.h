/* agg_normal.h - what values are multiplied by so that all that a source has of a type comes to what the first
 * source has of it.
 *
 * Integers stay integers: each is what all so far come to, rounded, less what those before it came to.  So none
 * is a whole unit off, and their sum is exact, which it is not where each is rounded by itself. */
#ifndef PROFPIPE_AGG_NORMAL_H
#define PROFPIPE_AGG_NORMAL_H

#include "base/decimal.h"

/* All values of a type that a source has: integers, and decimal fractions if there are any. */
struct agg_amount {
    struct wide integers;
    struct decimal reals;
    bool has_reals;
};

/* A type of a source.  All zero is one without values. */
struct agg_normal {
    bool has_values;
    struct agg_amount total;                                            /* of them all */
    enum { AGG_NORMAL_SAME, AGG_NORMAL_WHOLE, AGG_NORMAL_DECIMAL } how; /* once settled */

    /* of integers: what they are multiplied and divided by, and what the last one left of that */
    struct wide times, by, rest;

    struct decimal to, from; /* the same of decimal fractions */
};

void agg_amount_add(struct agg_amount *to, const struct agg_amount *x);

/* Settles what the values of N are multiplied by for their total to become REFERENCE, that of the first source: IN
 * of N's units are OF of the first's.  False where no factor above 0 does that; they then stay the same. */
bool agg_normal_finish(struct agg_normal *n, const struct agg_amount *reference, int64_t in,
                       int64_t of);

/* What X, of N, comes to; *IS_ROUNDED tells whether it is an integer to which a fraction is missing, or was added.
 * False where it is too large. */
bool agg_normal_apply(struct agg_normal *n, const struct agg_amount *x, struct decimal *to,
                      bool *is_rounded);

#endif
