#include "info/spread.h"

#include "base/mem.h"
#include "base/order.h"

#include <math.h>

struct spread_row {
    int key; /* in the order of the numbers */
    uint64_t counts[SPREAD_BUCKETS];
    double largest[SPREAD_BUCKETS];
};

/* Above all exponents of doubles, so that keys have the sign of their numbers. */
enum { EXPONENTS = 4096 };

static struct spread_row *row_of(struct spread *s, int key)
{
    if (s->row_count > 0 && s->rows[s->last].key == key)
        return &s->rows[s->last];
    for (s->last = 0; s->last < s->row_count; s->last++)
        if (s->rows[s->last].key == key)
            return &s->rows[s->last];
    s->rows = mem_array(s->rows, &s->row_capacity, s->row_count + 1, sizeof *s->rows);
    s->rows[s->row_count++] = (struct spread_row){.key = key};
    return &s->rows[s->last];
}

void spread_add(struct spread *s, double x)
{
    int exponent;
    double part = frexp(fabs(x), &exponent); /* from 0.5 to below 1, or 0 */
    int key = x == 0 ? 0 : x > 0 ? EXPONENTS + exponent : -(EXPONENTS + exponent);
    size_t bucket = x == 0 ? 0 : (size_t)((part - 0.5) * 2 * SPREAD_BUCKETS);
    struct spread_row *row = row_of(s, key);
    bucket = x < 0 ? SPREAD_BUCKETS - 1 - bucket : bucket;
    if (row->counts[bucket]++ == 0 || x > row->largest[bucket])
        row->largest[bucket] = x;
    s->min = s->count == 0 || x < s->min ? x : s->min;
    s->max = s->count == 0 || x > s->max ? x : s->max;
    s->count++;
}

static int compare(const void *a, const void *b)
{
    const struct spread_row *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

double spread_percentile(struct spread *s, double percent)
{
    const double rank = ceil(percent / 100 * (double)s->count);
    uint64_t seen = 0;
    order_items(s->rows, s->row_count, sizeof *s->rows, compare);
    s->last = 0;
    for (size_t row = 0; row < s->row_count; row++)
        for (size_t bucket = 0; bucket < SPREAD_BUCKETS; bucket++) {
            seen += s->rows[row].counts[bucket];
            if ((double)seen >= rank && s->rows[row].counts[bucket] > 0)
                return s->rows[row].largest[bucket];
        }
    return s->max;
}

void spread_free(struct spread *s)
{
    mem_free(s->rows);
    *s = (struct spread){0};
}
