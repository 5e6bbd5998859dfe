#include "filters/agg_normal.h"

void agg_amount_add(struct agg_amount *to, const struct agg_amount *x)
{
    to->integers = wide_add(to->integers, x->integers);
    decimal_add(&to->reals, x->reals);
    to->has_reals |= x->has_reals;
}

static struct decimal sum_of(const struct agg_amount *x)
{
    struct decimal sum = x->reals;
    decimal_add(&sum, (struct decimal){x->integers, 0});
    return sum;
}

/* Sets the factor of N for integers to TO / FROM, in lowest terms. */
static void finish_whole(struct agg_normal *n, struct wide to, struct wide from)
{
    const struct wide two = wide_of(2);
    struct wide a = to, b = from;
    int64_t small;
    while (wide_sign(b) != 0) {
        struct wide rest = wide_rest(a, b);
        a = b;
        b = rest;
    }
    if (wide_sign(a) != wide_sign(from))
        a = wide_negative(a); /* so that the divisor is positive */
    n->how = AGG_NORMAL_WHOLE;
    n->times = wide_divide(to, a);
    n->by = wide_divide(from, a);
    /* its product with a 64-bit value must fit */
    for (; !wide_fits(n->times, &small) && wide_compare(n->by, two) >= 0;
         n->by = wide_divide(n->by, two))
        n->times = wide_divide(n->times, two);
    n->rest = wide_divide(n->by, two);
}

bool agg_normal_finish(struct agg_normal *n, const struct agg_amount *reference, int64_t in,
                       int64_t of)
{
    struct wide to, from;
    n->to = decimal_multiply(sum_of(reference), decimal_of(in));
    n->from = decimal_multiply(sum_of(&n->total), decimal_of(of));
    if (decimal_compare(n->to, n->from) == 0)
        return true;
    if (decimal_sign(n->to) == 0 || decimal_sign(n->to) != decimal_sign(n->from))
        return false;
    if (reference->has_reals || n->total.has_reals ||
        wide_sign(wide_rest(reference->integers, wide_of(of))) != 0 ||
        !wide_multiply_fits(reference->integers, wide_of(in), &to) ||
        !wide_multiply_fits(n->total.integers, wide_of(of), &from))
        n->how = AGG_NORMAL_DECIMAL;
    else
        finish_whole(n, to, from);
    return true;
}

/* The same for integers. */
static bool apply_whole(struct agg_normal *n, struct wide x, struct decimal *to, bool *is_rounded)
{
    struct wide product, sum;
    if (!wide_multiply_fits(x, n->times, &product) || !wide_add_fits(product, n->rest, &sum))
        return false;
    struct wide quotient = wide_divide(sum, n->by);
    n->rest = wide_rest(sum, n->by);
    if (wide_sign(n->rest) < 0) { /* round down */
        wide_add_to(&quotient, -1);
        n->rest = wide_add(n->rest, n->by);
    }
    *is_rounded = wide_sign(wide_rest(product, n->by)) != 0;
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
        to->exponent -= decimal_sign(*to) == 0 ? 0 : n->from.exponent;
    }
    return true;
}
