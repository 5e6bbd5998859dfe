/* Sums of a trie. As samples come: per type and source, for the stacks that end in a node. At the
 * end: for all nodes and names. */
#include "formats/sqlite/sqlite_sums.h"

#include "base/mem.h"
#include "base/order.h"
#include "formats/sqlite/sqlite_batch.h"
#include "formats/sqlite/sqlite_nodes.h"
#include "formats/sqlite/sqlite_tally.h"

/* --- while samples come --- */

static uint64_t pair_key(struct sqlite_pair pair)
{
    return (uint64_t)pair.type << 32 | pair.source;
}

static uint32_t pair_number(struct sqlite_sums *s, uint32_t type, uint32_t source)
{
    uint64_t key = pair_key((struct sqlite_pair){type, source});
    uint32_t number = idmap_get(&s->numbers, key);
    if (number != 0)
        return number;
    s->pairs = mem_array(s->pairs, &s->pair_capacity, s->pair_count + 1, sizeof *s->pairs);
    s->pairs[s->pair_count++] = (struct sqlite_pair){type, source};
    idmap_put(&s->numbers, key, (uint32_t)s->pair_count);
    return (uint32_t)s->pair_count;
}

void sqlite_sums_add(struct sqlite_sums *s, uint32_t end, uint32_t type, uint32_t source,
                     int64_t value)
{
    sums_add(&s->sums, end - 1, pair_number(s, type, source) - 1, value);
}

void sqlite_sums_add_real(struct sqlite_sums *s, uint32_t end, uint32_t type, uint32_t source,
                          double value)
{
    uint32_t pair = pair_number(s, type, source);
    uint64_t key = (uint64_t)pair << 32 | end;
    uint32_t number = idmap_get(&s->real_numbers, key);
    if (number == 0) {
        s->reals = mem_array(s->reals, &s->real_capacity, s->real_count + 1, sizeof *s->reals);
        s->reals[s->real_count++] = (struct sqlite_real){.end = end, .pair = pair};
        number = (uint32_t)s->real_count;
        idmap_put(&s->real_numbers, key, number);
    }
    s->reals[number - 1].sum += value;
}

/* --- what is added up --- */

/* A part of the sum for stacks that end in a node: N, N times 2^64, or REAL. */
struct part {
    uint32_t node;
    enum { PART_LOW, PART_HIGH, PART_REAL } kind;
    union {
        int64_t n;
        double real;
    };
};

static struct sqlite_amount amount_of(const struct part *part)
{
    switch (part->kind) {
    case PART_LOW: return (struct sqlite_amount){.whole = wide_of(part->n)};
    case PART_HIGH: return (struct sqlite_amount){.whole = wide_join(0, part->n)};
    default: return (struct sqlite_amount){.real = part->real};
    }
}

/* The parts of a pair. */
struct range {
    struct sqlite_pair pair;
    uint32_t number; /* of the pair, from 0 */
    size_t begin, count;
};

struct writer {
    struct sqlite_sums *sums;
    struct sqlite_nodes nodes;
    struct sqlite_db *db;
    struct sqlite_tally tally;      /* by node - 1 */
    struct sqlite_tally name_tally; /* by id of the name - 1 */
    struct range *ranges;           /* sorted by type, then source */
    struct part *parts;
    struct sqlite_batch stored_sums, name_sums;
};

/* --- sums of nodes --- */

/* Adds the parts of RANGE to the tally, at the nodes where stacks end. */
static void add_range(struct writer *w, const struct range *range)
{
    const struct stack_node *nodes = w->nodes.stacks->tree.nodes;
    struct sqlite_tally *t = &w->tally;
    for (size_t i = range->begin; i < range->begin + range->count; i++) {
        const struct part *part = &w->parts[i];
        for (uint32_t n = part->node; n != 0 && sqlite_tally_begin(t, n - 1);)
            n = nodes[n - 1].parent;
        sqlite_amount_add(&t->selfs[part->node - 1], amount_of(part));
    }
}

