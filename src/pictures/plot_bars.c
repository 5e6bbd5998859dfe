/* Bars: of functions, by self and total; and of stacks, by number of samples. */
#include "base/mem.h"
#include "base/order.h"
#include "page/svg.h"
#include "page/visible.h"
#include "pictures/plot_parts.h"
#include "summary/heading.h"

#include <math.h>

/* The default max number of bars. */
enum { NODES = 30, STACKS = 20 };

/* In pixels: narrower plots have no numbers beside their bars. */
enum { NARROW = 360 };

/* How many of COUNT bars are drawn; MAX is the default. */
static size_t shown_of(const struct plot *p, size_t count, size_t max)
{
    enum { FEWEST = 4 };
    double room = p->height > 0 ? (p->height - PLOT_AXIS - PLOT_ROW) / PLOT_ROW : INFINITY;
    max = p->max < SIZE_MAX ? p->max : p->height > 0 ? SIZE_MAX : max;
    if (p->coarse > 1)
        max = (size_t)fmax(fmin((double)max, (double)count) / sqrt(p->coarse), FEWEST);
    count = count < max ? count : max;
    return (double)count <= room ? count : room >= 1 ? (size_t)room : 1;
}

static double height_of(size_t bars)
{
    return (double)bars * PLOT_ROW + PLOT_ROW + PLOT_AXIS;
}

/* Says that MORE bars with SHARE of all are not drawn, if any. */
static void write_rest(struct plot *p, double y, size_t more, double share)
{
    if (more == 0)
        return;
    p->text.n = 0;
    buf_add(&p->text, STR("and "));
    sheet_add_grouped_count(&p->text, more);
    buf_add(&p->text, STR(" more: "));
    plot_add_share(&p->text, share);
    plot_line(p, "faint", y + PLOT_SMALL + 2, PLOT_SMALL, buf_str(&p->text));
}

/* A bar of LENGTH with TITLE. A pale bar shows its end behind another one. */
static void draw_bar(struct plot *p, const char *class, double x, double y, double length,
                     uint32_t colour, bool is_pale)
{
    plot_open_box(p, x, y + 2, length, PLOT_ROW - 4);
    svg_string(p->out, "class", str_of(class));
    svg_colour(p->out, "fill", colour);
    if (is_pale)
        svg_number(p->out, "fill-opacity", 0.4);
    plot_end_box(p);
}

static double size_of(struct wide value)
{
    return fabs(wide_to_double(value));
}

/* An axis of values up to LARGEST at SCALE, without a place. Its title is stored in TO. */
static struct plot_axis value_axis(const struct plot *p, const struct sheet_scale *scale,
                                   double largest, struct buf *to)
{
    const struct choice *choice = &p->summary.collect.choice;
    buf_add(to, value_types_get(choice->names, choice->chosen)->type);
    if (scale->unit.n > 0) {
        buf_add(to, STR(" ("));
        buf_add(to, scale->unit);
        buf_add(to, STR(")"));
    }
    return (struct plot_axis){.size = largest > 0 ? largest : 1,
                              .one =
                                  (double)scale->size * (double)scale->parts / (double)scale->times,
                              .title = buf_str(to)};
}

/* --- nodes --- */

static const char *nodes_lack(const struct plot *p)
{
    return p->totals->count == 0 ? "no sample has a value and a stack" : NULL;
}

static bool has_negative(const struct view_totals *t)
{
    size_t i = 0;
    while (i < t->count && wide_sign(t->lines[i].self) >= 0 && wide_sign(t->lines[i].total) >= 0)
        i++;
    return i < t->count;
}

static void caption_nodes(struct plot *p, struct buf *to)
{
    heading_add(to, &p->summary.collect, p->totals->all);
    buf_add(to, STR("; full: self, pale: total"));
    if (has_negative(p->totals))
        buf_add(to, STR("; what is below 0 is drawn as if it were above"));
}

static double measure_nodes(struct plot *p)
{
    return height_of(shown_of(p, p->totals->count, NODES));
}

/* Layout of the bars of functions. */
struct nodes {
    const struct view_totals *t;
    struct sheet_scale scale;
    struct plot_axis axis;
    double names;   /* width of the column of names */
    double numbers; /* width of the numbers at the right; 0: no room */
};

