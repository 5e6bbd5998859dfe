/* Images: each function has its colour. Events lie along x, and stacks rise from the outermost
 * function, in a lane of each thread where samples have times. Or each distinct stack is a row, and
 * frames go to the right. */
#include "base/mem.h"
#include "page/svg.h"
#include "pictures/plot_boxes.h"
#include "pictures/plot_parts.h"

#include <math.h>
#include <stdio.h>

/* The default height of an image; min and max height of a level; max width of a level; width of the
 * numbers at the left. */
enum { IMAGE = 360, LEVEL_MIN = 3, LEVEL_MAX = 18, FRAME_MAX = 160, NUMBERS = 56 };

struct image {
    struct plot *p;
    double left, top, width, height; /* the drawing area */
    double all;                      /* samples, nanoseconds or stacks */
    size_t depth;                    /* of its deepest stack */
    size_t levels;                   /* number of levels drawn */
    double level;                    /* size of a level in pixels */
    bool is_sideways;                /* frames go to the right */
    bool is_timed;                   /* it is of nanoseconds */
    double *weights;                 /* by entry - 1 */
};

/* --- layout --- */

static double height_of(struct plot *p)
{
    double others = PLOT_AXIS + (double)plot_legend_rows(p) * PLOT_ROW;
    return p->height > 0 ? fmax(p->height - others, PLOT_ROW) : IMAGE;
}

/* Divides SIZE between the levels, or as many as fit; a coarse image has few. */
static void fit_levels(struct image *image, double size, double max)
{
    const double depth = (double)image->depth;
    const double min = fmin(LEVEL_MIN + (image->p->coarse - 1) / 2, LEVEL_MAX);
    image->level = fmax(fmin(size / depth, max), min);
    image->levels = (size_t)fmin(depth, floor(size / image->level));
}

static struct image image_of_events(struct plot *p)
{
    struct image image = {
        .p = p, .all = fmax(wide_to_double(p->streaks->all), 1), .depth = p->streaks->depth};
    image.left = PLOT_MARGIN + NUMBERS;
    image.width = p->width - PLOT_MARGIN - image.left;
    fit_levels(&image, height_of(p), LEVEL_MAX);
    image.height = image.level * (double)image.levels;
    return image;
}

static struct image image_of_stacks(struct plot *p)
{
    struct image image = {.p = p, .is_sideways = true, .depth = p->streaks->depth};
    image.all = p->streaks->stacks.count - (intern_find(&p->streaks->stacks, STR("")) != 0);
    image.all = fmax(image.all, 1);
    image.left = PLOT_MARGIN + NUMBERS;
    image.width = p->width - PLOT_MARGIN - image.left;
    image.height = fmin(height_of(p), image.all * LEVEL_MAX);
    fit_levels(&image, image.width, FRAME_MAX);
    return image;
}

/* The image of LANE, one of COUNT. */
static struct image image_of_lane(struct plot *p, uint32_t lane, size_t count)
{
    struct image image = {.p = p,
                          .all = fmax(plot_span(p), 1),
                          .depth = p->times->lanes[lane - 1].depth,
                          .is_timed = true};
    image.left = PLOT_MARGIN + NUMBERS;
    image.width = p->width - PLOT_MARGIN - image.left;
    fit_levels(&image, plot_lane_height(height_of(p), count), LEVEL_MAX);
    image.height = image.level * (double)image.levels;
    return image;
}

/* The pixels for ALL. */
static double extent_of(const struct image *image)
{
    return image->is_sideways ? image->height : image->width;
}

/* The length of the shortest box. */
static double smallest(const struct image *image)
{
    return image->all / extent_of(image) * image->p->coarse;
}

