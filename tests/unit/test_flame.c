/* The order of stacks, against a sort that looks at whole ones. */
#include "../random.h"
#include "base/mem.h"
#include "pictures/flame_sort.h"
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
    mem_free_all();
    return tap_done();
}