/* Sets the tally to the sum of COUNT ranges from FIRST on. */
static void add_up(struct writer *w, const struct range *first, size_t count)
{
    const struct stack_node *nodes = w->nodes.stacks->tree.nodes;
    struct sqlite_tally *t = &w->tally;
    t->count = 0;
    for (size_t i = 0; i < count; i++)
        add_range(w, &first[i]);
    sqlite_tally_finish(t);
    for (size_t i = t->count; i > 0; i--) {
        uint32_t item = t->items[i - 1], parent = nodes[item].parent;
        sqlite_amount_add(&t->totals[item], t->selfs[item]);
        if (parent != 0)
            sqlite_amount_add(&t->totals[parent - 1], t->totals[item]);
    }
}

/* Writes the sums of nodes for TYPE. */
static void write_nodes(struct writer *w, uint32_t type)
{
    for (size_t i = 0; i < w->tally.count; i++) {
        uint32_t item = w->tally.items[i];
        if (w->nodes.frames[item].sums != item + 1 || sqlite_tally_is_nothing(&w->tally, item))
            continue;
        sqlite_batch_integer(&w->stored_sums, type);
        sqlite_batch_integer(&w->stored_sums, (int64_t)item + 1);
        sqlite_tally_put(&w->stored_sums, &w->tally, item);
    }
}

/* --- sums of names --- */

/* Writes the sums of names for PAIR, from the tally. A stack counts once for a name, where the name
 * is outermost. */
static void write_pair(struct writer *w, struct sqlite_pair pair)
{
    const struct sqlite_tally *t = &w->tally;
    struct sqlite_tally *names = &w->name_tally;
    names->count = 0;
    for (size_t i = 0; i < t->count; i++) {
        uint32_t item = t->items[i];
        const struct sqlite_node_frame *f = &w->nodes.frames[item];
        uint32_t name = sqlite_nodes_name(&w->nodes, item + 1) - 1;
        sqlite_tally_begin(names, name);
        sqlite_amount_add(&names->selfs[name], t->selfs[item]);
        if (f->named == 0)
            sqlite_amount_add(&names->totals[name], t->selfs[item]);
        else if (f->repetition == 1)
            sqlite_amount_add(&names->totals[name], t->totals[item]);
    }
    sqlite_tally_finish(names);
    for (size_t i = 0; i < names->count; i++) {
        uint32_t name = names->items[i];
        if (sqlite_tally_is_nothing(names, name))
            continue;
        sqlite_batch_integer(&w->name_sums, pair.type);
        sqlite_batch_integer(&w->name_sums, pair.source);
        sqlite_batch_integer(&w->name_sums, (int64_t)name + 1);
        sqlite_tally_put(&w->name_sums, names, name);
    }
}

/* --- all of them --- */

/* By type, then by source, like the key of the table. */
static int compare_ranges(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    if (x->pair.type != y->pair.type)
        return x->pair.type < y->pair.type ? -1 : 1;
    return (x->pair.source > y->pair.source) - (x->pair.source < y->pair.source);
}

/* Calls VISIT for each part and its range. ENDS are nodes by number of the end - 1. */
static void each_part(struct writer *w, const uint32_t *range_of, const uint32_t *ends,
                      void (*visit)(struct writer *w, struct range *range, struct part part))
{
    const struct sqlite_sums *s = w->sums;
    struct sums_part part;
    for (uint32_t i = 0; i < w->nodes.stacks->end_count; i++)
        for (struct sums_walk walk = {.row = i}; sums_next(&s->sums, &walk, &part);)
            visit(w, &w->ranges[range_of[part.column]],
                  (struct part){ends[i], part.high ? PART_HIGH : PART_LOW, {part.n}});
    for (size_t i = 0; i < s->real_count; i++) {
        const struct sqlite_real *real = &s->reals[i];
        visit(w, &w->ranges[range_of[real->pair - 1]],
              (struct part){ends[real->end - 1], PART_REAL, {.real = real->sum}});
    }
}