/* Appends to TO what IMAGE does not show: anything thinner than a pixel, or too deep. */
static void add_limits(const struct image *image, struct str what, struct buf *to)
{
    const double each = smallest(image);
    char text[32];
    if (each > 1) {
        plot_add_smallest(image->p, to);
        if (image->is_timed)
            plot_add_time(to, each);
        else
            buf_add(to, (struct str){text, (size_t)snprintf(text, sizeof text, "%.1f ", each)});
        buf_add(to, image->is_timed ? STR("") : what);
        buf_add(to, STR(": thinner boxes are drawn together, in the colour that most of them has"));
    }
    if (image->levels < image->depth) {
        buf_add(to, STR("; not drawn: what is deeper than "));
        sheet_add_grouped_count(to, image->levels);
    }
}

/* --- boxes --- */

/* The tooltip of BOX at LEVEL. */
static void describe(const struct image *image, size_t level, const struct plot_box *box)
{
    struct plot *p = image->p;
    p->text.n = 0;
    buf_add(&p->text, plot_name(p, box->entry));
    buf_add(&p->text, STR(": depth "));
    sheet_add_grouped_count(&p->text, level + 1);
    buf_add(&p->text, STR(", "));
    if (image->is_sideways) {
        buf_add(&p->text, STR("stacks "));
        sheet_add_grouped_count(&p->text, (uint64_t)box->start + 1);
        buf_add(&p->text, STR(" to "));
        sheet_add_grouped_count(&p->text, (uint64_t)box->end);
    } else if (image->is_timed) {
        plot_add_time(&p->text, box->end - box->start);
    } else {
        plot_add_samples(p, &p->text, box->end - box->start);
    }
    if (box->merged > 1)
        buf_add(&p->text, STR(", and others"));
}

static void draw_box(void *to, size_t level, const struct plot_box *box)
{
    struct image *image = to;
    struct plot *p = image->p;
    const double padding = 3, shrink = 0.3; /* so that neighbours look like two boxes */
    double scale = extent_of(image) / image->all;
    double x = image->left + box->start * scale, width = (box->end - box->start) * scale;
    double y = image->top + image->height - (double)(level + 1) * image->level;
    double height = image->level;
    if (image->is_sideways) {
        x = image->left + (double)level * image->level, y = image->top + box->start * scale;
        height = width, width = image->level;
    }
    image->weights[box->entry - 1] += box->end - box->start;
    describe(image, level, box);
    plot_open_box(p, x, y, width, height > 2 ? height - shrink : height);
    svg_string(p->out, "class", box->merged > 1 ? STR("merged") : STR("box"));
    svg_colour(p->out, "fill", plot_colour(p, box->entry));
    plot_end_box(p);
    if (height < PLOT_SMALL + 1 || width < 3 * SVG_COLUMN * PLOT_SMALL)
        return;
    struct str name =
        svg_fit_name(&p->text, plot_name(p, box->entry), width - 2 * padding, PLOT_SMALL);
    if (name.n > 0)
        svg_text(p->out, "on", x + padding, y + height / 2 + PLOT_SMALL * 0.36, PLOT_SMALL,
                 SVG_START, name);
}

/* Weights for all entries. */
static double *weights_of(const struct plot *p)
{
    return mem_alloc_zeroed(((size_t)p->summary.collect.entries.count + 1) * sizeof(double));
}

static struct plot_boxes boxes_of(struct image *image)
{
    return (struct plot_boxes){
        .min = smallest(image), .levels_max = image->levels, .draw = draw_box, .to = image};
}

/* Draws the legend below Y for everything drawn. */
static void finish(struct image *image, double y)
{
    plot_legend_draw(image->p, y, image->weights);
    mem_free(image->weights);
}

static double measure(const struct image *image)
{
    return image->height + PLOT_AXIS + (double)plot_legend_rows(image->p) * PLOT_ROW;
}

/* Levels are numbered by depth. */
static struct plot_axis axis_of_levels(const struct image *image)
{
    return (struct plot_axis){.from = image->is_sideways ? image->left : image->top,
                              .length = image->level * (double)image->levels,
                              .size = (double)image->levels,
                              .one = 1,
                              .title = STR("depth"),
                              .is_whole = true};
}

/* --- events with times --- */

