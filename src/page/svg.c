#include "page/svg.h"

#include "page/page.h"
#include "page/visible.h"

#include <math.h>

const char *const svg_themes[SVG_THEME_COUNT] = {
    [SVG_AUTO] = "auto", [SVG_LIGHT] = "light", [SVG_DARK] = "dark"};

/* --- elements --- */

void svg_open(struct out *out, const char *name)
{
    out_write(out, STR("<"));
    out_write(out, str_of(name));
}

void svg_close(struct out *out)
{
    out_write(out, STR("/>\n"));
}

void svg_inside(struct out *out)
{
    out_write(out, STR(">"));
}

void svg_end(struct out *out, const char *name)
{
    out_write(out, STR("</"));
    out_write(out, str_of(name));
    out_write(out, STR(">\n"));
}

/* --- attributes --- */

static void begin_attribute(struct out *out, const char *attribute)
{
    out_write(out, STR(" "));
    out_write(out, str_of(attribute));
    out_write(out, STR("=\""));
}

/* Does not use printf, which would take most of the time of a picture with many boxes. */
static void write_number(struct out *out, double number)
{
    enum { PARTS = 10000, DIGITS = 4 };
    long long parts = llround(number * PARTS);
    unsigned long long rest = parts < 0 ? -(unsigned long long)parts : (unsigned long long)parts;
    unsigned fraction = (unsigned)(rest % PARTS);
    char digits[32], *end = digits + sizeof digits, *p = end;
    for (int i = 0; i < DIGITS; i++, fraction /= 10)
        if (p < end || fraction % 10 != 0)
            *--p = (char)('0' + fraction % 10);
    if (p < end)
        *--p = '.';
    rest /= PARTS;
    do
        *--p = (char)('0' + rest % 10);
    while ((rest /= 10) > 0);
    if (parts < 0)
        *--p = '-';
    out_write(out, (struct str){p, (size_t)(end - p)});
}

void svg_number(struct out *out, const char *attribute, double number)
{
    begin_attribute(out, attribute);
    write_number(out, number);
    out_write(out, STR("\""));
}

void svg_string(struct out *out, const char *attribute, struct str bytes)
{
    begin_attribute(out, attribute);
    visible_write(out, bytes);
    out_write(out, STR("\""));
}

void svg_colour(struct out *out, const char *attribute, uint32_t colour)
{
    char digits[] = "#000000";
    for (int i = 6; i > 0; i--, colour >>= 4)
        digits[i] = "0123456789abcdef"[colour & 15];
    begin_attribute(out, attribute);
    out_write(out, (struct str){digits, 7});
    out_write(out, STR("\""));
}

void svg_open_points(struct out *out)
{
    begin_attribute(out, "points");
}

void svg_point(struct out *out, double x, double y)
{
    write_number(out, x);
    out_write(out, STR(","));
    write_number(out, y);
    out_write(out, STR(" "));
}

void svg_close_points(struct out *out)
{
    out_write(out, STR("\""));
}

/* --- whole elements --- */

void svg_open_rect(struct out *out, double x, double y, double width, double height)
{
    svg_open(out, "rect");
    svg_number(out, "x", x);
    svg_number(out, "y", y);
    svg_number(out, "width", width);
    svg_number(out, "height", height);
}

void svg_open_lines(struct out *out, const char *class)
{
    svg_open(out, "path");
    svg_string(out, "class", str_of(class));
    begin_attribute(out, "d");
}

/* Begins a line at X, Y; what follows KIND, "V" or "H", is where it ends. */
static void write_line(struct out *out, double x, double y, struct str kind, double end)
{
    out_write(out, STR("M"));
    write_number(out, x);
    out_write(out, STR(" "));
    write_number(out, y);
    out_write(out, kind);
    write_number(out, end);
}

void svg_upright(struct out *out, double x, double y1, double y2)
{
    write_line(out, x, y1, STR("V"), y2);
}

void svg_level(struct out *out, double x1, double x2, double y)
{
    write_line(out, x1, y, STR("H"), x2);
}

