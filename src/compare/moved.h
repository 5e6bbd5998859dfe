/* moved.h - finds cost that only moved: one item lost about what another gained, under the same
 * caller. This happens when a function is split or renamed, or another does its work. */
#ifndef PROFPIPE_MOVED_H
#define PROFPIPE_MOVED_H

#include "compare/sides.h"

/* Returns, by item - 1, the item that lost about what this one gained, or gained what it lost, with
 * a common caller; 0: none. The two amounts differ by at most a quarter of the larger. Both are at
 * least 0.5 % of a run of the more expensive side, so few items are compared. The caller frees the
 * result. */
uint32_t *moved_find(const struct sides *s);

#endif
