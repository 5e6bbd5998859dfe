/* plot_boxes.h - turns a sequence of stacks into boxes: one box for each streak of neighbours with
 * equal outermost entries. Neighbours too short to see are merged into one box of the entry with
 * the largest part of it. So there are never more boxes than pixels, and memory grows only with
 * distinct entries. */
#ifndef PROFPIPE_PLOT_BOXES_H
#define PROFPIPE_PLOT_BOXES_H

#include "base/str.h"

#include <stdint.h>

/* Entries and their weights. */
struct plot_votes {
    struct plot_vote *items;
    size_t count, capacity;
};

struct plot_vote {
    uint32_t entry;
    double weight;
};

/* Adds WEIGHT to ENTRY. Memory is a small constant per distinct entry. */
void plot_votes_add(struct plot_votes *v, uint32_t entry, double weight);

/* The entry with the largest weight; of equal ones the smallest number. 0 (nothing) wins only with
 * more than half of the total. */
uint32_t plot_votes_winner(struct plot_votes *v);

void plot_votes_free(struct plot_votes *v);

/* A box from START to END, in the unit of lengths. */
struct plot_box {
    double start, end;
    uint32_t entry; /* 0: empty */
    size_t merged;  /* number of boxes merged into this one */
};

struct plot_boxes {
    double min;        /* set by the caller: shorter boxes are merged */
    size_t levels_max; /* set by the caller: deeper levels are not drawn */
    void (*draw)(void *to, size_t level,
                 const struct plot_box *box); /* set by the caller: LEVEL 0 is outermost */
    void *to;

    struct plot_level *levels;
    size_t level_count, capacity;
    uint32_t *stack; /* the previous stack, outermost first */
    size_t depth, stack_capacity;
    double at; /* start of the next stack */
};

/* Adds LENGTH with the stack FRAMES, entries as uint32_t, innermost first. */
void plot_boxes_add(struct plot_boxes *b, struct str frames, double length);

/* Draws the remaining boxes and frees what B holds. */
void plot_boxes_finish(struct plot_boxes *b);

#endif
