#include "pictures/flame_boxes.h"

#include "base/mem.h"

#include <stdlib.h>

/* A frame of the stack in hand, and of its neighbours so far. */
struct node {
    uint32_t frame;
    __int128 begin, self, totals[FLAME_SIDES];
    struct flame_box thin; /* of those that it calls: the last ones, which are too thin */
};

struct drawer {
    struct flame_boxes *boxes;
    struct node
        *nodes; /* by depth, from 1: what stands outermost is called by the first, which is none */
    size_t depth;
    __int128 least;
};

static void add_box(struct flame_boxes *b, const struct flame_box *box)
{
    if (box->totals[b->side] == 0)
        return;
    b->items = mem_array(b->items, &b->capacity, b->count + 1, sizeof *b->items);
    b->items[b->count++] = *box;
    b->depth = box->depth + (size_t)1 > b->depth ? box->depth + (size_t)1 : b->depth;
}

/* Draws what NODE calls and is too thin. */
static void end_thin(struct drawer *d, struct node *node)
{
    if (node->thin.count > 0)
        add_box(d->boxes, &node->thin);
    node->thin = (struct flame_box){0};
}

/* Adds NODE, which is too thin, to those of CALLER. */
static void add_thin(const struct drawer *d, struct node *caller, const struct node *node)
{
    struct flame_box *thin = &caller->thin;
    if (thin->count++ == 0) {
        thin->begin = node->begin;
        thin->depth = (uint32_t)d->depth - 1;
    }
    for (int i = 0; i < FLAME_SIDES; i++)
        thin->totals[i] += node->totals[i];
}

/* Ends the frames that the next stack does not have: all but DEPTH. */
static void end_nodes(struct drawer *d, size_t depth)
{
    int side = d->boxes->side;
    for (; d->depth > depth; d->depth--) {
        struct node *node = &d->nodes[d->depth], *caller = &d->nodes[d->depth - 1];
        for (int i = 0; i < FLAME_SIDES; i++)
            caller->totals[i] += node->totals[i];
        if (node->totals[side] < d->least) {
            add_thin(d, caller, node);
            continue;
        }
        end_thin(d, node);
        end_thin(d, caller);
        struct flame_box box = {node->frame, (uint32_t)d->depth - 1, 0, node->begin, node->self,
                                {0}};
        memcpy(box.totals, node->totals, sizeof box.totals);
        add_box(d->boxes, &box);
    }
}

/* Makes B the boxes of F where what has less than LEAST is too thin. */
static void make(struct flame_boxes *b, const struct flame *f, int side, __int128 least)
{
    struct drawer d = {.boxes = b, .least = least};
    __int128 at = 0;
    b->side = side;
    d.nodes = mem_alloc((f->depth + 1) * sizeof *d.nodes);
    d.nodes[0] = (struct node){0};
    for (size_t i = 0; i < f->stack_count; i++) {
        const struct flame_stack *stack = &f->stacks[i];
        end_nodes(&d, stack->shared);
        while (d.depth < stack->depth) {
            uint32_t frame = f->paths[stack->begin + d.depth];
            d.nodes[++d.depth] = (struct node){.frame = frame, .begin = at};
        }
        struct node *last = &d.nodes[d.depth];
        last->self += f->weights[side][i];
        for (int j = !f->has_base; j < FLAME_SIDES; j++)
            last->totals[j] += f->weights[j][i];
        at += f->weights[side][i];
    }
    end_nodes(&d, 0);
    end_thin(&d, &d.nodes[0]);
    mem_free(d.nodes);
}

/* What a share MIN_SHARE is at least. */
static __int128 least_of(const struct flame *f, int side, double min_share)
{
    double least = (double)f->all[side] * min_share;
    __int128 whole = (__int128)least;
    return whole + ((double)whole < least);
}

void flame_boxes_make(struct flame_boxes *b, const struct flame *f, int side, double min_share)
{
    make(b, f, side, least_of(f, side, min_share));
}

static int compare_widths(const void *a, const void *b)
{
    const __int128 *x = a, *y = b;
    return (*x < *y) - (*x > *y);
}

/* The width of the box that is number COUNT, from 0, by width. */
static __int128 width_at(const struct flame_boxes *b, size_t count)
{
    __int128 *widths = mem_alloc(b->count * sizeof *widths);
    for (size_t i = 0; i < b->count; i++)
        widths[i] = b->items[i].frame == 0 ? 0 : b->items[i].totals[b->side];
    qsort(widths, b->count, sizeof *widths, compare_widths);
    __int128 width = widths[count];
    mem_free(widths);
    return width;
}

void flame_boxes_make_most(struct flame_boxes *b, const struct flame *f, int side, double min_share,
                           size_t most)
{
    make(b, f, side, least_of(f, side, min_share));
    if (b->count <= most)
        return;
    /* of three boxes two may stand for several: one beside each other one, and one more for each caller */
    __int128 least = width_at(b, most / 3) + 1;
    flame_boxes_free(b);
    make(b, f, side, least);
}

void flame_boxes_free(struct flame_boxes *b)
{
    mem_free(b->items);
    *b = (struct flame_boxes){0};
}
