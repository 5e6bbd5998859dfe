/* The picture in a terminal: an icicle of lines, the outermost frames first. */
#include "base/limits.h"
#include "base/mem.h"
#include "base/order.h"
#include "base/shorten.h"
#include "base/width.h"
#include "page/visible.h"
#include "pictures/flame_draw.h"
#include "rows/emit.h"

#include <math.h>
#include <stdio.h>

/* Columns if the terminal does not tell; lines on a terminal besides boxes and a banner. */
enum { COLUMNS = 80, OTHER_LINES = 5 };

struct printer {
    const struct flame *f;
    const struct flame_look *look;
    struct out *out;
    struct flame_boxes boxes;
    const struct flame_box **sorted; /* by depth, then from left to right */
    size_t columns;
    size_t spaces;   /* to write before the next text */
    size_t unseen;   /* number of boxes narrower than half a column */
    unsigned colors; /* of the terminal (out.h) */
    double largest;
    struct buf text;
};

static int compare_boxes(const void *a, const void *b)
{
    const struct flame_box *x = *(const struct flame_box *const *)a,
                           *y = *(const struct flame_box *const *)b;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    return wide_compare(x->begin, y->begin);
}

/* The column where VALUE, a part of all, ends. */
static size_t column_of(const struct printer *p, struct wide value)
{
    return (size_t)lround(wide_share(value, p->f->all[FLAME_NEW]) * (double)p->columns);
}

/* Adds N spaces, written only before further text: lines do not end in spaces. */
static void spaces(struct printer *p, size_t n)
{
    p->spaces += n;
}

static void write(struct printer *p, struct str text)
{
    for (; text.n > 0 && p->spaces > 0; p->spaces--)
        out_write(p->out, STR(" "));
    out_write(p->out, text);
}

/* The number of COLOUR in a 256-colour terminal, with six steps of red, green and blue. */
static unsigned colour_number(uint32_t colour)
{
    enum { FIRST = 16, STEPS = 6 };
    unsigned number = 0;
    for (unsigned shift = 24; shift > 0; shift -= 8)
        number = number * STEPS + ((colour >> (shift - 8) & 255) * (STEPS - 1) + 127) / 255;
    return FIRST + number;
}

/* Begins a box of COLOUR, with a line at its left that separates it from the previous box. Only
 * with 256 colours or more. */
static void begin_box(struct printer *p, uint32_t colour)
{
    char text[64];
    int n = 0;
    if (p->colors == OUT_ALL_COLORS)
        n = snprintf(text, sizeof text, "\33[48;2;%u;%u;%u;38;2;26;26;26m", colour >> 16,
                     colour >> 8 & 255, colour & 255);
    else if (p->colors >= 256)
        n = snprintf(text, sizeof text, "\33[48;5;%u;38;5;234m", colour_number(colour));
    write(p, (struct str){text, (size_t)n});
    write(p, STR("▏"));
}

static void end_box(struct printer *p)
{
    write(p, p->colors >= 256 ? STR("\33[0m") : STR(""));
}

/* Sets the text to the name of BOX, in at most COLUMNS; its share follows if both fit. */
static void set_label(struct printer *p, const struct flame_box *box, size_t columns)
{
    struct buf name = {0};
    p->text.n = 0;
    if (box->frame == 0) {
        buf_add(&p->text, columns > 0 ? STR("…") : STR(""));
        return;
    }
    visible_add(&name, p->f->frames[box->frame - 1].name);
    const size_t whole = name.n;
    buf_add(&name, STR(" "));
    flame_draw_add_share(&name, wide_share(box->totals[FLAME_NEW], p->f->all[FLAME_NEW]));
    if (width_of(buf_str(&name), SIZE_MAX, NULL) > columns)
        name.n = whole;
    shorten_add_name(&p->text, buf_str(&name), columns);
    buf_free(&name);
}

static void write_box(struct printer *p, const struct flame_box *box, size_t columns)
{
    begin_box(p, flame_draw_colour(p->f, p->look, box, p->largest));
    set_label(p, box, columns - 1);
    write(p, buf_str(&p->text));
    spaces(p, columns - 1 - width_of(buf_str(&p->text), SIZE_MAX, NULL));
    end_box(p);
}

