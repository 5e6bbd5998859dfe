/* Options, the stage that collects the data, and what all formats of call graphs say. */
#include "pictures/graph_draw.h"

#include "base/child.h"
#include "base/mem.h"
#include "base/port.h"
#include "base/words.h"
#include "feed/attempt.h"
#include "page/colour.h"
#include "page/page.h"
#include "page/visible.h"
#include "profile/match.h"
#include "rows/emit.h"
#include "summary/heading.h"
#include "summary/packages.h"
#include "summary/request.h"
#include "table/sheet.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum format { FORMAT_DOT, FORMAT_MERMAID, FORMAT_SVG, FORMAT_HTML };

const char *const graph_draw_formats[GRAPH_DRAW_FORMATS] = {"dot", "mermaid", "svg", "html"};

struct draw {
    struct sink sink;
    struct out *out;
    const struct graph_options *options;
    enum format format;
    struct graph_plan plan;
    struct match focus; /* used if it is asked for */
    struct collect collect;
};

/* --- options --- */

static enum format parse_format(const struct graph_options *o)
{
    return o->format == NULL ? FORMAT_DOT
                             : (enum format)words_find("format", o->format, graph_draw_formats,
                                                       GRAPH_DRAW_FORMATS);
}

static enum collect_by parse_by(const struct graph_options *o)
{
    return o->by == NULL
               ? COLLECT_BY_FUNCTION
               : (enum collect_by)words_find("by", o->by, request_by_words, GRAPH_DRAW_BYS);
}

/* The share in TEXT, percent. */
static double parse_share(const char *text, const char *whole)
{
    const double share =
        request_number("min-share", text, "a number of percent, or two with a comma between");
    if (share > 100)
        die(CODE_BAD_ARGUMENT, "--min-share: expected at most 100 percent, found \"%s\"", whole);
    return share / 100;
}

static struct graph_plan parse_plan(const struct graph_options *o)
{
    enum { NODES = 80 };
    struct graph_plan plan = {.node_share = 0.005, .edge_share = 0.001, .max_nodes = NODES};
    if (o->nodes != NULL)
        plan.max_nodes = request_count("nodes", o->nodes, "a number of nodes");
    if (plan.max_nodes == 0)
        die(CODE_BAD_ARGUMENT, "--nodes: expected a number from 1, found \"%s\"", o->nodes);
    if (o->min_share == NULL)
        return plan;
    const char *comma = strchr(o->min_share, ',');
    struct buf first = {0};
    buf_add(&first, (struct str){o->min_share, comma == NULL ? strlen(o->min_share)
                                                             : (size_t)(comma - o->min_share)});
    buf_add(&first, (struct str){"", 1});
    plan.node_share = parse_share(first.p, o->min_share);
    if (comma != NULL)
        plan.edge_share = parse_share(comma + 1, o->min_share);
    buf_free(&first);
    return plan;
}

void graph_draw_check(struct graph_options *o)
{
    static const char *const words[] = {"dot", "-Tsvg", NULL};
    struct match focus = {0};
    const enum format format = parse_format(o);
    choice_check(o->type);
    parse_plan(o);
    parse_by(o);
    if (o->focus != NULL)
        match_open(&focus, "focus", o->focus, (struct regex_how){0});
    match_free(&focus);
    if (format != FORMAT_SVG && format != FORMAT_HTML)
        return;
    o->dot = child_start(words);
    if (o->dot == NULL)
        die(code_of_errno(errno),
            "the program dot of GraphViz cannot be started: %s" HINT
            "--format=dot writes what it needs, --format=mermaid what GitHub draws",
            strerror(errno));
}

/* --- texts --- */

void graph_draw_add_value(struct buf *to, const struct graph_look *look, struct wide value)
{
    const struct collect *c = look->graph->collect;
    const struct str unit = c->choice.chosen == 0 ? STR("count") : c->choice.unit;
    sheet_add_value(to, value, unit, c->power);
}

void graph_draw_add_part(struct buf *to, const struct graph_look *look, struct wide value)
{
    char text[64];
    const double share = wide_share(value, look->graph->all);
    const int n = snprintf(text, sizeof text, " (%.2f %%)", isfinite(share) ? 100 * share : 0);
    graph_draw_add_value(to, look, value);
    buf_add(to, (struct str){text, (size_t)n});
}

