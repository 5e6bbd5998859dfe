/* Sums of a trie.  A name counts once in a stack: where the frame outermost in it has that name.  So with each node
 * it is kept whether it is that, and nothing needs a walk along stacks any more. */
#include "formats/sqlite/sqlite_sums.h"

#include "base/intern.h"
#include "base/mem.h"
#include "formats/sqlite/sqlite_batch.h"

#include <stdlib.h>

/* What stands for a stack in which no frame has a name. */
#define NO_LOCATION STR("<no location>")

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

void sqlite_sums_add(struct sqlite_sums *s, uint32_t node, uint32_t type, uint32_t source,
                     int64_t value)
{
    sums_add(&s->sums, node - 1, pair_number(s, type, source) - 1, value);
}

void sqlite_sums_add_real(struct sqlite_sums *s, uint32_t node, uint32_t type, uint32_t source,
                          double value)
{
    uint32_t pair = pair_number(s, type, source);
    uint64_t key = (uint64_t)pair << 32 | node;
    uint32_t number = idmap_get(&s->real_numbers, key);
    if (number == 0) {
        s->reals = mem_array(s->reals, &s->real_capacity, s->real_count + 1, sizeof *s->reals);
        s->reals[s->real_count++] = (struct sqlite_real){.node = node, .pair = pair};
        number = (uint32_t)s->real_count;
        idmap_put(&s->real_numbers, key, number);
    }
    s->reals[number - 1].sum += value;
}

/* --- names --- */

/* An amount: the sum of both, and a real where REAL is not 0 or WHOLE passes 64 bits. */
struct amount {
    __int128 whole;
    double real;
};

static void add_amount(struct amount *to, struct amount other)
{
    to->whole += other.whole;
    to->real += other.real;
}

static bool is_zero(struct amount a)
{
    return a.whole == 0 && a.real == 0;
}

static void put_amount(struct sqlite_batch *b, struct amount a)
{
    if (a.real == 0 && a.whole >= INT64_MIN && a.whole <= INT64_MAX)
        sqlite_batch_integer(b, (int64_t)a.whole);
    else
        sqlite_batch_real(b, (double)a.whole + a.real);
}

/* What is known of a node: the name of its frame, 0 for none, and the node at or outside of it that has one; whether
 * no frame outside of it has its name, or none its name and its caller's. */
struct frame {
    uint32_t name, named;
    bool is_outermost, is_outermost_call;
};

/* A part of a node's sum: N, N times 2^64, or REAL. */
struct part {
    uint32_t node;
    enum { PART_LOW, PART_HIGH, PART_REAL } kind;
    union {
        int64_t n;
        double real;
    };
};

static struct amount amount_of(const struct part *part)
{
    switch (part->kind) {
    case PART_LOW: return (struct amount){.whole = part->n};
    case PART_HIGH: return (struct amount){.whole = (__int128)part->n * ((__int128)1 << 64)};
    default: return (struct amount){.real = part->real};
    }
}

struct writer {
    struct sqlite_sums *sums;
    const struct sqlite_stacks *stacks;
    struct sqlite_db *db;
    struct intern names;
    uint32_t no_location;     /* the name of stacks without one */
    uint32_t *location_names; /* by location - 1 */
    size_t location_capacity;
    struct frame *frames; /* by node - 1 */

    struct amount *totals;                   /* by node - 1: of the pair in hand */
    struct amount *name_selfs, *name_totals; /* by name - 1 */
    uint32_t *order;                         /* of names, by bytes */
    struct sqlite_batch node_values, name_values;
};

/* Asks the database what its frames are called: the one place that says so. */
static void read_names(struct writer *w)
{
    sqlite3_stmt *s = sqlite_db_prepare(w->db, "SELECT location_id, name FROM frame_names");
    while (sqlite_db_step(w->db, s)) {
        size_t id = (size_t)sqlite3_column_int64(s, 0);
        bool is_none = sqlite3_column_type(s, 1) == SQLITE_NULL;
        w->location_names = mem_array_zeroed(w->location_names, &w->location_capacity, id,
                                             sizeof *w->location_names);
        w->location_names[id - 1] = is_none ? 0 : intern_add(&w->names, sqlite_db_text(s, 1), NULL);
    }
    sqlite3_finalize(s);
    w->no_location = intern_add(&w->names, NO_LOCATION, NULL);
}

/* --- frames --- */

/* A walk through the trie: nodes by their parents, and how often each name, and each call, stands on the path. */
struct walk {
    uint32_t *first,
        *next;         /* by node: its first child, 0 for the roots'; and the child behind it */
    uint32_t *on_path; /* by name - 1 */
    struct intern calls;
    uint32_t *calls_on_path; /* by call - 1 */
    size_t call_capacity;
};

