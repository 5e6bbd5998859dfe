#include "compare/moved.h"

#include "base/mem.h"
#include "base/order.h"

#include <math.h>

/* The gain or loss of a call. */
struct shift {
    uint32_t caller, callee;
    double by;
};

/* By caller, then by size, the largest first. */
static int compare(const void *a, const void *b)
{
    const struct shift *x = a, *y = b;
    if (x->caller != y->caller)
        return x->caller < y->caller ? -1 : 1;
    if (fabs(x->by) != fabs(y->by))
        return fabs(x->by) > fabs(y->by) ? -1 : 1;
    return (x->callee > y->callee) - (x->callee < y->callee);
}

/* Collects in C the calls that changed by at least MIN; returns their number. */
static size_t collect(const struct sides *s, double min, struct shift *c)
{
    size_t count = 0;
    for (uint32_t number = 1; number <= calls_count(&s->calls); number++) {
        const double *sums = s->costs[number - 1].sums;
        const struct shift shift = {calls_caller(&s->calls, number),
                                    calls_callee(&s->calls, number), sums[1] - sums[0]};
        if (fabs(shift.by) >= min && shift.by != 0)
            c[count++] = shift;
    }
    return count;
}

uint32_t *moved_find(const struct sides *s)
{
    const double tolerance = 0.25;
    double base = sides_mean(s, s->all, false), new = sides_mean(s, s->all, true);
    uint32_t *beside = mem_alloc_zeroed((s->item_count + 1) * sizeof *beside);
    struct shift *c = mem_alloc(((size_t)calls_count(&s->calls) + 1) * sizeof *c);
    size_t count = collect(s, SIDES_SHARE * fmax(base, new), c);
    order_items(c, count, sizeof *c, compare);
    for (size_t i = 0; i < count; i++) {
        uint32_t *x = &beside[c[i].callee - 1];
        /* changes decrease, so the first that is too small ends the search */
        for (size_t k = i + 1; *x == 0 && k < count && c[k].caller == c[i].caller &&
                               fabs(c[k].by) >= (1 - tolerance) * fabs(c[i].by);
             k++) {
            uint32_t *y = &beside[c[k].callee - 1];
            if (*y != 0 || (c[k].by > 0) == (c[i].by > 0))
                continue;
            *x = c[k].callee;
            *y = c[i].callee;
        }
    }
    mem_free(c);
    return beside;
}
