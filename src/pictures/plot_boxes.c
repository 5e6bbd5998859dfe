#include "pictures/plot_boxes.h"

#include "base/mem.h"
#include "base/order.h"

/* --- votes --- */

static int by_entry(const void *a, const void *b)
{
    const struct plot_vote *x = a, *y = b;
    return (x->entry > y->entry) - (x->entry < y->entry);
}

/* Merges the items of each entry into one. */
static void compact(struct plot_votes *v)
{
    size_t kept = 0;
    order_items(v->items, v->count, sizeof *v->items, by_entry);
    for (size_t i = 0; i < v->count; i++)
        if (kept > 0 && v->items[kept - 1].entry == v->items[i].entry)
            v->items[kept - 1].weight += v->items[i].weight;
        else
            v->items[kept++] = v->items[i];
    v->count = kept;
}

void plot_votes_add(struct plot_votes *v, uint32_t entry, double weight)
{
    if (v->count > 0 && v->items[v->count - 1].entry == entry) {
        v->items[v->count - 1].weight += weight;
        return;
    }
    if (v->count == v->capacity && v->count > 0) {
        compact(v);
        if (v->count > v->capacity / 2) /* so that this is rare */
            v->items = mem_array(v->items, &v->capacity, v->capacity + 1, sizeof *v->items);
    }
    v->items = mem_array(v->items, &v->capacity, v->count + 1, sizeof *v->items);
    v->items[v->count++] = (struct plot_vote){entry, weight};
}

uint32_t plot_votes_winner(struct plot_votes *v)
{
    struct plot_vote best = {0}, nothing = {0};
    double all = 0;
    compact(v);
    for (size_t i = 0; i < v->count; i++) {
        const struct plot_vote *vote = &v->items[i];
        all += vote->weight;
        if (vote->entry == 0)
            nothing = *vote;
        else if (vote->weight > best.weight)
            best = *vote;
    }
    return nothing.weight > all / 2 ? 0 : best.entry;
}

void plot_votes_free(struct plot_votes *v)
{
    mem_free(v->items);
    *v = (struct plot_votes){0};
}

/* --- levels --- */

struct plot_level {
    struct plot_box open;    /* the box of the last stack; its end is not known yet */
    struct plot_box waiting; /* the last finished box, which the next may extend */
    struct plot_votes group; /* of boxes that are too short */
    size_t grouped;          /* their number */
    double group_start;
};

/* Draws the waiting box, then BOX waits. Merged neighbours with the same entry become one. */
static void emit(struct plot_boxes *b, size_t i, struct plot_box box)
{
    struct plot_box *waiting = &b->levels[i].waiting;
    bool goes_on = waiting->merged > 1 && box.merged > 1 && waiting->entry == box.entry &&
                   waiting->end == box.start;
    if (goes_on) {
        waiting->end = box.end;
        waiting->merged += box.merged;
        return;
    }
    if (waiting->entry != 0 && waiting->end > waiting->start)
        b->draw(b->to, i, waiting);
    *waiting = box;
}

/* Makes one box of the group at level I; it ends at END. */
static void end_group(struct plot_boxes *b, size_t i, double end)
{
    struct plot_level *level = &b->levels[i];
    if (level->grouped == 0)
        return;
    emit(b, i,
         (struct plot_box){level->group_start, end, plot_votes_winner(&level->group),
                           level->grouped});
    level->group.count = level->grouped = 0;
}

/* Ends the open box at level I. */
static void end_box(struct plot_boxes *b, size_t i)
{
    struct plot_level *level = &b->levels[i];
    struct plot_box box = level->open;
    box.end = b->at;
    if (box.end <= box.start)
        return;
    if (box.end - box.start >= b->min) {
        end_group(b, i, box.start);
        emit(b, i, box);
        return;
    }
    if (level->grouped++ == 0)
        level->group_start = box.start;
    plot_votes_add(&level->group, box.entry, box.end - box.start);
    if (box.end - level->group_start >= b->min)
        end_group(b, i, box.end);
}

/* Begins a box of ENTRY at level I; 0: none. */
static void begin_box(struct plot_boxes *b, size_t i, uint32_t entry)
{
    end_box(b, i);
    b->levels[i].open = (struct plot_box){.start = b->at, .entry = entry, .merged = 1};
}

/* Entry I of FRAMES; 0 is the outermost. */
static uint32_t entry_at(struct str frames, size_t i)
{
    uint32_t entry;
    memcpy(&entry, frames.p + frames.n - (i + 1) * sizeof entry, sizeof entry);
    return entry;
}

void plot_boxes_add(struct plot_boxes *b, struct str frames, double length)
{
    size_t depth = frames.n / sizeof(uint32_t), same = 0, before = b->depth;
    depth = depth < b->levels_max ? depth : b->levels_max;
    while (same < depth && same < before && entry_at(frames, same) == b->stack[same])
        same++;
    b->levels = mem_array_zeroed(b->levels, &b->capacity, depth, sizeof *b->levels);
    b->stack = mem_array(b->stack, &b->stack_capacity, depth, sizeof *b->stack);
    for (size_t i = same; i < depth; i++)
        begin_box(b, i, b->stack[i] = entry_at(frames, i));
    for (size_t i = depth > same ? depth : same; i < before; i++)
        begin_box(b, i, 0);
    b->level_count = depth > b->level_count ? depth : b->level_count;
    b->depth = depth;
    b->at += length;
}

void plot_boxes_finish(struct plot_boxes *b)
{
    for (size_t i = 0; i < b->level_count; i++) {
        end_box(b, i);
        end_group(b, i, b->at);
        emit(b, i, (struct plot_box){0});
        plot_votes_free(&b->levels[i].group);
    }
    mem_free(b->levels);
    mem_free(b->stack);
}
