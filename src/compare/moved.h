/* moved.h - cost that has only gone elsewhere: a gain beside a loss of about its size, under one caller, as
 * where a function was split or renamed, or its work is done by another. */
#ifndef PROFPIPE_MOVED_H
#define PROFPIPE_MOVED_H

#include "compare/sides.h"

/* By item - 1, the item that has lost about what this one has gained, or the other way round, where the same
 * function calls both; 0: none.  The two differ by a quarter of the larger at most, and both are 0.5 % or more
 * of a run of the side that costs more: so there are few to be compared.  The caller frees it. */
uint32_t *moved_find(const struct sides *s);

#endif
