#include "table/sheet_printer.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "base/width.h"
#include "rows/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Max width of a mixed cell that is shortened, and the distance of tab stops, in columns. */
enum { MIXED_MAX = 32, TAB = 8 };

/* Lines on a terminal besides rows: title, headings, what was cut, and the next prompt. */
enum { OTHER_LINES = 4 };

/* --- names --- */

/* Appends spaces to the line TO up to the next tab stop; *STOP is the end of the previous one. */
static void add_tab(struct buf *to, size_t *stop)
{
    size_t column = width_of((struct str){to->p + *stop, to->n - *stop}, SIZE_MAX, NULL);
    for (size_t i = column % TAB; i < TAB; i++) /* text before the last stop is whole tabs */
        buf_add(to, STR(" "));
    *stop = to->n;
}

/* Whether a backslash before TEXT (canonical) would look like an escaped control character. */
static bool reads_as_control(struct str text)
{
    if (text.n == 0 || *text.p != '\\')
        return text.n > 0 && memchr("bfnrtu", *text.p, 6) != NULL;
    return text.p[1] != '"';
}

/* Appends the character at C, DEL or one of three bytes, to TO as a numeric JSON escape. */
static void add_code(struct buf *to, const char *c)
{
    const unsigned char *p = (const unsigned char *)c;
    unsigned code = utf8_decode(p, *p < 0x80 ? 1 : 3);
    char text[8];
    snprintf(text, sizeof text, "\\u%04x", code);
    buf_add(to, (struct str){text, 6});
}

/* Appends the first character of TEXT to TO, made safe for a terminal; returns its length, at least
 * 1. */
static size_t add_harmless(struct buf *to, struct str text)
{
    const size_t n = utf8_obeyed(text);
    if (n == 0)
        buf_add(to, (struct str){text.p, 1});
    else if (n == 2) /* 8-bit control characters */
        buf_add(to, UTF8_REPLACEMENT);
    else
        add_code(to, text.p);
    return n == 0 ? 1 : n;
}

void sheet_printer_add(struct buf *to, struct str words)
{
    for (size_t i = 0; i < words.n;)
        if (words.p[i] == '\n')
            buf_add(to, (struct str){words.p + i++, 1});
        else
            i += add_harmless(to, (struct str){words.p + i, words.n - i});
}

struct str sheet_printer_title(struct sheet_printer *p)
{
    p->clean.n = 0;
    sheet_printer_add(&p->clean, p->t->title);
    return buf_str(&p->clean);
}

void sheet_printer_add_name(struct buf *to, struct buf *scratch, struct str bytes, bool is_code)
{
    size_t stop = 0;
    scratch->n = 0;
    text_escape(scratch, bytes);
    buf_reserve(to, scratch->n);
    for (size_t i = 0; i < scratch->n; i++) {
        const char *c = scratch->p + i;
        if (*c == '\\' && (c[1] == '"' || c[1] == '\\')) {
            struct str rest = {c + 2, scratch->n - i - 2};
            bool is_doubled = c[1] == '\\' && !is_code && reads_as_control(rest);
            buf_add(to, is_doubled ? STR("\\\\") : (struct str){c + 1, 1});
            i++;
        } else if (*c == '\\' && c[1] == 't' && is_code) {
            add_tab(to, &stop);
            i++;
        } else {
            i += add_harmless(to, (struct str){c, scratch->n - i}) - 1;
        }
    }
}

struct str sheet_printer_clean(struct sheet_printer *p, struct str bytes)
{
    p->clean.n = 0;
    sheet_printer_add_name(&p->clean, &p->text, bytes, p->t->is_code);
    return buf_str(&p->clean);
}

struct str sheet_printer_cut(struct sheet_printer *p, struct str text, size_t max)
{
    size_t fits;
    width_of(text, max, &fits);
    if (fits == text.n)
        return text;
    width_of(text, max - 1, &fits);
    p->clean.n = fits;
    buf_add(&p->clean, STR("…"));
    return buf_str(&p->clean);
}

void sheet_printer_shorten(struct sheet_printer *p, size_t max,
                           void (*add)(struct buf *to, struct str bytes))
{
    const struct sheet *t = p->t;
    for (size_t row = 0; row < t->row_count && p->names.count < p->kept; row++)
        if (sheet_keeps(t, &p->request, row, p->names.count)) {
            add(&p->names.text, t->cell(t->from, row, 0).text);
            shorten_end(&p->names);
        }
    shorten_all(&p->names, max, shorten_add_name);
}

/* --- cells --- */

/* The most columns of a mixed cell and its heading: what is piped is whole. */
static size_t room_of_mixed(const struct sheet_printer *p)
{
    return p->window.columns > 0 || p->request.format == SHEET_FORMAT_HTML ? MIXED_MAX : SIZE_MAX;
}

struct str sheet_printer_cell(struct sheet_printer *p, enum sheet_kind kind,
                              const struct sheet_cell *cell)
{
    char share[32];
    if (cell->is_blank)
        return STR("");
    if (cell->is_none)
        return kind == SHEET_VALUE || kind == SHEET_MIXED ? STR(".") : STR("");
    if (kind == SHEET_MIXED)
        return sheet_printer_cut(p, sheet_printer_clean(p, cell->text), room_of_mixed(p));
    p->text.n = 0;
    if (kind == SHEET_GIVEN)
        return cell->text;
    if (kind == SHEET_VALUE)
        sheet_add_scaled(&p->text, cell->number, &p->scale);
    else if (kind == SHEET_COUNT)
        sheet_add_number(&p->text, cell->number);
    else if (kind == SHEET_FLAG)
        buf_add(&p->text, wide_sign(cell->number) != 0 ? STR("*") : STR(""));
    else if (!isnan(cell->share))
        buf_add(&p->text, (struct str){share, (size_t)snprintf(share, sizeof share, "%.2f",
                                                               100 * cell->share)});
    return buf_str(&p->text);
}

