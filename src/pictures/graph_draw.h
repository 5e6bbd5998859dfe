/* graph_draw.h - profgraph: its options, the stage that draws a call graph, and what its formats
 * share. */
#ifndef PROFPIPE_GRAPH_DRAW_H
#define PROFPIPE_GRAPH_DRAW_H

#include "pictures/graph.h"
#include "stream/stage.h"

struct child;

/* The options; NULL: not given. */
struct graph_options {
    const char *format;    /* dot, mermaid, svg or html */
    const char *by;        /* what a node is */
    const char *type;      /* the type of values to show: TYPE[/UNIT] */
    const char *title;     /* bytes */
    const char *nodes;     /* max number of nodes */
    const char *min_share; /* in percent: of nodes, and of edges */
    const char *focus;     /* an expression: only stacks with a frame that matches */
    struct child *dot;     /* set by graph_draw_check, for svg and html */
};

/* The values of --format, and of --by. */
enum { GRAPH_DRAW_FORMATS = 4, GRAPH_DRAW_BYS = COLLECT_BY_MAPPING + 1 };
extern const char *const graph_draw_formats[GRAPH_DRAW_FORMATS];

/* Ends the tool (STATUS_USAGE) if an option is not valid. For svg and html starts GraphViz' dot; ends
 * the tool (STATUS_SYSTEM) if that is not here. */
void graph_draw_check(struct graph_options *options);

/* Draws the requested graph. */
extern const struct stage graph_draw_stage;

/* --- for the formats --- */

/* What a graph looks like. */
struct graph_look {
    const struct graph *graph;
    bool is_in_page;           /* which has title and heading */
    struct str title, heading; /* bytes; the heading is lines */
    const uint32_t *packages;  /* by entry - 1 (packages_of): nodes of one have one colour */
    double largest;            /* self */
};

/* Appends VALUE to TO for people, with its unit; and with its share of all in brackets. */
void graph_draw_add_value(struct buf *to, const struct graph_look *look, struct wide value);
void graph_draw_add_part(struct buf *to, const struct graph_look *look, struct wide value);

/* The colour of the box of NODE. */
uint32_t graph_draw_colour(const struct graph_look *look, const struct graph_node *node);

/* Appends the name of NODE to TO, made visible, in lines of about 30 characters that BREAK
 * separates. */
void graph_draw_add_name(struct buf *to, const struct graph_node *node, struct str line_break);

/* graph_text.c: append LOOK to TO for GraphViz, and for Mermaid. */
void graph_text_add_dot(struct buf *to, const struct graph_look *look);
void graph_text_add_mermaid(struct buf *to, const struct graph_look *look);

#endif
