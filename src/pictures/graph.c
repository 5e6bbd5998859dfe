#include "pictures/graph.h"

#include "base/mem.h"
#include "base/order.h"

#include <math.h>

/* --- sums --- */

/* The node of ENTRY, which is kept. */
static struct graph_node *node_of(struct graph *g, uint32_t entry)
{
    uint32_t *node = &g->node_of[entry - 1];
    if (*node == 0) {
        *node = (uint32_t)++g->node_count;
        g->nodes[*node - 1] = (struct graph_node){.entry = entry};
    }
    return &g->nodes[*node - 1];
}

/* Adds SUM to the calls of stack NUMBER, once to each. */
static void add_calls(struct graph *g, uint32_t number, const struct collect_sum *sum)
{
    calls_finish(&g->calls);
    g->edges = mem_array(g->edges, &g->edge_capacity, calls_count(&g->calls), sizeof *g->edges);
    for (size_t i = 0; i < g->calls.stack_count; i++) {
        const struct calls_call *call = &g->calls.stack[i];
        if (call->number > g->edge_count)
            g->edges[g->edge_count++] = (struct graph_edge){
                .from = g->node_of[call->caller - 1] - 1, .to = g->node_of[call->callee - 1] - 1};
        __builtin_prefetch(&g->edges[call->number - 1], 1);
    }
    for (size_t i = 0; i < g->calls.stack_count; i++) {
        const struct calls_call *call = &g->calls.stack[i];
        struct graph_edge *edge = &g->edges[call->number - 1];
        if (edge->last == number + 1)
            continue;
        edge->last = number + 1;
        edge->passes_others |= call->is_marked;
        wide_add_to(&edge->value, sum->call);
    }
}

/* Adds SUM to the total of NODE, at frame I of STACK; the outermost frames come first. */
static void add_total(struct graph *g, struct graph_node *node, const struct stacks_stack *stack,
                      size_t i, const struct collect_sum *sum)
{
    uint32_t *last = &g->last[node->entry - 1];
    const bool is_caller = *last == stack->number + 1;
    if (is_caller && i > 0)
        return;
    if (is_caller) { /* and callee as well: it is innermost */
        node->total = wide_subtract(node->total, wide_of(sum->outer.value));
        node->bound = wide_subtract(node->bound, wide_of(sum->outer.bound));
    }
    const struct collect_total *total = i == 0 ? &sum->innermost : &sum->outer;
    wide_add_to(&node->total, total->value);
    wide_add_to(&node->bound, total->bound);
    *last = stack->number + 1;
}

static void add_stack(void *to, const struct stacks_stack *stack, const struct collect_sum *sum)
{
    struct graph *g = to;
    uint32_t parent = 0;
    bool passes_others = false;
    if (sum->innermost.value == 0 && sum->outer.bound == 0 && sum->call == 0)
        return;
    calls_begin(&g->calls, stack->depth);
    for (size_t i = stack->depth; i-- > 0;) {
        const uint32_t entry = stacks_frame(stack, i);
        if (!g->is_kept[entry - 1]) {
            passes_others = true;
            continue;
        }
        add_total(g, node_of(g, entry), stack, i, sum);
        if (parent != 0 && parent != entry)
            calls_add(&g->calls, parent, entry, passes_others);
        parent = entry;
        passes_others = false;
    }
    add_calls(g, stack->number, sum);
    if (parent != 0 && !passes_others)
        wide_add_to(&node_of(g, parent)->self, sum->self);
}

/* Makes the lists of the edges of each node. */
static void make_lists(struct graph *g)
{
    for (size_t i = 0; i < g->edge_count; i++) {
        g->nodes[g->edges[i].to].in++;
        g->nodes[g->edges[i].from].out++;
    }
    size_t in = 0, out = 0;
    for (size_t i = 0; i < g->node_count; i++) {
        struct graph_node *node = &g->nodes[i];
        in += node->in;
        out += node->out;
        node->in = in; /* the end; each edge moves it towards the beginning */
        node->out = out;
    }
    g->in = mem_alloc((g->edge_count + 1) * sizeof *g->in);
    g->out = mem_alloc((g->edge_count + 1) * sizeof *g->out);
    for (size_t i = g->edge_count; i-- > 0;) {
        g->in[--g->nodes[g->edges[i].to].in] = (uint32_t)i;
        g->out[--g->nodes[g->edges[i].from].out] = (uint32_t)i;
    }
    g->nodes[g->node_count].in = g->nodes[g->node_count].out = g->edge_count;
}

