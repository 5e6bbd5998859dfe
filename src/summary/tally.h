/* tally.h - how many samples there are of something: what the type samples/count comes to, where all say that. */
#ifndef PROFPIPE_TALLY_H
#define PROFPIPE_TALLY_H

#include "rows/sample.h"

/* All zero is none. */
struct tally {
    uint64_t records;      /* samples as rows have them */
    uint64_t counted;      /* of them: those that say how many samples they are */
    struct wide samples;   /* so many together, */
    struct decimal digits; /* and of fractions */
};

/* Counts a sample in T; COUNT is the value that says how many it is, or NULL. */
void tally_sample(struct tally *t, const struct sample_value *count);

/* Adds what X has counted to T. */
void tally_add(struct tally *t, const struct tally *x);

/* Whether all that T has counted say how many samples they are. */
static inline bool tally_is_full(const struct tally *t)
{
    return t->records > 0 && t->counted == t->records;
}

/* How many samples those that say it are. */
struct decimal tally_samples(const struct tally *t);

#endif
