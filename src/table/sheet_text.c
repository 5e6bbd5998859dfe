/* Tables for people: text in columns, and Markdown. */
#include "base/mem.h"
#include "base/width.h"
#include "page/visible.h"
#include "table/sheet_printer.h"

#include <math.h>

/* Width of a bar; min width of a name, even on a narrow terminal; max width that other cells are
 * padded to: one long cell must not make each row as long. In columns. */
enum { BAR = 10, NAME_MIN = 16, PADDED_MAX = 100 };

static void spaces(struct sheet_printer *p, size_t n)
{
    while (n-- > 0)
        out_write(p->out, STR(" "));
}

static void color(struct sheet_printer *p, const char *how)
{
    if (p->has_color)
        out_write(p->out, str_of(how));
}

/* The width of a bar and the space before names. */
static size_t room_of_bar(const struct sheet_printer *p)
{
    return p->t->drawn == SHEET_NO_COLUMN ? 2 : 2 + BAR + 2;
}

/* Drops the last mixed columns if they do not fit the terminal. */
static void fit(struct sheet_printer *p)
{
    size_t room = NAME_MIN + room_of_bar(p);
    for (size_t i = 1; i < p->t->column_count && p->window.columns > 0; i++) {
        if (!sheet_printer_shows(p, i))
            continue;
        room += p->widths[i] + (i > 1 ? 2 : 0);
        if (room > p->window.columns && p->t->columns[i].kind == SHEET_MIXED)
            p->end = i;
    }
}

/* Writes TEXT in column I; numbers are aligned right. */
static void write_padded(struct sheet_printer *p, size_t i, struct str text)
{
    const size_t width = width_of(text, SIZE_MAX, NULL);
    const size_t rest = p->widths[i] > width ? p->widths[i] - width : 0;
    spaces(p, sheet_printer_is_numeric(p, i) ? rest : 0);
    out_write(p->out, text);
    spaces(p, sheet_printer_is_numeric(p, i) ? 0 : rest);
}

static size_t padded(size_t width)
{
    return width < PADDED_MAX ? width : PADDED_MAX;
}

/* Finds the widths of the columns. */
static void measure(struct sheet_printer *p)
{
    const struct sheet *t = p->t;
    p->widths = mem_alloc_zeroed(t->column_count * sizeof *p->widths);
    for (size_t i = 0; i < t->column_count; i++)
        p->widths[i] = padded(width_of(sheet_printer_heading(p, i), SIZE_MAX, NULL));
    for (size_t row = 0, kept = 0; row < t->row_count && kept < p->kept; row++) {
        if (!sheet_keeps(t, &p->request, row, kept))
            continue;
        kept++;
        for (size_t i = 0; i < t->column_count; i++) {
            if (i == 0 ? !sheet_printer_is_numeric(p, i) : !sheet_printer_shows(p, i))
                continue;
            struct sheet_cell cell = t->cell(t->from, row, i);
            size_t width =
                padded(width_of(sheet_printer_cell(p, t->columns[i].kind, &cell), SIZE_MAX, NULL));
            p->widths[i] = width > p->widths[i] ? width : p->widths[i];
        }
    }
    fit(p);
}

/* Writes what follows the rows: what was cut, and the note. SPACE comes before it. */
static void write_end(struct sheet_printer *p, struct str space)
{
    p->text.n = 0;
    sheet_printer_rest(p, &p->text);
    if (p->text.n > 0) {
        out_write(p->out, space);
        out_write(p->out, buf_str(&p->text));
        out_write(p->out, STR("\n"));
    }
    if (p->t->note.n > 0) {
        out_write(p->out, p->t->note);
        out_write(p->out, STR("\n"));
    }
}

/* --- text --- */

/* A larger share has a warmer colour. */
static void color_share(struct sheet_printer *p, double share)
{
    color(p, share >= 0.2 ? "\33[31m" : share >= 0.05 ? "\33[33m" : "\33[32m");
}

/* A bar for SHARE, in steps of an eighth of a column. */
static void write_bar(struct sheet_printer *p, double share)
{
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    /* what is new has grown without bound: it has no bar */
    double size = !isfinite(share) || p->longest <= 0 ? 0 : fabs(share) / p->longest * BAR * 8;
    unsigned n = (unsigned)(fmin(size, BAR * 8) + 0.5);
    if (p->t->draws_changes)
        color(p, share > 0 ? "\33[31m" : "\33[32m");
    else
        color_share(p, share);
    for (unsigned i = 0; i < n / 8; i++)
        out_write(p->out, STR("█"));
    out_write(p->out, str_of(eighths[n % 8]));
    color(p, "\33[0m");
    spaces(p, BAR - n / 8 - (n % 8 != 0));
}