static void name_nodes(struct graph *g)
{
    struct buf name = {0};
    for (size_t i = 0; i < g->node_count; i++) {
        name.n = 0;
        collect_add_name(g->collect, g->nodes[i].entry, &name);
        g->nodes[i].name = arena_copy(&g->names, buf_str(&name));
        struct graph_node *node = &g->nodes[i];
        node->total =
            collect_limit(g->collect, node->entry,
                          (struct collect_wides){node->self, node->total, node->bound}, g->all);
    }
    buf_free(&name);
}

/* Makes nodes and edges of all entries that are kept. */
static void build(struct graph *g)
{
    const size_t entries = g->collect->entries.count;
    g->node_count = g->edge_count = 0;
    memset(g->node_of, 0, entries * sizeof *g->node_of);
    memset(g->last, 0, entries * sizeof *g->last);
    calls_free(&g->calls);
    arena_free(&g->names);
    mem_free(g->in);
    mem_free(g->out);
    g->all = collect_each_stack(g->collect, add_stack, g);
    make_lists(g);
    name_nodes(g);
}

/* --- what is left out --- */

/* The size of X, or of what would be left of it by whole numbers: shares are cut, not rounded. */
static double cutoff_of(struct wide sum, double share)
{
    return fabs(trunc(wide_to_double(sum) * share));
}

static double size_of(struct wide value)
{
    return fabs(wide_to_double(value));
}

/* Keeps the nodes for which KEEPS says so, and builds the graph anew if that leaves any out. */
static void keep_nodes(struct graph *g, double cutoff, size_t max)
{
    bool all = true;
    for (size_t i = 0; i < g->node_count; i++) {
        const bool keeps = i < max && size_of(g->nodes[i].total) >= cutoff;
        g->is_kept[g->nodes[i].entry - 1] = keeps;
        all &= keeps;
    }
    if (!all)
        build(g);
}

static void cut_edges(struct graph *g, double cutoff)
{
    for (size_t i = 0; i < g->edge_count; i++)
        g->edges[i].is_left_out |= size_of(g->edges[i].value) < cutoff;
}

/* How evenly the value of a node is spread over COUNT of its EDGES and SELF: 0 if it is all in one of
 * them; 1 if there are no edges. */
static double spread_of(const struct graph *g, const uint32_t *edges, size_t count, double self)
{
    double sum = self, spread = 0;
    for (size_t i = 0; i < count; i++) {
        const struct wide value = g->edges[edges[i]].value;
        sum += wide_sign(value) > 0 ? wide_to_double(value) : 0;
    }
    if (count == 0 || sum == 0)
        return count == 0;
    for (size_t i = 0; i < count; i++) {
        const double part = size_of(g->edges[edges[i]].value) / sum;
        spread -= part != 0 ? part * log2(part) : 0;
    }
    if (self > 0)
        spread -= self / sum * log2(self / sum);
    return spread;
}

/* What makes a picture interesting: nodes where the value divides, and where it is spent. */
static double rank_of(const struct graph *g, const struct graph_node *node)
{
    const double self = wide_to_double(node->self);
    const double spread = spread_of(g, g->in + node->in, node[1].in - node->in, 0) +
                          spread_of(g, g->out + node->out, node[1].out - node->out, self);
    return trunc(spread * wide_to_double(node->total)) + self;
}

static int by_rank(const void *a, const void *b)
{
    const struct graph_node *x = a, *y = b;
    const double left = fabs(x->rank), right = fabs(y->rank);
    if (left != right)
        return left > right ? -1 : 1;
    const int order = str_compare(x->name, y->name);
    return order != 0 ? order : wide_compare(wide_size(y->self), wide_size(x->self));
}

/* Sorts the nodes by rank, and makes edges and lists fit. */
static void sort(struct graph *g)
{
    uint32_t *now = mem_alloc((g->node_count + 1) * sizeof *now);
    for (size_t i = 0; i < g->node_count; i++)
        g->nodes[i].rank = rank_of(g, &g->nodes[i]);
    for (size_t i = 0; i < g->node_count; i++)
        g->nodes[i].in = g->nodes[i].out = 0;
    order_items(g->nodes, g->node_count, sizeof *g->nodes, by_rank);
    for (size_t i = 0; i < g->node_count; i++) {
        uint32_t *node = &g->node_of[g->nodes[i].entry - 1];
        now[*node - 1] = (uint32_t)i;
        *node = (uint32_t)i + 1;
    }
    for (size_t i = 0; i < g->edge_count; i++) {
        g->edges[i].from = now[g->edges[i].from];
        g->edges[i].to = now[g->edges[i].to];
    }
    mem_free(now);
    mem_free(g->in);
    mem_free(g->out);
    make_lists(g);
}

