#include "compare/pairs.h"

#include "base/mem.h"
#include "base/order.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

/* --- generated parts of names --- */

/* The text before a generated number. One of LEADS may come between; after one of MORE another
 * number follows. */
static const struct mark {
    struct str before;
    const char *leads, *more;
} marks[] = {
    /* Go: closures, and wrappers for go and defer statements */
    {STR(".func"), "", "."},
    {STR(".gowrap"), "", "."},
    {STR(".deferwrap"), "", "."},
    /* Java, Scala, Kotlin: lambda$5, Main$1, $$Lambda$733/1234; clang: main::$_3 */
    {STR("$"), "", "/"},
    {STR("$_"), "", ""},
    {STR("Accessor"), "", ""},
    {STR("$Proxy"), "", ""},
    {STR("jdk.proxy"), "", ""},
    {STR("jdk/proxy"), "", ""},
    /* Rust and gcc: {closure#3}, {lambda(int)#3}; clang: 'lambda3' */
    {STR("#"), "", ""},
    {STR("'lambda"), "", ""},
    /* PHP, V8, Python */
    {STR("closure}"), ":#@_. ", ":"},
    {STR("<anonymous>"), ":#@_. ", ":"},
    {STR("(anonymous)"), ":#@_. ", ":"},
    {STR("<lambda>"), ":#@_. ", ":"},
    /* function variants made by gcc and clang */
    {STR(".isra."), "", ""},
    {STR(".part."), "", ""},
    {STR(".constprop."), "", ""},
    {STR(".cold."), "", ""},
    {STR(".lto_priv."), "", ""},
    {STR(".llvm."), "", ""},
};

#define PLACEHOLDER STR("\1")
#define ADDRESS STR("0x")

static size_t count_digits(struct str s, bool are_hex)
{
    size_t n = 0;
    while (n < s.n && (are_hex ? isxdigit((unsigned char)s.p[n]) : isdigit((unsigned char)s.p[n])))
        n++;
    return n;
}

static struct str from(struct str s, size_t at)
{
    return (struct str){s.p + at, s.n - at};
}

/* Takes an address, or a hash of Rust, off the start of S; returns its length. */
static size_t take_hex(struct str s, struct buf *to)
{
    enum { RUST = 16 };
    static const struct str address = ADDRESS, hash = STR("::h"), cglib = STR("CGLIB$$");
    const struct str *before = str_starts(s, address) ? &address
                               : str_starts(s, hash)  ? &hash
                               : str_starts(s, cglib) ? &cglib
                                                      : NULL;
    if (before == NULL)
        return 0;
    size_t n = count_digits(from(s, before->n), true);
    if (n == 0 || (before == &hash && n != RUST))
        return 0;
    buf_add(to, *before);
    buf_add(to, PLACEHOLDER);
    n += before->n;
    if (before != &address || n == s.n || s.p[n] != '.')
        return n;
    const size_t hash_size = count_digits(from(s, n + 1), false); /* of a hidden class of Java */
    return hash_size > 0 ? n + 1 + hash_size : n;
}

/* The same for a mark and its numbers. */
static size_t take_mark(struct str s, const struct mark *mark, struct buf *to)
{
    size_t at = mark->before.n, n;
    if (!str_starts(s, mark->before))
        return 0;
    at += at < s.n && s.p[at] != '\0' && strchr(mark->leads, s.p[at]) != NULL;
    n = count_digits(from(s, at), false);
    if (n == 0)
        return 0;
    buf_add(to, (struct str){s.p, at});
    buf_add(to, PLACEHOLDER);
    at += n;
    while (at < s.n && s.p[at] != '\0' && strchr(mark->more, s.p[at]) != NULL &&
           !str_starts(from(s, at + 1), ADDRESS) &&
           (n = count_digits(from(s, at + 1), false)) > 0) {
        buf_add(to, (struct str){s.p + at, 1});
        buf_add(to, PLACEHOLDER);
        at += 1 + n;
    }
    return at;
}

bool pairs_add_shape(struct str name, struct buf *to)
{
    size_t start = to->n;
    bool has_one = false;
    for (size_t at = 0; at < name.n;) {
        size_t n = take_hex(from(name, at), to);
        for (size_t i = 0; n == 0 && i < sizeof marks / sizeof *marks; i++)
            n = take_mark(from(name, at), &marks[i], to);
        has_one |= n > 0;
        if (n == 0)
            buf_add(to, (struct str){name.p + at, 1});
        at += n > 0 ? n : 1;
    }
    if (!has_one)
        to->n = start;
    return has_one;
}

/* --- families --- */

/* The place of a function, if known. */
struct site {
    uint32_t file; /* a string of the profile; 0: unknown */
    int64_t line;  /* 0: unknown */
};

