/* sqlite_stacks.h - stacks as a trie of frames: each distinct stack is a node, whose parent is the
 * same stack without its innermost frame. */
#ifndef PROFPIPE_SQLITE_STACKS_H
#define PROFPIPE_SQLITE_STACKS_H

#include <stddef.h>
#include <stdint.h>

/* A node, numbered from 1. PARENT is a smaller number, or 0. END numbers the nodes in which a stack
 * ends, from 1; 0: none ends here. */
struct sqlite_node {
    uint32_t parent, location, end;
};

struct sqlite_stacks_slot;

/* All zero is an empty trie. */
struct sqlite_stacks {
    struct sqlite_node *nodes; /* by number - 1 */
    size_t node_capacity;
    uint32_t count, end_count;
    struct sqlite_stacks_slot *slots; /* open addressing, a power of two */
    size_t slot_count;

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
