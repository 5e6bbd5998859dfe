/* sqlite_stacks.h - the tree of stacks, which stacks end where, and a short way to those that come
 * again. */
#ifndef PROFPIPE_SQLITE_STACKS_H
#define PROFPIPE_SQLITE_STACKS_H

#include "profile/stack_tree.h"

/* All zero is an empty tree. */
struct sqlite_stacks {
    struct stack_tree tree; /* of ids of locations */
    uint32_t *end_of;       /* by node - 1: numbers those in which a stack ends, from 1; 0: none */
    size_t end_capacity;
    uint32_t end_count;

    /* Where a stack may end that has been added, by the hash of its locations; 0: not known. Most
     * stacks repeat one of these, and walking from its end outwards is faster than finding each
     * node. */
    uint32_t *ends;

    /* The last stack that was not among these, outermost first. Many begin like the one before. */
    uint32_t *last_locations, *last_nodes;
    size_t last_depth, last_capacity, last_node_capacity;
};

/* Returns the node of the stack with the DEPTH locations IDS, innermost first, adds it if it is
 * new, and marks that a stack ends there. 0 for an empty stack. Ends the tool (STATUS_SYSTEM) if
 * there are too many nodes. */
uint32_t sqlite_stacks_add(struct sqlite_stacks *s, const int64_t *ids, size_t depth);

/* Frees what only sqlite_stacks_add needs; the nodes stay. */
void sqlite_stacks_finish(struct sqlite_stacks *s);

/* Frees what S holds. */
void sqlite_stacks_free(struct sqlite_stacks *s);

#endif