/* The columns that a terminal has for a name. */
static size_t room_of_name(const struct sheet_printer *p)
{
    size_t room = room_of_bar(p);
    if (p->window.columns == 0)
        return SIZE_MAX;
    for (size_t i = 1; i < p->t->column_count; i++)
        if (sheet_printer_shows(p, i))
            room += p->widths[i] + (room > room_of_bar(p) ? 2 : 0);
    return p->window.columns > room + NAME_MIN ? p->window.columns - room : NAME_MIN;
}

/* Writes the name of a row, the kept one number KEPT: BYTES, as far as there is room. */
static void write_name(struct sheet_printer *p, struct str bytes, size_t kept)
{
    if (sheet_printer_is_numeric(p, 0))
        write_padded(p, 0, sheet_printer_clean(p, bytes));
    else if (kept < p->names.count)
        out_write(p->out, shorten_at(&p->names, kept));
    else
        out_write(p->out, sheet_printer_cut(p, sheet_printer_clean(p, bytes), room_of_name(p)));
}

static void add_clean(struct buf *to, struct str bytes)
{
    struct buf scratch = {0};
    sheet_printer_add_name(to, &scratch, bytes, false);
    buf_free(&scratch);
}

/* Writes the cells of ROW before its name. */
static void write_cells(struct sheet_printer *p, size_t row)
{
    const struct sheet *t = p->t;
    bool is_first = true;
    for (size_t i = 1; i < t->column_count; i++) {
        if (!sheet_printer_shows(p, i))
            continue;
        struct sheet_cell cell = t->cell(t->from, row, i);
        struct str text = sheet_printer_cell(p, t->columns[i].kind, &cell);
        spaces(p, is_first ? 0 : 2);
        write_padded(p, i, text);
        is_first = false;
    }
    spaces(p, 2);
}

/* Writes ROW, the kept one number KEPT. */
static void write_row(struct sheet_printer *p, size_t row, size_t kept)
{
    const struct sheet *t = p->t;
    write_cells(p, row);
    if (t->drawn != SHEET_NO_COLUMN) {
        write_bar(p, t->cell(t->from, row, t->drawn).share);
        spaces(p, 2);
    }
    const struct sheet_cell name = t->cell(t->from, row, 0);
    if (name.is_heading)
        color(p, "\33[1m");
    write_name(p, name.text, kept);
    if (name.is_heading)
        color(p, "\33[0m");
    out_write(p->out, STR("\n"));
}

/* Writes a row of a listing: headings are set apart, lines are coloured by share. */
static void write_line(struct sheet_printer *p, size_t row, size_t kept)
{
    const struct sheet *t = p->t;
    struct sheet_cell judged = t->cell(t->from, row, t->judged);
    bool is_heading = t->cell(t->from, row, 0).is_heading;
    out_write(p->out, is_heading ? STR("\n") : STR(""));
    if (is_heading)
        color(p, "\33[1m");
    else if (!judged.is_none)
        color_share(p, judged.share);
    write_cells(p, row);
    if (!is_heading && !judged.is_none)
        color(p, "\33[0m");
    write_name(p, t->cell(t->from, row, 0).text, kept);
    if (is_heading)
        color(p, "\33[0m");
    out_write(p->out, STR("\n"));
}

static void write_text_headings(struct sheet_printer *p)
{
    bool is_first = true;
    color(p, "\33[1m");
    for (size_t i = 1; i < p->t->column_count; i++) {
        if (!sheet_printer_shows(p, i))
            continue;
        spaces(p, is_first ? 0 : 2);
        write_padded(p, i, sheet_printer_heading(p, i));
        is_first = false;
    }
    spaces(p, room_of_bar(p));
    if (sheet_printer_is_numeric(p, 0))
        write_padded(p, 0, sheet_printer_heading(p, 0));
    else
        out_write(p->out, sheet_printer_heading(p, 0));
    color(p, "\33[0m");
    out_write(p->out, STR("\n"));
}

/* Writes everything except the title. */
static void write_text(struct sheet_printer *p)
{
    const struct sheet *t = p->t;
    measure(p);
    if (p->window.columns > 0 && !t->is_listing && !sheet_printer_is_numeric(p, 0))
        sheet_printer_shorten(p, room_of_name(p), add_clean);
    write_text_headings(p);
    for (size_t row = 0, kept = 0; row < t->row_count && kept < p->kept; row++)
        if (sheet_keeps(t, &p->request, row, kept)) {
            (t->is_listing ? write_line : write_row)(p, row, kept);
            kept++;
        }
}

void sheet_write_text(const struct sheet *t, const struct sheet_request *request, struct out *out)
{
    struct sheet_printer p = sheet_printer_of(t, request, out);
    out_write(out, sheet_printer_title(&p));
    out_write(out, STR("\n"));
    write_text(&p);
    write_end(&p, STR(""));
    sheet_printer_free(&p);
}

/* --- Markdown --- */

