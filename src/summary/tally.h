/* tally.h - counts samples: the sum of samples/count if all records have that type. */
#ifndef PROFPIPE_TALLY_H
#define PROFPIPE_TALLY_H

#include "rows/sample.h"

/* All zero is empty. */
struct tally {
    uint64_t records;      /* sample rows */
    uint64_t counted;      /* of these: rows with a value of samples/count */
    struct wide samples;   /* the sum of those values */
    struct decimal digits; /* and of their fractions */
};

/* Counts TIMES samples in T, 0 for none. COUNT is the sum of their values of samples/count, or
 * NULL. */
void tally_sample(struct tally *t, const struct sample_value *count, uint64_t times);

/* Adds X to T. */
void tally_add(struct tally *t, const struct tally *x);

/* Whether all records in T have samples/count. */
static inline bool tally_is_full(const struct tally *t)
{
    return t->records > 0 && t->counted == t->records;
}

/* The sum of samples/count. */
struct decimal tally_samples(const struct tally *t);

#endif
