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
    uint32_t name; /* its id in the database; 0: the frame has no name */
    uint32_t
        repetition; /* 1 at the outermost frame with this name, 2 at the next one; 0: no name */
    /* this node, or the next one towards the root, whose frame has a name; 0: none */
    uint32_t named;
    /* this node, or the next one towards the leaves, where a stack ends or that has several
     * children: both have the same sums */
    uint32_t sums;
    bool is_outermost_call; /* no outer frame has this name and the same caller's name */
};

/* A name of frames, and what all of these frames agree on: their function, and the numbers of their
 * package and their group in `facts`; 0 where they have none, or different ones. */
struct sqlite_node_name {
    struct str bytes;
    uint32_t function, package, group;
};

/* All zero is empty. */
struct sqlite_nodes {
    const struct sqlite_stacks *stacks;
    struct intern texts, facts;
    struct sqlite_node_name *names; /* by id - 1, in the order of their bytes */
    uint32_t name_count;
    uint32_t no_location;             /* the name for stacks that end without a location */
    struct sqlite_node_frame *frames; /* by node - 1 */
};

/* Builds N from STACKS, which must outlive it, and from the locations in D. */
void sqlite_nodes_make(struct sqlite_nodes *n, const struct sqlite_stacks *stacks,
                       struct sqlite_db *d);

/* The id of the name of the stack that ends in NODE. */
uint32_t sqlite_nodes_name(const struct sqlite_nodes *n, uint32_t node);

/* Writes the tables of names and of nodes to D. */
void sqlite_nodes_write(const struct sqlite_nodes *n, struct sqlite_db *d);

/* Frees what N holds. */
void sqlite_nodes_free(struct sqlite_nodes *n);

#endif
