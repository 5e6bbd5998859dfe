/* labels.h - the distinct sets of labels of samples, numbered from 1; 0 is the empty set.
 *
 * A set is an array of struct label, in the order of the first sample that had it.  Sets that
 * differ only in order are the same. */
#ifndef PROFPIPE_LABELS_H
#define PROFPIPE_LABELS_H

#include "base/intern.h"

/* The key of an entry that is no label but also distinguishes samples. There is one only where the
 * `keep` of a profile numbers what it keeps. */
#define LABELS_NO_KEY UINT32_MAX

/* Strings are numbers in a table of the caller; 0: none.  OTHER is a number for anything else
 * that distinguishes labels.  There is no padding, so equal labels are equal bytes. */
struct label {
    uint32_t key, string, unit, other;
    int64_t number;
};

/* All zero is an empty table. */
struct labels {
    struct intern sets;
    uint32_t *first; /* by set, from 0: the first set with the same labels in any order */
    size_t first_capacity;
};

/* The number of SET, an array of struct label: that of the first set with the same labels in any
 * order. */
uint32_t labels_add(struct labels *t, struct str set);

/* The labels of the set ID; stores how many in *COUNT.  Valid until labels_free.  A caller that
 * changes them must not call labels_add afterwards. */
static inline struct label *labels_get(const struct labels *t, uint32_t id, size_t *count)
{
    struct str set = id == 0 ? (struct str){NULL, 0} : intern_get(&t->sets, id);
    *count = set.n / sizeof(struct label);
    return (struct label *)(uintptr_t)set.p;
}

/* Compares two struct label by key, string, number, unit and other, for order_items. */
int labels_compare(const void *a, const void *b);

/* Frees what T holds and leaves an empty table. */
void labels_free(struct labels *t);

#endif
