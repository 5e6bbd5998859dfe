/* Makes pictures smaller: merges small frames into one child of their parent. */
#include "base/mem.h"
#include "pictures/flame_parts.h"

/* A frame of the current stack: the first stack with this path, and the sums from there on. */
struct node {
    size_t first;
    struct wide total;
};

struct pruner {
    const struct flame *f;
    struct node *nodes; /* by depth */
    size_t depth;
    uint32_t *kept; /* by stack: number of frames kept */
    double min;     /* the min total that is kept */
    struct flame_values values;
    int64_t *weights[FLAME_SIDES]; /* of the current type, by stack */
};

/* Ends the frames from DEPTH on, which stack END does not have. */
static void end_nodes(struct pruner *p, size_t depth, size_t end)
{
    while (p->depth > depth) {
        const struct node *node = &p->nodes[--p->depth];
        bool stays = wide_to_double(node->total) >= p->min && wide_sign(node->total) > 0;
        for (size_t i = node->first; stays && i < end; i++)
            if (p->kept[i] <= p->depth)
                p->kept[i] = (uint32_t)p->depth + 1;
        if (p->depth > 0)
            p->nodes[p->depth - 1].total = wide_add(p->nodes[p->depth - 1].total, node->total);
    }
}

/* Sets the weights to the values of TYPE. */
static void weigh(struct pruner *p, size_t type)
{
    const struct flame *f = p->f;
    flame_values_begin(&p->values, type);
    for (size_t i = 0; i < f->stack_count; i++) {
        int64_t sums[FLAME_SIDES];
        flame_parts_sum(&p->values, i, sums);
        for (int side = !f->has_base; side < FLAME_SIDES; side++)
            p->weights[side][i] = sums[side] < 0 ? 0 : sums[side];
    }
}

/* Keeps frames with at least SHARE of all weights of SIDE. */
static void keep(struct pruner *p, int side, double share)
{
    const struct flame *f = p->f;
    const int64_t *weights = p->weights[side];
    struct wide all = wide_of(0);
    for (size_t i = 0; i < f->stack_count; i++)
        wide_add_to(&all, weights[i]);
    p->min = wide_to_double(all) * share;
    for (size_t i = 0; i < f->stack_count; i++) {
        end_nodes(p, f->stacks[i].shared, i);
        while (p->depth < f->stacks[i].depth)
            p->nodes[p->depth++] = (struct node){.first = i};
        if (p->depth > 0)
            wide_add_to(&p->nodes[p->depth - 1].total, weights[i]);
    }
    end_nodes(p, 0, f->stack_count);
}

/* Cuts the paths of the records of stack NUMBER after KEPT frames. */
static void cut(struct flame *f, size_t number, uint32_t kept)
{
    const struct flame_stack *stack = &f->stacks[number];
    if (kept >= stack->depth)
        return;
    for (size_t i = f->cells[stack[0].cell].first; i < f->cells[stack[1].cell].first; i++) {
        struct flame_path *path = &f->records[f->order[i]];
        f->paths[path->begin + kept] = f->other;
        path->depth = kept + 1;
    }
}

void flame_parts_prune(struct flame *f, double share)
{
    struct pruner p = {.f = f, .values = flame_values_of(f)};
    p.nodes = mem_alloc((f->depth + 1) * sizeof *p.nodes);
    p.kept = mem_alloc_zeroed((f->stack_count + 1) * sizeof *p.kept);
    for (int side = !f->has_base; side < FLAME_SIDES; side++)
        p.weights[side] = mem_alloc((f->stack_count + 1) * sizeof *p.weights[side]);
    flame_values_open(&p.values);
    for (size_t type = 0; type < f->type_count; type++) {
        weigh(&p, type);
        for (int side = !f->has_base; side < FLAME_SIDES; side++)
            keep(&p, side, share);
    }
    flame_values_free(&p.values);
    for (int side = !f->has_base; side < FLAME_SIDES; side++)
        mem_free(p.weights[side]);
    for (size_t i = 0; i < f->stack_count; i++)
        cut(f, i, p.kept[i]);
    flame_parts_sort(f);
    mem_free(p.nodes);
    mem_free(p.kept);
}