uint32_t graph_draw_colour(const struct graph_look *look, const struct graph_node *node)
{
    const struct profile *p = &look->graph->collect->profile;
    return colour_of(COLOUR_PACKAGE, node->name,
                     profile_string_of(p, look->packages[node->entry - 1]));
}

void graph_draw_add_name(struct buf *to, const struct graph_node *node, struct str line_break)
{
    enum { WIDTH = 30 };
    struct buf visible = {0};
    size_t width = 0;
    visible_add(&visible, node->name);
    const struct str name = buf_str(&visible);
    for (size_t i = 0; i < name.n; i++) {
        buf_add(to, (struct str){name.p + i, 1});
        width += (name.p[i] & 0xc0) != 0x80;
        /* after what separates the parts of names in all languages */
        if (width >= WIDTH && i + 1 < name.n && strchr("/.:,$<( ", name.p[i]) != NULL &&
            name.p[i + 1] != name.p[i]) {
            buf_add(to, line_break);
            width = 0;
        }
    }
    buf_free(&visible);
}

/* Appends "N of M WHAT". */
static void add_count(struct buf *to, size_t shown, size_t all, const char *what)
{
    emit_number(to, (int64_t)shown);
    if (shown < all) {
        buf_add(to, STR(" of "));
        emit_number(to, (int64_t)all);
    }
    buf_add(to, STR(" "));
    buf_add(to, str_of(what));
}

static size_t count_shown(const struct graph *g)
{
    size_t count = 0;
    for (size_t i = 0; i < g->edge_count; i++)
        count += !g->edges[i].is_left_out;
    return count;
}

static void add_heading(struct buf *to, const struct draw *d, const struct graph *g)
{
    static const char *const names[GRAPH_DRAW_BYS] = {
        [COLLECT_BY_FUNCTION] = "functions", [COLLECT_BY_GROUP] = "groups",
        [COLLECT_BY_PACKAGE] = "packages",   [COLLECT_BY_FILEFUNCTION] = "functions",
        [COLLECT_BY_LINE] = "lines",         [COLLECT_BY_ADDRESS] = "addresses",
        [COLLECT_BY_FILE] = "files",         [COLLECT_BY_MAPPING] = "mappings",
    };
    struct buf text = {0};
    heading_add(&text, &d->collect, g->all);
    buf_add(&text, STR("\nshown: "));
    add_count(&text, g->node_count, g->all_nodes, names[d->collect.by]);
    buf_add(&text, STR(" and "));
    add_count(&text, count_shown(g), g->all_edges, "calls");
    if (d->options->focus != NULL) {
        buf_add(&text, STR(", of stacks with "));
        buf_add(&text, str_of(d->options->focus));
    }
    for (struct str rest = buf_str(&text), line; str_next_line(&rest, &line);) {
        visible_add(to, line);
        buf_add(to, rest.n > 0 ? STR("\n") : STR(""));
    }
    buf_free(&text);
}

/* --- the stage --- */

/* Lets the expression of --focus see the last row of TABLE. */
static void focus_on(struct draw *d, const struct row *row)
{
    const struct profile *p = &d->collect.profile;
    if (row->table == TABLE_MAPPINGS) {
        const struct profile_mapping *m = &p->mappings[row->mapping.mapping_id - 1];
        match_add_mapping(&d->focus, profile_string_of(p, m->filename));
    } else if (row->table == TABLE_FUNCTIONS) {
        const struct profile_function *f = &p->functions[row->function.function_id - 1];
        match_add_function(&d->focus, profile_string_of(p, f->name),
                           profile_string_of(p, f->filename));
    } else if (row->table == TABLE_LOCATIONS) {
        const struct profile_location *l = &p->locations[row->location.location_id - 1];
        const struct match_frame frame = {.function = l->function,
                                          .mapping = l->mapping,
                                          .file = profile_string_of(p, naming_file(p, l)),
                                          .line = l->line == ROW_NULL ? 0 : l->line};
        match_add_location(&d->focus, &frame);
    }
}

static void take_row(struct sink *to, struct row *row)
{
    struct draw *d = (struct draw *)to;
    collect_row(&d->collect, row);
    if (d->options->focus != NULL)
        focus_on(d, row);
}

static bool is_in_focus(const struct draw *d, const struct sample *sample)
{
    for (size_t i = 0; i < sample->depth; i++)
        if (match_has(&d->focus, sample->locations[i]))
            return true;
    return false;
}

