/* The stage that collects the data of plots, and the page they are drawn on. */
#include "pictures/plot.h"

#include "base/diag.h"
#include "base/mem.h"
#include "base/units.h"
#include "base/width.h"
#include "base/words.h"
#include "page/page.h"
#include "page/svg.h"
#include "page/visible.h"
#include "pictures/plot_parts.h"
#include "summary/heading.h"
#include "summary/packages.h"
#include "summary/request.h"

#include <math.h>
#include <stdio.h>

static const struct plot_kind *const kinds[] = {
    &plot_nodes, &plot_stacks, &plot_stack_nodes, &plot_events, &plot_depth, &plot_memory,
};

enum { KINDS = sizeof kinds / sizeof *kinds };

const char *const plot_kinds[] = {"nodes", "stacks", "stack-nodes", "events",
                                  "depth", "memory", "all"};

/* Pixels: the default width of a plot, and the min and max of options. A page has each plot twice: as
 * wide as a window, and as a phone. */
enum {
    WIDTH = 1200,
    WIDTH_PAGE = 880,
    WIDTH_PHONE = 368,
    WIDTH_MIN = 200,
    HEIGHT_MIN = 100,
    PIXELS_MAX = 20000
};

/* --- options --- */

static const struct plot_kind *parse_kind(const char *text)
{
    size_t found = text == NULL ? KINDS : words_find("kind", text, plot_kinds, KINDS + 1);
    return found == KINDS ? NULL : kinds[found];
}

/* All palettes except the last, which is for changes. COLOUR_COUNT: depends on the names. */
static enum colour_palette parse_palette(const char *text)
{
    if (text == NULL)
        return COLOUR_COUNT;
    return (enum colour_palette)words_find("colors", text, colour_palettes, COLOUR_DIFF);
}

/* Pictures, then tables. */
enum { SVG, HTML, PICTURES, FORMATS = 6 };
const char *const plot_formats[] = {"svg", "html", "tsv", "csv", "json", "ndjson"};

static size_t parse_format(const char *text)
{
    return text == NULL ? SVG : words_find("format", text, plot_formats, FORMATS);
}

static double parse_size(const char *option, const char *text, size_t min)
{
    char expected[64];
    snprintf(expected, sizeof expected, "a number of pixels from %zu to %d", min, PIXELS_MAX);
    size_t size = request_count(option, text, expected);
    if (size < min || size > PIXELS_MAX)
        die(CODE_BAD_ARGUMENT, "--%s: expected %s, found \"%s\"", option, expected, text);
    return (double)size;
}

/* Parses options into P. */
static void read_options(struct plot *p, const struct plot_options *o)
{
    p->options = o;
    p->kind = parse_kind(o->kind);
    p->palette = parse_palette(o->colors);
    p->is_html = parse_format(o->format) == HTML;
    p->is_data = parse_format(o->format) >= PICTURES || o->columns;
    p->lanes = plot_lanes_of(o->lane);
    p->width = o->width == NULL ? WIDTH : parse_size("width", o->width, WIDTH_MIN);
    p->coarse = 1;
    p->height = o->height == NULL ? 0 : parse_size("height", o->height, HEIGHT_MIN);
    p->max =
        o->max == NULL ? SIZE_MAX : request_count("max-rows", o->max, "a number of bars from 1");
    if (p->max == 0)
        die(CODE_BAD_ARGUMENT, "--max-rows: expected a number of bars from 1, found \"%s\"",
            o->max);
}

static struct plan *plan_of(const struct plot_options *o)
{
    const bool is_table = parse_format(o->format) >= PICTURES;
    const struct summary_options options = {.type = o->type,
                                            .by = o->by,
                                            .format = is_table ? o->format : NULL,
                                            .max = is_table ? o->max : NULL,
                                            .columns = o->columns};
    return plan_open(&options);
}

/* A table has the figures of one plot, and no looks. */
static void check_data(const struct plot *p, const struct plot_options *o)
{
    const struct {
        const char *name, *value;
    } looks[] = {
        {"title", o->title}, {"width", o->width}, {"height", o->height}, {"colors", o->colors}};
    struct buf table = {0}, all = {0};
    buf_add(&table, o->columns ? STR("columns") : STR("format="));
    buf_add(&table, o->columns ? STR("") : str_of(o->format));
    words_add(&all, plot_kinds, KINDS);
    if (p->kind == NULL)
        die(CODE_OPTIONS_CLASH, "--%.*s is about one table: --kind must be %.*s",
            STR_ARG(buf_str(&table)), STR_ARG(buf_str(&all)));
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
        if (looks[i].value != NULL)
            die(CODE_OPTIONS_CLASH, "--%s cannot be used with --%.*s", looks[i].name,
                STR_ARG(buf_str(&table)));
    buf_free(&table);
    buf_free(&all);
}