static void add_pair(struct buf *to, const struct nodes *n, struct str what, struct wide value)
{
    buf_add(to, what);
    plot_add_value(to, value, &n->scale);
    buf_add(to, STR(", "));
    plot_add_share(to, wide_share(value, n->t->all));
}

/* The numbers at the right of a bar; all of them if they fit. */
static void add_numbers(struct plot *p, const struct nodes *n, const struct view_line *line)
{
    p->text.n = 0;
    plot_add_share(&p->text, wide_share(line->self, n->t->all));
    buf_add(&p->text, STR(" / "));
    plot_add_share(&p->text, wide_share(line->total, n->t->all));
}

static void draw_node(struct plot *p, const struct nodes *n, const struct view_line *line,
                      struct str name, double y)
{
    const double gap = 6;
    uint32_t colour = plot_colour(p, line->entry);
    svg_text(p->out, NULL, n->axis.from - gap, y + 13, PLOT_TEXT, SVG_END, name);
    p->text.n = 0;
    buf_add(&p->text, line->name);
    add_pair(&p->text, n, STR(": self "), line->self);
    add_pair(&p->text, n, STR("; total "), line->total);
    double self = plot_at(&n->axis, size_of(line->self)) - n->axis.from;
    double total = plot_at(&n->axis, size_of(line->total)) - n->axis.from;
    draw_bar(p, "total", n->axis.from, y, total, colour, true);
    draw_bar(p, "self", n->axis.from, y, self, colour, false);
    if (n->numbers <= 0)
        return;
    add_numbers(p, n, line);
    svg_text(p->out, "faint", p->width - PLOT_MARGIN - n->numbers + gap, y + 13, PLOT_SMALL,
             SVG_START, buf_str(&p->text));
}

/* The width of the widest name, up to a third of the plot. */
static double room_of_names(struct plot *p, const struct view_totals *t, size_t shown)
{
    double max = (p->width - 2 * PLOT_MARGIN) / 3, widest = 0;
    for (size_t i = 0; i < shown && widest < max; i++)
        widest = fmax(widest, (double)t->lines[i].name.n * SVG_COLUMN * PLOT_TEXT);
    return fmin(widest, max);
}

static void draw_node_rows(struct plot *p, const struct nodes *n, size_t shown, double top)
{
    struct shorten_list names = {0};
    for (size_t i = 0; i < shown; i++) {
        visible_add(&names.text, n->t->lines[i].name);
        shorten_end(&names);
    }
    svg_fit_all(&names, n->names, PLOT_TEXT, shorten_add_name);
    for (size_t i = 0; i < shown; i++)
        draw_node(p, n, &n->t->lines[i], shorten_at(&names, i), top + (double)i * PLOT_ROW);
    shorten_free(&names);
}

static void draw_nodes(struct plot *p, double top)
{
    const struct view_totals *t = p->totals;
    const double numbers = 19 * SVG_COLUMN * PLOT_SMALL;
    size_t shown = shown_of(p, t->count, NODES);
    struct nodes n = {
        .t = t, .names = room_of_names(p, t, shown), .numbers = p->width < NARROW ? 0 : numbers};
    struct buf title = {0};
    double largest = 0, rest = 0, end = top + (double)shown * PLOT_ROW;
    for (size_t i = 0; i < t->count; i++)
        if (i < shown)
            largest = fmax(largest, fmax(size_of(t->lines[i].total), size_of(t->lines[i].self)));
        else
            rest += wide_share(t->lines[i].self, t->all);
    n.scale = sheet_scale_of(p->summary.collect.choice.unit, p->summary.collect.power,
                             wide_of_double(largest));
    n.axis = value_axis(p, &n.scale, largest, &title);
    n.axis.from = PLOT_MARGIN + n.names + 6;
    n.axis.length = p->width - PLOT_MARGIN - n.numbers - n.axis.from;
    plot_axis_below(p, &n.axis, top, end);
    if (n.numbers > 0)
        svg_text(p->out, "faint", p->width - PLOT_MARGIN, end + PLOT_SMALL + 6, PLOT_SMALL, SVG_END,
                 STR("self / total"));
    draw_node_rows(p, &n, shown, top);
    write_rest(p, end + PLOT_AXIS, t->count - shown, rest);
    buf_free(&title);
}

