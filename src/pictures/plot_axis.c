/* Axes with their numbers, and the legend. */
#include "base/mem.h"
#include "base/order.h"
#include "base/width.h"
#include "page/svg.h"
#include "page/visible.h"
#include "pictures/plot_parts.h"

#include <math.h>
#include <stdio.h>

/* --- ticks --- */

double plot_tick(double size, double max)
{
    double min = size / (max > 2 ? max : 2), power = pow(10, floor(log10(min)));
    static const double steps[] = {1, 2, 5};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (steps[i] * power >= min * (1 - 1e-9))
            return steps[i] * power;
    return 10 * power;
}

/* Ticks at multiples of TICK: FIRST is 0 or less. */
struct ticks {
    double tick, first, last, size;
};

/* The ticks of A, about APART pixels from each other. */
static struct ticks ticks_of(const struct plot_axis *a, double apart)
{
    const double size = a->size / a->one;
    double tick = plot_tick((a->size + a->below) / a->one, a->length / apart);
    tick = a->is_whole ? fmax(tick, 1) : tick;
    return (struct ticks){tick, -floor(a->below / a->one / tick), floor(size * (1 + 1e-9) / tick),
                          size};
}

/* Formats the number at tick N of T into TEXT, with enough digits to separate ticks, and in thousands,
 * millions ... if the largest would be long. */
static struct str tick_text(char text[64], const struct ticks *t, double n)
{
    enum { LONG = 10000, THOUSAND = 1000 };
    static const char *const powers[] = {"", " k", " M", " G", " T", " P", " E"};
    size_t power = 0;
    double tick = t->tick;
    for (double size = t->size;
         size >= (power == 0 ? LONG : THOUSAND) && power + 1 < sizeof powers / sizeof *powers;
         size /= THOUSAND, tick /= THOUSAND)
        power++;
    const int digits = tick < 1 ? (int)ceil(-log10(tick) - 1e-9) : 0;
    const int length = snprintf(text, 64, "%.*f%s", digits < 12 ? digits : 12, tick * n,
                                n == 0 ? "" : powers[power]);
    return (struct str){text, (size_t)length};
}

/* --- axes --- */

/* The length of a tick, in pixels. */
enum { TICK = 5 };

void plot_axis_below(struct plot *p, const struct plot_axis *a, double top, double y)
{
    enum { APART = 90 };
    const struct ticks t = ticks_of(a, APART);
    const double step = t.tick * a->one, end = a->from + a->length;
    char text[64];
    svg_open_lines(p->out, "grid");
    for (double n = 0; n <= t.last; n++)
        svg_upright(p->out, plot_at(a, n * step), top, y);
    svg_close_lines(p->out);
    svg_open_lines(p->out, "line");
    for (double n = 0; n <= t.last; n++)
        svg_upright(p->out, plot_at(a, n * step), y, y + TICK);
    svg_level(p->out, a->from, end, y);
    svg_close_lines(p->out);
    for (double n = 0; n <= t.last; n++) {
        const double x = plot_at(a, n * step);
        svg_text(p->out, "faint", x, y + PLOT_SMALL + TICK + 1, PLOT_SMALL,
                 n == 0                ? SVG_START
                 : x > end - APART / 3 ? SVG_END
                                       : SVG_MIDDLE,
                 tick_text(text, &t, n));
    }
    svg_text(p->out, "faint", end, y + 2 * PLOT_SMALL + TICK + 4, PLOT_SMALL, SVG_END,
             svg_fit(&p->name, a->title, a->length, PLOT_SMALL));
}

void plot_axis_left(struct plot *p, const struct plot_axis *a, double x, double right)
{
    enum { APART = 30 };
    const struct ticks t = ticks_of(a, APART);
    const double step = t.tick * a->one;
    char text[64];
    svg_open_lines(p->out, "grid");
    for (double n = t.first; n <= t.last; n++)
        svg_level(p->out, x, right, plot_at_left(a, n * step));
    svg_close_lines(p->out);
    svg_open_lines(p->out, "line");
    for (double n = t.first; n <= t.last; n++)
        svg_level(p->out, x - TICK, x, plot_at_left(a, n * step));
    svg_upright(p->out, x, a->from, a->from + a->length);
    svg_close_lines(p->out);
    for (double n = t.first; n <= t.last; n++)
        svg_text(p->out, "faint", x - TICK - 2, plot_at_left(a, n * step) + PLOT_SMALL / 3.0,
                 PLOT_SMALL, SVG_END, tick_text(text, &t, fabs(n)));
    svg_text(p->out, "faint", PLOT_MARGIN, a->from - 8, PLOT_SMALL, SVG_START,
             svg_fit(&p->name, a->title, right - x, PLOT_SMALL));
}

struct plot_axis plot_axis_of_time(const struct plot *p, double nanoseconds, double from,
                                   struct buf *to)
{
    const struct sheet_scale scale =
        sheet_scale_of(STR("nanoseconds"), 0, wide_of_double(nanoseconds));
    to->n = 0;
    buf_add(to, STR("time ("));
    buf_add(to, scale.unit);
    buf_add(to, STR(")"));
    return (struct plot_axis){.from = from,
                              .length = p->width - PLOT_MARGIN - from,
                              .size = nanoseconds,
                              .one = (double)scale.size,
                              .title = buf_str(to)};
}