/* A caller or callee of an entry on one side. No padding: equal ones are equal bytes. */
struct edge {
    uint32_t entry, side, is_call;
    uint32_t other; /* an entry, or a family (numbered after all entries); 0: nothing */
};

struct pairs {
    struct sides *s;
    uint32_t count;        /* of entries */
    struct intern shapes;  /* of families */
    uint32_t *family;      /* by entry - 1; 0: none */
    bool *is_open;         /* by family - 1: its names differ between sides */
    unsigned char *has;    /* by entry - 1: the sides it is on, as bits */
    struct site *sites[2]; /* by entry - 1 */
    struct intern edges;
    double *sums;     /* by edge - 1 */
    uint32_t *before; /* by edge - 1: the previous one of the same entry and side; 0: none */
    size_t sum_capacity, before_capacity;
    uint32_t *edge[2]; /* by entry - 1: its last edge; 0: none */
    double *totals[2]; /* by entry - 1: sum over its edges in one direction */
    double all[2];     /* cost of a side */
    uint32_t *partner; /* by entry - 1, of base: its entry in new; 0: none */
    bool *is_taken;    /* by entry - 1, of new */
};

static bool is_in_open_family(const struct pairs *p, uint32_t entry)
{
    uint32_t family = p->family[entry - 1];
    return family != 0 && p->is_open[family - 1];
}

static void find_families(struct pairs *p)
{
    struct buf name = {0}, shape = {0};
    for (uint32_t entry = 1; entry <= p->count; entry++) {
        name.n = shape.n = 0;
        collect_add_name(&p->s->collect, entry, &name);
        if (pairs_add_shape(buf_str(&name), &shape))
            p->family[entry - 1] = intern_add(&p->shapes, buf_str(&shape), NULL);
    }
    buf_free(&name);
    buf_free(&shape);
}

/* Finds the sides and the place of each entry; its line is the first one seen. */
static void find_sites(struct pairs *p)
{
    const struct profile *profile = &p->s->collect.profile;
    for (size_t i = 0; i < p->s->collect.location_count; i++) {
        const struct profile_location *l = &profile->locations[i];
        uint32_t entry = p->s->collect.frames[i];
        int64_t start = naming_start_line(profile, l);
        struct site site = {naming_file(profile, l), start > 0 ? start : l->line > 0 ? l->line : 0};
        if (entry == 0)
            continue;
        p->has[entry - 1] |= p->s->seen[i];
        for (int side = 0; side < 2; side++) {
            struct site *known = &p->sites[side][entry - 1];
            if ((p->s->seen[i] & (1 << side)) == 0)
                continue;
            if (known->file == 0)
                known->file = site.file;
            if (known->line == 0 || (site.line != 0 && site.line < known->line))
                known->line = site.line;
        }
    }
}

/* Marks families that are on both sides with different names; false if there are none. */
static bool open_families(struct pairs *p)
{
    unsigned char *has = mem_alloc_zeroed((size_t)p->shapes.count + 1);
    bool is_any_open = false;
    for (uint32_t entry = 1; entry <= p->count; entry++)
        if (p->family[entry - 1] != 0)
            has[p->family[entry - 1] - 1] |= p->has[entry - 1];
    for (uint32_t entry = 1; entry <= p->count; entry++) {
        uint32_t family = p->family[entry - 1];
        if (family == 0 || has[family - 1] != SIDES_BOTH || p->has[entry - 1] == SIDES_BOTH ||
            p->has[entry - 1] == 0)
            continue;
        p->is_open[family - 1] = is_any_open = true;
    }
    mem_free(has);
    return is_any_open;
}

/* --- callers and callees --- */

static void add_edge(struct pairs *p, struct edge edge, double sum)
{
    uint32_t other = edge.other == 0 ? 0 : p->family[edge.other - 1];
    bool is_new;
    if (other != 0)
        edge.other = p->count + other;
    uint32_t id = intern_add(&p->edges, (struct str){(char *)&edge, sizeof edge}, &is_new);
    p->sums = mem_array_zeroed(p->sums, &p->sum_capacity, id, sizeof *p->sums);
    p->before = mem_array_zeroed(p->before, &p->before_capacity, id, sizeof *p->before);
    p->sums[id - 1] += sum;
    if (!is_new)
        return;
    p->before[id - 1] = p->edge[edge.side][edge.entry - 1];
    p->edge[edge.side][edge.entry - 1] = id;
}

