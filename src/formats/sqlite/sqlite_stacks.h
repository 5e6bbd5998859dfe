/* sqlite_stacks.h - stacks as a trie of frames: each distinct one is a node, whose parent is the same stack without
 * its innermost frame. */
#ifndef PROFPIPE_SQLITE_STACKS_H
#define PROFPIPE_SQLITE_STACKS_H

#include <stddef.h>
#include <stdint.h>

/* A node: numbered from 1, its parent, with a smaller number, or 0; and its location.  Nodes in which stacks end have
 * another number as such, END, from 1; others have 0. */
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

    /* The stack that was added last, outermost first: most begin as the one before does. */
    uint32_t *last_locations, *last_nodes;
    size_t last_depth, last_capacity, last_node_capacity;
};

/* The node of the stack of the DEPTH locations at IDS, innermost first, which is added where it is new, and ends there; 0
 * for an empty one.  Ends the tool (STATUS_SYSTEM) at more nodes than can be numbered. */
uint32_t sqlite_stacks_add(struct sqlite_stacks *s, const int64_t *ids, size_t depth);

/* Frees what is needed to add stacks, but not the nodes. */
void sqlite_stacks_finish(struct sqlite_stacks *s);

/* Frees what S holds. */
void sqlite_stacks_free(struct sqlite_stacks *s);

#endif