struct plot_axis plot_time_axis(const struct plot *p, double from, struct buf *to)
{
    if (plot_is_timed(p))
        return plot_axis_of_time(p, plot_span(p), from, to);
    double samples = p->samples > 0 ? p->samples : 1;
    struct plot_axis a = {.from = from,
                          .length = p->width - PLOT_MARGIN - from,
                          .size = samples,
                          .one = 1,
                          .title = STR("samples"),
                          .is_whole = true};
    if (p->period > 0) {
        struct sheet_scale scale =
            sheet_scale_of(STR("nanoseconds"), 0, wide_of_double(samples * p->period));
        a.one = (double)scale.size / p->period;
        a.is_whole = false;
        to->n = 0;
        buf_add(to, STR("time ("));
        buf_add(to, scale.unit);
        buf_add(to, STR(")"));
        a.title = buf_str(to);
    }
    return a;
}

/* --- boxes and text --- */

static double tenth(double pixels)
{
    return round(10 * pixels) / 10;
}

void plot_open_box(struct plot *p, double x, double y, double width, double height)
{
    if (p->is_html) {
        width = tenth(x + width) - tenth(x);
        height = tenth(y + height) - tenth(y);
        x = tenth(x);
        y = tenth(y);
    }
    svg_open_rect(p->out, x, y, width, height);
}

void plot_end_box(struct plot *p)
{
    if (p->is_for_touch) {
        svg_close(p->out);
        return;
    }
    svg_inside(p->out);
    svg_title(p->out, buf_str(&p->text));
    svg_end(p->out, "rect");
}

void plot_line(struct plot *p, const char *class, double y, double size, struct str text)
{
    struct str fits = svg_fit(&p->name, text, p->width - 2 * PLOT_MARGIN, size);
    svg_text(p->out, class, PLOT_MARGIN, y, size, SVG_START, fits);
}

/* --- the legend --- */

struct heavy {
    uint32_t entry;
    double weight;
};

static int by_weight(const void *a, const void *b)
{
    const struct heavy *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    return (x->entry > y->entry) - (x->entry < y->entry);
}

/* The entries with WEIGHTS (by entry - 1; COUNT of them) other than 0, largest first; sets *KEPT to
 * their number. The caller frees them. */
static uint32_t *heaviest(const double *weights, size_t count, size_t *kept)
{
    struct heavy *all = mem_alloc((count + 1) * sizeof *all);
    *kept = 0;
    for (size_t i = 0; i < count; i++)
        if (weights[i] > 0)
            all[(*kept)++] = (struct heavy){(uint32_t)i + 1, weights[i]};
    order_items(all, *kept, sizeof *all, by_weight);
    uint32_t *entries = mem_alloc((*kept + 1) * sizeof *entries);
    for (size_t i = 0; i < *kept; i++)
        entries[i] = all[i].entry;
    mem_free(all);
    return entries;
}

/* Moves to the position of the next key, WIDTH wide; false if there are no rows left. */
static bool next_place(struct plot_legend *l, double width)
{
    if (l->x > 0 && PLOT_MARGIN + l->x + width > l->p->width - PLOT_MARGIN) {
        if (l->rows == l->rows_max)
            return false;
        l->rows++;
        l->x = 0;
    }
    return true;
}

/* In pixels: the box of a colour, and the space after a name; the width of a column of text. */
enum { SWATCH = 12, GAP = 16 };
static const double column = SVG_COLUMN * PLOT_SMALL;

/* The room of a name. */
static double room_of_name(const struct plot *p)
{
    enum { MAX = 32 };
    return fmin(MAX * column, p->width - 2 * PLOT_MARGIN - SWATCH - 4);
}

bool plot_legend_add(struct plot_legend *l, struct str name, uint32_t colour, double thickness)
{
    struct out *out = l->p->out;
    struct str fits = svg_fit_name(&l->p->text, name, room_of_name(l->p), PLOT_SMALL);
    double width = SWATCH + 4 + (double)width_of(fits, SIZE_MAX, NULL) * column;
    if (!next_place(l, width))
        return false;
    double x = PLOT_MARGIN + l->x, y = l->top + (double)(l->rows - 1) * PLOT_ROW;
    l->x += width + GAP;
    if (!l->is_drawn)
        return true;
    svg_open_rect(out, x, y + 9 - thickness / 2, SWATCH, thickness);
    svg_colour(out, "fill", colour);
    svg_close(out);
    svg_text(out, NULL, x + SWATCH + 4, y + PLOT_SMALL + 2, PLOT_SMALL, SVG_START, fits);
    return true;
}

/* The names of ENTRIES in a legend; the caller frees them. */
static struct shorten_list names_of(struct plot *p, const uint32_t *entries, size_t count)
{
    struct shorten_list names = {0};
    for (size_t i = 0; i < count; i++) {
        visible_add(&names.text, plot_name(p, entries[i]));
        shorten_end(&names);
    }
    svg_fit_all(&names, room_of_name(p), PLOT_SMALL, shorten_add_name);
    return names;
}

void plot_legend_draw(struct plot *p, double y, const double *weights)
{
    enum { THICKNESS = 10 };
    struct plot_legend l = {
        .p = p, .top = y, .rows = 1, .rows_max = plot_legend_rows(p), .is_drawn = true};
    const size_t room = l.rows_max * ((size_t)p->width / (SWATCH + GAP) + 1);
    size_t count;
    uint32_t *entries = heaviest(weights, p->summary.collect.entries.count, &count);
    count = count < room ? count : room;
    struct shorten_list names = names_of(p, entries, count);
    for (size_t i = 0; i < count; i++)
        if (!plot_legend_add(&l, shorten_at(&names, i), plot_colour(p, entries[i]), THICKNESS))
            break;
    shorten_free(&names);
    mem_free(entries);
}

size_t plot_legend_rows(struct plot *p)
{
    struct plot_legend l = {.p = p, .rows = 1, .rows_max = 1};
    for (uint32_t i = 1; i <= p->summary.collect.entries.count; i++)
        if (!plot_legend_add(&l, plot_name(p, i), 0, 0))
            return PLOT_LEGEND;
    return 1;
}
