/* Small pictures: what has little becomes one frame of its parent's. */
#include "base/mem.h"
#include "pictures/flame_parts.h"

/* A frame of the stack in hand, from its outermost one to here: the first stack that has it, and what those from there
 * on had. */
struct node {
    size_t first;
    __int128 total;
};

struct pruner {
    const struct flame *f;
    struct node *nodes; /* by depth */
    size_t depth;
    uint32_t *kept; /* by stack: so many of its frames stay */
    double least;   /* the total that stays */
};

/* The frames that stack END does not have any more, of those from DEPTH on. */
static void end_nodes(struct pruner *p, size_t depth, size_t end)
{
    while (p->depth > depth) {
        const struct node *node = &p->nodes[--p->depth];
        bool stays = (double)node->total >= p->least && node->total > 0;
        for (size_t i = node->first; stays && i < end; i++)
            if (p->kept[i] <= p->depth)
                p->kept[i] = (uint32_t)p->depth + 1;
        if (p->depth > 0)
            p->nodes[p->depth - 1].total += node->total;
    }
}

/* Keeps what has the share SHARE of all that SIDE has of TYPE. */
static void keep(struct pruner *p, size_t type, int side, double share)
{
    const struct flame *f = p->f;
    int64_t *weights = mem_alloc((f->stack_count + 1) * sizeof *weights);
    __int128 all = 0;
    for (size_t i = 0; i < f->stack_count; i++) {
        int64_t sums[FLAME_SIDES];
        flame_parts_sum(f, i, type, sums);
        weights[i] = sums[side] < 0 ? 0 : sums[side];
        all += weights[i];
    }
    p->least = (double)all * share;
    for (size_t i = 0; i < f->stack_count; i++) {
        end_nodes(p, f->stacks[i].shared, i);
        while (p->depth < f->stacks[i].depth)
            p->nodes[p->depth++] = (struct node){.first = i};
        if (p->depth > 0)
            p->nodes[p->depth - 1].total += weights[i];
    }
    end_nodes(p, 0, f->stack_count);
    mem_free(weights);
}

/* Cuts the paths of the records of stack NUMBER behind KEPT frames. */
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
    struct pruner p = {.f = f};
    p.nodes = mem_alloc((f->depth + 1) * sizeof *p.nodes);
    p.kept = mem_alloc_zeroed((f->stack_count + 1) * sizeof *p.kept);
    for (size_t type = 0; type < f->type_count; type++)
        for (int side = !f->has_base; side < FLAME_SIDES; side++)
            keep(&p, type, side, share);
    for (size_t i = 0; i < f->stack_count; i++)
        cut(f, i, p.kept[i]);
    flame_parts_sort(f);
    mem_free(p.nodes);
    mem_free(p.kept);
}
