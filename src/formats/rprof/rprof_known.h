/* rprof_known.h - a cache of parsed stacks, by their text: most samples repeat one of a few
 * stacks. */
#ifndef PROFPIPE_RPROF_KNOWN_H
#define PROFPIPE_RPROF_KNOWN_H

#include "base/buf.h"

#include <stdint.h>

/* Longer text is not cached, to keep the cache small. */
enum { RPROF_KNOWN_MAX = 512 };

struct rprof_known_stack;

/* All zero is empty. */
struct rprof_known {
    struct rprof_known_stack *stacks;
};

/* Looks up TEXT, at most RPROF_KNOWN_MAX bytes. Copies its ids to STACK, which must have room for
 * half as many ids as TEXT has bytes. Returns their number, or 0 if TEXT is not known. */
size_t rprof_known_find(const struct rprof_known *k, struct str text, int64_t *stack);

/* Stores STACK, DEPTH ids, for TEXT, at most RPROF_KNOWN_MAX bytes. This may evict another
 * stack. */
void rprof_known_add(struct rprof_known *k, struct str text, const int64_t *stack, size_t depth);

/* Empties the cache and frees it. */
void rprof_known_forget(struct rprof_known *k);

#endif
