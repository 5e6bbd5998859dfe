/* The depth of stacks over time, with the innermost function, in a lane of each thread where
 * samples have times; else below it the length of each streak of equal stacks. */
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
    struct plot_axis time, depth, length; /* no length in lanes */
    double min;                           /* shorter steps are merged */
    double *weights;                      /* by entry - 1 */

    /* The merged steps: start, end and value. */
    double start, end;
    struct plot_votes leaves;
    size_t streaks, deepest;
    double longest;
};

static const char *depth_lacks(const struct plot *p)
{
    return p->streaks->depth == 0 ? "no sample has a stack" : NULL;
}

static double height_of_depths(struct plot *p)
{
    double others = LENGTHS + BETWEEN + PLOT_AXIS + (double)plot_legend_rows(p) * PLOT_ROW;
    return p->height > 0 ? fmax(p->height - others, 2 * PLOT_ROW) : DEPTHS;
}

/* The height of each of the COUNT lanes. */
static double height_of_lanes(struct plot *p, size_t count)
{
    return plot_lane_height(height_of_depths(p), count);
}

static double measure_depth(struct plot *p)
{
    if (plot_is_timed(p)) {
        const size_t count = plot_lanes_drawn(p).count;
        return (height_of_lanes(p, count) + PLOT_BETWEEN) * (double)count - PLOT_BETWEEN +
               PLOT_AXIS + (double)plot_legend_rows(p) * PLOT_ROW;
    }
    return height_of_depths(p) + BETWEEN + LENGTHS + PLOT_AXIS +
           (double)plot_legend_rows(p) * PLOT_ROW;
}

/* The caption where samples have times. */
static void caption_lanes(struct plot *p, struct buf *to)
{
    const struct plot_drawn drawn = plot_lanes_drawn(p);
    const double each = plot_span(p) / (p->width - 2 * PLOT_MARGIN - NUMBERS) * p->coarse;
    buf_add(to, STR("coloured by the innermost function, in "));
    plot_add_lanes(p, &drawn, to);
    if (each <= 1)
        return;
    plot_add_smallest(p, to);
    plot_add_time(to, each);
    buf_add(to, STR("; of that time the deepest stack is drawn"));
}

static void caption_depth(struct plot *p, struct buf *to)
{
    if (plot_is_timed(p)) {
        caption_lanes(p, to);
        return;
    }
    const double pixels = p->width - 2 * PLOT_MARGIN - NUMBERS;
    const double each = wide_to_double(p->streaks->all) / pixels * p->coarse;
    char text[32];
    buf_add(to,
            STR("coloured by the innermost function; below, how many samples each streak of equal "
                "stacks has"));
    if (each <= 1)
        return;
    plot_add_smallest(p, to);
    buf_add(to, (struct str){text, (size_t)snprintf(text, sizeof text, "%.1f", each)});
    buf_add(to, STR(" samples; of their streaks the deepest and the longest are drawn"));
}

/* A box of height SIZE, upwards from the end of AXIS. */
static void draw_step(struct steps *s, const char *class, const struct plot_axis *axis, double size,
                      uint32_t leaf)
{
    struct plot *p = s->p;
    double height = axis->length * size / axis->size;
    double x = plot_at(&s->time, s->start), width = plot_at(&s->time, s->end) - x;
    plot_open_box(p, x, axis->from + axis->length - height, width, height);
    svg_string(p->out, "class", str_of(class));
    svg_colour(p->out, "fill", plot_colour(p, leaf));
    plot_end_box(p);
}

/* Draws the merged steps. */
static void flush(struct steps *s)
{
    if (s->streaks == 0)
        return;
    struct plot *p = s->p;
    uint32_t leaf = plot_votes_winner(&s->leaves);
    if (leaf != 0) {
        s->weights[leaf - 1] += s->end - s->start;
        p->text.n = 0;
        buf_add(&p->text, plot_name(p, leaf));
        buf_add(&p->text, STR(": depth "));
        sheet_add_grouped_count(&p->text, s->deepest);
        buf_add(&p->text, STR(", "));
        if (plot_is_timed(p))
            plot_add_time(&p->text, s->end - s->start);
        else
            plot_add_samples(p, &p->text, s->end - s->start);
        if (s->streaks > 1) {
            buf_add(&p->text, STR(" in "));
            sheet_add_grouped_count(&p->text, s->streaks);
            buf_add(&p->text, STR(" streaks"));
        }
        draw_step(s, "depth", &s->depth, (double)s->deepest, leaf);
        if (s->length.length > 0)
            draw_step(s, "length", &s->length, s->longest, leaf);
    }
    s->streaks = s->deepest = s->leaves.count = 0;
    s->longest = 0;
}