void plot_check(const struct plot_options *o)
{
    struct plot p = {0};
    read_options(&p, o);
    if (p.is_data)
        check_data(&p, o);
    struct plan *plan = plan_of(o);
    if (plan->rows.by == COLLECT_BY_LEVELS)
        die(CODE_OPTIONS_CLASH, "--by=%s: bars are about one thing", o->by);
    if (plan->rows.by == COLLECT_BY_STACK && p.kind != &plot_nodes)
        die(CODE_OPTIONS_CLASH, "--by=stack needs --kind=nodes: other plots have stacks already");
    plan_free(plan);
}

/* --- what was collected --- */

struct str plot_name(struct plot *p, uint32_t entry)
{
    p->name.n = 0;
    collect_add_name(&p->summary.collect, entry, &p->name);
    return buf_str(&p->name);
}

/* Finds the file of each entry: that of its first location that has one. */
static void find_files(struct plot *p)
{
    const struct collect *c = &p->summary.collect;
    p->files = mem_alloc_zeroed(((size_t)c->entries.count + 1) * sizeof *p->files);
    for (size_t i = 0; i < c->location_count; i++) {
        uint32_t entry = c->frames[i];
        if (entry != 0 && p->files[entry - 1] == 0)
            p->files[entry - 1] = naming_file(&c->profile, &c->profile.locations[i]);
    }
}

uint32_t plot_colour(struct plot *p, uint32_t entry)
{
    const uint32_t *places = p->palette == COLOUR_PACKAGE ? p->packages : p->files;
    return colour_of(p->palette, plot_name(p, entry),
                     profile_string_of(&p->summary.collect.profile, places[entry - 1]));
}

void plot_add_value(struct buf *to, struct wide value, const struct sheet_scale *scale)
{
    sheet_add_scaled(to, value, scale);
    buf_add(to, scale->unit.n > 0 ? STR(" ") : STR(""));
    buf_add(to, scale->unit);
}

void plot_add_share(struct buf *to, double share)
{
    char text[32];
    buf_add(to, (struct str){text, (size_t)snprintf(text, sizeof text, "%.2f %%", 100 * share)});
}

void plot_add_samples(const struct plot *p, struct buf *to, double samples)
{
    sheet_add_grouped(to, wide_of_double(samples));
    buf_add(to, samples == 1 ? STR(" sample") : STR(" samples"));
    if (p->period <= 0)
        return;
    buf_add(to, STR(" ("));
    plot_add_time(to, samples * p->period);
    buf_add(to, STR(")"));
}

void plot_add_smallest(const struct plot *p, struct buf *to)
{
    if (p->coarse <= 1) {
        buf_add(to, STR("; a pixel is "));
        return;
    }
    buf_add(to, STR("; "));
    sheet_add_grouped_count(to, (uint64_t)p->coarse);
    buf_add(to, STR(" pixels are "));
}

void plot_add_time(struct buf *to, double nanoseconds)
{
    const struct wide time = wide_of_double(nanoseconds);
    const struct sheet_scale scale = sheet_scale_of(STR("nanoseconds"), 0, time);
    plot_add_value(to, time, &scale);
}

void plot_add_stacks(struct buf *to, double stacks)
{
    sheet_add_grouped_count(to, (uint64_t)stacks);
    buf_add(to, stacks == 1 ? STR(" distinct stack") : STR(" distinct stacks"));
}

/* --- lanes --- */

struct plot_drawn plot_lanes_drawn(const struct plot *p)
{
    enum { FEWEST = 4 };
    const size_t max = (size_t)fmax(PLOT_LANES_MAX / p->coarse, FEWEST);
    struct plot_drawn d = {.count = 0};
    const struct plot_lane *lanes = p->times->lanes;
    for (uint32_t lane = 1; lane <= p->times->names.count; lane++) {
        size_t least = d.count;
        if (d.count == max)
            for (size_t i = least = 0; i < d.count; i++)
                if (lanes[d.lanes[i] - 1].samples <= lanes[d.lanes[least] - 1].samples)
                    least = i;
        if (d.count == max && lanes[lane - 1].samples <= lanes[d.lanes[least] - 1].samples)
            continue;
        if (d.count == max)
            memmove(d.lanes + least, d.lanes + least + 1, (--d.count - least) * sizeof *d.lanes);
        d.lanes[d.count++] = lane;
    }
    return d;
}