static void take_sample(struct sink *to, struct sample *sample)
{
    struct draw *d = (struct draw *)to;
    if (d->options->focus == NULL || is_in_focus(d, sample))
        collect_sample(&d->collect, sample);
    else
        collect_aside(&d->collect, sample);
}

static void open_draw(void *to, struct flow *flow, const void *with, struct out *out)
{
    static const struct graph_options none;
    struct draw *d = to;
    d->sink = (struct sink){flow, take_row, take_sample};
    d->out = out;
    d->options = with == NULL ? &none : with;
    d->format = parse_format(d->options);
    d->plan = parse_plan(d->options);
    d->collect.by = parse_by(d->options);
    if (d->options->focus != NULL)
        match_open(&d->focus, "focus", d->options->focus, (struct regex_how){0});
    flow->adds_up = true;
    collect_open(&d->collect, flow, d->options->type);
    flow->takes_sums = collect_takes_sums(&d->collect);
}

/* The picture that dot makes of TEXT. */
static struct str picture_of(const struct draw *d, struct str text, struct buf *to)
{
    if (d->options->dot == NULL || !child_ask(d->options->dot, text, to))
        die(CODE_IO, "the program dot of GraphViz has failed");
    return buf_str(to);
}

static void write_page(struct draw *d, const struct graph_look *look, struct str picture)
{
    const struct page page = {.title = look->title, .styles = {&page_look_css}};
    const char *begin = picture.n == 0 ? NULL : port_memmem(picture.p, picture.n, "<svg", 4);
    if (begin == NULL)
        die(CODE_IO, "the program dot of GraphViz has made no picture");
    page_begin(&page, d->out);
    out_write(d->out, STR("<h1>"));
    visible_write(d->out, look->title);
    out_write(d->out, STR("</h1>\n"));
    for (struct str rest = look->heading, line; str_next_line(&rest, &line);) {
        out_write(d->out, STR("<p>"));
        visible_write_text(d->out, line);
        out_write(d->out, STR("</p>\n"));
    }
    out_write(d->out, STR("<div class=\"scroll\" tabindex=\"0\">\n"));
    out_write(d->out, (struct str){begin, (size_t)(picture.p + picture.n - begin)});
    out_write(d->out, STR("</div>\n"));
    page_end(&page, d->out);
}

static void write_graph(struct draw *d, const struct graph_look *look)
{
    struct buf text = {0}, picture = {0};
    if (d->format == FORMAT_MERMAID)
        graph_text_add_mermaid(&text, look);
    else
        graph_text_add_dot(&text, look);
    if (d->format == FORMAT_SVG)
        out_write(d->out, picture_of(d, buf_str(&text), &picture));
    else if (d->format == FORMAT_HTML)
        write_page(d, look, picture_of(d, buf_str(&text), &picture));
    else
        out_write(d->out, buf_str(&text));
    buf_free(&text);
    buf_free(&picture);
}

static void draw(struct draw *d)
{
    struct graph graph = {0};
    struct buf title = {0}, heading = {0};
    struct graph_look look = {.graph = &graph, .is_in_page = d->format == FORMAT_HTML};
    graph_make(&graph, &d->collect, d->collect.aside, &d->plan);
    for (size_t i = 0; i < graph.node_count; i++)
        look.largest = fmax(look.largest, fabs(wide_to_double(graph.nodes[i].self)));
    if (d->options->title != NULL)
        buf_add(&title, str_of(d->options->title));
    else
        heading_add_sources(&title, &d->collect.profile);
    add_heading(&heading, d, &graph);
    uint32_t *packages = packages_of(&d->collect);
    look.packages = packages;
    look.title = buf_str(&title);
    look.heading = buf_str(&heading);
    write_graph(d, &look);
    buf_free(&title);
    buf_free(&heading);
    graph_free(&graph);
    mem_free(packages);
}

static void close_draw(void *to)
{
    struct draw *d = to;
    collect_finish(&d->collect);
    heading_warn(&d->collect);
    if (!attempt_is_on()) /* dot is asked once */
        draw(d);
    match_free(&d->focus);
    collect_free(&d->collect);
}

const struct stage graph_draw_stage = {
    .takes = STAGE_TAKES_MERGED,
    .leaves_rows = true,
    .state_size = sizeof(struct draw),
    .open = open_draw,
    .close = close_draw,
};
