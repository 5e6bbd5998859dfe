/* Exact sums in a sparse table, against 128-bit ones in a full one. */
#include "base/sums.h"
#include "job.h"
#include "tap.h"

#include <stdlib.h>

enum { ROWS = 50, COLUMNS = 40, ADDED = 200000 };

static struct wide expected[ROWS][COLUMNS];

/* Values that often pass 64 bits together. */
static int64_t any_value(uint64_t *state)
{
    static const int64_t edges[] = {INT64_MAX, INT64_MIN, 1, -1, 0, INT64_MAX - 1};
    uint64_t n = random_next(state);
    return n % 2 == 0 ? edges[n / 2 % (sizeof edges / sizeof *edges)] : (int64_t)(n - (1u << 20));
}

/* The number of cells of S, whose columns are SCALE times as far apart as they are numbered, that are
 * not what is expected. */
static size_t count_wrong(const struct sums *s, uint32_t scale)
{
    size_t wrong = 0;
    for (uint32_t row = 0; row < ROWS; row++) {
        struct wide found[COLUMNS] = {0};
        struct sums_walk walk = {.row = row};
        struct sums_part part;
        while (sums_next(s, &walk, &part)) {
            wrong += part.n == 0 || part.column % scale != 0;
            struct wide *cell = &found[part.column / scale];
            *cell = wide_add(*cell, sums_value(&part));
        }
        for (uint32_t column = 0; column < COLUMNS; column++)
            wrong += wide_compare(found[column], expected[row][column]) != 0;
    }
    return wrong;
}

/* Adds row FROM of S to row TO of SUMS. */
static void add_row(struct sums *sums, uint32_t to, const struct sums *s, uint32_t from)
{
    struct sums_walk walk = {.row = from};
    struct sums_part part;
    while (sums_next(s, &walk, &part))
        sums_add_part(sums, to, &part);
}

static void test_cells(uint32_t scale)
{
    struct sums s = {0}, to = {0};
    uint64_t state = 5 + scale;
    memset(expected, 0, sizeof expected);
    for (int i = 0; i < ADDED; i++) {
        uint32_t row = (uint32_t)(random_next(&state) % ROWS);
        /* the first columns first, so that the array widens late */
        uint32_t column =
            (uint32_t)(random_next(&state) % (uint32_t)(1 + i * (COLUMNS - 1) / ADDED));
        int64_t value = any_value(&state);
        sums_add(&s, row, column * scale, value);
        wide_add_to(&expected[row][column], value);
    }
    ok(count_wrong(&s, scale) == 0, "every cell, columns %" PRIu32 " apart", scale);
    for (uint32_t row = 0; row < ROWS; row++)
        add_row(&to, row, &s, row);
    ok(count_wrong(&to, scale) == 0, "copied rows, columns %" PRIu32 " apart", scale);
    for (uint32_t row = 0; row < ROWS; row += 2) {
        add_row(&to, row + 1, &s, row);
        for (uint32_t column = 0; column < COLUMNS; column++)
            expected[row + 1][column] = wide_add(expected[row + 1][column], expected[row][column]);
    }
    ok(count_wrong(&to, scale) == 0, "added rows, columns %" PRIu32 " apart", scale);
    sums_free(&s);
    sums_free(&to);
}

static void test_totals(void)
{
    static const struct {
        int64_t high, low, factor, more, value;
        bool fits;
    } cases[] = {
        {0, INT64_MAX, 1, 0, INT64_MAX, true},
        {0, INT64_MAX, 1, 1, 0, false},
        {0, INT64_MIN, 1, 0, INT64_MIN, true},
        {0, INT64_MIN, 1, -1, 0, false},
        {1, -1, 1, 0, 0, false},         /* 2^64 - 1 */
        {-1, INT64_MAX, 1, 0, 0, false}, /* -2^63 - 1 */
        {-1, INT64_MAX, 1, 1, INT64_MIN, true},
        {0, 3, INT64_C(3600000000000), -5, INT64_C(10799999999995), true},
        {0, INT64_MAX, 2, -INT64_MAX, INT64_MAX, true},
        {0, INT64_MAX, INT64_MAX, 0, 0, false},
        {0, -7, -7, 1, 50, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sums_total total = {0};
        int64_t value;
        sums_total_add(&total, &(struct sums_part){.n = cases[i].low}, cases[i].factor);
        sums_total_add(&total, &(struct sums_part){.n = cases[i].high, .high = true},
                       cases[i].factor);
        sums_total_add(&total, &(struct sums_part){.n = cases[i].more}, 1);
        bool fits = sums_total_fits(&total, &value);
        ok(fits == cases[i].fits && (!fits || value == cases[i].value), "total %zu", i);
    }
}

/* Each row has a column of its own: memory for what there is. */
static void test_sparse(void)
{
    enum { COUNT = 100000 };
    struct sums s = {0};
    size_t wrong = 0;
    for (uint32_t i = 0; i < COUNT; i++)
        sums_add(&s, i, i, i + 1);
    for (uint32_t i = 0; i < COUNT; i++) {
        struct sums_walk walk = {.row = i};
        struct sums_part part;
        wrong += !sums_next(&s, &walk, &part) || part.column != i || part.n != i + 1;
        wrong += sums_next(&s, &walk, &part);
    }
    ok(wrong == 0, "a column of its own for each row");
    ok(s.block_count < COUNT && s.row_count * s.width < 4 * COUNT, "no more room than that takes");
    sums_free(&s);
    struct sums_walk walk = {.row = 3};
    ok(!sums_next(&s, &walk, &(struct sums_part){0}), "nothing is in an empty table");
}

int main(void)
{
    test_cells(1);
    test_cells(7);
    test_cells(100003);
    test_totals();
    test_sparse();
    return tap_done();
}
