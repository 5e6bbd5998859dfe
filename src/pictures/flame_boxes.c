#include "pictures/flame_boxes.h"

#include "base/mem.h"
#include "base/order.h"

/* The rank of a box: wider boxes come first, then outer ones, so a caller comes before its
 * callees. */
struct rank {
    struct wide width;
    size_t depth;
};

/* The best KEPT ranks so far, and perhaps as many others after them. */
struct ranks {
    struct rank *items;
    size_t count, kept;
};

struct drawer {
    struct flame_boxes *boxes;
    const struct flame *f;
    /* By depth, from 1, for the frames of the current stack: the first stack with that frame. What
     * is left of that stack is left of the frame too. There may be a million frames, so nothing
     * else is stored. */
    uint32_t *firsts;
    /* Neighbours that are too narrow, merged: the last ones so far called by one of those frames,
     * or by none. */
    struct flame_box *thin;
    size_t thin_count, thin_capacity;
    size_t depth;
    struct wide *before[FLAME_SIDES]; /* by stack, as far as read: the sum to the left of it */
    size_t at;                        /* the current stack */
    struct wide min;                  /* smaller boxes are too narrow */
    size_t rows; /* boxes of exactly that size are drawn in this number of rows */
    size_t max;  /* beyond this number only ranks are kept */
    struct ranks ranks;
};

static int compare_ranks(const void *a, const void *b)
{
    const struct rank *x = a, *y = b;
    int width = wide_compare(y->width, x->width);
    if (width != 0)
        return width;
    return (x->depth > y->depth) - (x->depth < y->depth);
}

/* Adds the rank of BOX on SIDE. */
static void add_rank(struct ranks *r, const struct flame_box *box, int side)
{
    if (r->count == 2 * r->kept) {
        order_items(r->items, r->count, sizeof *r->items, compare_ranks);
        r->count = r->kept;
    }
    r->items[r->count++] =
        (struct rank){box->frame == 0 ? wide_of(0) : box->totals[side], box->depth};
}

/* Too many boxes: from now on only their ranks are kept. */
static void begin_ranks(struct drawer *d)
{
    struct flame_boxes *b = d->boxes;
    /* of three boxes two may be merged ones: one neighbour per box, and one more per caller */
    d->ranks.kept = d->max / 3 + 1;
    d->ranks.items = mem_alloc(2 * d->ranks.kept * sizeof *d->ranks.items);
    for (size_t i = 0; i < b->count; i++)
        add_rank(&d->ranks, &b->items[i], b->side);
    mem_free(b->items);
    *b = (struct flame_boxes){.side = b->side};
}

static void add_box(struct drawer *d, const struct flame_box *box)
{
    struct flame_boxes *b = d->boxes;
    if (wide_sign(box->totals[b->side]) == 0)
        return;
    if (d->ranks.items != NULL) {
        add_rank(&d->ranks, box, b->side);
        return;
    }
    b->items = mem_array(b->items, &b->capacity, b->count + 1, sizeof *b->items);
    b->items[b->count++] = *box;
    b->depth = box->depth + (size_t)1 > b->depth ? box->depth + (size_t)1 : b->depth;
    if (b->count > d->max)
        begin_ranks(d);
}

/* Whether BOX is wide enough. */
static bool has_room(const struct drawer *d, const struct flame_box *box)
{
    int more = wide_compare(box->totals[d->boxes->side], d->min);
    return more > 0 || (more == 0 && box->depth < d->rows);
}

/* The last merged box called by the frame at DEPTH; NULL: none. */
static struct flame_box *thin_of(const struct drawer *d, size_t depth)
{
    struct flame_box *last = d->thin_count == 0 ? NULL : &d->thin[d->thin_count - 1];
    return last != NULL && last->depth == depth ? last : NULL;
}

/* Draws the merged box at DEPTH. */
static void end_thin(struct drawer *d, size_t depth)
{
    const struct flame_box *thin = thin_of(d, depth);
    if (thin == NULL)
        return;
    add_box(d, thin);
    d->thin_count--;
}

/* Adds BOX, which is too narrow, to the merged box of its caller. */
static void add_thin(struct drawer *d, const struct flame_box *box)
{
    struct flame_box *thin = thin_of(d, box->depth);
    if (wide_sign(box->totals[d->boxes->side]) == 0)
        return;
    if (thin == NULL) {
        d->thin = mem_array(d->thin, &d->thin_capacity, d->thin_count + 1, sizeof *d->thin);
        thin = &d->thin[d->thin_count++];
        *thin = (struct flame_box){.begin = box->begin, .depth = box->depth};
    }
    thin->count++;
    for (int i = 0; i < FLAME_SIDES; i++)
        thin->totals[i] = wide_add(thin->totals[i], box->totals[i]);
}

