/* labels.h - the sets of labels that samples have, each once, numbered from 1; 0 is the empty one.
 *
 * A set is an array of struct label in the order of the sample that had it first.  Sets of the same
 * labels in another order are the same. */
#ifndef PROFPIPE_LABELS_H
#define PROFPIPE_LABELS_H

#include "base/intern.h"

/* Strings are numbers in a table of the caller, 0: none.  OTHER is up to the caller: a number of what
 * else tells a label from others.  There is no padding: equal labels are equal bytes. */
#define LABELS_NO_KEY                                                                              \
    UINT32_MAX /* a key of what is no label, but tells samples apart all the same */

struct label {
    uint32_t key, string, unit, other;
    int64_t number;
};

/* All zero is an empty table. */
struct labels {
    struct intern sets;
    uint32_t *first; /* by set, from 0: the first that had the same labels, in any order */
    size_t first_capacity;
};

/* The number of SET, an array of struct label: that of the first set that had the same labels, in
 * whatever order. */
uint32_t labels_add(struct labels *t, struct str set);

/* The set ID, *COUNT of them; valid until labels_free.  Who changes them asks for no numbers any more. */
static inline struct label *labels_get(const struct labels *t, uint32_t id, size_t *count)
{
    struct str set = id == 0 ? (struct str){NULL, 0} : intern_get(&t->sets, id);
    *count = set.n / sizeof(struct label);
    return (struct label *)(uintptr_t)set.p;
}

/* The order of two struct label: by key, string, number, unit and other, for order_items. */
int labels_compare(const void *a, const void *b);

/* Frees what T holds and leaves an empty table. */
void labels_free(struct labels *t);

#endif
