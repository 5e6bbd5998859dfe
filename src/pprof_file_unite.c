/* What makes equal things of a pprof file one, where that takes more than equal bytes. */
#include "pprof_file.h"

#include <stdlib.h>

/* The first difference decides. */
#define COMPARE(field)                                                                             \
    if (x->field != y->field)                                                                      \
    return x->field < y->field ? -1 : 1

int pprof_order_labels(const void *a, const void *b)
{
    const struct pprof_label *x = a, *y = b;
    COMPARE(key);
    COMPARE(string);
    COMPARE(number);
    COMPARE(unit);
    COMPARE(unknown);
    return 0;
}

/* Whether the COUNT labels at SET are sorted. */
static bool is_sorted(const struct pprof_label *set, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (pprof_order_labels(&set[i - 1], &set[i]) > 0)
            return false;
    return true;
}

/* The number of the sorted copy of LABELS among the sets; *IS_NEW tells whether that joined them. */
static uint32_t sorted_set(struct pprof_file *f, struct str labels, bool *is_new)
{
    struct buf copy = {0};
    buf_add(&copy, labels);
    qsort(copy.p, labels.n / sizeof(struct pprof_label), sizeof(struct pprof_label),
          pprof_order_labels);
    uint32_t id = intern_add(&f->label_sets, buf_str(&copy), is_new);
    buf_free(&copy);
    return id;
}

uint32_t pprof_label_set(struct pprof_file *f, struct str labels)
{
    if (labels.n == 0)
        return 0;
    bool is_new;
    uint32_t id = intern_add(&f->label_sets, labels, &is_new);
    if (!is_new)
        return f->first_sets[id - 1];
    f->first_sets =
        mem_array(f->first_sets, &f->first_set_capacity, (size_t)id + 1, sizeof *f->first_sets);
    f->first_sets[id - 1] = id;
    if (!is_sorted((const struct pprof_label *)(const void *)labels.p,
                   labels.n / sizeof(struct pprof_label))) {
        uint32_t sorted = sorted_set(f, labels, &is_new); /* id + 1 if it is new */
        if (is_new)
            f->first_sets[sorted - 1] = id;
        f->first_sets[id - 1] = f->first_sets[sorted - 1];
    }
    return f->first_sets[id - 1];
}
