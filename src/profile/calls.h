/* calls.h - distinct calls, pairs of a caller and a callee, numbered from 1 in order of appearance.
 *
 * Few stacks of a large profile find their calls in the cache, so the calls of a stack are looked up
 * together, and memory for all of them is prefetched before. */
#ifndef PROFPIPE_CALLS_H
#define PROFPIPE_CALLS_H

#include "base/idmap.h"

#include <stdbool.h>

/* What both number is for the user to say; not both are 0. */
struct calls_pair {
    uint32_t caller, callee;
};

/* A call in a stack. */
struct calls_call {
    struct calls_pair pair;
    uint32_t number;
    bool is_marked; /* as the user says */
};

/* All zero is empty. */
struct calls {
    struct calls_pair *pairs; /* by number - 1 */
    size_t pair_capacity;
    uint32_t count; /* of pairs */
    struct idmap numbers;
    struct calls_call *stack; /* the calls of a stack */
    size_t stack_count, stack_capacity;
};

/* Begins a stack without calls. DEPTH: the maximum that calls_add adds to it. */
void calls_begin(struct calls *c, size_t depth);

/* Adds a call to the stack. */
static inline void calls_add(struct calls *c, uint32_t caller, uint32_t callee, bool is_marked)
{
    c->stack[c->stack_count++] =
        (struct calls_call){.pair = {caller, callee}, .is_marked = is_marked};
}

/* Sets the numbers of all calls in the stack. Ends the tool (STATUS_SYSTEM) if there are too many. */
void calls_finish(struct calls *c);

/* Frees what C holds and leaves it empty. */
void calls_free(struct calls *c);

#endif
