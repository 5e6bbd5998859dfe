/* plot_boxes.h - a sequence of stacks as boxes: one for each run of neighbours whose outermost entries agree, as far as
 * they do.  What is too short to be seen is drawn with its neighbours as one box, of the entry that most of it has, so
 * that there are never more boxes than pixels and memory depends on what is distinct alone. */
#ifndef PROFPIPE_PLOT_BOXES_H
#define PROFPIPE_PLOT_BOXES_H

#include "base/str.h"

#include <stdint.h>

/* Entries and how much each has had. */
struct plot_votes {
    struct plot_vote *items;
    size_t count, capacity;
};

struct plot_vote {
    uint32_t entry;
    double weight;
};

/* Adds WEIGHT to what ENTRY has.  Memory is what distinct entries need, times a small constant. */
void plot_votes_add(struct plot_votes *v, uint32_t entry, double weight);

/* The entry with most, of equal ones the smallest number; 0, which is nothing, only where more than half of all has
 * that. */
uint32_t plot_votes_winner(struct plot_votes *v);

void plot_votes_free(struct plot_votes *v);

/* From START to END, in the unit of lengths. */
struct plot_box {
    double start, end;
    uint32_t entry; /* 0: nothing is there */
    size_t merged;  /* how many boxes it stands for */
};

struct plot_boxes {
    double min;        /* set: what is shorter is merged */
    size_t levels_max; /* set: what is deeper is left out */
    void (*draw)(void *to, size_t level,
                 const struct plot_box *box); /* set: LEVEL 0 is outermost */
    void *to;

    struct plot_level *levels;
    size_t level_count, capacity;
    uint32_t *stack; /* the last one, outermost first */
    size_t depth, stack_capacity;
    double at; /* where the next one begins */
};

/* The next LENGTH has the stack FRAMES, entries as uint32_t, innermost first. */
void plot_boxes_add(struct plot_boxes *b, struct str frames, double length);

/* Draws what is left, and frees what B holds. */
void plot_boxes_finish(struct plot_boxes *b);

#endif
