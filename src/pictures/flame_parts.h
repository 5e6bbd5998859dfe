/* flame_parts.h - what the parts of flame.h share: flame_make.c and flame_prune.c. */
#ifndef PROFPIPE_FLAME_PARTS_H
#define PROFPIPE_FLAME_PARTS_H

#include "pictures/flame_values.h"

/* Sorts the records of F, whose paths may have changed, and makes stacks and cells of them. */
void flame_parts_sort(struct flame *f);

/* Makes the weights, and counts in f->below those below 0. */
void flame_parts_weigh(struct flame *f);

/* What STACK has of the type that V, of stacks, has in hand, on each side: all stacks in their order.  Ends the tool
 * (STATUS_INPUT) where that passes 64 bits. */
void flame_parts_sum(struct flame_values *v, size_t stack, int64_t by_side[FLAME_SIDES]);

/* Cuts stacks at the first frame that has, with all it calls, less than SHARE of all, of every type and on each side:
 * the frame f->other stands there for all of them. */
void flame_parts_prune(struct flame *f, double share);

/* Whether CELL is of the side NEW. */
bool flame_parts_is_new(const struct flame *f, const struct flame_cell *cell);

#endif
