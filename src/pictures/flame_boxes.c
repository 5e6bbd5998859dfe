#include "pictures/flame_boxes.h"

#include "base/mem.h"
#include "base/order.h"

/* A frame of the stack in hand, and of its neighbours so far.  Most are gone soon, so it is small. */
struct node {
    struct wide begin[FLAME_SIDES]; /* what stood before it, on each side */
    struct wide self;               /* on the side that is drawn */
    uint32_t frame;
    uint32_t thin_count; /* of what it calls: the last ones that are too thin; 0: there are none */
};

struct drawer {
    struct flame_boxes *boxes;
    struct node
        *nodes; /* by depth, from 1: what stands outermost is called by the first, which is none */
    struct flame_box *thin; /* by the same: what those are, drawn as one */
    size_t depth;
    struct wide at[FLAME_SIDES]; /* what has been taken */
    struct wide least;           /* what has less is too thin */
    size_t rows;                 /* what has just that is drawn if it stands in one of so many */
};

static void add_box(struct flame_boxes *b, const struct flame_box *box)
{
    if (wide_sign(box->totals[b->side]) == 0)
        return;
    b->items = mem_array(b->items, &b->capacity, b->count + 1, sizeof *b->items);
    b->items[b->count++] = *box;
    b->depth = box->depth + (size_t)1 > b->depth ? box->depth + (size_t)1 : b->depth;
}

/* Whether BOX has room. */
static bool has_room(const struct drawer *d, const struct flame_box *box)
{
    int more = wide_compare(box->totals[d->boxes->side], d->least);
    return more > 0 || (more == 0 && box->depth < d->rows);
}

/* Draws what the frame at DEPTH calls and is too thin. */
static void end_thin(struct drawer *d, size_t depth)
{
    d->thin[depth].count = d->nodes[depth].thin_count;
    if (d->nodes[depth].thin_count > 0)
        add_box(d->boxes, &d->thin[depth]);
    d->nodes[depth].thin_count = 0;
}

/* Adds BOX, which is too thin, to those of its caller. */
static void add_thin(struct drawer *d, const struct flame_box *box)
{
    struct flame_box *thin = &d->thin[box->depth];
    if (wide_sign(box->totals[d->boxes->side]) == 0)
        return;
    if (d->nodes[box->depth].thin_count++ == 0)
        *thin = (struct flame_box){.begin = box->begin, .depth = box->depth};
    for (int i = 0; i < FLAME_SIDES; i++)
        thin->totals[i] = wide_add(thin->totals[i], box->totals[i]);
}

/* Ends the frames that the next stack does not have: all but DEPTH. */
static void end_nodes(struct drawer *d, size_t depth)
{
    for (; d->depth > depth; d->depth--) {
        const struct node *node = &d->nodes[d->depth];
        struct flame_box box = {
            .frame = node->frame,
            .depth = (uint32_t)d->depth - 1,
            .begin = node->begin[d->boxes->side],
            .self = node->self,
        };
        for (int i = 0; i < FLAME_SIDES; i++)
            box.totals[i] = wide_subtract(d->at[i], node->begin[i]);
        if (!has_room(d, &box)) {
            add_thin(d, &box);
            continue;
        }
        end_thin(d, d->depth);
        end_thin(d, box.depth);
        add_box(d->boxes, &box);
    }
}

/* Makes B the boxes of F where what has less than LEAST is too thin, and what has just that is where it does not stand
 * in one of the first ROWS. */
static void make(struct flame_boxes *b, const struct flame *f, int side, struct wide least,
                 size_t rows)
{
    struct drawer d = {.boxes = b, .least = least, .rows = rows};
    b->side = side;
    d.nodes = mem_alloc_zeroed((f->depth + 1) * sizeof *d.nodes);
    d.thin = mem_alloc((f->depth + 1) * sizeof *d.thin);
    for (size_t i = 0; i < f->stack_count; i++) {
        const struct flame_stack *stack = &f->stacks[i];
        end_nodes(&d, stack->shared);
        for (; d.depth < stack->depth; d.depth++) {
            struct node *node = &d.nodes[d.depth + 1];
            *node = (struct node){.frame = f->paths[stack->begin + d.depth]};
            memcpy(node->begin, d.at, sizeof node->begin);
        }
        wide_add_to(&d.nodes[d.depth].self, f->weights[side][i]);
        for (int j = !f->has_base; j < FLAME_SIDES; j++)
            wide_add_to(&d.at[j], f->weights[j][i]);
    }
    end_nodes(&d, 0);
    end_thin(&d, 0);
    mem_free(d.nodes);
    mem_free(d.thin);
}

/* What a share MIN_SHARE is at least. */
static struct wide least_of(const struct flame *f, int side, double min_share)
{
    double least = wide_to_double(f->all[side]) * min_share;
    struct wide whole = wide_of_double(least);
    wide_add_to(&whole, wide_to_double(whole) < least);
    return whole;
}

void flame_boxes_make(struct flame_boxes *b, const struct flame *f, int side, double min_share)
{
    make(b, f, side, least_of(f, side, min_share), SIZE_MAX);
}

/* How much room a box asks for; the wider and, of equals, the outer one comes first, so a caller does before what it
 * calls. */
struct rank {
    struct wide width;
    size_t depth;
};

static int compare_ranks(const void *a, const void *b)
{
    const struct rank *x = a, *y = b;
    int width = wide_compare(y->width, x->width);
    if (width != 0)
        return width;
    return (x->depth > y->depth) - (x->depth < y->depth);
}

/* The rank of the box that is number COUNT, from 0, by rank. */
static struct rank rank_at(const struct flame_boxes *b, size_t count)
{
    struct rank *ranks = mem_alloc(b->count * sizeof *ranks);
    for (size_t i = 0; i < b->count; i++)
        ranks[i] = (struct rank){b->items[i].frame == 0 ? wide_of(0) : b->items[i].totals[b->side],
                                 b->items[i].depth};
    order_items(ranks, b->count, sizeof *ranks, compare_ranks);
    struct rank rank = ranks[count];
    mem_free(ranks);
    return rank;
}

void flame_boxes_make_most(struct flame_boxes *b, const struct flame *f, int side, double min_share,
                           size_t most)
{
    make(b, f, side, least_of(f, side, min_share), SIZE_MAX);
    if (b->count <= most)
        return;
    /* of three boxes two may stand for several: one beside each other one, and one more for each caller */
    struct rank first_out = rank_at(b, most / 3);
    flame_boxes_free(b);
    make(b, f, side, first_out.width, first_out.depth);
}

void flame_boxes_free(struct flame_boxes *b)
{
    mem_free(b->items);
    *b = (struct flame_boxes){0};
}