/* The longest series of backquotes in TEXT. */
static size_t longest_ticks(struct str text)
{
    size_t ticks = 0, longest = 0;
    for (size_t i = 0; i < text.n; i++) {
        ticks = text.p[i] == '`' ? ticks + 1 : 0;
        longest = ticks > longest ? ticks : longest;
    }
    return longest;
}

static void write_ticks(struct sheet_printer *p, size_t count)
{
    while (count-- > 0)
        out_write(p->out, STR("`"));
}

/* Writes NAME as code in a cell of a table. In a table a backslash escapes even inside code, so a
 * '|' after an odd number of them needs one more. */
static void write_code(struct sheet_printer *p, struct str bytes)
{
    struct str name = sheet_printer_clean(p, bytes);
    size_t longest = longest_ticks(name);
    if (name.n == 0) /* Markdown has no empty code */
        return;
    write_ticks(p, longest + 1);
    out_write(p->out, longest > 0 ? STR(" ") : STR(""));
    bool is_odd = false;
    for (size_t i = 0; i < name.n; i++) {
        if (name.p[i] == '|')
            out_write(p->out, is_odd ? STR("\\\\") : STR("\\"));
        is_odd = name.p[i] == '\\' && !is_odd;
        out_write(p->out, (struct str){name.p + i, 1});
    }
    out_write(p->out, longest > 0 ? STR(" ") : STR(""));
    write_ticks(p, longest + 1);
}

static void write_markdown_row(struct sheet_printer *p, size_t row)
{
    const struct sheet *t = p->t;
    for (size_t i = 1; i < t->column_count; i++) {
        if (!sheet_printer_shows(p, i))
            continue;
        struct sheet_cell cell = t->cell(t->from, row, i);
        out_write(p->out, STR("| "));
        bool is_plain =
            cell.is_none || (cell.is_json && cell.text.p[0] != '['); /* number or flag */
        if (t->columns[i].kind == SHEET_MIXED && !is_plain)
            write_code(p, cell.text);
        else
            out_write(p->out, sheet_printer_cell(p, t->columns[i].kind, &cell));
        out_write(p->out, STR(" "));
    }
    out_write(p->out, STR("| "));
    if (sheet_printer_is_numeric(p, 0))
        out_write(p->out, t->cell(t->from, row, 0).text);
    else
        write_code(p, t->cell(t->from, row, 0).text);
    out_write(p->out, STR(" |\n"));
}

static void write_markdown_table(struct sheet_printer *p)
{
    const struct sheet *t = p->t;
    for (size_t i = 1; i < t->column_count; i++) {
        if (!sheet_printer_shows(p, i))
            continue;
        out_write(p->out, STR("| "));
        if (t->columns[i].kind == SHEET_MIXED)
            write_code(p, t->columns[i].heading);
        else
            visible_write_markdown(p->out, sheet_printer_heading(p, i));
        out_write(p->out, STR(" "));
    }
    out_write(p->out, STR("| "));
    if (t->columns[0].kind == SHEET_MIXED)
        write_code(p, t->columns[0].heading);
    else
        out_write(p->out, t->columns[0].heading);
    out_write(p->out, STR(" |\n"));
    for (size_t i = 1; i < t->column_count; i++)
        if (sheet_printer_shows(p, i))
            out_write(p->out, sheet_printer_is_numeric(p, i) ? STR("| ---: ") : STR("| :--- "));
    out_write(p->out, sheet_printer_is_numeric(p, 0) ? STR("| ---: |\n") : STR("| :--- |\n"));
    for (size_t row = 0, kept = 0; row < t->row_count && kept < p->kept; row++)
        if (sheet_keeps(t, &p->request, row, kept)) {
            write_markdown_row(p, row);
            kept++;
        }
}

/* Only a block of code keeps the blanks of source lines. */
static void write_markdown_listing(struct sheet_printer *p)
{
    size_t ticks = 3; /* the min; must be more than in any line */
    for (size_t row = 0; row < p->t->row_count; row++) {
        size_t longest = longest_ticks(p->t->cell(p->t->from, row, 0).text);
        ticks = longest >= ticks ? longest + 1 : ticks;
    }
    p->has_color = false;
    p->window = (struct out_window){0};
    write_ticks(p, ticks);
    out_write(p->out, STR("\n"));
    write_text(p);
    write_ticks(p, ticks);
    out_write(p->out, STR("\n"));
}

void sheet_write_markdown(const struct sheet *t, const struct sheet_request *request,
                          struct out *out)
{
    struct sheet_printer p = sheet_printer_of(t, request, out);
    visible_write_markdown(out, sheet_printer_title(&p));
    out_write(out, STR("\n\n"));
    (t->is_listing ? write_markdown_listing : write_markdown_table)(&p);
    write_end(&p, STR("\n"));
    sheet_printer_free(&p);
}
