#include "profile/labels.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/order.h"

/* The first difference decides. */
#define COMPARE(field)                                                                             \
    if (x->field != y->field)                                                                      \
    return x->field < y->field ? -1 : 1

int labels_compare(const void *a, const void *b)
{
    const struct label *x = a, *y = b;
    COMPARE(key);
    COMPARE(string);
    COMPARE(number);
    COMPARE(unit);
    COMPARE(other);
    return 0;
}

static bool is_sorted(struct str set)
{
    const struct label *labels = (const struct label *)(const void *)set.p;
    for (size_t i = 1; i < set.n / sizeof *labels; i++)
        if (labels_compare(&labels[i - 1], &labels[i]) > 0)
            return false;
    return true;
}

/* The number of the sorted copy of SET; stores whether it was new in *IS_NEW. */
static uint32_t add_sorted(struct labels *t, struct str set, bool *is_new)
{
    struct buf copy = {0};
    buf_add(&copy, set);
    order_items(copy.p, set.n / sizeof(struct label), sizeof(struct label), labels_compare);
    uint32_t id = intern_add(&t->sets, buf_str(&copy), is_new);
    buf_free(&copy);
    return id;
}

uint32_t labels_add(struct labels *t, struct str set)
{
    if (set.n == 0)
        return 0;
    bool is_new;
    uint32_t id = intern_add(&t->sets, set, &is_new);
    if (!is_new)
        return t->first[id - 1];
    t->first = mem_array(t->first, &t->first_capacity, (size_t)id + 1, sizeof *t->first);
    t->first[id - 1] = id;
    if (!is_sorted(set)) {
        uint32_t sorted = add_sorted(t, set, &is_new); /* id + 1 if it is new */
        if (is_new)
            t->first[sorted - 1] = id;
        t->first[id - 1] = t->first[sorted - 1];
    }
    return t->first[id - 1];
}

void labels_free(struct labels *t)
{
    intern_free(&t->sets);
    mem_free(t->first);
    *t = (struct labels){0};
}
