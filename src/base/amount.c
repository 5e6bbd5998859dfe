#include "base/amount.h"

/* The key of a column of digits.  There is no padding: equal keys are equal bytes. */
struct key {
    uint32_t column; /* the column of integers that it belongs to */
    int32_t power;   /* the power of ten; BELOW_ZERO: the column counts numbers, such as those below 0 */
};

enum { BELOW_ZERO = INT32_MAX };

static uint32_t column_of(struct amount_columns *c, uint32_t column, int power)
{
    struct key key = {column, power};
    return AMOUNT_DIGITS + intern_add(&c->keys, (struct str){(char *)&key, sizeof key}, NULL) - 1;
}

static struct key key_of(const struct amount_columns *c, uint32_t column)
{
    struct key key;
    memcpy(&key, intern_get(&c->keys, column - AMOUNT_DIGITS + 1).p, sizeof key);
    return key;
}

uint32_t amount_column_of_digits(const struct amount_columns *c, uint32_t column)
{
    return key_of(c, column).column;
}

/* --- from numbers to parts --- */

struct sums_part amount_presence(struct amount_columns *c, uint32_t column)
{
    return (struct sums_part){.column = column_of(c, column, BELOW_ZERO), .n = 1};
}

size_t amount_split_far(struct amount_columns *c, uint32_t column, struct decimal x,
                        struct sums_part *parts)
{
    size_t count = 0;
    int64_t low = (int64_t)wide_low(x.digits);
    int64_t high = wide_high(wide_subtract(x.digits, wide_of(low)));
    uint32_t own = x.exponent == 0 ? column : column_of(c, column, x.exponent);
    if (low != 0)
        parts[count++] = (struct sums_part){.column = own, .n = low};
    if (high != 0)
        parts[count++] = (struct sums_part){.column = own, .high = true, .n = high};
    if (decimal_sign(x) < 0)
        parts[count++] = amount_presence(c, column);
    return count;
}

/* --- from parts to sums --- */

void amount_add_digits(struct amount *a, const struct amount_columns *c,
                       const struct sums_part *part, int64_t times)
{
    struct key key = key_of(c, part->column);
    if (key.power == BELOW_ZERO)
        return;
    struct decimal x = {sums_value(part), key.power};
    decimal_add(&a->digits, times == 1 ? x : decimal_multiply(x, decimal_of(times)));
}

struct decimal amount_decimal(const struct amount *a)
{
    /* add the low 64 bits and the rest separately, so that neither overflows 128 bits */
    struct decimal sum = {wide_of_unsigned(a->integers.low), 0};
    struct decimal high = decimal_multiply((struct decimal){a->integers.high, 0},
                                           (struct decimal){wide_join(0, 1), 0});
    decimal_add(&sum, high);
    decimal_add(&sum, a->digits);
    return sum;
}

bool amount_fits(const struct amount *a, int power, int64_t *value)
{
    if (power == 0 && decimal_sign(a->digits) == 0)
        return sums_total_fits(&a->integers, value);
    struct decimal x = amount_decimal(a);
    x.exponent -= power;
    return decimal_round(x, value);
}

struct decimal amount_rounding(const struct amount *a, int power, int64_t value)
{
    struct decimal more = decimal_of(value);
    if (power == 0 && decimal_sign(a->digits) == 0)
        return decimal_of(0);
    struct decimal exact = amount_decimal(a);
    exact.exponent -= power;
    decimal_subtract(&more, exact);
    return more;
}

/* --- rounding of sums --- */

enum { DIGITS = 18 }; /* decimal digits that fit 64 bits */

void amount_note(struct amount_grid *g, const struct amount *a)
{
    struct decimal x = amount_decimal(a);
    decimal_add(&g->all, decimal_size(x));
    if (decimal_sign(x) != 0 && x.exponent < g->finest)
        g->finest = x.exponent;
}

int amount_power(const struct amount_grid *g)
{
    int power = g->finest < -DIGITS ? -DIGITS : g->finest;
    while (power < 0 && decimal_compare(g->all, (struct decimal){wide_of(1), DIGITS + power}) >= 0)
        power++;
    return power;
}

void amount_free(struct amount_columns *c)
{
    intern_free(&c->keys);
}
