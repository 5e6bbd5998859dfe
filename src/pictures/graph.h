/* graph.h - the call graph of a profile: functions and their calls, cut down to what matters as pprof
 * does it.
 *
 * A node is an entry of what was collected (collect.h), an edge a call between two. A stack counts once
 * for a node and once for an edge, even if it has them several times; a call of a function by itself
 * is no edge. */
#ifndef PROFPIPE_GRAPH_H
#define PROFPIPE_GRAPH_H

#include "profile/calls.h"
#include "summary/collect.h"

struct graph_node {
    uint32_t entry;
    struct str name; /* bytes */
    struct wide self, total,
        bound; /* see struct collect_total; self lacks what is in functions that were left out */
    size_t in, out; /* where its edges begin in the lists of the graph */
    double rank;    /* pprof's: what is left out last */
};

struct graph_edge {
    uint32_t from, to; /* nodes, from 0 */
    struct wide value;
    uint32_t last;      /* the last stack that had it, from 1 */
    bool passes_others; /* some stacks have nodes between that were left out */
    bool is_left_out;
};

/* What to keep. */
struct graph_plan {
    double node_share, edge_share; /* of the sum of self: less is left out */
    size_t max_nodes;              /* SIZE_MAX: any number */
};

/* All zero is empty. */
struct graph {
    const struct collect *collect;
    struct graph_node *nodes; /* the most important first */
    size_t node_count;
    struct graph_edge *edges;
    size_t edge_count, edge_capacity;
    uint32_t *in, *out;          /* edges, by node */
    struct wide all;             /* the sum that shares refer to */
    size_t all_nodes, all_edges; /* before any was left out */
    struct arena names;

    bool *is_kept;      /* by entry - 1 */
    uint32_t *node_of;  /* by entry - 1: its node + 1; 0: none */
    uint32_t *last;     /* by entry - 1: the last stack that had it, from 1 */
    struct calls calls; /* edges + 1; marked: passes others */
};

/* Makes G, all zero, of what C has collected, which must be finished and must outlive G. The entry
 * ASIDE, if it is not 0, counts for ALL only. */
void graph_make(struct graph *g, const struct collect *c, uint32_t aside,
                const struct graph_plan *plan);

/* Frees what G holds. */
void graph_free(struct graph *g);

#endif