/* The place and size of the box of the current frame. */
static struct flame_box innermost_box(const struct drawer *d)
{
    const uint32_t first = d->firsts[d->depth];
    struct flame_box box = {.depth = (uint32_t)d->depth - 1,
                            .begin = d->before[d->boxes->side][first]};
    for (int i = !d->f->has_base; i < FLAME_SIDES; i++)
        box.totals[i] = wide_subtract(d->before[i][d->at], d->before[i][first]);
    return box;
}

/* Sets the rest of BOX, that of the current frame. It is far away in memory, and most boxes are too
 * narrow to need it. */
static void fill_box(const struct drawer *d, struct flame_box *box)
{
    const struct flame *f = d->f;
    const uint32_t first = d->firsts[d->depth];
    const struct flame_stack *stack = &f->stacks[first];
    box->frame = f->paths[stack->begin + d->depth - 1];
    /* a stack comes before longer ones that begin with it */
    box->self = wide_of(stack->depth == d->depth ? f->weights[d->boxes->side][first] : 0);
}

/* Ends the frames that the next stack does not have: all except the outermost DEPTH. */
static void end_nodes(struct drawer *d, size_t depth)
{
    for (; d->depth > depth; d->depth--) {
        struct flame_box box = innermost_box(d);
        if (!has_room(d, &box)) {
            d->thin_count -= thin_of(d, d->depth) != NULL; /* too narrow as well */
            add_thin(d, &box);
            continue;
        }
        end_thin(d, d->depth);
        end_thin(d, box.depth);
        fill_box(d, &box);
        add_box(d, &box);
    }
}

static void take_stack(struct drawer *d)
{
    const struct flame *f = d->f;
    const struct flame_stack *stack = &f->stacks[d->at];
    end_nodes(d, stack->shared);
    while (d->depth < stack->depth)
        d->firsts[++d->depth] = (uint32_t)d->at;
    for (int i = !f->has_base; i < FLAME_SIDES; i++) {
        d->before[i][d->at + 1] = d->before[i][d->at];
        wide_add_to(&d->before[i][d->at + 1], f->weights[i][d->at]);
    }
}

/* Sets B to the boxes of F. Boxes smaller than MIN are too narrow; boxes of exactly MIN are too,
 * except in the first ROWS rows. If there are more than MAX boxes, makes none, sets *FIRST_OUT to
 * the best rank that does not fit, and returns true. */
static bool make(struct flame_boxes *b, const struct flame *f, int side, struct rank min,
                 size_t max, struct rank *first_out)
{
    struct drawer d = {.boxes = b, .f = f, .min = min.width, .rows = min.depth, .max = max};
    b->side = side;
    d.firsts = mem_alloc((f->depth + 1) * sizeof *d.firsts);
    for (int i = !f->has_base; i < FLAME_SIDES; i++) {
        d.before[i] = mem_alloc((f->stack_count + 1) * sizeof *d.before[i]);
        d.before[i][0] = wide_of(0);
    }
    for (; d.at < f->stack_count; d.at++)
        take_stack(&d);
    end_nodes(&d, 0);
    end_thin(&d, 0);
    bool are_more = d.ranks.items != NULL;
    if (are_more) {
        order_items(d.ranks.items, d.ranks.count, sizeof *d.ranks.items, compare_ranks);
        *first_out = d.ranks.items[d.ranks.kept - 1];
    }
    mem_free(d.ranks.items);
    mem_free(d.firsts);
    mem_free(d.thin);
    for (int i = 0; i < FLAME_SIDES; i++)
        mem_free(d.before[i]);
    return are_more;
}

/* The min value for the share MIN_SHARE. */
static struct wide min_of(const struct flame *f, int side, double min_share)
{
    double min = wide_to_double(f->all[side]) * min_share;
    struct wide whole = wide_of_double(min);
    wide_add_to(&whole, wide_to_double(whole) < min);
    return whole;
}

void flame_boxes_make(struct flame_boxes *b, const struct flame *f, int side, double min_share,
                      size_t max)
{
    struct rank min = {min_of(f, side, min_share), SIZE_MAX};
    if (make(b, f, side, min, max, &min))
        make(b, f, side, min, SIZE_MAX, NULL);
}

void flame_boxes_free(struct flame_boxes *b)
{
    mem_free(b->items);
    *b = (struct flame_boxes){0};
}
