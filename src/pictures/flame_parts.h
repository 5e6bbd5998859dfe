/* flame_parts.h - shared by the parts of flame.h: flame_make.c and flame_prune.c. */
#ifndef PROFPIPE_FLAME_PARTS_H
#define PROFPIPE_FLAME_PARTS_H

#include "pictures/flame_values.h"

/* Sorts the records of F, whose paths may have changed, and makes its stacks and cells from
 * them. */
void flame_parts_sort(struct flame *f);

/* Computes the weights, and counts in f->below those below 0. */
void flame_parts_weigh(struct flame *f);

/* The sums of STACK for the current type of V on each side. Must be called for all stacks in order.
 * Ends the tool (STATUS_INPUT) if a sum exceeds 64 bits. */
void flame_parts_sum(struct flame_values *v, size_t stack, int64_t by_side[FLAME_SIDES]);

/* Cuts each stack at the first frame whose total is less than SHARE of all, for every type and on
 * each side. The frame f->other replaces what was cut. */
void flame_parts_prune(struct flame *f, double share);

/* Whether CELL is on the side NEW. */
bool flame_parts_is_new(const struct flame *f, const struct flame_cell *cell);

#endif