void plot_add_lanes(const struct plot *p, const struct plot_drawn *d, struct buf *to)
{
    const size_t rest = p->times->names.count - d->count;
    sheet_add_grouped_count(to, d->count);
    buf_add(to, d->count == 1 ? STR(" lane") : STR(" lanes"));
    if (rest == 0)
        return;
    buf_add(to, STR(" with the most samples of "));
    sheet_add_grouped_count(to, p->times->names.count);
}

double plot_lane_height(double height, size_t count)
{
    enum { MIN = 36 };
    return fmax(height / (double)count - PLOT_BETWEEN, MIN);
}

/* --- collecting --- */

/* Whether a requested plot needs streaks, or is the plot of memory. */
static bool needs_streaks(const struct plot *p)
{
    return p->kind == NULL || p->kind->needs_streaks;
}

static bool needs_memory(const struct plot *p)
{
    return p->kind == NULL || p->kind == &plot_memory;
}

/* If one source has no order, the whole has none. Time is known if all samples stand for the same
 * time. */
static void add_source(struct plot *p, const struct row *row)
{
    const struct collect *c = &p->summary.collect;
    const struct profile_source *source = &c->profile.sources[row->source.source_id - 1];
    double period = source->has_period
                        ? (double)source->period * (double)units_nanoseconds(source->period_unit)
                        : 0;
    if (p->unordered.p == NULL && !profile_is_sequence(row->source.source_type))
        p->unordered = arena_copy(&p->names, row->source.source_type);
    clock_add(&p->clock, source);
    plot_lanes_add_source(&p->lanes, &p->summary.collect.profile, source);
    p->period = p->has_source && period != p->period ? 0 : period;
    p->has_source = true;
}

static void take_row(struct sink *to, struct row *row)
{
    enum { ROW = 85 };
    struct plot *p = (struct plot *)to;
    p->rows_size += ROW;
    collect_row(&p->summary.collect, row);
    if (row->table == TABLE_SOURCES)
        add_source(p, row);
}

/* When SAMPLE was taken, in *TIME, as long as all samples before say that. */
static bool read_time(struct plot *p, const struct sample *sample, int64_t *time)
{
    p->lacks_times |= !sample_time(sample->extra, time);
    if (!p->lacks_times)
        clock_read(&p->clock, sample, time);
    return !p->lacks_times;
}

/* Adds SAMPLE, of TIME, which stands for COUNT and whose stack of DEPTH frames was added to the streaks,
 * to the times. */
static void add_moment(struct plot *p, const struct sample *sample, int64_t time, int64_t count,
                       size_t depth)
{
    struct profile *profile = &p->summary.collect.profile;
    struct plot_moment m = {
        .time = time, .samples = count, .stack = (uint32_t)p->streaks->last.stack};
    m.takes = plot_times_taken(&p->sink.flow->types, sample);
    p->name.n = 0;
    plot_lanes_add_name(&p->lanes, profile, sample->source_id,
                        profile_labels(profile, sample->extra, p->sink.flow->where), &p->name);
    plot_times_add(p->times, buf_str(&p->name), &m, depth);
}

/* The bytes of the rows of SAMPLE, about. */
static double size_of_rows(const struct sample *sample)
{
    enum { SAMPLE = 40, VALUE = 68, FRAME = 58 };
    return SAMPLE + VALUE * (double)sample->value_count + FRAME * (double)sample->depth;
}

/* Samples without a stack take time too. */
static void take_sample(struct sink *to, struct sample *sample)
{
    struct plot *p = (struct plot *)to;
    struct collect *c = &p->summary.collect;
    bool counts = p->streaks != NULL || p->memory != NULL; /* whole samples, in sequence */
    int64_t count = counts ? collect_count(c, sample) : 0;
    p->rows_size += size_of_rows(sample);
    bool has_stack = collect_sample(c, sample);
    if (count <= 0)
        return;
    p->samples += (double)count;
    p->stackless += has_stack ? 0 : (double)count;
    int64_t time;
    const bool has_time = read_time(p, sample, &time);
    if (p->streaks != NULL) {
        const size_t depth = has_stack ? c->depth : 0;
        streaks_add(p->streaks, c->stack, depth, count);
        if (has_time)
            add_moment(p, sample, time, count, depth);
    }
    if (p->memory != NULL)
        plot_memory_add(p, sample, count, has_time ? &time : NULL);
}

