/* calls.h - distinct calls, pairs of a caller and a callee, numbered from 1 in order of appearance.
 *
 * Few stacks of a large profile find their calls in the cache, so the calls of a stack are looked up
 * together, and memory for all of them is prefetched before. */
#ifndef PROFPIPE_CALLS_H
#define PROFPIPE_CALLS_H

#include "profile/stack_tree.h"

/* A call in a stack. The user says what caller and callee number, and what a mark means. */
struct calls_call {
    uint32_t caller, callee;
    uint32_t number; /* of the call */
    bool is_marked;
};

/* All zero is empty. */
struct calls {
    struct stack_tree known;  /* calls as nodes: the callee is the frame below its caller */
    struct calls_call *stack; /* the calls of a stack */
    size_t stack_count, stack_capacity;
};

/* The number of distinct calls; caller and callee of one of them. */
static inline uint32_t calls_count(const struct calls *c)
{
    return c->known.count;
}
static inline uint32_t calls_caller(const struct calls *c, uint32_t number)
{
    return c->known.nodes[number - 1].parent;
}
static inline uint32_t calls_callee(const struct calls *c, uint32_t number)
{
    return c->known.nodes[number - 1].frame;
}

/* Begins a stack without calls. DEPTH: the maximum that calls_add adds to it. */
void calls_begin(struct calls *c, size_t depth);

/* Adds a call to the stack. */
static inline void calls_add(struct calls *c, uint32_t caller, uint32_t callee, bool is_marked)
{
    c->stack[c->stack_count++] =
        (struct calls_call){.caller = caller, .callee = callee, .is_marked = is_marked};
}

/* Sets the numbers of all calls in the stack. Ends the tool (STATUS_SYSTEM) if there are too many. */
void calls_finish(struct calls *c);

/* Frees what C holds and leaves it empty. */
void calls_free(struct calls *c);

#endif