/* Whether edge E says nothing new: another way leads from its first node to its last. */
static bool is_redundant(const struct graph *g, uint32_t edge, bool *seen, uint32_t *queue)
{
    size_t begin = 0, end = 0;
    memset(seen, 0, g->node_count * sizeof *seen);
    queue[end++] = g->edges[edge].to;
    seen[g->edges[edge].to] = true;
    while (begin < end) {
        const struct graph_node *node = &g->nodes[queue[begin++]];
        for (size_t i = node->in; i < node[1].in; i++) {
            const struct graph_edge *e = &g->edges[g->in[i]];
            if (g->in[i] == edge || e->is_left_out || seen[e->from])
                continue;
            if (e->from == g->edges[edge].from)
                return true;
            seen[e->from] = true;
            queue[end++] = e->from;
        }
    }
    return false;
}

/* An edge to be sorted. */
struct weighed {
    uint32_t edge;
    double size;
    struct str name;
};

static int by_size(const void *a, const void *b)
{
    const struct weighed *x = a, *y = b;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return str_compare(x->name, y->name);
}

/* Leaves out the edges to the node NUMBER, from the smallest on, that pass others and say nothing
 * new. The first that passes none ends that: a smaller one would seem to be larger than it. */
static void cut_redundant_to(struct graph *g, size_t number, struct weighed *items, bool *seen,
                             uint32_t *queue)
{
    size_t count = 0;
    for (size_t i = g->nodes[number].in; i < g->nodes[number + 1].in; i++) {
        const struct graph_edge *e = &g->edges[g->in[i]];
        if (!e->is_left_out)
            items[count++] = (struct weighed){g->in[i], size_of(e->value), g->nodes[e->from].name};
    }
    order_items(items, count, sizeof *items, by_size);
    while (count-- > 0 && g->edges[items[count].edge].passes_others)
        g->edges[items[count].edge].is_left_out = is_redundant(g, items[count].edge, seen, queue);
}

static void cut_redundant(struct graph *g)
{
    struct weighed *items = mem_alloc((g->edge_count + 1) * sizeof *items);
    bool *seen = mem_alloc(g->node_count + 1);
    uint32_t *queue = mem_alloc((g->node_count + 1) * sizeof *queue);
    for (size_t i = g->node_count; i-- > 0;)
        cut_redundant_to(g, i, items, seen, queue);
    mem_free(items);
    mem_free(seen);
    mem_free(queue);
}

/* --- the whole --- */

void graph_make(struct graph *g, const struct collect *c, uint32_t aside,
                const struct graph_plan *plan)
{
    const size_t entries = c->entries.count;
    g->collect = c;
    g->nodes = mem_alloc((entries + 1) * sizeof *g->nodes);
    g->node_of = mem_alloc((entries + 1) * sizeof *g->node_of);
    g->last = mem_alloc((entries + 1) * sizeof *g->last);
    g->is_kept = mem_alloc(entries + 1);
    for (size_t i = 0; i < entries; i++)
        g->is_kept[i] = i + 1 != aside;
    build(g);
    g->all_nodes = g->node_count;
    g->all_edges = g->edge_count;
    struct wide sum = wide_of(0);
    for (size_t i = 0; i < g->node_count; i++)
        sum = wide_add(sum, g->nodes[i].self);
    const double edge_cutoff = cutoff_of(sum, plan->edge_share);
    keep_nodes(g, cutoff_of(sum, plan->node_share), SIZE_MAX);
    sort(g);
    cut_edges(g, edge_cutoff);
    if (g->node_count > plan->max_nodes) {
        keep_nodes(g, 0, plan->max_nodes);
        sort(g);
        cut_edges(g, edge_cutoff);
    }
    cut_redundant(g);
}

void graph_free(struct graph *g)
{
    mem_free(g->nodes);
    mem_free(g->edges);
    mem_free(g->in);
    mem_free(g->out);
    mem_free(g->is_kept);
    mem_free(g->node_of);
    mem_free(g->last);
    calls_free(&g->calls);
    arena_free(&g->names);
    *g = (struct graph){0};
}
