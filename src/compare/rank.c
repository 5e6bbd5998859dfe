#include "compare/rank.h"

#include "base/mem.h"
#include "base/order.h"

#include <math.h>
#include <stdbool.h>

enum {
    EXACT = 50,      /* values on a side; as many as benchstat takes */
    EXACT_TIED = 25, /* where some are equal */
};

struct ranked {
    double value;
    bool is_new;
    size_t rank; /* twice the rank, which is a half where values are equal */
};

static int upwards(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int by_value(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return upwards(&x->value, &y->value);
}

double rank_median(double *values, size_t count)
{
    if (count == 0)
        return 0;
    order_items(values, count, sizeof *values, upwards);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* The probability of a sum of ranks as far from its mean as SUM, both doubled, of M out of the
 * COUNT values R: over all ways to choose M of them, counted by how many are chosen and by sum. */
static double exact(const struct ranked *r, size_t count, size_t m, size_t sum)
{
    size_t largest = 0;
    for (size_t i = count - m; i < count; i++)
        largest += r[i].rank;
    double *ways = mem_alloc_zeroed((m + 1) * (largest + 1) * sizeof *ways);
    double all = 0, below = 0, above = 0;
    ways[0] = 1;
    for (size_t i = 0; i < count; i++) {
        size_t highest = 0; /* the sum of the last K of those up to I */
        for (size_t k = 1; k <= m && k <= i + 1; k++)
            highest += r[i + 1 - k].rank;
        for (size_t k = i + 1 < m ? i + 1 : m; k > 0; k--) {
            double *to = ways + k * (largest + 1);
            const double *from = to - (largest + 1);
            for (size_t s = highest; s >= r[i].rank; s--)
                to[s] += from[s - r[i].rank];
            highest -= r[i + 1 - k].rank;
        }
    }
    for (size_t s = 0; s <= largest; s++) {
        const double here = ways[m * (largest + 1) + s];
        all += here;
        below += s <= sum ? here : 0;
        above += s >= sum ? here : 0;
    }
    mem_free(ways);
    return fmin(1, 2 * fmin(below, above) / all);
}

/* The same by the normal distribution. TIES: the sum of t^3 - t over groups of t equal values. */
static double normal(double m, double n, double sum, double ties)
{
    const double count = m + n;
    const double apart = sum / 2 - m * (m + 1) / 2 - m * n / 2;
    const double deviation = sqrt(m * n / 12 * ((count + 1) - ties / (count * (count - 1))));
    const double z = (fabs(apart) - 0.5) / deviation;
    return fmin(1, erfc(z / sqrt(2)));
}

double rank_test(const double *values, const size_t counts[2])
{
    const size_t count = counts[0] + counts[1];
    struct ranked *r = mem_alloc((count + 1) * sizeof *r);
    double ties = 0;
    size_t sum = 0;
    for (size_t i = 0; i < count; i++)
        r[i] = (struct ranked){.value = values[i], .is_new = i >= counts[0]};
    order_items(r, count, sizeof *r, by_value);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && r[end].value == r[i].value;)
            end++;
        const double equal = (double)(end - i);
        ties += equal * equal * equal - equal;
        for (size_t k = i; k < end; k++) {
            r[k].rank = i + end + 1;
            sum += r[k].is_new ? 0 : r[k].rank;
        }
    }
    double p = 1;
    const size_t limit = ties > 0 ? EXACT_TIED : EXACT;
    if (count == 0 || r[0].value == r[count - 1].value)
        p = 1;
    else if (counts[0] <= limit && counts[1] <= limit)
        p = exact(r, count, counts[0], sum);
    else
        p = normal((double)counts[0], (double)counts[1], (double)sum, ties);
    mem_free(r);
    return p;
}
