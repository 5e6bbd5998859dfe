/* Exact sums of integers and fractions in a table, against the same in units of 10 to the -9. */
#include "../random.h"
#include "base/amount.h"
#include "base/mem.h"
#include "tap.h"

enum { ROWS = 20, COLUMNS = 12, ADDED = 20000, POWER = 9 };

static struct wide expected[ROWS][COLUMNS];
static bool is_there[ROWS][COLUMNS];

/* A number of up to DIGITS digits, of which some stand behind the point. */
static struct decimal any_number(int digits)
{
    int64_t max = 1;
    for (size_t i = pick((size_t)digits); i > 0; i--)
        max *= 10;
    return (struct decimal){wide_of((int64_t)pick((size_t)max) - max / 2), -(int)pick(POWER + 1)};
}

static struct wide in_units(struct decimal x)
{
    for (; x.exponent > -POWER; x.exponent--)
        x.digits = wide_multiply(x.digits, wide_of(10));
    return x.digits;
}

static void add(struct sums *s, struct amount_columns *c, size_t row, size_t column,
                struct decimal x)
{
    struct sums_part parts[AMOUNT_PARTS];
    size_t count = amount_split(c, (uint32_t)column, x, parts);
    for (size_t i = 0; i < count; i++)
        sums_add_part(s, (uint32_t)row, &parts[i]);
    expected[row][column] = wide_add(expected[row][column], in_units(x));
    is_there[row][column] |= decimal_sign(x) != 0;
}

/* What the cell of ROW and COLUMN comes to, TIMES. */
static struct amount amount_of(const struct sums *s, const struct amount_columns *c, size_t row,
                               size_t column, int64_t times)
{
    struct sums_walk walk = {.row = (uint32_t)row};
    struct amount amount = {0};
    struct sums_part part;
    while (sums_next(s, &walk, &part))
        if (amount_column(c, &part) == column)
            amount_add(&amount, c, &part, times);
    return amount;
}

static void check_sums(void)
{
    struct sums sums = {0};
    struct amount_columns columns = {0};
    bool exact = true, there = true, fits = true;
    for (size_t i = 0; i < ADDED; i++) {
        size_t row = pick(ROWS), column = pick(COLUMNS);
        struct decimal x = any_number(18);
        add(&sums, &columns, row, column, x);
        x.digits = wide_negative(x.digits);
        if (pick(4) == 0 || row == 0) /* all of row 0 cancels out */
            add(&sums, &columns, row, column, x);
    }
    for (size_t row = 0; row < ROWS; row++)
        for (size_t column = 0; column < COLUMNS; column++) {
            struct amount amount = amount_of(&sums, &columns, row, column, 7);
            struct decimal seven =
                decimal_multiply((struct decimal){expected[row][column], -POWER}, decimal_of(7));
            int64_t value, nearest;
            exact &=
                each(decimal_compare(amount_decimal(&amount), seven) == 0, "%zu %zu", row, column);
            there &= each(amount.is_there == is_there[row][column], "%zu %zu", row, column);
            seven.exponent += 3;
            bool has_room = decimal_round(seven, &nearest);
            fits &= each(amount_fits(&amount, -3, &value) == has_room &&
                             (!has_room || value == nearest),
                         "%zu %zu", row, column);
        }
    ok(exact, "sums are exact");
    ok(there, "what cancels out is there");
    ok(fits, "in units of a thousandth they are rounded once");
    amount_free(&columns);
    sums_free(&sums);
}

static struct amount amount_text(const char *text)
{
    struct amount_columns columns = {0};
    struct sums_part parts[AMOUNT_PARTS];
    struct amount amount = {0};
    size_t count = amount_split(&columns, 3, decimal_read(str_of(text)), parts);
    for (size_t i = 0; i < count; i++)
        amount_add(&amount, &columns, &parts[i], 1);
    amount_free(&columns);
    return amount;
}

/* The power that sums TEXTS may be rounded to. */
static int power_of(const char *const *texts)
{
    struct amount_grid grid = {0};
    for (; *texts != NULL; texts++) {
        struct amount amount = amount_text(*texts);
        amount_note(&grid, &amount);
    }
    return amount_power(&grid);
}

static void check_powers(void)
{
    ok(power_of((const char *[]){"3", "1e6", "-7", NULL}) == 0, "integers need no fractions");
    ok(power_of((const char *[]){"0.5", "12.25", NULL}) == -2, "as fine as the finest");
    ok(power_of((const char *[]){"0.5e-30", "1", NULL}) == -17, "18 digits at most");
    ok(power_of((const char *[]){"0.001", "99999999999999.9", "-1", NULL}) == -3, "just so many");
    ok(power_of((const char *[]){"0.001", "-999999999999999.999", NULL}) == -2,
       "signs left aside, one less");
    ok(power_of((const char *[]){"0.5", "1e18", NULL}) == 0, "no room for fractions");
}

static void check_rounding(void)
{
    static const struct {
        const char *text, *more;
        int64_t value;
    } cases[] = {{"0.5", "0.5", 1},      {"-0.5", "-0.5", -1},
                 {"0.49", "-0.49", 0},   {"7", "0", 7},
                 {"1e-30", "-1e-30", 0}, {"9223372036854775806.5", "0.5", INT64_MAX}};
    int64_t value;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct amount amount = amount_text(cases[i].text);
        ok(amount_fits(&amount, 0, &value) && value == cases[i].value &&
               decimal_compare(amount_rounding(&amount, 0, value),
                               decimal_read(str_of(cases[i].more))) == 0,
           "%s is rounded to %" PRId64, cases[i].text, cases[i].value);
    }
    struct amount amount = amount_text("9223372036854775807.5");
    ok(!amount_fits(&amount, 0, &value), "what passes 64 bits does not fit");
    amount = amount_text("1e40");
    ok(!amount_fits(&amount, 0, &value), "nor what passes 128");
}

int main(void)
{
    check_sums();
    check_powers();
    check_rounding();
    return tap_done();
}