static void add_stack(void *to, const struct stacks_stack *stack, const struct collect_sum *value)
{
    struct pairs *p = to;
    const struct sides_run *run = sides_run_of(p->s, stack);
    double sum = fabs(sides_sum(p->s, value->self)) * run->weight;
    if (run->state != SIDES_RUN_COUNTS)
        return;
    p->all[run->is_new] += sum;
    for (size_t i = 0; i < stack->depth; i++) {
        struct edge edge = {.entry = stacks_frame(stack, i), .side = run->is_new};
        if (!is_in_open_family(p, edge.entry))
            continue;
        p->totals[run->is_new][edge.entry - 1] += sum;
        edge.other = i + 1 < stack->depth ? stacks_frame(stack, i + 1) : 0;
        add_edge(p, edge, sum);
        edge.is_call = true;
        edge.other = i > 0 ? stacks_frame(stack, i - 1) : 0;
        add_edge(p, edge, sum);
    }
}

/* Computes the shares, from 0 to 1, of BASE and NEW that have the same callers, and the same
 * callees. Returns false if nothing is common; calling nothing on both sides does not count. */
static bool find_common(const struct pairs *p, uint32_t base, uint32_t new, double common[2])
{
    bool has_any = false;
    common[0] = common[1] = 0;
    for (uint32_t id = p->edge[0][base - 1]; id != 0; id = p->before[id - 1]) {
        struct edge edge;
        memcpy(&edge, intern_get(&p->edges, id).p, sizeof edge);
        edge.entry = new;
        edge.side = 1;
        uint32_t other = intern_find(&p->edges, (struct str){(char *)&edge, sizeof edge});
        if (other == 0)
            continue;
        common[edge.is_call] += fmin(p->sums[id - 1] / p->totals[0][base - 1],
                                     p->sums[other - 1] / p->totals[1][new - 1]);
        has_any |= !edge.is_call || edge.other != 0;
    }
    return has_any;
}

/* --- pairs --- */

struct candidate {
    uint32_t base, new;
    int quarters;     /* common callers and callees: 0 to 8 */
    int64_t distance; /* in lines; INT64_MAX: unknown */
    int doublings;    /* by how many doublings the costs differ */
    bool is_renamed;
    double ratio;
};

/* Best first. */
static int compare(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->quarters != y->quarters)
        return x->quarters > y->quarters ? -1 : 1;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    if (x->doublings != y->doublings)
        return x->doublings < y->doublings ? -1 : 1;
    if (x->is_renamed != y->is_renamed)
        return x->is_renamed ? 1 : -1;
    if (x->ratio != y->ratio)
        return x->ratio < y->ratio ? -1 : 1;
    return 0;
}

/* Whether BASE and NEW may be the same function; sets *C. */
static bool is_candidate(const struct pairs *p, uint32_t base, uint32_t new, struct candidate *c)
{
    const double times = 8; /* max ratio of their costs if one is hot */
    const struct profile *profile = &p->s->collect.profile;
    const struct site *x = &p->sites[0][base - 1], *y = &p->sites[1][new - 1];
    double common[2];
    double shares[] = {p->totals[0][base - 1] / p->all[0], p->totals[1][new - 1] / p->all[1]};
    if (!(shares[0] > 0 && shares[1] > 0))
        return false;
    if (x->file != 0 && y->file != 0 &&
        !str_equal(naming_base_name(profile_string_of(profile, x->file)),
                   naming_base_name(profile_string_of(profile, y->file))))
        return false;
    double ratio = fmax(shares[0], shares[1]) / fmin(shares[0], shares[1]);
    if (ratio > times && fmax(shares[0], shares[1]) >= SIDES_SHARE)
        return false;
    if (!find_common(p, base, new, common))
        return false;
    *c = (struct candidate){
        .base = base,
        .new = new,
        .quarters = (int)round(4 * common[0]) + (int)round(4 * common[1]),
        .distance = x->line == 0 || y->line == 0 ? INT64_MAX : llabs(x->line - y->line),
        .doublings = (int)round(log2(ratio)),
        .is_renamed = base != new,
        .ratio = ratio,
    };
    return true;
}

/* The members of open families, sorted by family. */
struct of_family {
    uint32_t family, entry;
};

static int compare_members(const void *a, const void *b)
{
    const struct of_family *x = a, *y = b;
    return (x->family > y->family) - (x->family < y->family);
}

