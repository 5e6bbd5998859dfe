#include "filters/agg_normal.h"

void agg_amount_add(struct agg_amount *to, const struct agg_amount *x)
{
    to->integers += x->integers;
    decimal_add(&to->reals, x->reals);
    to->has_reals |= x->has_reals;
}

static struct decimal sum_of(const struct agg_amount *x)
{
    struct decimal sum = x->reals;
    decimal_add(&sum, (struct decimal){x->integers, 0});
    return sum;
}

/* Makes N multiply integers by TO and divide them by FROM, in lowest terms. */
static void settle_whole(struct agg_normal *n, __int128 to, __int128 from)
{
    __int128 a = to, b = from;
    while (b != 0) {
        __int128 rest = a % b;
        a = b;
        b = rest;
    }
    a = (a < 0) == (from < 0) ? a : -a; /* so that what divides is above 0 */
    n->how = AGG_NORMAL_WHOLE;
    n->times = to / a;
    n->by = from / a;
    for (; n->times >> 63 != 0 && n->by > 1;
         n->by >>= 1) /* a value of 64 bits times that must fit */
        n->times >>= 1;
    n->rest = n->by / 2;
}

bool agg_normal_settle(struct agg_normal *n, const struct agg_amount *reference, int64_t in,
                       int64_t of)
{
    __int128 to, from;
    n->to = decimal_multiply(sum_of(reference), decimal_of(in));
    n->from = decimal_multiply(sum_of(&n->total), decimal_of(of));
    if (decimal_compare(n->to, n->from) == 0)
        return true;
    if (n->to.digits == 0 || n->from.digits == 0 || (n->to.digits < 0) != (n->from.digits < 0))
        return false;
    if (reference->has_reals || n->total.has_reals || reference->integers % of != 0 ||
        __builtin_mul_overflow(reference->integers, (__int128)in, &to) ||
        __builtin_mul_overflow(n->total.integers, (__int128)of, &from))
        n->how = AGG_NORMAL_DECIMAL;
    else
        settle_whole(n, to, from);
    return true;
}

/* The same for integers alone. */
static bool apply_whole(struct agg_normal *n, __int128 x, struct decimal *to, bool *is_rounded)
{
    __int128 product, sum;
    if (__builtin_mul_overflow(x, n->times, &product) ||
        __builtin_add_overflow(product, n->rest, &sum))
        return false;
    __int128 quotient = sum / n->by - (sum % n->by < 0); /* rounded down */
    n->rest = sum - quotient * n->by;
    *is_rounded = product % n->by != 0;
    *to = (struct decimal){quotient, 0};
    return true;
}

bool agg_normal_apply(struct agg_normal *n, const struct agg_amount *x, struct decimal *to,
                      bool *is_rounded)
{
    *is_rounded = false;
    *to = sum_of(x);
    if (n->how == AGG_NORMAL_WHOLE)
        return apply_whole(n, x->integers, to, is_rounded);
    if (n->how == AGG_NORMAL_DECIMAL) {
        *to = decimal_divide(decimal_multiply(*to, n->to), n->from.digits);
        to->exponent -= to->digits == 0 ? 0 : n->from.exponent;
    }
    return true;
}
