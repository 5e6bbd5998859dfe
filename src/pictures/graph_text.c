/* Call graphs as text for GraphViz and for Mermaid. */
#include "page/visible.h"
#include "pictures/graph_draw.h"
#include "rows/emit.h"
#include "table/sheet.h"

#include <math.h>
#include <stdio.h>

static void add(struct buf *to, const char *text)
{
    buf_add(to, str_of(text));
}

static void add_colour(struct buf *to, uint32_t colour)
{
    char text[16];
    const int n = snprintf(text, sizeof text, "#%06x", (unsigned)colour);
    buf_add(to, (struct str){text, (size_t)n});
}

static void add_node_name(struct buf *to, size_t node)
{
    add(to, "n");
    emit_number(to, (int64_t)node + 1);
}

/* The share of VALUE, from 0 to 1. */
static double share_of(const struct graph_look *look, struct wide value)
{
    const double share = fabs(wide_share(value, look->graph->all));
    return share > 0 && share < 1 ? share : share >= 1;
}

/* Appends self and total of NODE in lines, each with LINE_BREAK in front; equal ones are one line. */
static void add_box(struct buf *to, const struct graph_look *look, const struct graph_node *node,
                    struct str line_break)
{
    const bool is_leaf = wide_compare(node->self, node->total) == 0;
    buf_add(to, line_break);
    if (wide_sign(node->self) == 0)
        add(to, "0");
    else
        graph_draw_add_part(to, look, node->self);
    if (is_leaf)
        return;
    buf_add(to, wide_sign(node->self) == 0 ? STR(" ") : line_break);
    add(to, "of ");
    graph_draw_add_part(to, look, node->total);
}

/* --- GraphViz --- */

/* How a line ends in a label. */
#define LEFT STR("\\l")
#define CENTRED STR("\\n")

/* Appends TEXT, visible, as it stands in double quotes; LINE_END stands for its line feeds. */
static void add_quoted(struct buf *to, struct str text, struct str line_end)
{
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '"' || text.p[i] == '\\')
            add(to, "\\");
        buf_add(to, text.p[i] == '\n' ? line_end : (struct str){text.p + i, 1});
    }
}

/* The number VALUE for programs, in quotes. */
static void add_figure(struct buf *to, const struct graph_look *look, const char *name,
                       struct wide value)
{
    add(to, name);
    add(to, "=\"");
    sheet_add_plain(to, value, look->graph->collect->power);
    add(to, "\"");
}

static void add_dot_node(struct buf *to, const struct graph_look *look, size_t number,
                         struct buf *scratch)
{
    enum { SMALLEST = 8, GROWTH = 16 };
    const struct graph_node *node = &look->graph->nodes[number];
    const double self = fabs(wide_to_double(node->self));
    const double part = look->largest > 0 ? sqrt(self / look->largest) : 0;
    add(to, "  ");
    add_node_name(to, number);
    add(to, " [label=\"");
    scratch->n = 0;
    graph_draw_add_name(scratch, node, STR("\n"));
    add_box(scratch, look, node, STR("\n"));
    add_quoted(to, buf_str(scratch), CENTRED);
    add(to, "\", fontsize=");
    emit_number(to, SMALLEST + (int64_t)ceil(GROWTH * part));
    add(to, ", fillcolor=\"");
    add_colour(to, graph_draw_colour(look, node));
    add(to, "\", tooltip=\"");
    scratch->n = 0;
    visible_add(scratch, node->name);
    add_quoted(to, buf_str(scratch), LEFT);
    add(to, "\", ");
    add_figure(to, look, "self", node->self);
    add(to, ", ");
    add_figure(to, look, "total", node->total);
    add(to, "];\n");
}

static void add_dot_edge(struct buf *to, const struct graph_look *look,
                         const struct graph_edge *edge)
{
    enum { WIDTH = 5, WEIGHT = 100 };
    const double share = share_of(look, edge->value);
    add(to, "  ");
    add_node_name(to, edge->from);
    add(to, " -> ");
    add_node_name(to, edge->to);
    add(to, " [label=\" ");
    graph_draw_add_value(to, look, edge->value);
    add(to, "\", penwidth=");
    emit_number(to, 1 + (int64_t)(WIDTH * share));
    add(to, ", weight=");
    emit_number(to, 1 + (int64_t)(WEIGHT * share));
    add(to, edge->passes_others ? ", style=dotted, " : ", ");
    add_figure(to, look, "value", edge->value);
    add(to, "];\n");
}

