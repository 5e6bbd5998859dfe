/* amount.h - exact sums of integers and decimal fractions, for all that adds up values of samples.
 *
 * Digits of fractions are integers, times a power of ten.  So a table of sums (sums.h) holds them as well: each of its
 * columns may have others beside it, one for each power, which only fractions ask for.  Nothing is rounded until the
 * parts of a cell have been multiplied and added up. */
#ifndef PROFPIPE_AMOUNT_H
#define PROFPIPE_AMOUNT_H

#include "base/decimal.h"
#include "base/intern.h"
#include "base/sums.h"

/* Columns of integers are below this, those of digits are not. */
#define AMOUNT_DIGITS (UINT32_C(1) << 30)

/* The most parts that amount_split makes of a number. */
enum { AMOUNT_PARTS = 3 };

/* The columns of digits.  All zero is none. */
struct amount_columns {
    struct intern keys;
};

/* For amount_split. */
size_t amount_split_far(struct amount_columns *c, uint32_t column, struct decimal x,
                        struct sums_part *parts);

/* Writes the parts of X in COLUMN, below AMOUNT_DIGITS, to PARTS, which has room for AMOUNT_PARTS; returns how many
 * there are.  A number below 0 has one that counts it, so that a cell whose numbers cancel out is not an empty one. */
static inline size_t amount_split(struct amount_columns *c, uint32_t column, struct decimal x,
                                  struct sums_part *parts)
{
    int64_t n;
    if (__builtin_expect(x.exponent != 0 || !wide_fits(x.digits, &n) || n < 0, 0))
        return amount_split_far(c, column, x, parts);
    *parts = (struct sums_part){.column = column, .n = n};
    return n != 0;
}

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

/* The column that PART belongs to, as amount_split was given it. */
static inline uint32_t amount_column(const struct amount_columns *c, const struct sums_part *part)
{
    return __builtin_expect(part->column < AMOUNT_DIGITS, 1)
               ? part->column
               : amount_column_of_digits(c, part->column);
}

/* What parts come to.  All zero is nothing. */
struct amount {
    struct sums_total integers;
    struct decimal digits;
    bool is_there; /* a part has come, perhaps of numbers that cancel out */
};

/* Adds TIMES PART, of a table with the columns C, to A. */
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

/* What A comes to; exact as far as decimals are. */
struct decimal amount_decimal(const struct amount *a);

/* Whether A, in units of 10 to the POWER and rounded to the nearest of them, from the middle between two away from 0,
 * fits 64 bits; if so *VALUE is that. */
bool amount_fits(const struct amount *a, int power, int64_t *value);

/* By how much VALUE, what A was rounded to in units of 10 to the POWER, is more than A, in such units. */
struct decimal amount_rounding(const struct amount *a, int power, int64_t value);

/* The power that sums of a table may be rounded to: so fine that nothing is lost, or else that all of them together
 * have 18 digits.  Begins all zero; each amount of the table is noted. */
struct amount_grid {
    struct decimal all; /* their sizes together */
    int finest;         /* the least exponent, 0 at most */
};

void amount_note(struct amount_grid *g, const struct amount *a);
int amount_power(const struct amount_grid *g);

/* Frees what C holds, and leaves none. */
void amount_free(struct amount_columns *c);

#endif
