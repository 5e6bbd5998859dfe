/* sqlite_nodes.h - the nodes of a trie of stacks, as stored in a database.
 *
 * In a stack a name counts once: at the outermost frame with that name. Each node stores whether it
 * is that frame, so queries need not walk along stacks. */
#ifndef PROFPIPE_SQLITE_NODES_H
#define PROFPIPE_SQLITE_NODES_H

#include "base/intern.h"
#include "formats/sqlite/sqlite_db.h"
#include "formats/sqlite/sqlite_stacks.h"

#include <stdbool.h>

struct sqlite_node_frame {
    uint32_t name; /* of the frame; 0: none */
    /* this node, or the next one towards the root, whose frame has a name; 0: none */
    uint32_t named;
    /* this node, or the next one towards the leaves, where a stack ends or that has several
     * children: both have the same sums */
    uint32_t sums;
    bool is_outermost,
        /* no outer frame has this name; no outer frame has this name and the same caller's name */
        is_outermost_call;
};

/* All zero is empty. */
struct sqlite_nodes {
    const struct sqlite_stacks *stacks;
    struct intern names;
    uint32_t no_location;             /* the name for stacks that end without a location */
    struct sqlite_node_frame *frames; /* by node - 1 */
};

/* Builds N from STACKS, which must outlive it, and from the locations in D. */
void sqlite_nodes_make(struct sqlite_nodes *n, const struct sqlite_stacks *stacks,
                       struct sqlite_db *d);

/* The name of the stack that ends in NODE. */
uint32_t sqlite_nodes_name(const struct sqlite_nodes *n, uint32_t node);

/* Writes the table of nodes to D. */
void sqlite_nodes_write(const struct sqlite_nodes *n, struct sqlite_db *d);

/* Frees what N holds. */
void sqlite_nodes_free(struct sqlite_nodes *n);

#endif