void svg_close_lines(struct out *out)
{
    out_write(out, STR("\""));
    svg_close(out);
}

void svg_text(struct out *out, const char *class, double x, double y, double size,
              enum svg_anchor anchor, struct str bytes)
{
    svg_open(out, "text");
    if (class != NULL)
        svg_string(out, "class", str_of(class));
    svg_number(out, "x", x);
    svg_number(out, "y", y);
    svg_number(out, "font-size", size);
    if (anchor != SVG_START)
        svg_string(out, "text-anchor", anchor == SVG_MIDDLE ? STR("middle") : STR("end"));
    svg_inside(out);
    visible_write(out, bytes);
    svg_end(out, "text");
}

void svg_title(struct out *out, struct str bytes)
{
    out_write(out, STR("<title>"));
    visible_write(out, bytes);
    out_write(out, STR("</title>"));
}

/* How many characters in a font of SIZE have room in WIDTH. */
static size_t columns_in(double width, double size)
{
    const double columns = width / (SVG_COLUMN * size);
    return columns > 0 ? (size_t)columns : 0;
}

/* Sets TO to BYTES, made visible and shortened with HOW. */
static struct str fit(struct buf *to, struct str bytes, double width, double size,
                      void (*how)(struct buf *to, struct str text, size_t max))
{
    struct buf visible = {0};
    visible_add(&visible, bytes);
    to->n = 0;
    how(to, buf_str(&visible), columns_in(width, size));
    buf_free(&visible);
    return buf_str(to);
}

struct str svg_fit(struct buf *to, struct str bytes, double width, double size)
{
    return fit(to, bytes, width, size, shorten_add_text);
}

struct str svg_fit_name(struct buf *to, struct str bytes, double width, double size)
{
    return fit(to, bytes, width, size, shorten_add_name);
}

void svg_fit_all(struct shorten_list *l, double width, double size,
                 void (*how)(struct buf *to, struct str text, size_t max))
{
    shorten_all(l, columns_in(width, size), how);
}

/* --- pictures --- */

/* In a page the name is only a label: a title of the root would be the tooltip of everything
 * without one. */
static void write_name(const struct svg *s, struct out *out)
{
    if (s->place != SVG_IN_A_FILE)
        svg_string(out, "aria-label", s->title);
    svg_inside(out);
    if (s->place == SVG_IN_A_FILE)
        svg_title(out, s->title);
    out_write(out, STR("\n"));
    if (s->place == SVG_IN_OUR_PAGE)
        return;
    out_write(out, STR("<style>"));
    out_write(out, page_picture_css.text);
    out_write(out, STR("</style>\n"));
}

/* What the style sheets of pages, and of pictures, select it by. */
static void write_class(const struct svg *s, struct out *out)
{
    begin_attribute(out, "class");
    out_write(out, STR("picture"));
    if (s->place != SVG_IN_OUR_PAGE) {
        out_write(out, STR(" profpipe "));
        out_write(out, str_of(svg_themes[s->theme]));
    }
    out_write(out, STR("\""));
}

void svg_begin(const struct svg *s, struct out *out)
{
    if (s->place == SVG_IN_A_FILE)
        out_write(out, STR("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"));
    svg_open(out, "svg");
    svg_string(out, "xmlns", STR("http://www.w3.org/2000/svg"));
    write_class(s, out);
    svg_string(out, "role", STR("img"));
    svg_number(out, "width", s->width);
    svg_number(out, "height", s->height);
    begin_attribute(out, "viewBox");
    out_write(out, STR("0 0 "));
    write_number(out, s->width);
    out_write(out, STR(" "));
    write_number(out, s->height);
    out_write(out, STR("\""));
    write_name(s, out);
    svg_open_rect(out, 0, 0, s->width, s->height);
    svg_string(out, "class", STR("paper"));
    svg_close(out);
}

void svg_script(struct out *out)
{
    out_write(out, STR("<script><![CDATA[\n"));
    out_write(out, page_still_js.text);
    out_write(out, STR("]]></script>\n"));
}

void svg_finish(struct out *out)
{
    svg_end(out, "svg");
}
