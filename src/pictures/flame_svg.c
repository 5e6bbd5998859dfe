/* The still picture: a box for each frame, with a tooltip. */
#include "base/intern.h"
#include "base/limits.h"
#include "base/mem.h"
#include "page/svg.h"
#include "pictures/flame_draw.h"

#include <stdio.h>

/* In pixels. */
static const double margin = 10, gap = 1, padding = 3;

/* Wider boxes have an edge that separates them; narrower ones would be all edge. */
static const double edged = 3;

/* In font sizes: the height of a row and of a line above the boxes, the baseline above the bottom of
 * its row, the title, the baselines of title and heading, the top of the first row of boxes below
 * them, and the room for the script's search field beside the title. */
static const double row_height = 1.5, baseline = 5.0 / 12, title_size = 17.0 / 12,
                    title_at = 26.0 / 12, heading_at = 46.0 / 12, title_end = 58.0 / 12,
                    search_width = 16;

static double width_of_all(const struct flame_look *look)
{
    return look->width - 2 * margin;
}

double flame_svg_min(const struct flame_look *look)
{
    return look->min_width / width_of_all(look);
}

struct picture {
    const struct flame *f;
    const struct flame_look *look;
    const struct flame_boxes *boxes;
    struct out *out;
    double width;   /* of the sum of all */
    double largest; /* see flame_draw_largest */
    double size;    /* of the font */
    double row;     /* the height of a row */
    double top;     /* of the first row of boxes */
    double below;   /* in a flame: the bottom of the outermost row */
    struct buf tip, text;

    /* A label that would look like that of another name in its row says less than none. */
    struct intern labels; /* each with its depth before it */
    struct str *names;    /* by number - 1: the name that has the label */
    size_t capacity;
    struct buf label;
};

/* The top of the row of boxes at DEPTH, from 0. */
static double row_at(const struct picture *p, size_t depth)
{
    return p->look->is_icicle ? p->top + (double)depth * p->row
                              : p->below - (double)(depth + 1) * p->row;
}

/* Whether TEXT, the label of NAME at DEPTH, is that of no other name there. */
static bool tells_apart(struct picture *p, size_t depth, struct str text, struct str name)
{
    bool is_new;
    p->label.n = 0;
    buf_add(&p->label, (struct str){(const char *)&depth, sizeof depth});
    buf_add(&p->label, text);
    const uint32_t number = intern_add(&p->labels, buf_str(&p->label), &is_new);
    p->names = mem_array(p->names, &p->capacity, number, sizeof *p->names);
    if (is_new)
        p->names[number - 1] = name;
    return str_equal(p->names[number - 1], name);
}

/* Draws a box from X on, WIDTH wide, at DEPTH, in COLOUR. Its tooltip is the tip of P; NAME (bytes)
 * is printed inside. */
static void draw(struct picture *p, double x, double width, size_t depth, uint32_t colour,
                 struct str name)
{
    double y = row_at(p, depth);
    svg_open(p->out, "g");
    svg_inside(p->out);
    svg_title(p->out, buf_str(&p->tip));
    svg_open_rect(p->out, x, y, width, p->row - gap);
    svg_colour(p->out, "fill", colour);
    if (width > edged)
        svg_string(p->out, "class", STR("box"));
    svg_close(p->out);
    struct str text = svg_fit_name(&p->text, name, width - 2 * padding, p->size);
    if (text.n > 0 && tells_apart(p, depth, text, name))
        svg_text(p->out, "on", x + padding, y + p->row - baseline * p->size, p->size, SVG_START,
                 text);
    svg_end(p->out, "g");
}

static void draw_box(struct picture *p, const struct flame_box *box)
{
    struct wide all = p->f->all[p->boxes->side];
    double x = margin + wide_share(box->begin, all) * p->width;
    double width = wide_share(box->totals[p->boxes->side], all) * p->width;
    struct str name = box->frame == 0 ? STR("") : p->f->frames[box->frame - 1].name;
    uint32_t colour = flame_draw_colour(p->f, p->look, box, p->largest);
    p->tip.n = 0;
    flame_draw_add_tip(&p->tip, p->f, box);
    draw(p, x, width, box->depth + (size_t)1, colour, name);
}

