/* Three-way quicksort of strings (J. Bentley and R. Sedgewick, Fast algorithms for sorting and
 * searching strings, 1997). Two numbers together are a character. They are stored beside the items,
 * since looking them up costs more than all the rest. */
#include "pictures/flame_sort.h"

#include "base/hash.h"
#include "base/mem.h"

enum { FEW = 12 }; /* parts up to this size use insertion sort */

struct item {
    uint64_t key; /* the two numbers at the current depth; 0 after the end */
    uint32_t path;
};

/* A part still to be sorted: the first DEPTH numbers of all its items are equal. */
struct part {
    size_t begin, count;
    uint32_t depth;
    bool has_ended; /* all lists have ended: their sets are the keys */
};

struct sorter {
    const uint32_t *numbers;
    const struct flame_path *paths;
    struct item *items;
    struct part *parts;
    size_t part_count, part_capacity;
    uint64_t pivots; /* number of pivots chosen so far */
};

static uint64_t key_at(const struct sorter *s, const struct flame_path *path, uint32_t depth)
{
    const uint32_t *p = s->numbers + path->begin + depth;
    uint64_t first = depth < path->depth ? p[0] : 0;
    return first << 32 | (depth + 1 < path->depth ? p[1] : 0);
}

static void make_keys(struct sorter *s, const struct part *p)
{
    struct item *items = s->items + p->begin;
    for (size_t i = 0; i < p->count; i++) {
        const struct flame_path *path = &s->paths[items[i].path];
        items[i].key = p->has_ended ? (uint64_t)path->set << 32 : key_at(s, path, p->depth);
    }
}

/* Whether X, of part P, sorts before Y. */
static bool is_before(const struct sorter *s, const struct part *p, const struct item *x,
                      const struct item *y)
{
    const struct flame_path *a = &s->paths[x->path], *b = &s->paths[y->path];
    uint64_t of_a = x->key, of_b = y->key;
    for (uint32_t depth = p->depth; of_a == of_b && (uint32_t)of_a != 0 && !p->has_ended;) {
        depth += 2;
        of_a = key_at(s, a, depth);
        of_b = key_at(s, b, depth);
    }
    return of_a != of_b ? of_a < of_b : a->set < b->set;
}

static void insert(const struct sorter *s, const struct part *p)
{
    struct item *items = s->items + p->begin;
    for (size_t i = 1; i < p->count; i++) {
        struct item item = items[i];
        size_t to = i;
        for (; to > 0 && is_before(s, p, &item, &items[to - 1]); to--)
            items[to] = items[to - 1];
        items[to] = item;
    }
}

static void leave(struct sorter *s, struct part part)
{
    if (part.count < 2)
        return;
    s->parts = mem_array(s->parts, &s->part_capacity, s->part_count + 1, sizeof *s->parts);
    s->parts[s->part_count++] = part;
}

static uint64_t median(uint64_t a, uint64_t b, uint64_t c)
{
    if (a > b)
        return b > c ? b : a > c ? c : a;
    return a > c ? a : b > c ? c : b;
}

/* A key near the median of ITEMS. It depends on earlier choices, so that nobody can prepare stacks
 * that take quadratic time. */
static uint64_t pivot_of(struct sorter *s, const struct item *items, size_t count)
{
    uint64_t of[3];
    size_t step = count / 9;
    items += hash_number(s->pivots++) % step;
    for (size_t i = 0; i < 3; i++)
        of[i] = median(items[3 * i * step].key, items[(3 * i + 1) * step].key,
                       items[(3 * i + 2) * step].key);
    return median(of[0], of[1], of[2]);
}

static void swap(struct item *x, struct item *y)
{
    struct item item = *x;
    *x = *y;
    *y = item;
}

/* Splits P by its keys. */
static void divide(struct sorter *s, const struct part *p)
{
    struct item *items = s->items + p->begin;
    uint64_t pivot = pivot_of(s, items, p->count);
    size_t less = 0, next = 0, more = p->count;
    while (next < more) {
        if (items[next].key < pivot)
            swap(&items[less++], &items[next++]);
        else if (items[next].key > pivot)
            swap(&items[next], &items[--more]);
        else
            next++;
    }
    bool have_ended = (uint32_t)pivot == 0;
    leave(s, (struct part){p->begin, less, p->depth, p->has_ended});
    leave(s, (struct part){p->begin + more, p->count - more, p->depth, p->has_ended});
    if (p->has_ended)
        return;
    struct part same = {p->begin + less, more - less, p->depth + 2, have_ended};
    make_keys(s, &same);
    leave(s, same);
}

void flame_sort(const uint32_t *numbers, const struct flame_path *paths, uint32_t *order,
                size_t count)
{
    struct sorter s = {.numbers = numbers, .paths = paths};
    struct part part = {.count = count};
    s.items = mem_alloc((count + 1) * sizeof *s.items);
    for (size_t i = 0; i < count; i++)
        s.items[i] = (struct item){.path = order[i]};
    make_keys(&s, &part);
    leave(&s, part);
    while (s.part_count > 0) {
        part = s.parts[--s.part_count];
        if (part.count <= FEW)
            insert(&s, &part);
        else
            divide(&s, &part);
    }
    for (size_t i = 0; i < count; i++)
        order[i] = s.items[i].path;
    mem_free(s.items);
    mem_free(s.parts);
}
