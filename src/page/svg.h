/* svg.h - writes SVG elements, in a file of their own or in a page.
 *
 * An element without content is svg_open, its attributes, and svg_close.  One with content is
 * svg_open, its attributes, svg_inside, the content, and svg_end.  Lengths are in pixels of the
 * picture (user units), written with four decimals at most. */
#ifndef PROFPIPE_SVG_H
#define PROFPIPE_SVG_H

#include "base/out.h"
#include "base/shorten.h"

#include <stdint.h>

/* The width of a character and the height of a line at font size 1: monospaced fonts are 0.6 em
 * wide. */
#define SVG_COLUMN 0.6
#define SVG_LINE 1.3

/* Where a picture is.  Only one of our pages has its colours already. */
enum svg_place {
    SVG_IN_OUR_PAGE,
    SVG_IN_A_PAGE, /* of somebody else, in which it must change nothing */
    SVG_IN_A_FILE,
};

/* The colours of what is around boxes.  Automatic: as the system prefers. */
enum svg_theme { SVG_AUTO, SVG_LIGHT, SVG_DARK, SVG_THEME_COUNT };

/* The names of the themes, for options. */
extern const char *const svg_themes[SVG_THEME_COUNT];

/* The start of a picture. */
struct svg {
    double width, height;
    struct str title; /* bytes */
    enum svg_place place;
    enum svg_theme theme; /* our pages have their own */
};

/* Write S up to its elements, and the end after them. */
void svg_begin(const struct svg *s, struct out *out);
void svg_finish(struct out *out);

/* Writes the script with which a flame graph in a file of its own zooms and searches: it stands
 * after all that it works on. */
void svg_script(struct out *out);

/* The parts of the element NAME. */
void svg_open(struct out *out, const char *name);
void svg_close(struct out *out);
void svg_inside(struct out *out);
void svg_end(struct out *out, const char *name);

/* Attributes: a finite number; BYTES, made visible; a colour, 0xRRGGBB. */
void svg_number(struct out *out, const char *attribute, double number);
void svg_string(struct out *out, const char *attribute, struct str bytes);
void svg_colour(struct out *out, const char *attribute, uint32_t colour);

/* Opens an element "rect" with its place and size; more attributes may follow. */
void svg_open_rect(struct out *out, double x, double y, double width, double height);

/* Lines of the CLASS "line" or "grid" as one element: svg_open_lines, each line, and svg_close_lines. A line
 * is upright, or else level. */
void svg_open_lines(struct out *out, const char *class);
void svg_upright(struct out *out, double x, double y1, double y2);
void svg_level(struct out *out, double x1, double x2, double y);
void svg_close_lines(struct out *out);

/* The points of a line, an attribute: svg_open_points, each point, and svg_close_points. */
void svg_open_points(struct out *out);
void svg_point(struct out *out, double x, double y);
void svg_close_points(struct out *out);

/* Which part of a text is at its coordinates. */
enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

/* Writes BYTES as text with its baseline at X, Y, in a font of SIZE, of CLASS (NULL: none; "on":
 * on a colour; "faint"). */
void svg_text(struct out *out, const char *class, double x, double y, double size,
              enum svg_anchor anchor, struct str bytes);

/* Writes BYTES as a title: the tooltip of the element around it. */
void svg_title(struct out *out, struct str bytes);

/* BYTES, made visible, shortened to fit WIDTH in a font of SIZE, with a mark if they are cut.
 * Empty if they must be cut and there is no room for three characters.  Valid until TO changes. */
struct str svg_fit(struct buf *to, struct str bytes, double width, double size);

/* The same for the name of a function or file: it keeps what tells it apart (shorten.h). */
struct str svg_fit_name(struct buf *to, struct str bytes, double width, double size);

/* The same for the names or texts of L, which are visible already, with HOW (shorten_all). */
void svg_fit_all(struct shorten_list *l, double width, double size,
                 void (*how)(struct buf *to, struct str text, size_t max));

#endif
