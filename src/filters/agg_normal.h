/* agg_normal.h - scales the values of a source so that its total of a type equals the total of the
 * first source.
 *
 * Integers stay integers. Each scaled value is the rounded running sum minus the rounded running
 * sum before it. So no value is off by a whole unit, and the sum is exact. Rounding each value on
 * its own would not give that. */
#ifndef PROFPIPE_AGG_NORMAL_H
#define PROFPIPE_AGG_NORMAL_H

#include "base/decimal.h"

/* Total of a type in a source: integers, and decimal fractions if there are any. */
struct agg_amount {
    struct wide integers;
    struct decimal reals;
    bool has_reals;
};

/* A type in a source. All zero has no values. */
struct agg_normal {
    bool has_values;
    struct agg_amount total;
    /* set by agg_normal_finish */
    enum { AGG_NORMAL_SAME, AGG_NORMAL_WHOLE, AGG_NORMAL_DECIMAL } how;

    /* for integers: factor, divisor, and the remainder left by the last value */
    struct wide times, by, rest;

    struct decimal to, from; /* factor and divisor for decimal fractions */
};

void agg_amount_add(struct agg_amount *to, const struct agg_amount *x);

/* Computes the factor that makes the total of N equal to REFERENCE, the total of the first source.
 * IN units of N are OF units of the first source. Returns false if no factor above 0 can do that;
 * values then stay unchanged. */
bool agg_normal_finish(struct agg_normal *n, const struct agg_amount *reference, int64_t in,
                       int64_t of);

/* Sets *TO to X, a value of N, scaled. *IS_ROUNDED: it is an integer that had to be rounded.
 * Returns false if the result is too large. */
bool agg_normal_apply(struct agg_normal *n, const struct agg_amount *x, struct decimal *to,
                      bool *is_rounded);

#endif