/* The lanes that are drawn, each with its image and boxes. */
struct lanes {
    struct plot *p;
    struct plot_drawn drawn;
    struct image images[PLOT_LANES_MAX];
    struct plot_boxes boxes[PLOT_LANES_MAX];
    uint32_t *at; /* by lane - 1: its index + 1; 0: not drawn */
};

/* Lays out the lanes, one below the other from TOP on. */
static struct lanes *make_lanes(struct plot *p, double top)
{
    struct lanes *l = mem_alloc_zeroed(sizeof *l);
    l->p = p;
    l->drawn = plot_lanes_drawn(p);
    for (size_t i = 0; i < l->drawn.count; i++) {
        l->images[i] = image_of_lane(p, l->drawn.lanes[i], l->drawn.count);
        l->images[i].top = top + (double)(i > 0) * PLOT_BETWEEN;
        top = l->images[i].top + l->images[i].height;
    }
    return l;
}

/* The lower edge of the last lane. */
static double end_of(const struct lanes *l)
{
    const struct image *last = &l->images[l->drawn.count - 1];
    return last->top + last->height;
}

static void caption_lanes(struct plot *p, struct buf *to)
{
    struct lanes *l = make_lanes(p, 0);
    buf_add(to, STR(" in "));
    plot_add_lanes(p, &l->drawn, to);
    add_limits(&l->images[0], STR("samples"), to);
    mem_free(l);
}

static double measure_lanes(struct plot *p)
{
    struct lanes *l = make_lanes(p, 0);
    const double height = end_of(l);
    mem_free(l);
    return height + PLOT_AXIS + (double)plot_legend_rows(p) * PLOT_ROW;
}

/* Adds a sample of LENGTH to its lane, after a gap if it does not follow the one before. */
static void add_moment(void *to, const struct plot_moment *m, int64_t length)
{
    struct lanes *l = to;
    const uint32_t at = l->at[m->lane - 1];
    if (at == 0)
        return;
    struct plot_boxes *boxes = &l->boxes[at - 1];
    const double start = (double)m->time - (double)l->p->times->first, end = start + (double)length;
    if (start > boxes->at)
        plot_boxes_add(boxes, STR(""), start - boxes->at);
    if (end > boxes->at)
        plot_boxes_add(boxes, streaks_stack(l->p->streaks, m->stack), end - boxes->at);
}

static void draw_lanes(struct plot *p, double top)
{
    struct lanes *l = make_lanes(p, top);
    struct buf title = {0};
    struct plot_axis time = plot_time_axis(p, l->images[0].left, &title);
    double *weights = weights_of(p);
    l->at = mem_alloc_zeroed(p->times->names.count * sizeof *l->at);
    plot_axis_below(p, &time, top, end_of(l));
    for (size_t i = 0; i < l->drawn.count; i++) {
        struct image *image = &l->images[i];
        struct plot_axis depth = axis_of_levels(image);
        depth.title = intern_get(&p->times->names, l->drawn.lanes[i]);
        if (image->levels > 0)
            plot_axis_left(p, &depth, image->left, image->left + image->width);
        image->weights = weights;
        l->boxes[i] = boxes_of(image);
        l->at[l->drawn.lanes[i] - 1] = (uint32_t)i + 1;
    }
    plot_times_each(p->times, add_moment, l);
    for (size_t i = 0; i < l->drawn.count; i++)
        plot_boxes_finish(&l->boxes[i]);
    finish(&l->images[0], end_of(l) + PLOT_AXIS);
    mem_free(l->at);
    mem_free(l);
    buf_free(&title);
}

/* --- events --- */

static const char *image_lacks(const struct plot *p)
{
    return p->streaks->depth == 0 ? "no sample has a stack" : NULL;
}

/* Appends the number of samples to TO, and of those that have no stack. */
static void add_samples(struct plot *p, struct buf *to)
{
    plot_add_samples(p, to, p->samples);
    if (p->stackless > 0) {
        buf_add(to, STR(", of which "));
        plot_add_samples(p, to, p->stackless);
        buf_add(to, p->stackless == 1 ? STR(" has no stack") : STR(" have no stack"));
    }
}

