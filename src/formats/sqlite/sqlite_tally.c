#include "formats/sqlite/sqlite_tally.h"

#include "base/mem.h"
#include "base/order.h"

void sqlite_tally_open(struct sqlite_tally *t, size_t size)
{
    *t = (struct sqlite_tally){.size = size};
    t->items = mem_alloc((size + 1) * sizeof *t->items);
    t->is_in = mem_alloc_zeroed(size + 1);
    t->selfs = mem_alloc((size + 1) * sizeof *t->selfs);
    t->totals = mem_alloc((size + 1) * sizeof *t->totals);
}

bool sqlite_tally_begin(struct sqlite_tally *t, uint32_t item)
{
    if (t->is_in[item])
        return false;
    t->is_in[item] = 1;
    t->items[t->count++] = item;
    t->selfs[item] = t->totals[item] = (struct sqlite_amount){0};
    return true;
}

static int compare_items(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* A few items are sorted; for many it is faster to scan all. */
void sqlite_tally_finish(struct sqlite_tally *t)
{
    enum { FEW = 16 };
    if (t->count < t->size / FEW) {
        order_items(t->items, t->count, sizeof *t->items, compare_items);
    } else {
        t->count = 0;
        for (uint32_t i = 0; i < t->size; i++)
            if (t->is_in[i])
                t->items[t->count++] = i;
    }
    for (size_t i = 0; i < t->count; i++)
        t->is_in[t->items[i]] = 0;
}

static bool is_zero(struct sqlite_amount a)
{
    return wide_sign(a.whole) == 0 && a.real == 0;
}

bool sqlite_tally_is_nothing(const struct sqlite_tally *t, uint32_t item)
{
    return is_zero(t->selfs[item]) && is_zero(t->totals[item]);
}

static void put_amount(struct sqlite_batch *b, struct sqlite_amount a)
{
    int64_t integer;
    if (wide_fits(a.whole, &integer) && a.real == 0)
        sqlite_batch_integer(b, integer);
    else
        sqlite_batch_real(b, wide_to_double(a.whole) + a.real);
}

void sqlite_tally_put(struct sqlite_batch *b, const struct sqlite_tally *t, uint32_t item)
{
    put_amount(b, t->selfs[item]);
    put_amount(b, t->totals[item]);
    sqlite_batch_end(b);
}

void sqlite_tally_free(struct sqlite_tally *t)
{
    mem_free(t->items);
    mem_free(t->is_in);
    mem_free(t->selfs);
    mem_free(t->totals);
}
