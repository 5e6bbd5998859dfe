/* amount.h - exact sums of integers and decimal fractions, for all code that adds up values of
 * samples.
 *
 * A fraction is an integer times a power of ten.  So a table of integer sums (sums.h) can hold
 * it: each column has an extra column for each power that occurs.  Nothing is rounded until the
 * parts of a cell have been multiplied and added up. */
#ifndef PROFPIPE_AMOUNT_H
#define PROFPIPE_AMOUNT_H

#include "base/decimal.h"
#include "base/intern.h"
#include "base/sums.h"

/* Columns of integers are below this number, columns of digits are not. */
#define AMOUNT_DIGITS (UINT32_C(1) << 30)

/* The maximum number of parts that amount_split makes of a number. */
enum { AMOUNT_PARTS = 3 };

/* The columns of digits.  All zero: there are none. */
struct amount_columns {
    struct intern keys;
};

/* For amount_split. */
size_t amount_split_far(struct amount_columns *c, uint32_t column, struct decimal x,
                        struct sums_part *parts);

/* Splits X into parts of COLUMN, which is below AMOUNT_DIGITS.  Writes them to PARTS, which has
 * room for AMOUNT_PARTS, and returns how many there are.  A negative number has one more part,
 * which counts it: so a cell whose numbers cancel out differs from an empty one. */
static inline size_t amount_split(struct amount_columns *c, uint32_t column, struct decimal x,
                                  struct sums_part *parts)
{
    int64_t n;
    if (__builtin_expect(x.exponent != 0 || !wide_fits(x.digits, &n) || n < 0, 0))
        return amount_split_far(c, column, x, parts);
    *parts = (struct sums_part){.column = column, .n = n};
    return n != 0;
}

/* A part that adds nothing to COLUMN and is counted, as that of a negative number: for a 0 that
 * differs from no number. */
struct sums_part amount_presence(struct amount_columns *c, uint32_t column);

/* X times N: fast where X is an integer. */
static inline struct decimal amount_times(struct decimal x, int64_t n)
{
    int64_t integer;
    if (x.exponent == 0 && wide_fits(x.digits, &integer))
        return (struct decimal){wide_multiply(x.digits, wide_of(n)), 0};
    return decimal_multiply(x, decimal_of(n));
}

/* For amount_column. */
uint32_t amount_column_of_digits(const struct amount_columns *c, uint32_t column);

/* The column that was passed to amount_split for PART. */
static inline uint32_t amount_column(const struct amount_columns *c, const struct sums_part *part)
{
    return __builtin_expect(part->column < AMOUNT_DIGITS, 1)
               ? part->column
               : amount_column_of_digits(c, part->column);
}

/* A sum of parts.  All zero: an empty sum. */
struct amount {
    struct sums_total integers;
    struct decimal digits;
    bool is_there; /* a part was added, even if the sum is 0 */
};

/* Adds PART, multiplied by TIMES, to A.  PART is from a table with the columns C. */
void amount_add_digits(struct amount *a, const struct amount_columns *c,
                       const struct sums_part *part, int64_t times);
static inline void amount_add(struct amount *a, const struct amount_columns *c,
                              const struct sums_part *part, int64_t times)
{
    a->is_there = true;
    if (__builtin_expect(part->column < AMOUNT_DIGITS, 1))
        sums_total_add(&a->integers, part, times);
    else
        amount_add_digits(a, c, part, times);
}

/* The sum A, as exact as decimals are. */
struct decimal amount_decimal(const struct amount *a);

/* Rounds A to the nearest multiple of 10 to the POWER, halves away from 0.  Returns whether that
 * multiple fits 64 bits; if so it is stored in *VALUE. */
bool amount_fits(const struct amount *a, int power, int64_t *value);

/* VALUE minus A, in units of 10 to the POWER; VALUE is what A was rounded to. */
struct decimal amount_rounding(const struct amount *a, int power, int64_t value);

/* Finds the power of ten that the sums of a table are rounded to: fine enough to be exact if
 * possible, otherwise such that all sums together have 18 digits.  Start with all zero and call
 * amount_note for each amount of the table. */
struct amount_grid {
    struct decimal all; /* the sum of their absolute values */
    int finest;         /* the smallest exponent, at most 0 */
};

void amount_note(struct amount_grid *g, const struct amount *a);
int amount_power(const struct amount_grid *g);

/* Frees what C holds and resets it to no columns. */
void amount_free(struct amount_columns *c);

#endif