static void caption_events(struct plot *p, struct buf *to)
{
    add_samples(p, to);
    if (plot_is_timed(p)) {
        caption_lanes(p, to);
        return;
    }
    struct image image = image_of_events(p);
    add_limits(&image, STR("samples"), to);
}

static double measure_events(struct plot *p)
{
    if (plot_is_timed(p))
        return measure_lanes(p);
    struct image image = image_of_events(p);
    return measure(&image);
}

/* Without times. */
static void draw_streaks(struct plot *p, double top)
{
    struct image image = image_of_events(p);
    image.top = top;
    image.weights = weights_of(p);
    struct plot_boxes boxes = boxes_of(&image);
    struct buf title = {0};
    struct plot_axis time = plot_time_axis(p, image.left, &title), depth = axis_of_levels(&image);
    plot_axis_below(p, &time, top, top + image.height);
    plot_axis_left(p, &depth, image.left, image.left + image.width);
    for (size_t i = 0; i < p->streaks->count; i++) {
        struct streak streak = streaks_at(p->streaks, i);
        plot_boxes_add(&boxes, streaks_stack(p->streaks, streak.stack), (double)streak.samples);
    }
    plot_boxes_finish(&boxes);
    finish(&image, top + image.height + PLOT_AXIS);
    buf_free(&title);
}

static void draw_events(struct plot *p, double top)
{
    (plot_is_timed(p) ? draw_lanes : draw_streaks)(p, top);
}

const struct plot_kind plot_events = {
    .heading = "Stacks over time",
    .needs_streaks = true,
    .needs_order = true,
    .lacks = image_lacks,
    .caption = caption_events,
    .measure = measure_events,
    .draw = draw_events,
    .write = plot_write_events,
};

/* --- distinct stacks --- */

static void caption_stack_nodes(struct plot *p, struct buf *to)
{
    struct image image = image_of_stacks(p);
    plot_add_stacks(to, image.all);
    buf_add(to, STR(", the first to appear at the top"));
    add_limits(&image, STR("stacks"), to);
}

static double measure_stack_nodes(struct plot *p)
{
    struct image image = image_of_stacks(p);
    return measure(&image);
}

/* Numbers the stacks in the middle of their rows, if there is room. */
static void number_stacks(const struct image *image)
{
    double each = image->height / image->all;
    double tick = fmax(plot_tick(image->all, image->height / PLOT_ROW), 1);
    for (double n = tick == 1 ? 1 : tick; n <= image->all; n += tick) {
        char text[32];
        size_t length = (size_t)snprintf(text, sizeof text, "%.0f", n);
        svg_text(image->p->out, "faint", image->left - 6,
                 image->top + (n - 0.5) * each + PLOT_SMALL * 0.36, PLOT_SMALL, SVG_END,
                 (struct str){text, length});
    }
    svg_text(image->p->out, "faint", PLOT_MARGIN, image->top - 8, PLOT_SMALL, SVG_START,
             STR("stack"));
}

static void draw_stack_nodes(struct plot *p, double top)
{
    struct image image = image_of_stacks(p);
    image.top = top;
    image.weights = weights_of(p);
    struct plot_boxes boxes = boxes_of(&image);
    struct plot_axis depth = axis_of_levels(&image);
    plot_axis_below(p, &depth, top, top + image.height);
    number_stacks(&image);
    for (size_t i = 1; i <= p->streaks->stacks.count; i++) {
        struct str frames = streaks_stack(p->streaks, i);
        if (frames.n > 0)
            plot_boxes_add(&boxes, frames, 1);
    }
    plot_boxes_finish(&boxes);
    finish(&image, top + image.height + PLOT_AXIS);
}

const struct plot_kind plot_stack_nodes = {
    .heading = "Functions of each stack",
    .needs_streaks = true,
    .shows_order = true,
    .lacks = image_lacks,
    .caption = caption_stack_nodes,
    .measure = measure_stack_nodes,
    .draw = draw_stack_nodes,
    .write = plot_write_stack_nodes,
};