void graph_text_add_dot(struct buf *to, const struct graph_look *look)
{
    const struct graph *g = look->graph;
    struct buf scratch = {0};
    visible_add(&scratch, look->title);
    add(to, "digraph \"");
    add_quoted(to, buf_str(&scratch), LEFT);
    add(to, "\" {\n");
    if (!look->is_in_page) {
        add(to, "  graph [label=\"");
        add_quoted(to, buf_str(&scratch), LEFT);
        add(to, "\\l");
        add_quoted(to, look->heading, LEFT);
        add(to, "\\l\", labelloc=t, labeljust=l, fontname=\"monospace\", fontsize=14];\n");
    }
    add(to, "  node [shape=box, style=filled, margin=\"0.15,0.08\", color=\"#595959\", "
            "fontcolor=\"#1a1a1a\", "
            "fontname=\"monospace\"];\n"
            "  edge [color=\"#595959\", fontname=\"monospace\", fontsize=10];\n");
    for (size_t i = 0; i < g->node_count; i++)
        add_dot_node(to, look, i, &scratch);
    for (size_t i = 0; i < g->edge_count; i++)
        if (!g->edges[i].is_left_out)
            add_dot_edge(to, look, &g->edges[i]);
    add(to, "}\n");
    buf_free(&scratch);
}

/* --- Mermaid --- */

/* Appends TEXT, visible, as it stands in double quotes: whatever could mean something to Mermaid, to
 * Markdown or to HTML as the number of its character. */
static void add_escaped(struct buf *to, struct str text)
{
    for (size_t i = 0; i < text.n; i++) {
        const char c = text.p[i];
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                              (c >= '0' && c <= '9') || (c & 0x80) != 0 ||
                              strchr(" .,:/-()", c) != NULL;
        if (is_plain) {
            buf_add(to, (struct str){&c, 1});
        } else if (c == '\n') {
            add(to, "<br/>");
        } else {
            add(to, "#");
            emit_number(to, c);
            add(to, ";");
        }
    }
}

static void add_mermaid_node(struct buf *to, const struct graph_look *look, size_t number,
                             struct buf *scratch)
{
    const struct graph_node *node = &look->graph->nodes[number];
    scratch->n = 0;
    graph_draw_add_name(scratch, node, STR("\n"));
    add_box(scratch, look, node, STR("\n"));
    add(to, "    ");
    add_node_name(to, number);
    add(to, "[\"");
    add_escaped(to, buf_str(scratch));
    add(to, "\"]\n    style ");
    add_node_name(to, number);
    add(to, " fill:");
    add_colour(to, graph_draw_colour(look, node));
    add(to, ",stroke:#595959,color:#1a1a1a\n");
}

static void add_mermaid_edge(struct buf *to, const struct graph_look *look,
                             const struct graph_edge *edge, struct buf *scratch)
{
    scratch->n = 0;
    graph_draw_add_value(scratch, look, edge->value);
    add(to, "    ");
    add_node_name(to, edge->from);
    add(to, edge->passes_others ? " -.->|\"" : " -->|\"");
    add_escaped(to, buf_str(scratch));
    add(to, "\"| ");
    add_node_name(to, edge->to);
    add(to, "\n");
}

void graph_text_add_mermaid(struct buf *to, const struct graph_look *look)
{
    const struct graph *g = look->graph;
    struct buf scratch = {0};
    add(to, "---\ntitle: \"");
    visible_add(&scratch, look->title);
    add_escaped(to, buf_str(&scratch));
    add(to, "\"\n---\nflowchart TD\n");
    for (size_t i = 0; i < g->node_count; i++)
        add_mermaid_node(to, look, i, &scratch);
    for (size_t i = 0; i < g->edge_count; i++)
        if (!g->edges[i].is_left_out)
            add_mermaid_edge(to, look, &g->edges[i], &scratch);
    buf_free(&scratch);
}