static void open_plot(void *to, struct flow *flow, const void *with, struct out *out)
{
    static const struct plot_options none;
    struct plot *p = to;
    read_options(p, with == NULL ? &none : with);
    p->sink = (struct sink){flow, take_row, take_sample};
    p->out = out;
    p->summary.plan = plan_of(p->options);
    request_set_rows(&p->summary.plan->rows, &p->summary.collect);
    p->streaks = needs_streaks(p) ? streaks_open() : NULL;
    p->times = needs_streaks(p) ? plot_times_open() : NULL;
    if (needs_memory(p))
        plot_memory_open(p);
    flow->adds_up = p->streaks == NULL && p->memory == NULL;
    collect_open(&p->summary.collect, flow, p->options->type);
}

/* --- the page --- */

/* The plots on the page, if requested. */
struct paper {
    struct plot *p;
    bool is_asked[KINDS];
    const char *lack[KINDS]; /* why a requested plot is not drawn; NULL: it is */
};

static const char *const disorder = " are in no order";

static struct paper make_paper(struct plot *p)
{
    struct paper paper = {.p = p};
    for (size_t i = 0; i < KINDS; i++) {
        paper.is_asked[i] = p->kind == NULL ? p->unordered.p == NULL || !kinds[i]->shows_order
                                            : p->kind == kinds[i];
        const bool is_ordered = p->unordered.p == NULL || plot_is_timed(p) ||
                                (kinds[i]->takes_times && plot_memory_is_timed(p));
        if (paper.is_asked[i])
            paper.lack[i] = kinds[i]->needs_order && !is_ordered ? disorder : kinds[i]->lacks(p);
    }
    return paper;
}

static void add_lack(const struct paper *paper, size_t kind, struct buf *to)
{
    buf_add(to, paper->p->is_data ? STR("no rows: ") : STR("not drawn: "));
    if (paper->lack[kind] == disorder) {
        buf_add(to, STR("samples of "));
        buf_add(to, paper->p->unordered);
    }
    buf_add(to, str_of(paper->lack[kind]));
}

/* Warns about what the only requested plot lacks: the picture is then just a heading. */
static void warn_lack(const struct paper *paper)
{
    struct buf text = {0};
    for (size_t i = 0; i < KINDS && paper->p->kind != NULL; i++)
        if (paper->lack[i] != NULL) {
            add_lack(paper, i, &text);
            warn(CODE_NOT_SHOWN, "--kind=%s: %.*s", plot_kinds[i], STR_ARG(buf_str(&text)));
        }
    buf_free(&text);
}

/* Breaks a caption into lines of small text; returns their number. They start at Y if IS_DRAWN,
 * else they are only counted. */
static size_t wrap(struct plot *p, struct str text, double y, bool is_drawn)
{
    enum { MAX = 6 };
    const double line_height = PLOT_SMALL * SVG_LINE;
    size_t columns = (size_t)((p->width - 2 * PLOT_MARGIN) / (SVG_COLUMN * PLOT_SMALL)), lines = 0;
    struct buf clean = {0};
    visible_add(&clean, text);
    struct str rest = buf_str(&clean);
    while (rest.n > 0 && lines < MAX) {
        size_t fits;
        width_of(rest, columns, &fits);
        size_t end = fits;
        while (fits < rest.n && end > 0 && rest.p[end] != ' ')
            end--;
        end = end > 0 ? end : fits;
        struct str line = {rest.p, end};
        if (lines + 1 == MAX)
            line = svg_fit(&p->name, rest, p->width - 2 * PLOT_MARGIN, PLOT_SMALL);
        if (is_drawn)
            svg_text(p->out, "faint", PLOT_MARGIN, y + PLOT_SMALL + (double)lines * line_height,
                     PLOT_SMALL, SVG_START, line);
        end += end < rest.n && rest.p[end] == ' ';
        rest = (struct str){rest.p + end, rest.n - end};
        lines++;
    }
    buf_free(&clean);
    return lines;
}

