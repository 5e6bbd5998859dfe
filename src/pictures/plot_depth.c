/* The depth of stacks over time, with the innermost function; below it the length of each run of
 * equal stacks. */
#include "base/mem.h"
#include "page/svg.h"
#include "pictures/plot_boxes.h"
#include "pictures/plot_parts.h"

#include <math.h>
#include <stdio.h>

/* Default heights of the plots of depths and lengths, and of the gap between them; width of the
 * numbers at the left. */
enum { DEPTHS = 240, LENGTHS = 70, BETWEEN = 24, NUMBERS = 56 };

struct steps {
    struct plot *p;
    struct plot_axis time, depth, length;
    double min;      /* shorter steps are merged */
    double *weights; /* by entry - 1 */

    /* The merged steps: start, end and value. */
    double start, end;
    struct plot_votes leaves;
    size_t runs, deepest;
    double longest;
};

static const char *depth_lacks(const struct plot *p)
{
    return p->runs->depth == 0 ? "no sample has a stack" : NULL;
}

static double height_of_depths(struct plot *p)
{
    double others = LENGTHS + BETWEEN + PLOT_AXIS + (double)plot_legend_rows(p) * PLOT_ROW;
    return p->height > 0 ? fmax(p->height - others, 2 * PLOT_ROW) : DEPTHS;
}

static double measure_depth(struct plot *p)
{
    return height_of_depths(p) + BETWEEN + LENGTHS + PLOT_AXIS +
           (double)plot_legend_rows(p) * PLOT_ROW;
}

static void caption_depth(struct plot *p, struct buf *to)
{
    double each = wide_to_double(p->runs->all) / (p->width - 2 * PLOT_MARGIN - NUMBERS);
    char text[32];
    buf_add(to, STR("coloured by the innermost function; below, how many samples each run of equal "
                    "stacks has"));
    if (each <= 1)
        return;
    buf_add(to, STR("; a pixel is "));
    buf_add(to, (struct str){text, (size_t)snprintf(text, sizeof text, "%.1f", each)});
    buf_add(to, STR(" samples, and shows the deepest and longest of its runs"));
}

/* A box of height SIZE, upwards from the end of AXIS. */
static void draw_step(struct steps *s, const char *class, const struct plot_axis *axis, double size,
                      uint32_t leaf)
{
    struct plot *p = s->p;
    double height = axis->length * size / axis->size;
    double x = plot_at(&s->time, s->start), width = plot_at(&s->time, s->end) - x;
    svg_open_rect(p->out, x, axis->from + axis->length - height, width, height);
    svg_string(p->out, "class", str_of(class));
    svg_colour(p->out, "fill", plot_colour(p, leaf));
    svg_inside(p->out);
    svg_title(p->out, buf_str(&p->text));
    svg_end(p->out, "rect");
}

/* Draws the merged steps. */
static void flush(struct steps *s)
{
    if (s->runs == 0)
        return;
    struct plot *p = s->p;
    uint32_t leaf = plot_votes_winner(&s->leaves);
    if (leaf != 0) {
        s->weights[leaf - 1] += s->end - s->start;
        p->text.n = 0;
        buf_add(&p->text, plot_name(p, leaf));
        buf_add(&p->text, STR(": depth "));
        sheet_add_count(&p->text, s->deepest);
        buf_add(&p->text, STR(", "));
        plot_add_samples(p, &p->text, s->end - s->start);
        if (s->runs > 1) {
            buf_add(&p->text, STR(" in "));
            sheet_add_count(&p->text, s->runs);
            buf_add(&p->text, STR(" runs"));
        }
        draw_step(s, "depth", &s->depth, (double)s->deepest, leaf);
        draw_step(s, "length", &s->length, s->longest, leaf);
    }
    s->runs = s->deepest = s->leaves.count = 0;
    s->longest = 0;
}

/* Adds the stack FRAMES for the next SAMPLES. */
static void add_run(struct steps *s, struct str frames, double samples)
{
    uint32_t leaf = 0;
    if (samples >= s->min)
        flush(s);
    if (s->runs++ == 0)
        s->start = s->end;
    s->end += samples;
    if (frames.n > 0)
        memcpy(&leaf, frames.p, sizeof leaf);
    plot_votes_add(&s->leaves, leaf, samples);
    size_t depth = frames.n / sizeof(uint32_t);
    s->deepest = depth > s->deepest ? depth : s->deepest;
    s->longest = fmax(s->longest, leaf != 0 ? samples : 0);
    if (s->end - s->start >= s->min)
        flush(s);
}

/* The number of samples in the longest run with a stack. */
static double longest_run(struct plot *p)
{
    double longest = 1;
    for (size_t i = 0; i < p->runs->count; i++) {
        struct runs_run run = runs_at(p->runs, i);
        if (runs_stack(p->runs, run.stack).n > 0)
            longest = fmax(longest, (double)run.samples);
    }
    return longest;
}

static void draw_depth(struct plot *p, double top)
{
    struct buf title = {0};
    double left = PLOT_MARGIN + NUMBERS, right = p->width - PLOT_MARGIN;
    struct steps s = {.p = p, .time = plot_time_axis(p, left, &title)};
    s.depth =
        (struct plot_axis){top, height_of_depths(p), (double)p->runs->depth, 1, STR("depth"), true};
    s.length = (struct plot_axis){top + s.depth.length + BETWEEN, LENGTHS, longest_run(p), 1,
                                  STR("samples of a run"),        true};
    double end = s.length.from + LENGTHS;
    s.min = s.time.size / s.time.length;
    s.weights =
        mem_alloc_zeroed(((size_t)p->summary.collect.entries.count + 1) * sizeof *s.weights);
    plot_axis_below(p, &s.time, top, end);
    plot_axis_left(p, &s.depth, left, right);
    plot_axis_left(p, &s.length, left, right);
    for (size_t i = 0; i < p->runs->count; i++) {
        struct runs_run run = runs_at(p->runs, i);
        add_run(&s, runs_stack(p->runs, run.stack), (double)run.samples);
    }
    flush(&s);
    plot_legend_draw(p, end + PLOT_AXIS, s.weights);
    plot_votes_free(&s.leaves);
    mem_free(s.weights);
    buf_free(&title);
}

const struct plot_kind plot_depth = {
    .heading = "Depth and length of runs over time",
    .needs_runs = true,
    .needs_order = true,
    .lacks = depth_lacks,
    .caption = caption_depth,
    .measure = measure_depth,
    .draw = draw_depth,
    .write = plot_write_depth,
};