static void draw_all(struct picture *p)
{
    p->tip.n = 0;
    buf_add(&p->tip, STR("all"));
    if (p->f->type_count > 0) {
        buf_add(&p->tip, STR(" ("));
        flame_draw_add_value(&p->tip, p->f, p->f->all[p->boxes->side]);
        buf_add(&p->tip, STR(")"));
    }
    draw(p, margin, p->width, 0, COLOUR_GREY, STR("all"));
}

static void write_text(struct picture *p, const char *class, double y, double size, double width,
                       struct str bytes)
{
    struct str text = svg_fit(&p->text, bytes, width, size);
    svg_text(p->out, class, margin, y, size, SVG_START, text);
}

/* Whether colours are those of changes, of which some are not noise. */
static bool has_scale(const struct picture *p)
{
    return p->look->palette == COLOUR_DIFF && p->largest > 0;
}

/* Draws the colours of changes from base to new, in points, with their baseline at Y. */
static void draw_scale(struct picture *p, double y)
{
    enum { STEPS = 9, GAP = 6, THOUSAND = 1000 };
    const double step = 4 * p->size / 3;
    char text[64];
    int n = snprintf(text, sizeof text, "-%.2f", 100 * p->largest);
    double x = margin + (n + 1) * SVG_COLUMN * p->size;
    svg_text(p->out, "faint", x - GAP, y, p->size, SVG_END, (struct str){text, (size_t)n});
    for (int i = 0; i < STEPS; i++) {
        svg_open_rect(p->out, x + i * step, y - p->size + 2, step, p->size);
        svg_string(p->out, "class", STR("scale"));
        svg_colour(p->out, "fill",
                   flame_draw_change_colour(p->f, 2 * THOUSAND * i / (STEPS - 1) - THOUSAND));
        svg_close(p->out);
    }
    n = snprintf(text, sizeof text, "+%.2f points", 100 * p->largest);
    struct buf after = {0};
    buf_add(&after, (struct str){text, (size_t)n});
    flame_draw_add_legend(&after, p->f);
    svg_text(p->out, "faint", x + STEPS * step + GAP, y, p->size, SVG_START, buf_str(&after));
    buf_free(&after);
}

void flame_svg_write_boxes(const struct flame *f, const struct flame_look *look,
                           const struct flame_boxes *boxes, struct out *out)
{
    struct picture p = {.f = f, .look = look, .boxes = boxes, .out = out, .size = look->font_size};
    size_t rows = boxes->depth + 1;
    p.width = width_of_all(look);
    p.largest = flame_draw_largest(f, boxes);
    p.row = row_height * p.size;
    p.top = title_end * p.size + ((look->banner.n > 0) + has_scale(&p)) * p.row;
    p.below = p.top + (double)rows * p.row;
    const struct svg svg = {look->width, p.below + margin, look->title, look->place, look->theme};
    double title_width = p.width - (look->has_script ? search_width * p.size : 0);
    svg_begin(&svg, out);
    write_text(&p, NULL, title_at * p.size, title_size * p.size, title_width, look->title);
    write_text(&p, "faint", heading_at * p.size, p.size, p.width, look->heading);
    if (look->banner.n > 0)
        write_text(&p, "heading", heading_at * p.size + p.row, p.size, p.width, look->banner);
    if (has_scale(&p))
        draw_scale(&p, p.top - (title_end - heading_at) * p.size);
    draw_all(&p);
    for (size_t i = 0; i < boxes->count; i++)
        draw_box(&p, &boxes->items[i]);
    if (look->has_script)
        svg_script(out);
    svg_finish(out);
    buf_free(&p.tip);
    buf_free(&p.text);
    intern_free(&p.labels);
    mem_free(p.names);
    buf_free(&p.label);
}

void flame_svg_write(const struct flame *f, const struct flame_look *look, struct out *out)
{
    struct flame_boxes boxes = {0};
    flame_boxes_make(&boxes, f, FLAME_NEW, flame_svg_min(look), LIMITS_PICTURE_BOXES);
    flame_svg_write_boxes(f, look, &boxes, out);
    flame_boxes_free(&boxes);
}
