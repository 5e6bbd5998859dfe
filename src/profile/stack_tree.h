/* stack_tree.h - stacks as a tree: each distinct stack is a node, whose parent is the same stack
 * without its innermost frame. A node takes 16 to 24 bytes. */
#ifndef PROFPIPE_STACK_TREE_H
#define PROFPIPE_STACK_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A node, numbered from 1. PARENT is a smaller number; 0: it is the outermost. What FRAME numbers
 * is for the caller to say. */
struct stack_node {
    uint32_t parent, frame;
};

/* All zero is an empty tree. */
struct stack_tree {
    struct stack_node *nodes; /* by number - 1 */
    size_t capacity;
    uint32_t count;
    uint32_t *slots; /* numbers of nodes; 0: free. Open addressing, a power of two. */
    size_t slot_count;
};

/* The number of the stack that is FRAME below the stack PARENT (0: below none), which is added if
 * it is new; stores whether it is in *IS_NEW, unless NULL. Ends the tool (STATUS_SYSTEM) if there
 * are too many. */
uint32_t stack_tree_add(struct stack_tree *t, uint32_t parent, uint32_t frame, bool *is_new);

/* Load the memory in which the stack will soon be looked up: first its place in the table, then, once
 * that has come, the node there. */
void stack_tree_prefetch(const struct stack_tree *t, uint32_t parent, uint32_t frame);
void stack_tree_prefetch_node(const struct stack_tree *t, uint32_t parent, uint32_t frame);

/* Frees what only stack_tree_add needs; the nodes stay. */
void stack_tree_finish(struct stack_tree *t);

/* Frees what T holds and leaves an empty tree. */
void stack_tree_free(struct stack_tree *t);

#endif