/* The height of a plot on the page: heading, caption, and the plot if it can be drawn. */
static double measure_panel(const struct paper *paper, size_t kind, struct buf *caption)
{
    struct plot *p = paper->p;
    caption->n = 0;
    if (paper->lack[kind] == NULL)
        kinds[kind]->caption(p, caption);
    else
        add_lack(paper, kind, caption);
    double lines = (double)wrap(p, buf_str(caption), 0, false);
    return PLOT_HEADING + 3 * PLOT_MARGIN + lines * PLOT_SMALL * SVG_LINE + PLOT_ROW +
           (paper->lack[kind] == NULL ? kinds[kind]->measure(p) : 0);
}

static void draw_panel(const struct paper *paper, size_t kind, double top)
{
    struct plot *p = paper->p;
    struct buf caption = {0};
    double height = measure_panel(paper, kind, &caption);
    double y = top + PLOT_MARGIN + PLOT_HEADING;
    svg_open(p->out, "g");
    if (!p->is_html)
        svg_string(p->out, "id", str_of(plot_kinds[kind]));
    svg_inside(p->out);
    plot_line(p, "heading", y, PLOT_HEADING, str_of(kinds[kind]->heading));
    wrap(p, buf_str(&caption), y + 4, true);
    if (paper->lack[kind] == NULL)
        kinds[kind]->draw(p, top + height - PLOT_MARGIN - kinds[kind]->measure(p));
    svg_end(p->out, "g");
    buf_free(&caption);
}

/* Whether there is a panel. If only one plot is requested, its panel says what it lacks. */
static bool has_panel(const struct paper *paper, size_t kind)
{
    return paper->is_asked[kind] && (paper->p->kind != NULL || paper->lack[kind] == NULL);
}

/* Appends the sources, the type and its sum. */
static void add_origin(struct plot *p, struct buf *to)
{
    heading_add_sources(to, &p->summary.collect.profile);
    buf_add(to, STR(", "));
    heading_add(to, &p->summary.collect, p->totals->all);
}

/* The title: the requested one, or a description. */
static void add_title(struct plot *p, struct buf *to)
{
    if (p->options->title != NULL)
        buf_add(to, str_of(p->options->title));
    else
        add_origin(p, to);
}

static bool is_left_out(const struct paper *paper, size_t kind)
{
    return paper->is_asked[kind] && !has_panel(paper, kind);
}

/* Whether KIND is the first that is left out of all plots for what it lacks. */
static bool begins_left_out(const struct paper *paper, size_t kind)
{
    size_t first = 0;
    while (first < kind && (!is_left_out(paper, first) || paper->lack[first] != paper->lack[kind]))
        first++;
    return first == kind && is_left_out(paper, kind);
}

/* Appends the kinds that are left out for what KIND lacks, and the reason. */
static void add_left_out(const struct paper *paper, size_t kind, struct buf *to)
{
    for (size_t i = kind; i < KINDS; i++)
        if (is_left_out(paper, i) && paper->lack[i] == paper->lack[kind]) {
            buf_add(to, i > kind ? STR(", ") : STR(""));
            buf_add(to, str_of(plot_kinds[i]));
        }
    buf_add(to, STR(" "));
    add_lack(paper, kind, to);
}

/* --- SVG --- */

static void write_svg(const struct paper *paper, struct str title)
{
    struct plot *p = paper->p;
    struct buf text = {0};
    double heights[KINDS], y = p->options->title != NULL ? PLOT_MARGIN + 2 * PLOT_HEADING : 0;
    struct svg svg = {
        .width = p->width, .height = y + PLOT_MARGIN, .title = title, .place = SVG_IN_A_FILE};
    for (size_t i = 0; i < KINDS; i++) {
        heights[i] = has_panel(paper, i)         ? measure_panel(paper, i, &text)
                     : begins_left_out(paper, i) ? PLOT_ROW
                                                 : 0;
        svg.height += heights[i];
    }
    svg_begin(&svg, p->out);
    if (p->options->title != NULL)
        plot_line(p, "heading", PLOT_MARGIN + PLOT_HEADING, PLOT_HEADING + 2, title);
    for (size_t i = 0; i < KINDS; i++) {
        if (!has_panel(paper, i))
            continue;
        draw_panel(paper, i, y);
        y += heights[i];
    }
    for (size_t i = 0; i < KINDS; i++) {
        if (!begins_left_out(paper, i))
            continue;
        text.n = 0;
        add_left_out(paper, i, &text);
        plot_line(p, "faint", y += PLOT_ROW, PLOT_SMALL, buf_str(&text));
    }
    svg_finish(p->out);
    buf_free(&text);
}

