/* svg.h - elements of SVG, in a file of their own or in a page.
 *
 * An element is svg_open, its attributes, and svg_close; or, with something in it, svg_open, its attributes,
 * svg_inside, that, and svg_end.  Lengths are in pixels of the picture (user units), and written in ten-thousandths. */
#ifndef PROFPIPE_SVG_H
#define PROFPIPE_SVG_H

#include "base/out.h"

#include <stdint.h>

/* The width of a column of text, and the height of a line, for a font of size 1: fonts of one width are
 * 0.6 em wide. */
#define SVG_COLUMN 0.6
#define SVG_LINE 1.3

/* How a picture begins. */
struct svg {
    double width, height;
    struct str title; /* bytes: what it is called */
    bool is_alone;    /* in a file of its own, which needs the colours that a page has */
};

/* Writes S up to where its elements go, and what follows them. */
void svg_begin(const struct svg *s, struct out *out);
void svg_finish(struct out *out);

/* The parts of an element NAME. */
void svg_open(struct out *out, const char *name);
void svg_close(struct out *out);
void svg_inside(struct out *out);
void svg_end(struct out *out, const char *name);

/* Attributes: a number, which is finite; BYTES, made visible; a colour, 0xRRGGBB. */
void svg_number(struct out *out, const char *attribute, double number);
void svg_string(struct out *out, const char *attribute, struct str bytes);
void svg_colour(struct out *out, const char *attribute, uint32_t colour);

/* An open element "rect" with its place and size, for further attributes. */
void svg_open_rect(struct out *out, double x, double y, double width, double height);

/* A whole line, of the CLASS "line" or "grid". */
void svg_line(struct out *out, const char *class, double x1, double y1, double x2, double y2);

/* The attribute of a line of points: svg_open_points, each point, and svg_close_points. */
void svg_open_points(struct out *out);
void svg_point(struct out *out, double x, double y);
void svg_close_points(struct out *out);

/* Which part of a text stands at its place. */
enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

/* A whole text with its baseline at X, Y: BYTES in a font of SIZE, of CLASS (NULL: none; "on": on a colour;
 * "faint"). */
void svg_text(struct out *out, const char *class, double x, double y, double size,
              enum svg_anchor anchor, struct str bytes);

/* A whole title, which is what one sees who points at the element around it: BYTES. */
void svg_title(struct out *out, struct str bytes);

/* The longest start of BYTES, made visible, that a font of SIZE shows within WIDTH, with a mark where it is cut; empty
 * where no three columns have room and it is longer.  Valid as long as TO is unchanged. */
struct str svg_fit(struct buf *to, struct str bytes, double width, double size);

#endif