const struct plot_kind plot_nodes = {
    .heading = "Functions by self and total",
    .lacks = nodes_lack,
    .caption = caption_nodes,
    .measure = measure_nodes,
    .draw = draw_nodes,
    .write = plot_write_nodes,
};

/* --- stacks --- */

static const char *stacks_lack(const struct plot *p)
{
    return p->stack_count == 0 ? "no sample has a value and a stack" : NULL;
}

static void caption_stacks(struct plot *p, struct buf *to)
{
    heading_add(to, &p->summary.collect, p->totals->all);
    buf_add(to, STR("; "));
    plot_add_stacks(to, (double)p->stack_count);
    buf_add(to, STR("; innermost first"));
}

static double measure_stacks(struct plot *p)
{
    return height_of(shown_of(p, p->stack_count, STACKS));
}

/* Appends the names of the frames of STACK to TO, each in at most COLUMNS, until TO has SEEN
 * bytes. */
static void add_stack(struct plot *p, const struct stacks_stack *stack, size_t columns, size_t seen,
                      struct buf *to)
{
    struct buf visible = {0};
    for (size_t i = 0; i < stack->depth && to->n < seen; i++) {
        visible.n = 0;
        visible_add(&visible, plot_name(p, stacks_frame(stack, i)));
        buf_add(to, i > 0 ? STR(" < ") : STR(""));
        shorten_add_name(to, buf_str(&visible), columns);
    }
    buf_free(&visible);
}

/* Layout of the bars of stacks. */
struct stack_bars {
    struct sheet_scale scale;
    struct plot_axis axis;
};

static void draw_stack(struct plot *p, const struct stack_bars *b, const struct view_stack_sum *s,
                       struct str label, double y)
{
    enum { SEEN = 400 };
    const struct wide sum = wide_of(s->sum);
    const double share = wide_share(sum, p->totals->all);
    const double right = b->axis.from + b->axis.length + 8;
    svg_text(p->out, NULL, right, y + 13, PLOT_TEXT, SVG_START, label);
    p->text.n = 0;
    add_stack(p, &s->stack, SIZE_MAX, SEEN, &p->text);
    buf_add(&p->text, STR(": "));
    plot_add_value(&p->text, sum, &b->scale);
    buf_add(&p->text, STR(", "));
    plot_add_share(&p->text, share);
    draw_bar(p, "stack", b->axis.from, y, plot_at(&b->axis, size_of(sum)) - b->axis.from,
             plot_colour(p, stacks_frame(&s->stack, 0)), false);
    p->text.n = 0;
    plot_add_share(&p->text, share);
    svg_text(p->out, "faint", b->axis.from - 6, y + 13, PLOT_SMALL, SVG_END, buf_str(&p->text));
}

/* Draws the first SHOWN bars. Their labels are of all frames, so that stacks that differ only in
 * the outermost one are told apart. */
static void draw_stack_rows(struct plot *p, const struct stack_bars *b, size_t shown, double top)
{
    enum { COLUMNS = 32 }; /* of a frame */
    const double room = p->width - PLOT_MARGIN - (b->axis.from + b->axis.length + 8);
    struct shorten_list labels = {0};
    for (size_t i = 0; i < shown; i++) {
        add_stack(p, &p->stacks[i].stack, COLUMNS, SIZE_MAX, &labels.text);
        shorten_end(&labels);
    }
    svg_fit_all(&labels, room, PLOT_TEXT, shorten_add_text);
    for (size_t i = 0; i < shown; i++)
        draw_stack(p, b, &p->stacks[i], shorten_at(&labels, i), top + (double)i * PLOT_ROW);
    shorten_free(&labels);
}

