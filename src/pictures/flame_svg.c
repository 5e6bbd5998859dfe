/* The still picture: a box for each frame, with a tooltip. */
#include "base/limits.h"
#include "page/svg.h"
#include "pictures/flame_draw.h"

/* In pixels. */
static const double margin = 10, row = 18, gap = 1, text_size = 12, title_size = 17, padding = 3;

/* Wider boxes have an edge that separates them; narrower ones would be all edge. */
static const double edged = 3;

/* The top of the first row of boxes, below title and heading. */
static const double top = 58;

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
    double below;   /* in a flame: the bottom of the outermost row */
    struct buf tip, text;
};

/* The top of the row of boxes at DEPTH, from 0. */
static double row_at(const struct picture *p, size_t depth)
{
    return p->look->is_icicle ? top + (double)depth * row : p->below - (double)(depth + 1) * row;
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
    svg_open_rect(p->out, x, y, width, row - gap);
    svg_colour(p->out, "fill", colour);
    if (width > edged)
        svg_string(p->out, "class", STR("box"));
    svg_close(p->out);
    struct str text = svg_fit_name(&p->text, name, width - 2 * padding, text_size);
    if (text.n > 0)
        svg_text(p->out, "on", x + padding, y + row - gap - 4, text_size, SVG_START, text);
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

static void write_text(struct picture *p, const char *class, double y, double size,
                       struct str bytes)
{
    struct str text = svg_fit(&p->text, bytes, p->width, size);
    svg_text(p->out, class, margin, y, size, SVG_START, text);
}

void flame_svg_write_boxes(const struct flame *f, const struct flame_look *look,
                           const struct flame_boxes *boxes, bool is_alone, struct out *out)
{
    struct picture p = {.f = f, .look = look, .boxes = boxes, .out = out};
    size_t rows = boxes->depth + 1;
    p.width = width_of_all(look);
    p.largest = flame_draw_largest(f, boxes);
    p.below = top + (double)rows * row;
    const struct svg svg = {look->width, p.below + margin, look->title, is_alone};
    svg_begin(&svg, out);
    write_text(&p, NULL, 26, title_size, look->title);
    write_text(&p, "faint", 46, text_size, look->heading);
    draw_all(&p);
    for (size_t i = 0; i < boxes->count; i++)
        draw_box(&p, &boxes->items[i]);
    svg_finish(out);
    buf_free(&p.tip);
    buf_free(&p.text);
}

void flame_svg_write(const struct flame *f, const struct flame_look *look, struct out *out)
{
    struct flame_boxes boxes = {0};
    flame_boxes_make(&boxes, f, FLAME_NEW, flame_svg_min(look), LIMITS_PICTURE_BOXES);
    flame_svg_write_boxes(f, look, &boxes, true, out);
    flame_boxes_free(&boxes);
}