/* Enters or leaves (STEP) the node NUMBER. */
static void pass(struct writer *w, struct walk *walk, uint32_t number, int step)
{
    struct frame *f = &w->frames[number - 1];
    uint32_t parent = w->stacks->nodes[number - 1].parent;
    uint32_t caller = parent == 0 ? 0 : w->frames[parent - 1].named;
    if (f->name == 0)
        return;
    uint32_t call[2] = {caller == 0 ? 0 : w->frames[caller - 1].name, f->name};
    uint32_t id = intern_add(&walk->calls, (struct str){(const char *)call, sizeof call}, NULL);
    if (id > walk->call_capacity)
        walk->calls_on_path = mem_array_zeroed(walk->calls_on_path, &walk->call_capacity, id,
                                               sizeof *walk->calls_on_path);
    if (step > 0) {
        f->is_outermost = walk->on_path[f->name - 1] == 0;
        f->is_outermost_call = walk->calls_on_path[id - 1] == 0;
    }
    walk->on_path[f->name - 1] += (uint32_t)step;
    walk->calls_on_path[id - 1] += (uint32_t)step;
}

static void walk_nodes(struct writer *w, struct walk *walk)
{
    uint32_t number = walk->first[0];
    while (number != 0) {
        pass(w, walk, number, 1);
        if (walk->first[number] != 0) {
            number = walk->first[number];
            continue;
        }
        for (;;) {
            pass(w, walk, number, -1);
            if (walk->next[number] != 0)
                break;
            number = w->stacks->nodes[number - 1].parent;
            if (number == 0)
                return;
        }
        number = walk->next[number];
    }
}

static void make_frames(struct writer *w)
{
    uint32_t count = w->stacks->count;
    struct walk walk = {0};
    w->frames = mem_alloc_zeroed((size_t)count * sizeof *w->frames);
    walk.first = mem_alloc_zeroed(((size_t)count + 1) * sizeof *walk.first);
    walk.next = mem_alloc_zeroed(((size_t)count + 1) * sizeof *walk.next);
    walk.on_path = mem_alloc_zeroed((size_t)w->names.count * sizeof *walk.on_path);
    for (uint32_t i = 0; i < count; i++) {
        struct sqlite_node node = w->stacks->nodes[i];
        struct frame *f = &w->frames[i];
        f->name = w->location_names[node.location - 1];
        f->named = f->name != 0 ? i + 1 : node.parent == 0 ? 0 : w->frames[node.parent - 1].named;
    }
    for (uint32_t i = count; i > 0; i--) { /* the first child is that with the least number */
        uint32_t parent = w->stacks->nodes[i - 1].parent;
        walk.next[i] = walk.first[parent];
        walk.first[parent] = i;
    }
    walk_nodes(w, &walk);
    mem_free(walk.first);
    mem_free(walk.next);
    mem_free(walk.on_path);
    intern_free(&walk.calls);
    mem_free(walk.calls_on_path);
}

static void write_nodes(struct writer *w)
{
    struct sqlite_batch b;
    uint32_t *levels = mem_alloc((size_t)w->stacks->count * sizeof *levels);
    sqlite_batch_open(&b, w->db, "nodes",
                      "node_id, parent_id, location_id, level, caller_id, is_outermost, "
                      "is_outermost_call",
                      7);
    for (uint32_t i = 0; i < w->stacks->count; i++) {
        struct sqlite_node node = w->stacks->nodes[i];
        uint32_t caller = node.parent == 0 ? 0 : w->frames[node.parent - 1].named;
        levels[i] = node.parent == 0 ? 1 : levels[node.parent - 1] + 1;
        sqlite_batch_integer(&b, (int64_t)i + 1);
        if (node.parent == 0)
            sqlite_batch_null(&b);
        else
            sqlite_batch_integer(&b, node.parent);
        sqlite_batch_integer(&b, node.location);
        sqlite_batch_integer(&b, levels[i]);
        if (caller == 0)
            sqlite_batch_null(&b);
        else
            sqlite_batch_integer(&b, caller);
        sqlite_batch_integer(&b, w->frames[i].is_outermost);
        sqlite_batch_integer(&b, w->frames[i].is_outermost_call);
        sqlite_batch_end(&b);
    }
    sqlite_batch_close(&b);
    mem_free(levels);
}

/* --- sums of one type in one source --- */

