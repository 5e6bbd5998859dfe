/* The order of stacks, against a sort that looks at whole ones; and values of types, against a table of all of them. */
#include "../random.h"
#include "base/mem.h"
#include "pictures/flame_values.h"
#include "tap.h"

#include <stdlib.h>

/* Lists of numbers, one behind the other. */
struct lists {
    uint32_t *numbers;
    struct flame_path *paths;
    size_t count, number_count;
};

static const struct lists *compared;

static int compare(const void *x, const void *y)
{
    const struct flame_path *a = &compared->paths[*(const uint32_t *)x],
                            *b = &compared->paths[*(const uint32_t *)y];
    for (uint32_t i = 0; i < a->depth && i < b->depth; i++) {
        uint32_t of_a = compared->numbers[a->begin + i], of_b = compared->numbers[b->begin + i];
        if (of_a != of_b)
            return of_a < of_b ? -1 : 1;
    }
    if (a->depth != b->depth)
        return a->depth < b->depth ? -1 : 1;
    return (a->set > b->set) - (a->set < b->set);
}

/* COUNT lists of at most DEEPEST of the numbers 1 to KINDS, whose first SHARED are the same in all that have so many. */
static struct lists make(size_t count, size_t deepest, size_t kinds, size_t shared)
{
    struct lists l = {.count = count};
    l.numbers = mem_alloc((count * deepest + 1) * sizeof *l.numbers);
    l.paths = mem_alloc((count + 1) * sizeof *l.paths);
    for (size_t i = 0; i < count; i++) {
        uint32_t depth = (uint32_t)pick(deepest + 1);
        l.paths[i] = (struct flame_path){l.number_count, depth, (uint32_t)pick(4)};
        for (size_t j = 0; j < depth; j++)
            l.numbers[l.number_count++] = j < shared ? 1 : 1 + (uint32_t)pick(kinds);
    }
    return l;
}

/* Sorts COUNT such lists. */
static void check(size_t count, size_t deepest, size_t kinds, size_t shared, const char *name)
{
    struct lists l = make(count, deepest, kinds, shared);
    uint32_t *found = mem_alloc((count + 1) * sizeof *found);
    uint32_t *expected = mem_alloc((count + 1) * sizeof *expected);
    for (uint32_t i = 0; i < count; i++)
        found[i] = expected[i] = i;
    compared = &l;
    flame_sort(l.numbers, l.paths, found, count);
    qsort(expected, count, sizeof *expected, compare);
    bool good = true;
    for (size_t i = 0; i < count; i++) /* equal ones may stand in any order */
        good &= each(compare(&found[i], &expected[i]) == 0, "%s: place %zu", name, i);
    ok(good, "%s", name);
    mem_free(found);
    mem_free(expected);
    mem_free(l.numbers);
    mem_free(l.paths);
}

/* Each number is there once, whatever the order is. */
static void check_permutation(void)
{
    enum { COUNT = 5000 };
    static uint32_t order[COUNT];
    static bool is_there[COUNT];
    struct lists l = make(COUNT, 3, 2, 0);
    for (uint32_t i = 0; i < COUNT; i++)
        order[i] = i;
    flame_sort(l.numbers, l.paths, order, COUNT);
    bool good = true;
    for (size_t i = 0; i < COUNT; i++) {
        good &= each(order[i] < COUNT && !is_there[order[i]], "place %zu", i);
        is_there[order[i]] = true;
    }
    ok(good, "each list is there once, with many that are equal");
    mem_free(l.numbers);
    mem_free(l.paths);
}

/* What flame_values is asked about, and what it is to answer. */
struct values {
    struct flame f;
    struct sums sums;
    uint32_t *rows;            /* by place */
    struct sums_total *totals; /* by place and type */
};

/* Gives the row at PLACE a value of COLUMN, or some that are beyond 64 bits together. */
static void add_values(struct values *v, size_t place, size_t column)
{
    const struct flame_column *of = &v->f.columns[column];
    bool is_far = pick(1000) == 0;
    for (int times = is_far ? 3 : 1; times > 0; times--) {
        int64_t n = is_far ? INT64_MAX : (int64_t)pick(2000) - 1000;
        const struct sums_part part = {(uint32_t)column, false, n};
        sums_add_part(&v->sums, v->rows[place], &part);
        sums_total_add(&v->totals[place * v->f.type_count + of->type], &part, of->times);
    }
}

/* COUNT rows with SHARE of 8 values of WIDTH columns; a type is of several of these, and some are of none. */
static struct values make_values(size_t count, size_t width, size_t types, size_t share)
{
    static const struct sides none;
    struct values v = {.f = {.sides = &none, .type_count = types, .column_count = width}};
    v.totals = mem_alloc_zeroed(count * types * sizeof *v.totals);
    v.rows = mem_alloc(count * sizeof *v.rows);
    v.f.columns = mem_alloc(width * sizeof *v.f.columns);
    for (size_t i = 0; i < width; i++)
        v.f.columns[i] = (struct flame_column){(uint32_t)(i % types), (int64_t)pick(4) * 1000};
    for (size_t i = 0; i < count; i++) {
        v.rows[i] = (uint32_t)(count - 1 - i);
        for (size_t column = 0; column < width; column++)
            if (pick(8) < share)
                add_values(&v, i, column);
    }
    return v;
}

static void check_values(size_t count, size_t width, size_t types, size_t share, const char *name)
{
    struct values of = make_values(count, width, types, share);
    struct flame_values v = {.f = &of.f, .sums = &of.sums, .rows = of.rows, .row_count = count};
    bool good = true;
    flame_values_open(&v);
    for (size_t type = 0; type < types; type++) {
        flame_values_begin(&v, type);
        for (size_t i = 0; i < count; i++) {
            struct amount amount = {0};
            const struct sums_total *total = &amount.integers,
                                    *expected = &of.totals[i * types + type];
            flame_values_add(&v, i, &amount);
            good &=
                each(wide_compare(total->high, expected->high) == 0 && total->low == expected->low,
                     "%s: place %zu, type %zu", name, i, type);
        }
    }
    ok(good, "%s", name);
    flame_values_free(&v);
    sums_free(&of.sums);
    mem_free(of.f.columns);
    mem_free(of.rows);
    mem_free(of.totals);
}

int main(void)
{
    check(0, 5, 5, 0, "no lists");
    check(1, 5, 5, 0, "one list");
    check(12, 6, 3, 0, "a few lists");
    check(1000, 0, 1, 0, "lists of nothing, told apart by their sets");
    check(20000, 6, 3, 0, "lists of which many are equal, or begin others");
    check(20000, 7, 1, 0, "lists of one number");
    check(20000, 40, 5000, 0, "lists that differ at once");
    check(5000, 300, 3, 280, "lists that differ far behind their start");
    check(3000, 3, UINT32_MAX - 1, 0, "lists of large numbers");
    check_permutation();
    check_values(50, 1, 1, 8, "values of one type");
    check_values(50, 30, FLAME_VALUES_FEW, 4, "values of a few types");
    check_values(50, 30, FLAME_VALUES_FEW + 1, 4, "values of one type more");
    check_values(50, 3000, 1000, 1, "values of many types, of which rows have few");
    check_values(1200, 1500, 1200, 8, "values of more parts than are sorted at a time");
    mem_free_all();
    return tap_done();
}