static void count_part(struct writer *w, struct range *range, struct part part)
{
    (void)w, (void)part;
    range->count++;
}

static void place_part(struct writer *w, struct range *range, struct part part)
{
    w->parts[range->begin + range->count++] = part;
}

/* The node of each end, by number - 1; the caller frees it. */
static uint32_t *make_ends(const struct sqlite_stacks *stacks)
{
    uint32_t *ends = mem_alloc(((size_t)stacks->end_count + 1) * sizeof *ends);
    for (uint32_t i = 0; i < stacks->tree.count; i++)
        if (stacks->end_of[i] != 0)
            ends[stacks->end_of[i] - 1] = i + 1;
    return ends;
}

/* Makes the ranges, and moves all sums into them. */
static void make_ranges(struct writer *w)
{
    struct sqlite_sums *s = w->sums;
    size_t total = 0;
    uint32_t *ends = make_ends(w->nodes.stacks);
    uint32_t *range_of = mem_alloc((s->pair_count + 1) * sizeof *range_of);
    w->ranges = mem_alloc_zeroed((s->pair_count + 1) * sizeof *w->ranges);
    for (uint32_t i = 0; i < s->pair_count; i++)
        w->ranges[i] = (struct range){.pair = s->pairs[i], .number = i};
    order_items(w->ranges, s->pair_count, sizeof *w->ranges, compare_ranges);
    for (uint32_t i = 0; i < s->pair_count; i++)
        range_of[w->ranges[i].number] = i;
    each_part(w, range_of, ends, count_part);
    for (size_t i = 0; i < s->pair_count; i++) {
        w->ranges[i].begin = total;
        total += w->ranges[i].count;
        w->ranges[i].count = 0;
    }
    w->parts = mem_alloc(total * sizeof *w->parts);
    each_part(w, range_of, ends, place_part);
    sums_free(&s->sums);
    mem_free(range_of);
    mem_free(ends);
}

static void write_sums(struct writer *w)
{
    size_t count = w->sums->pair_count;
    for (size_t first = 0, end; first < count; first = end) {
        const struct range *of = &w->ranges[first];
        for (end = first; end < count && w->ranges[end].pair.type == of->pair.type; end++) {
            add_up(w, &w->ranges[end], 1);
            write_pair(w, w->ranges[end].pair);
        }
        if (end > first + 1) /* otherwise the source has the whole type */
            add_up(w, of, end - first);
        write_nodes(w, of->pair.type);
    }
}

void sqlite_sums_write(struct sqlite_sums *s, const struct sqlite_stacks *stacks,
                       struct sqlite_db *d)
{
    struct writer w = {.sums = s, .db = d};
    sqlite_nodes_make(&w.nodes, stacks, d);
    sqlite_nodes_write(&w.nodes, d);
    make_ranges(&w);
    sqlite_tally_open(&w.tally, stacks->tree.count);
    sqlite_tally_open(&w.name_tally, w.nodes.name_count);
    sqlite_batch_open(&w.stored_sums, d, "stored_sums", "type_id, sums_id, self, total", 4);
    sqlite_batch_open(&w.name_sums, d, "name_sums", "type_id, source_id, name_id, self, total", 5);
    write_sums(&w);
    sqlite_batch_close(&w.stored_sums);
    sqlite_batch_close(&w.name_sums);
    sqlite_tally_free(&w.tally);
    sqlite_tally_free(&w.name_tally);
    sqlite_nodes_free(&w.nodes);
    mem_free(w.ranges);
    mem_free(w.parts);
}

void sqlite_sums_free(struct sqlite_sums *s)
{
    sums_free(&s->sums);
    idmap_free(&s->numbers);
    idmap_free(&s->real_numbers);
    mem_free(s->pairs);
    mem_free(s->reals);
    *s = (struct sqlite_sums){0};
}