static int compare_nodes(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The nodes that have a total, from the PARTS, COUNT of them: theirs, and all outside of them.  *FOUND is how many; the
 * caller frees them. */
static uint32_t *add_up(struct writer *w, const struct part *parts, size_t count, size_t *found)
{
    uint32_t *nodes = NULL;
    size_t capacity = 0;
    uint8_t *is_seen = mem_alloc_zeroed(w->stacks->count);
    *found = 0;
    for (size_t i = 0; i < count; i++) {
        for (uint32_t n = parts[i].node; n != 0 && !is_seen[n - 1];
             n = w->stacks->nodes[n - 1].parent) {
            nodes = mem_array(nodes, &capacity, *found + 1, sizeof *nodes);
            nodes[(*found)++] = n;
            is_seen[n - 1] = 1;
            w->totals[n - 1] = (struct amount){0};
        }
        add_amount(&w->totals[parts[i].node - 1], amount_of(&parts[i]));
    }
    mem_free(is_seen);
    if (*found > 0)
        qsort(nodes, *found, sizeof *nodes, compare_nodes);
    for (size_t i = *found; i > 0; i--) {
        uint32_t parent = w->stacks->nodes[nodes[i - 1] - 1].parent;
        if (parent != 0)
            add_amount(&w->totals[parent - 1], w->totals[nodes[i - 1] - 1]);
    }
    return nodes;
}

static void put_pair(struct sqlite_batch *b, struct sqlite_pair pair)
{
    sqlite_batch_integer(b, pair.type);
    sqlite_batch_integer(b, pair.source);
}

/* Writes what each name has of PAIR, and forgets it. */
static void write_names(struct writer *w, struct sqlite_pair pair)
{
    for (uint32_t i = 0; i < w->names.count; i++) {
        uint32_t name = w->order[i];
        struct amount *self = &w->name_selfs[name], *total = &w->name_totals[name];
        if (!is_zero(*self) || !is_zero(*total)) {
            put_pair(&w->name_values, pair);
            sqlite_batch_text(&w->name_values, intern_get(&w->names, name + 1));
            put_amount(&w->name_values, *self);
            put_amount(&w->name_values, *total);
            sqlite_batch_end(&w->name_values);
        }
        *self = *total = (struct amount){0};
    }
}

/* Writes the sums of PAIR: PARTS, COUNT of them, in the order of nodes. */
static void write_pair(struct writer *w, struct sqlite_pair pair, const struct part *parts,
                       size_t count)
{
    size_t found, next = 0;
    uint32_t *nodes = add_up(w, parts, count, &found);
    for (size_t i = 0; i < found; i++) {
        const struct frame *f = &w->frames[nodes[i] - 1];
        struct amount total = w->totals[nodes[i] - 1], self = {0};
        while (next < count && parts[next].node == nodes[i])
            add_amount(&self, amount_of(&parts[next++]));
        uint32_t named = f->named == 0 ? 0 : w->frames[f->named - 1].name;
        uint32_t name = (named == 0 ? w->no_location : named) - 1;
        add_amount(&w->name_selfs[name], self);
        if (named == 0)
            add_amount(&w->name_totals[name], self);
        else if (f->name != 0 && f->is_outermost)
            add_amount(&w->name_totals[name], total);
        put_pair(&w->node_values, pair);
        sqlite_batch_integer(&w->node_values, nodes[i]);
        put_amount(&w->node_values, self);
        put_amount(&w->node_values, total);
        sqlite_batch_end(&w->node_values);
    }
    mem_free(nodes);
    write_names(w, pair);
}

/* --- all of them --- */

static const struct intern *sorted;

static int compare_names(const void *a, const void *b)
{
    return str_compare(intern_get(sorted, *(const uint32_t *)a + 1),
                       intern_get(sorted, *(const uint32_t *)b + 1));
}

static void sort_names(struct writer *w)
{
    size_t count = w->names.count;
    w->order = mem_alloc(count * sizeof *w->order);
    for (uint32_t i = 0; i < count; i++)
        w->order[i] = i;
    sorted = &w->names;
    qsort(w->order, count, sizeof *w->order, compare_names);
    w->name_selfs = mem_alloc_zeroed(count * sizeof *w->name_selfs);
    w->name_totals = mem_alloc_zeroed(count * sizeof *w->name_totals);
    w->totals = mem_alloc((size_t)w->stacks->count * sizeof *w->totals);
}

static const struct sqlite_sums *ordered;

/* By type, and then by source, as the key of the table has it. */
static int compare_pairs(const void *a, const void *b)
{
    struct sqlite_pair x = ordered->pairs[*(const uint32_t *)a],
                       y = ordered->pairs[*(const uint32_t *)b];
    if (x.type != y.type)
        return x.type < y.type ? -1 : 1;
    return (x.source > y.source) - (x.source < y.source);
}

/* The sums of each pair, one behind the other. */
struct parts {
    struct part *items;
    size_t *ends; /* by pair */
};

/* Moves all sums to where those of their pair stand, in the order of nodes. */
static struct parts collect(const struct writer *w)
{
    struct sqlite_sums *s = w->sums;
    struct parts p = {.ends = mem_alloc_zeroed((s->pair_count + 1) * sizeof *p.ends)};
    struct sums_part part;
    for (uint32_t i = 0; i < w->stacks->count; i++)
        for (struct sums_walk walk = {.row = i}; sums_next(&s->sums, &walk, &part);)
            p.ends[part.column + 1]++;
    for (size_t i = 0; i < s->real_count; i++)
        p.ends[s->reals[i].pair]++;
    for (size_t i = 0; i < s->pair_count; i++)
        p.ends[i + 1] += p.ends[i];
    p.items = mem_alloc(p.ends[s->pair_count] * sizeof *p.items);
    for (uint32_t i = 0; i < w->stacks->count; i++)
        for (struct sums_walk walk = {.row = i}; sums_next(&s->sums, &walk, &part);)
            p.items[p.ends[part.column]++] =
                (struct part){i + 1, part.high ? PART_HIGH : PART_LOW, {part.n}};
    for (size_t i = 0; i < s->real_count; i++) {
        struct sqlite_real r = s->reals[i];
        p.items[p.ends[r.pair - 1]++] = (struct part){r.node, PART_REAL, {.real = r.sum}};
    }
    sums_free(&s->sums);
    return p;
}

static int compare_parts(const void *a, const void *b)
{
    return compare_nodes(&((const struct part *)a)->node, &((const struct part *)b)->node);
}

/* Adds to GAUGES what must not be added up: types of sources, by what tells pairs apart. */
static void read_gauges(struct writer *w, struct idmap *gauges)
{
    sqlite3_stmt *s = sqlite_db_prepare(
        w->db,
        "SELECT DISTINCT type_id, source_id FROM gauges JOIN value_types USING (type, unit)");
    while (sqlite_db_step(w->db, s))
        idmap_put(gauges,
                  pair_key((struct sqlite_pair){(uint32_t)sqlite3_column_int64(s, 0),
                                                (uint32_t)sqlite3_column_int64(s, 1)}),
                  1);
    sqlite3_finalize(s);
}

static void write_sums(struct writer *w)
{
    struct sqlite_sums *s = w->sums;
    struct idmap gauges = {0};
    read_gauges(w, &gauges);
    struct parts p = collect(w);
    uint32_t *order = mem_alloc(s->pair_count * sizeof *order);
    for (uint32_t i = 0; i < s->pair_count; i++)
        order[i] = i;
    ordered = s;
    if (s->pair_count > 0)
        qsort(order, s->pair_count, sizeof *order, compare_pairs);
    for (size_t i = 0; i < s->pair_count; i++) {
        uint32_t pair = order[i];
        size_t from = pair == 0 ? 0 : p.ends[pair - 1];
        if (idmap_get(&gauges, pair_key(s->pairs[pair])) != 0)
            continue;
        if (s->real_count > 0) /* they stand behind */
            qsort(p.items + from, p.ends[pair] - from, sizeof *p.items, compare_parts);
        write_pair(w, s->pairs[pair], p.items + from, p.ends[pair] - from);
    }
    idmap_free(&gauges);
    mem_free(order);
    mem_free(p.items);
    mem_free(p.ends);
}

void sqlite_sums_write(struct sqlite_sums *s, const struct sqlite_stacks *stacks,
                       struct sqlite_db *d)
{
    struct writer w = {.sums = s, .stacks = stacks, .db = d};
    read_names(&w);
    make_frames(&w);
    write_nodes(&w);
    sort_names(&w);
    sqlite_batch_open(&w.node_values, d, "node_values", "type_id, source_id, node_id, self, total",
                      5);
    sqlite_batch_open(&w.name_values, d, "name_values", "type_id, source_id, name, self, total", 5);
    write_sums(&w);
    sqlite_batch_close(&w.node_values);
    sqlite_batch_close(&w.name_values);
    intern_free(&w.names);
    void *blocks[] = {w.location_names, w.frames, w.totals, w.name_selfs, w.name_totals, w.order};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        mem_free(blocks[i]);
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