/* --- HTML --- */

/* The largest smallest box of a plot, in pixels. */
enum { COARSEST = 256 };

/* A plot on the page, at one of its widths. */
struct figure {
    size_t kind;
    double width, coarse;
    bool is_for_touch;
    struct buf text;
};

struct figures {
    struct figure items[2 * KINDS]; /* by kind, the wide one first */
    size_t count;
};

/* Draws F anew. */
static void draw_figure(const struct paper *paper, struct figure *f)
{
    struct plot *p = paper->p;
    struct out *out = p->out;
    struct buf caption = {0};
    f->text.n = 0;
    p->width = f->width;
    p->coarse = f->coarse;
    p->is_for_touch = f->is_for_touch;
    p->out = out_open_buf(&f->text);
    const struct svg svg = {.width = p->width,
                            .title = str_of(kinds[f->kind]->heading),
                            .height = measure_panel(paper, f->kind, &caption)};
    svg_begin(&svg, p->out);
    draw_panel(paper, f->kind, 0);
    svg_finish(p->out);
    out_close(p->out);
    p->out = out;
    buf_free(&caption);
}

static void add_figure(struct figures *all, const struct paper *paper, struct figure figure)
{
    struct figure *f = &all->items[all->count++];
    *f = figure;
    f->coarse = 1;
    draw_figure(paper, f);
}

/* The figures of ALL from FIRST on, by STEP. */
static size_t size_of(const struct figures *all, size_t first, size_t step)
{
    size_t size = 0;
    for (size_t i = first; i < all->count; i += step)
        size += all->items[i].text.n;
    return size;
}

/* Of these the one to be drawn more coarsely: a large one that is not coarse yet; NULL: none. */
static struct figure *next_of(struct figures *all, size_t first, size_t step)
{
    struct figure *best = NULL;
    double most = 0;
    for (size_t i = first; i < all->count; i += step) {
        struct figure *f = &all->items[i];
        const double size = (double)f->text.n / sqrt(f->coarse);
        if (f->coarse >= COARSEST || size <= most)
            continue;
        best = f;
        most = size;
    }
    return best;
}

/* How much more coarsely to draw F: twice, or what one figure alone needs to have ROOM. */
static double step_of(const struct figure *f, double room)
{
    double step = 2;
    while ((double)f->text.n / step > room)
        step *= 2;
    return step;
}

/* Draws these more coarsely until they have ROOM, in bytes. Where boxes are large already, their tooltips
 * go first. */
static void fit_figures(struct figures *all, size_t first, size_t step, double room,
                        const struct paper *paper)
{
    enum { LARGE = 8 };
    struct figure *f;
    while ((double)size_of(all, first, step) > room && (f = next_of(all, first, step)) != NULL) {
        if (f->coarse >= LARGE && !f->is_for_touch)
            f->is_for_touch = true;
        else
            f->coarse = fmin(f->coarse * step_of(f, room), COARSEST);
        draw_figure(paper, f);
    }
}

/* Fits ALL into a page of 100 KB, which is at most twice as large as the rows of the profile, but may have
 * 40 KB. PER_KIND is how many there are of each kind: a phone gets less. */
static void fit_page(struct figures *all, size_t per_kind, const struct paper *paper)
{
    enum { PAGE = 100000, SMALL = 40000, REST = 8000 }; /* bytes; REST: without the figures */
    const double room = fmin(PAGE, fmax(SMALL, 2 * paper->p->rows_size)) - REST;
    if (per_kind > 1)
        fit_figures(all, 1, per_kind, room / 4, paper);
    const double narrow = per_kind > 1 ? (double)size_of(all, 1, per_kind) : 0;
    fit_figures(all, 0, per_kind, fmax(room - narrow, 1), paper);
}

/* Writes the figures of KIND: a style sheet shows one of them. */
static void write_figures(const struct figures *all, size_t kind, struct out *out)
{
    static const char *const classes[] = {"wide", "narrow"};
    size_t count = 0;
    out_write(out, STR("<section id=\""));
    out_write(out, str_of(plot_kinds[kind]));
    out_write(out, STR("\">\n"));
    for (size_t i = 0; i < all->count; i++) {
        if (all->items[i].kind != kind)
            continue;
        out_write(out, STR("<div class=\""));
        out_write(out, str_of(classes[count++]));
        out_write(out, STR("\">\n"));
        out_write(out, buf_str(&all->items[i].text));
        out_write(out, STR("</div>\n"));
    }
    out_write(out, STR("</section>\n"));
}

