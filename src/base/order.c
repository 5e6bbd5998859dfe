/* Merge sort: the first half is moved to separate memory, and both halves are merged over the
 * items. */
#include "base/order.h"

#include "base/mem.h"

#include <stdint.h>
#include <string.h>

struct order {
    size_t size;
    int (*compare)(const void *a, const void *b, void *with);
    void *with;
    char *half;
};

/* Merges the sorted items before MIDDLE with those from there to COUNT.  SIZE is o->size: as a
 * constant it turns copies into single instructions. */
static inline __attribute__((always_inline)) void merge(const struct order *o, char *items,
                                                        size_t middle, size_t count, size_t size)
{
    const char *left = o->half, *left_end = left + middle * size;
    const char *right = items + middle * size, *right_end = items + count * size;
    memcpy(o->half, items, middle * size);
    for (; left < left_end && right < right_end; items += size) {
        if (o->compare(left, right, o->with) <= 0) {
            memcpy(items, left, size);
            left += size;
        } else {
            memcpy(items, right, size);
            right += size;
        }
    }
    memcpy(items, left, (size_t)(left_end - left));
}

static void sort(const struct order *o, char *items, size_t count)
{
    size_t middle = count / 2;
    if (middle == 0)
        return;
    char *right = items + middle * o->size;
    sort(o, items, middle);
    sort(o, right, count - middle);
    if (o->compare(right - o->size, right, o->with) <= 0)
        return;
    switch (o->size) {
    case sizeof(uint32_t): merge(o, items, middle, count, sizeof(uint32_t)); break;
    case sizeof(uint64_t): merge(o, items, middle, count, sizeof(uint64_t)); break;
    default: merge(o, items, middle, count, o->size);
    }
}

void order_items_with(void *items, size_t count, size_t size,
                      int (*compare)(const void *a, const void *b, void *with), void *with)
{
    enum { FEW = 512 };
    _Alignas(max_align_t) char few[FEW];
    size_t half = count / 2 * size;
    struct order o = {size, compare, with, half <= FEW ? few : mem_alloc(half)};
    sort(&o, items, count);
    if (o.half != few)
        mem_free(o.half);
}

struct pair {
    int (*compare)(const void *a, const void *b);
};

static int compare_pair(const void *a, const void *b, void *with)
{
    return ((const struct pair *)with)->compare(a, b);
}

void order_items(void *items, size_t count, size_t size,
                 int (*compare)(const void *a, const void *b))
{
    order_items_with(items, count, size, compare_pair, &(struct pair){compare});
}
