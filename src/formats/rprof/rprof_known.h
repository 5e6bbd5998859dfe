/* rprof_known.h - stacks that have been read before, by the text that they were read from: most samples
 * repeat one of a few, and need not be taken apart again. */
#ifndef PROFPIPE_RPROF_KNOWN_H
#define PROFPIPE_RPROF_KNOWN_H

#include "base/buf.h"

#include <stdint.h>

/* Longer text is not kept, so that all that is kept stays small. */
enum { RPROF_KNOWN_MAX = 512 };

struct rprof_known_stack;

/* All zero knows nothing. */
struct rprof_known {
    struct rprof_known_stack *stacks;
};

/* Copies the stack that was read from TEXT, at most RPROF_KNOWN_MAX bytes, to STACK, which has room for half as
 * many ids; returns how many there are.  0 where TEXT is not known. */
size_t rprof_known_find(const struct rprof_known *k, struct str text, int64_t *stack);

/* Notes that TEXT, at most RPROF_KNOWN_MAX bytes, reads as STACK, DEPTH ids.  What else was known may be
 * forgotten for it. */
void rprof_known_add(struct rprof_known *k, struct str text, const int64_t *stack, size_t depth);

/* Forgets all and frees it. */
void rprof_known_forget(struct rprof_known *k);

#endif