static struct figures make_figures(const struct paper *paper)
{
    struct figures all = {.count = 0};
    const bool has_width = paper->p->options->width != NULL;
    const double width = has_width ? paper->p->width : WIDTH_PAGE;
    for (size_t i = 0; i < KINDS; i++) {
        if (!has_panel(paper, i))
            continue;
        add_figure(&all, paper, (struct figure){.kind = i, .width = width});
        if (!has_width)
            add_figure(&all, paper,
                       (struct figure){.kind = i, .width = WIDTH_PHONE, .is_for_touch = true});
    }
    fit_page(&all, has_width ? 1 : 2, paper);
    return all;
}

static void write_html(const struct paper *paper, struct str title)
{
    struct plot *p = paper->p;
    struct page page = {.title = title, .styles = {&page_look_css}};
    struct buf text = {0};
    struct figures figures = make_figures(paper);
    page_begin(&page, p->out);
    out_write(p->out, STR("<h1>"));
    visible_write(p->out, title);
    out_write(p->out, STR("</h1>\n"));
    for (size_t i = 0; i < KINDS; i++)
        if (has_panel(paper, i))
            write_figures(&figures, i, p->out);
    for (size_t i = 0; i < KINDS; i++) {
        if (!begins_left_out(paper, i))
            continue;
        text.n = 0;
        add_left_out(paper, i, &text);
        out_write(p->out, STR("<p class=\"faint\">"));
        visible_write(p->out, buf_str(&text));
        out_write(p->out, STR("</p>\n"));
    }
    page_end(&page, p->out);
    for (size_t i = 0; i < figures.count; i++)
        buf_free(&figures.items[i].text);
    buf_free(&text);
}

/* --- the whole --- */

static void free_plot(struct plot *p)
{
    if (p->streaks != NULL) {
        streaks_free(p->streaks);
        plot_times_free(p->times);
    }
    plot_lanes_free(&p->lanes);
    clock_free(&p->clock);
    plot_memory_free(p);
    mem_free(p->stacks);
    mem_free(p->files);
    mem_free(p->packages);
    view_forget_totals(&p->summary);
    collect_free(&p->summary.collect);
    plan_free(p->summary.plan);
    arena_free(&p->names);
    buf_free(&p->text);
    buf_free(&p->name);
}

static void draw(const struct paper *paper)
{
    struct plot *p = paper->p;
    struct buf title = {0};
    find_files(p);
    p->packages = packages_of(&p->summary.collect);
    if (p->palette == COLOUR_COUNT)
        p->palette =
            packages_have_most(&p->summary.collect, p->packages) ? COLOUR_PACKAGE : COLOUR_R;
    add_title(p, &title);
    (p->is_html ? write_html : write_svg)(paper, buf_str(&title));
    buf_free(&title);
}

/* Those below 0 have no bars. */
static void find_stacks(struct plot *p)
{
    struct wide all;
    p->stacks = view_stack_sums(&p->summary, &p->stack_count, &all);
    while (p->stack_count > 0 && p->stacks[p->stack_count - 1].sum <= 0)
        p->stack_count--;
}

static void close_plot(void *to)
{
    struct plot *p = to;
    collect_finish(&p->summary.collect);
    if (p->memory != NULL)
        plot_memory_end_moment(p);
    if (p->times != NULL)
        plot_times_finish(p->times);
    if (p->options->lane != NULL && !plot_is_timed(p) && p->samples > 0)
        warn(CODE_NOT_SHOWN, "--lane: not used, since samples do not say when they were taken");
    heading_warn(&p->summary.collect);
    p->totals = view_totals_of(&p->summary);
    find_stacks(p);
    struct paper paper = make_paper(p);
    warn_lack(&paper);
    if (!p->is_data)
        draw(&paper);
    for (size_t i = 0; i < KINDS && p->is_data; i++)
        if (p->kind == kinds[i])
            kinds[i]->write(p, paper.lack[i] != NULL);
    free_plot(p);
}

const struct stage plot_stage = {
    .takes = STAGE_TAKES_MERGED,
    .leaves_rows = true,
    .state_size = sizeof(struct plot),
    .open = open_plot,
    .close = close_plot,
};
