/* sqlite_nodes.h - the nodes of a trie as a database has them.
 *
 * A name counts once in a stack: where the frame outermost in it has that name.  So with each node it is kept whether
 * it is that, and nothing needs a walk along stacks any more. */
#ifndef PROFPIPE_SQLITE_NODES_H
#define PROFPIPE_SQLITE_NODES_H

#include "base/intern.h"
#include "formats/sqlite/sqlite_db.h"
#include "formats/sqlite/sqlite_stacks.h"

#include <stdbool.h>

struct sqlite_node_frame {
    uint32_t name;  /* of the frame, 0 for none */
    uint32_t named; /* the node at or outside of this one whose frame has a name; 0: none has */
    uint32_t
        sums; /* the node at or inside of this one that has its sums: the next one where a stack ends,
                       or more than one goes on */
    bool is_outermost,
        is_outermost_call; /* no frame outside has its name; its name and its caller's */
};

/* All zero is empty. */
struct sqlite_nodes {
    const struct sqlite_stacks *stacks;
    struct intern names;
    uint32_t no_location;             /* the name of stacks without one */
    struct sqlite_node_frame *frames; /* by node - 1 */
};

/* Makes N of STACKS, which must outlive it, and of what D says of locations. */
void sqlite_nodes_make(struct sqlite_nodes *n, const struct sqlite_stacks *stacks,
                       struct sqlite_db *d);

/* The name that a stack is called by which ends in NODE. */
uint32_t sqlite_nodes_name(const struct sqlite_nodes *n, uint32_t node);

/* Writes the table of nodes to D. */
void sqlite_nodes_write(const struct sqlite_nodes *n, struct sqlite_db *d);

/* Frees what N holds. */
void sqlite_nodes_free(struct sqlite_nodes *n);

#endif