/* Pairs the COUNT members M of one family. */
static void pair_family(struct pairs *p, const struct of_family *m, size_t count)
{
    const size_t max = 1 << 18; /* candidates; larger families are paired by name */
    size_t sizes[2] = {0, 0}, n = 0;
    for (size_t i = 0; i < count; i++)
        for (int side = 0; side < 2; side++)
            sizes[side] += (p->has[m[i].entry - 1] & (side == 0 ? SIDES_BASE : SIDES_NEW)) != 0;
    if (sizes[0] * sizes[1] > max) {
        for (size_t i = 0; i < count; i++)
            p->partner[m[i].entry - 1] = m[i].entry;
        return;
    }
    struct candidate *c = mem_alloc((sizes[0] * sizes[1] + 1) * sizeof *c);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++)
            n += is_candidate(p, m[i].entry, m[k].entry, &c[n]);
    order_items(c, n, sizeof *c, compare);
    for (size_t i = 0; i < n; i++) {
        uint32_t *partner = &p->partner[c[i].base - 1];
        bool *is_taken = &p->is_taken[c[i].new - 1];
        if (*partner != 0 || *is_taken)
            continue;
        *partner = c[i].new;
        *is_taken = true;
    }
    mem_free(c);
}

static void pair_families(struct pairs *p)
{
    struct of_family *m = mem_alloc(((size_t)p->count + 1) * sizeof *m);
    size_t count = 0;
    for (uint32_t entry = 1; entry <= p->count; entry++)
        if (is_in_open_family(p, entry))
            m[count++] = (struct of_family){p->family[entry - 1], entry};
    order_items(m, count, sizeof *m, compare_members);
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from; to < count && m[to].family == m[from].family;)
            to++;
        pair_family(p, m + from, to - from);
    }
    mem_free(m);
}

/* --- items --- */

static void add_item(struct sides *s, uint32_t base, uint32_t new)
{
    s->items[s->item_count++] = (struct sides_item){base, new};
    if (base != 0)
        s->item_of[0][base - 1] = (uint32_t)s->item_count;
    if (new != 0)
        s->item_of[1][new - 1] = (uint32_t)s->item_count;
}

/* Makes the items: first those of base or of both sides, in the order of entries; then those only
 * in new whose name is the old name of another item. */
static void make_items(const struct pairs *p)
{
    struct sides *s = p->s;
    for (uint32_t entry = 1; entry <= p->count; entry++) {
        if (!collect_is_of_stacks(&s->collect, entry))
            continue;
        if (!is_in_open_family(p, entry))
            add_item(s, entry, entry);
        else if (p->has[entry - 1] & SIDES_BASE)
            add_item(s, entry, p->partner[entry - 1]);
    }
    for (uint32_t entry = 1; entry <= p->count; entry++)
        if (is_in_open_family(p, entry) && (p->has[entry - 1] & SIDES_NEW) &&
            s->item_of[1][entry - 1] == 0)
            add_item(s, 0, entry);
}

static void open_pairs(struct pairs *p)
{
    size_t count = (size_t)p->count + 1;
    p->family = mem_alloc_zeroed(count * sizeof *p->family);
    p->has = mem_alloc_zeroed(count * sizeof *p->has);
    p->partner = mem_alloc_zeroed(count * sizeof *p->partner);
    p->is_taken = mem_alloc_zeroed(count * sizeof *p->is_taken);
    for (int side = 0; side < 2; side++) {
        p->sites[side] = mem_alloc_zeroed(count * sizeof *p->sites[side]);
        p->edge[side] = mem_alloc_zeroed(count * sizeof *p->edge[side]);
        p->totals[side] = mem_alloc_zeroed(count * sizeof *p->totals[side]);
    }
}

static void close_pairs(struct pairs *p)
{
    mem_free(p->family);
    mem_free(p->has);
    mem_free(p->partner);
    mem_free(p->is_taken);
    mem_free(p->is_open);
    for (int side = 0; side < 2; side++) {
        mem_free(p->sites[side]);
        mem_free(p->edge[side]);
        mem_free(p->totals[side]);
    }
    mem_free(p->sums);
    mem_free(p->before);
    intern_free(&p->shapes);
    intern_free(&p->edges);
}

void pairs_make_items(struct sides *s, bool no_pairs)
{
    struct pairs p = {.s = s, .count = s->collect.entries.count};
    bool are_functions = s->collect.by == COLLECT_BY_FUNCTION || s->collect.by == COLLECT_BY_GROUP;
    s->items = mem_alloc((2 * (size_t)p.count + 1) * sizeof *s->items);
    for (int side = 0; side < 2; side++)
        s->item_of[side] = mem_alloc_zeroed(((size_t)p.count + 1) * sizeof *s->item_of[side]);
    open_pairs(&p);
    if (are_functions && !no_pairs) {
        find_families(&p);
        find_sites(&p);
    }
    p.is_open = mem_alloc_zeroed((size_t)p.shapes.count + 1);
    if (open_families(&p)) {
        collect_each_stack(&s->collect, add_stack, &p);
        pair_families(&p);
    }
    make_items(&p);
    close_pairs(&p);
}