/* Writes a row: the boxes from FROM on with the same depth, if at least a column wide. Returns the
 * first box of the next row. */
static size_t write_row(struct printer *p, size_t from)
{
    uint32_t depth = p->sorted[from]->depth;
    size_t at = 0;
    bool is_open = false; /* a box has ended and nothing follows yet */
    for (; from < p->boxes.count && p->sorted[from]->depth == depth; from++) {
        const struct flame_box *box = p->sorted[from];
        size_t begin = column_of(p, box->begin);
        size_t end = column_of(p, wide_add(box->begin, box->totals[FLAME_NEW]));
        if (begin == end) {
            p->unseen += box->frame == 0 ? box->count : 1;
            continue;
        }
        if (begin > at && is_open) {
            write(p, STR("▏"));
            at++;
        }
        spaces(p, begin - at);
        write_box(p, box, end - begin);
        at = end;
        is_open = true;
    }
    write(p, is_open && at < p->columns ? STR("▏") : STR(""));
    p->spaces = 0;
    out_write(p->out, is_open ? STR("\n") : STR(""));
    return from;
}

/* Says what is not shown: ROWS, and narrow boxes in shown rows. */
static void write_rest(struct printer *p, size_t rows)
{
    p->text.n = 0;
    if (rows > 0) {
        emit_number(&p->text, (int64_t)rows);
        buf_add(&p->text, rows == 1 ? STR(" more row") : STR(" more rows"));
    }
    if (p->unseen > 0) {
        buf_add(&p->text, rows > 0 ? STR(", ") : STR(""));
        emit_number(&p->text, (int64_t)p->unseen);
        buf_add(&p->text, p->unseen == 1 ? STR(" box without room") : STR(" boxes without room"));
    }
    if (p->text.n == 0)
        return;
    out_write(p->out, STR("("));
    out_write(p->out, buf_str(&p->text));
    out_write(p->out, STR(")\n"));
}

static void write_rows(struct printer *p, size_t max)
{
    size_t at = 0, rows = 0;
    p->sorted = mem_alloc((p->boxes.count + 1) * sizeof *p->sorted);
    for (size_t i = 0; i < p->boxes.count; i++)
        p->sorted[i] = &p->boxes.items[i];
    order_items(p->sorted, p->boxes.count, sizeof *p->sorted, compare_boxes);
    while (at < p->boxes.count && rows < max) {
        at = write_row(p, at);
        rows++;
    }
    mem_free(p->sorted);
    write_rest(p, p->boxes.depth - rows);
}

/* Writes a line of TEXT, bytes, as wide as there is room. */
static void write_line(struct printer *p, struct str text)
{
    struct buf visible = {0};
    p->text.n = 0;
    visible_add(&visible, text);
    shorten_add_text(&p->text, buf_str(&visible), p->columns);
    out_write(p->out, buf_str(&p->text));
    out_write(p->out, STR("\n"));
    buf_free(&visible);
}

void flame_text_write(const struct flame *f, const struct flame_look *look, struct out *out)
{
    struct printer p = {.f = f, .look = look, .out = out, .colors = out_colors(out)};
    struct out_window window = out_window(out);
    p.columns = look->columns > 0 ? look->columns : window.columns > 0 ? window.columns : COLUMNS;
    const size_t others = OTHER_LINES + (look->banner.n > 0);
    size_t max = window.lines == 0 ? SIZE_MAX : window.lines > others ? window.lines - others : 1;
    flame_boxes_make(&p.boxes, f, FLAME_NEW, 1 / (double)p.columns, LIMITS_PICTURE_BOXES);
    p.largest = flame_draw_largest(f, &p.boxes);
    write_line(&p, look->title);
    write_line(&p, look->heading);
    if (look->banner.n > 0)
        write_line(&p, look->banner);
    write_rows(&p, max);
    flame_boxes_free(&p.boxes);
    buf_free(&p.text);
}