/* Adds the stack FRAMES for the next SAMPLES, or nanoseconds. */
static void add_streak(struct steps *s, struct str frames, double samples)
{
    uint32_t leaf = 0;
    if (samples >= s->min)
        flush(s);
    if (s->streaks++ == 0)
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

/* The number of samples in the longest streak with a stack. */
static double longest_streak(struct plot *p)
{
    double longest = 1;
    for (size_t i = 0; i < p->streaks->count; i++) {
        struct streak streak = streaks_at(p->streaks, i);
        if (streaks_stack(p->streaks, streak.stack).n > 0)
            longest = fmax(longest, (double)streak.samples);
    }
    return longest;
}

/* --- in lanes --- */

/* Neighbours with the same stack. */
struct lane_streak {
    uint32_t stack; /* 0: none yet */
    double start, end;
};

struct lanes {
    struct plot *p;
    struct steps steps[PLOT_LANES_MAX];
    struct lane_streak streaks[PLOT_LANES_MAX];
    uint32_t *at; /* by lane - 1: its index + 1; 0: not drawn */
};

/* Adds the streak of the lane AT, after a gap if it does not follow the one before. */
static void end_streak(struct lanes *l, size_t at)
{
    struct steps *s = &l->steps[at];
    struct lane_streak *streak = &l->streaks[at];
    if (streak->stack == 0)
        return;
    if (streak->start > s->end) {
        flush(s);
        s->end = streak->start;
    }
    add_streak(s, streaks_stack(l->p->streaks, streak->stack), streak->end - s->end);
}

/* Adds a sample of LENGTH to its lane. */
static void add_moment(void *to, const struct plot_moment *m, int64_t length)
{
    struct lanes *l = to;
    const uint32_t at = l->at[m->lane - 1];
    if (at == 0)
        return;
    struct lane_streak *streak = &l->streaks[at - 1];
    const double start = (double)m->time - (double)l->p->times->first, end = start + (double)length;
    if (end <= streak->end)
        return;
    if (streak->stack != m->stack || start > streak->end) {
        end_streak(l, at - 1);
        *streak = (struct lane_streak){.stack = m->stack, .start = fmax(start, streak->end)};
    }
    streak->end = end;
}

static void draw_lanes(struct plot *p, double top)
{
    const struct plot_drawn drawn = plot_lanes_drawn(p);
    const double height = height_of_lanes(p, drawn.count), left = PLOT_MARGIN + NUMBERS;
    struct buf title = {0};
    struct lanes *l = mem_alloc_zeroed(sizeof *l);
    double *weights =
        mem_alloc_zeroed(((size_t)p->summary.collect.entries.count + 1) * sizeof *weights);
    const struct plot_axis time = plot_time_axis(p, left, &title);
    const double end = top + (height + PLOT_BETWEEN) * (double)drawn.count - PLOT_BETWEEN;
    l->p = p;
    l->at = mem_alloc_zeroed(p->times->names.count * sizeof *l->at);
    plot_axis_below(p, &time, top, end);
    for (size_t i = 0; i < drawn.count; i++) {
        const uint32_t lane = drawn.lanes[i];
        const double depth = fmax((double)p->times->lanes[lane - 1].depth, 1);
        l->steps[i] = (struct steps){
            .p = p,
            .time = time,
            .depth = {top + (height + PLOT_BETWEEN) * (double)i, height, depth, 1,
                      intern_get(&p->times->names, lane), true, 0},
            .min = time.size / time.length * p->coarse,
            .weights = weights,
        };
        plot_axis_left(p, &l->steps[i].depth, left, p->width - PLOT_MARGIN);
        l->at[lane - 1] = (uint32_t)i + 1;
    }
    plot_times_each(p->times, add_moment, l);
    for (size_t i = 0; i < drawn.count; i++) {
        end_streak(l, i);
        flush(&l->steps[i]);
        plot_votes_free(&l->steps[i].leaves);
    }
    plot_legend_draw(p, end + PLOT_AXIS, weights);
    mem_free(l->at);
    mem_free(l);
    mem_free(weights);
    buf_free(&title);
}

/* --- the plot --- */

/* Without times. */
static void draw_streaks(struct plot *p, double top)
{
    struct buf title = {0};
    double left = PLOT_MARGIN + NUMBERS, right = p->width - PLOT_MARGIN;
    struct steps s = {.p = p, .time = plot_time_axis(p, left, &title)};
    s.depth = (struct plot_axis){.from = top,
                                 .length = height_of_depths(p),
                                 .size = (double)p->streaks->depth,
                                 .one = 1,
                                 .title = STR("depth"),
                                 .is_whole = true};
    s.length = (struct plot_axis){.from = top + s.depth.length + BETWEEN,
                                  .length = LENGTHS,
                                  .size = longest_streak(p),
                                  .one = 1,
                                  .title = STR("samples of a streak"),
                                  .is_whole = true};
    double end = s.length.from + LENGTHS;
    s.min = s.time.size / s.time.length * p->coarse;
    s.weights =
        mem_alloc_zeroed(((size_t)p->summary.collect.entries.count + 1) * sizeof *s.weights);
    plot_axis_below(p, &s.time, top, end);
    plot_axis_left(p, &s.depth, left, right);
    plot_axis_left(p, &s.length, left, right);
    for (size_t i = 0; i < p->streaks->count; i++) {
        struct streak streak = streaks_at(p->streaks, i);
        add_streak(&s, streaks_stack(p->streaks, streak.stack), (double)streak.samples);
    }
    flush(&s);
    plot_legend_draw(p, end + PLOT_AXIS, s.weights);
    plot_votes_free(&s.leaves);
    mem_free(s.weights);
    buf_free(&title);
}

static void draw_depth(struct plot *p, double top)
{
    (plot_is_timed(p) ? draw_lanes : draw_streaks)(p, top);
}

const struct plot_kind plot_depth = {
    .heading = "Depth and length of streaks over time",
    .needs_streaks = true,
    .needs_order = true,
    .lacks = depth_lacks,
    .caption = caption_depth,
    .measure = measure_depth,
    .draw = draw_depth,
    .write = plot_write_depth,
};
