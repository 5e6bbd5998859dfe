/* spread.h - how numbers are spread: their percentiles, in memory that does not grow with how many
 * they are.
 *
 * A number is counted in a bucket that is at most 1/128 of it wide, and the largest one in a bucket
 * stands for all: percentiles are numbers that occur, at most 0.8 % above the exact ones. */
#ifndef PROFPIPE_SPREAD_H
#define PROFPIPE_SPREAD_H

#include <stddef.h>
#include <stdint.h>

/* Buckets in a row: the numbers of one sign and one binary exponent. */
enum { SPREAD_BUCKETS = 128 };

struct spread_row;

/* All zero has no numbers. */
struct spread {
    uint64_t count;
    double min, max; /* only with numbers */
    struct spread_row *rows;
    size_t row_count, row_capacity;
    size_t last; /* the row of the number that was added last */
};

/* Adds X, a finite number. */
void spread_add(struct spread *s, double x);

/* The number that PERCENT of all are not above; S has numbers. PERCENT is above 0, at most 100. */
double spread_percentile(struct spread *s, double percent);

/* Frees what S holds. */
void spread_free(struct spread *s);

#endif