static void draw_stacks(struct plot *p, double top)
{
    const double shares = 9 * SVG_COLUMN * PLOT_SMALL;
    const size_t shown = shown_of(p, p->stack_count, STACKS);
    const struct wide largest = wide_of(p->stacks[0].sum);
    struct buf title = {0};
    double rest = 0, end = top + (double)shown * PLOT_ROW;
    for (size_t i = shown; i < p->stack_count; i++)
        rest += wide_share(wide_of(p->stacks[i].sum), p->totals->all);
    struct stack_bars b = {
        .scale = sheet_scale_of(p->summary.collect.choice.unit, p->summary.collect.power, largest)};
    b.axis = value_axis(p, &b.scale, size_of(largest), &title);
    b.axis.from = PLOT_MARGIN + shares;
    b.axis.length = (p->width - 2 * PLOT_MARGIN) / 4;
    plot_axis_below(p, &b.axis, top, end);
    draw_stack_rows(p, &b, shown, top);
    write_rest(p, end + PLOT_AXIS, p->stack_count - shown, rest);
    buf_free(&title);
}

/* --- the table of stacks --- */

struct stack_count {
    uint64_t stack;
    double samples;
};

/* By number of samples, largest first; then by first appearance. */
static int by_samples(const void *a, const void *b)
{
    const struct stack_count *x = a, *y = b;
    if (x->samples != y->samples)
        return x->samples < y->samples ? 1 : -1;
    return (x->stack > y->stack) - (x->stack < y->stack);
}

/* The samples of each stack with entries, sorted; sets *COUNT. The caller frees them. */
static struct stack_count *count_stacks(struct plot *p, size_t *count)
{
    size_t all = p->streaks->stacks.count, kept = 0;
    struct stack_count *stacks = mem_alloc_zeroed((all + 1) * sizeof *stacks);
    for (size_t i = 0; i < p->streaks->count; i++) {
        struct streak streak = streaks_at(p->streaks, i);
        stacks[streak.stack - 1].samples += (double)streak.samples;
    }
    for (size_t i = 0; i < all; i++)
        if (streaks_stack(p->streaks, i + 1).n > 0 && stacks[i].samples > 0)
            stacks[kept++] = (struct stack_count){i + 1, stacks[i].samples};
    order_items(stacks, kept, sizeof *stacks, by_samples);
    *count = kept;
    return stacks;
}

/* What shares of bars refer to: a sample row may stand for several samples. */
static double count_samples(const struct plot *p)
{
    double samples = 0;
    for (size_t i = 0; i < p->streaks->count; i++) {
        struct streak streak = streaks_at(p->streaks, i);
        samples += streaks_stack(p->streaks, streak.stack).n > 0 ? (double)streak.samples : 0;
    }
    return samples;
}

/* The table of the bars. */
struct stack_table {
    struct plot *p;
    const struct stack_count *stacks;
    struct wide all;
    struct view_path path; /* of the last cell */
};

static struct sheet_cell stack_cell(const void *from, size_t row, size_t column)
{
    struct stack_table *t = (struct stack_table *)(uintptr_t)from;
    const struct stack_count *s = &t->stacks[row];
    const struct view_stack stack = {streaks_stack(t->p->streaks, s->stack),
                                     plot_stack_id(t->p, s->stack), wide_of_double(s->samples),
                                     t->all};
    return view_stack_cell(&t->path, &stack, column);
}

static void write_stacks(struct plot *p, bool is_empty)
{
    (void)is_empty; /* then there are no stacks */
    size_t count;
    struct stack_count *stacks = count_stacks(p, &count);
    struct stack_table t = {.p = p, .stacks = stacks, .all = wide_of_double(count_samples(p))};
    t.path = view_path_of(&p->summary.collect, p->summary.plan->request.format);
    struct sheet sheet = {.columns = view_stack_columns,
                          .column_count = VIEW_STACK_COLUMNS,
                          .row_count = count,
                          .cell = stack_cell,
                          .from = &t};
    plot_write_samples(p, &sheet);
    view_path_free(&t.path);
    mem_free(stacks);
}

const struct plot_kind plot_stacks = {
    .heading = "Stacks",
    .needs_streaks = true,
    .lacks = stacks_lack,
    .caption = caption_stacks,
    .measure = measure_stacks,
    .draw = draw_stacks,
    .write = write_stacks,
};