struct str sheet_printer_heading(struct sheet_printer *p, size_t i)
{
    const struct sheet_column *column = &p->t->columns[i];
    if (column->kind == SHEET_MIXED || i == 0)
        return sheet_printer_cut(p, sheet_printer_clean(p, column->heading), room_of_mixed(p));
    p->text.n = 0;
    buf_add(&p->text, column->heading);
    if (column->kind == SHEET_VALUE && p->scale.unit.n > 0) {
        buf_add(&p->text, STR(" ("));
        sheet_printer_add(&p->text, p->scale.unit);
        buf_add(&p->text, STR(")"));
    } else if (column->kind == SHEET_SHARE) {
        buf_add(&p->text, STR(" %"));
    }
    return buf_str(&p->text);
}

bool sheet_printer_shows(const struct sheet_printer *p, size_t i)
{
    return i < p->end && p->t->columns[i].kind != SHEET_TEXT;
}

bool sheet_printer_is_numeric(const struct sheet_printer *p, size_t i)
{
    switch (p->t->columns[i].kind) {
    case SHEET_MIXED: return p->has_numbers[i] && !p->has_text[i];
    case SHEET_TEXT:
    case SHEET_FLAG: return false;
    case SHEET_VALUE:
    case SHEET_SHARE:
    case SHEET_COUNT:
    case SHEET_GIVEN: break;
    }
    return true;
}

/* --- what is shown --- */

/* Counts ROW, which is cut. A heading in a listing only repeats the rows after it. */
static void look_at_cut(struct sheet_printer *p, size_t row)
{
    const struct sheet *t = p->t;
    if (t->is_listing && t->cell(t->from, row, 0).is_heading)
        return;
    p->cut_rows++;
    if (t->reported == SHEET_NO_COLUMN)
        return;
    double share = t->cell(t->from, row, t->reported).share;
    p->cut_share += isnan(share) ? 0 : share;
}

/* Finds the scale of values and bars in the kept rows, and what was cut. */
static void look(struct sheet_printer *p)
{
    const struct sheet *t = p->t;
    struct wide largest = wide_of(0);
    p->cut_rows = t->missing_rows;
    p->cut_share = t->missing_share;
    for (size_t row = 0; row < t->row_count; row++) {
        if (!sheet_keeps(t, &p->request, row, p->kept)) {
            look_at_cut(p, row);
            continue;
        }
        p->kept++;
        if (t->drawn != SHEET_NO_COLUMN) {
            double drawn = fabs(t->cell(t->from, row, t->drawn).share);
            p->longest = drawn > p->longest ? drawn : p->longest; /* false for NAN */
        }
        for (size_t i = 0; i < t->column_count; i++) {
            struct sheet_cell cell = t->cell(t->from, row, i);
            struct wide value = wide_size(cell.number);
            if (t->columns[i].kind == SHEET_VALUE && wide_compare(value, largest) > 0)
                largest = value;
            p->has_text[i] |= !cell.is_none && !cell.is_json;
            p->has_numbers[i] |= !cell.is_none && cell.is_json;
        }
    }
    p->scale = sheet_scale_of(t->unit, t->power, largest);
}

struct sheet_printer sheet_printer_of(const struct sheet *t, const struct sheet_request *request,
                                      struct out *out)
{
    struct sheet_printer p = {.t = t, .request = *request, .out = out, .end = t->column_count};
    if (out_is_terminal(out))
        p.window = out_window(out);
    p.has_color = out_colors(out) > 0;
    p.has_text = mem_alloc_zeroed(t->column_count);
    p.has_numbers = mem_alloc_zeroed(t->column_count);
    size_t others = OTHER_LINES;
    for (size_t i = 0; i < t->title.n; i++)
        others += t->title.p[i] == '\n';
    if (p.request.max == SIZE_MAX && p.request.min_share <= 0 && p.window.lines > others &&
        !t->is_listing)
        p.request.max = p.window.lines - others;
    look(&p);
    return p;
}

void sheet_printer_free(struct sheet_printer *p)
{
    mem_free(p->widths);
    mem_free(p->has_text);
    mem_free(p->has_numbers);
    buf_free(&p->text);
    buf_free(&p->clean);
    shorten_free(&p->names);
}

static void add_count(struct buf *to, const char *between, uint64_t count, const char *one)
{
    buf_add(to, str_of(between));
    sheet_add_grouped_count(to, count);
    buf_add(to, STR(" more "));
    buf_add(to, str_of(one));
    buf_add(to, count == 1 ? STR("") : STR("s"));
}

void sheet_printer_rest(const struct sheet_printer *p, struct buf *to)
{
    char share[32];
    if (p->cut_rows > 0)
        add_count(to, "and ", p->cut_rows, p->t->missing_name != NULL ? p->t->missing_name : "row");
    if (p->cut_rows > 0 && p->t->reported != SHEET_NO_COLUMN) {
        int n = snprintf(share, sizeof share, ": %.2f %% ", 100 * p->cut_share);
        buf_add(to, (struct str){share, (size_t)n});
        buf_add(to, p->t->columns[p->t->reported].heading);
    }
    if (p->end < p->t->column_count)
        add_count(to, p->cut_rows > 0 ? ", " : "and ", p->t->column_count - p->end, "column");
}
