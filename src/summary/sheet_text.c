/* Tables for people: text in columns, and Markdown. */
#include "base/mem.h"
#include "base/utf8.h"
#include "base/width.h"
#include "rows/text.h"
#include "summary/sheet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Columns of a bar, the least of a name however narrow a terminal is, the most of a mixed cell, and those between
 * the stops of tabs. */
enum { BAR = 10, NAME_LEAST = 16, MIXED_MOST = 32, TAB = 8 };

/* The lines of a terminal beside rows: title, headings, what was cut, and the next prompt. */
enum { OTHER_LINES = 4 };

struct printer {
    const struct sheet *t;
    struct sheet_request request;
    struct out *out;
    struct out_window window; /* of a terminal; all zero: there is none */
    bool has_color;
    struct sheet_scale scale;
    size_t *widths; /* of all columns but the first */
    size_t end;     /* of the columns that there is room for */
    size_t kept;
    double longest; /* the share that a whole bar shows: that of the row with most */
    __int128 cut_rows;
    double cut_share;
    struct buf text, clean;
};

/* Appends spaces to TO, a line, up to the next stop of a tab; *STOP is where the last one ended. */
static void add_tab(struct buf *to, size_t *stop)
{
    size_t column = width_of((struct str){to->p + *stop, to->n - *stop}, SIZE_MAX, NULL);
    for (size_t i = column % TAB; i < TAB;
         i++) /* what stands in front of the last stop fills whole tabs */
        buf_add(to, STR(" "));
    *stop = to->n;
}

/* BYTES as they may be shown: control characters as JSON spells them, but for the tabs of a listing, and what is not
 * UTF-8 as U+FFFD; valid until the next call. */
static struct str clean(struct printer *p, struct str bytes)
{
    size_t stop = 0;
    p->text.n = p->clean.n = 0;
    text_escape(&p->text, bytes);
    buf_reserve(&p->clean, p->text.n);
    for (size_t i = 0; i < p->text.n; i++) {
        const char *c = p->text.p + i;
        if (*c == '\\' && (c[1] == '"' || c[1] == '\\')) {
            buf_add(&p->clean, (struct str){c + 1, 1});
            i++;
        } else if (*c == '\\' && c[1] == 't' && p->t->is_listing) {
            add_tab(&p->clean, &stop);
            i++;
        } else if (*c == '\xc2' && (unsigned char)c[1] < 0xa0) { /* control characters of 8 bits */
            buf_add(&p->clean, UTF8_REPLACEMENT);
            i++;
        } else {
            buf_add(&p->clean, (struct str){c, 1});
        }
    }
    return buf_str(&p->clean);
}

/* The start of TEXT, which has been cleaned, that takes no more than MOST columns, with a mark where it is cut; valid
 * as that is, which is changed. */
static struct str cut(struct printer *p, struct str text, size_t most)
{
    size_t fits;
    width_of(text, most, &fits);
    if (fits == text.n)
        return text;
    width_of(text, most - 1, &fits);
    p->clean.n = fits;
    buf_add(&p->clean, STR("…"));
    return buf_str(&p->clean);
}

/* The text of CELL, of KIND, but not of names; valid until the next call. */
static struct str cell_text(struct printer *p, enum sheet_kind kind, const struct sheet_cell *cell)
{
    char share[32];
    if (cell->is_none)
        return kind == SHEET_VALUE || kind == SHEET_MIXED ? STR(".") : STR("");
    if (kind == SHEET_MIXED)
        return cut(p, clean(p, cell->text), MIXED_MOST);
    p->text.n = 0;
    if (kind == SHEET_GIVEN)
        return cell->text;
    if (kind == SHEET_VALUE)
        sheet_add_scaled(&p->text, cell->number, &p->scale);
    else if (kind == SHEET_COUNT)
        sheet_add_number(&p->text, cell->number);
    else if (kind == SHEET_FLAG)
        buf_add(&p->text, cell->number != 0 ? STR("*") : STR(""));
    else if (!isnan(cell->share))
        buf_add(&p->text, (struct str){share, (size_t)snprintf(share, sizeof share, "%.2f",
                                                               100 * cell->share)});
    return buf_str(&p->text);
}

/* The heading of column number I; valid until the next call. */
static struct str heading(struct printer *p, size_t i)
{
    const struct sheet_column *column = &p->t->columns[i];
    if (column->kind == SHEET_MIXED)
        return cut(p, clean(p, column->heading), MIXED_MOST);
    p->text.n = 0;
    buf_add(&p->text, column->heading);
    if (column->kind == SHEET_VALUE && p->scale.unit.n > 0) {
        buf_add(&p->text, STR(" ("));
        buf_add(&p->text, p->scale.unit);
        buf_add(&p->text, STR(")"));
    } else if (column->kind == SHEET_SHARE) {
        buf_add(&p->text, STR(" %"));
    }
    return buf_str(&p->text);
}

static void spaces(struct printer *p, size_t n)
{
    while (n-- > 0)
        out_write(p->out, STR(" "));
}

static void color(struct printer *p, const char *how)
{
    if (p->has_color)
        out_write(p->out, str_of(how));
}

/* --- what is shown --- */

/* Whether people see column number I: names have the last place, and only the first. */
static bool is_shown(const struct printer *p, size_t i)
{
    return i > 0 && i < p->end && p->t->columns[i].kind != SHEET_TEXT;
}

/* Notes ROW, which is cut.  The heading of a listing says what stands behind it once more. */
static void look_at_cut(struct printer *p, size_t row)
{
    const struct sheet *t = p->t;
    if (t->is_listing && t->cell(t->from, row, 0).is_heading)
        return;
    p->cut_rows++;
    if (t->told == SHEET_NO_COLUMN)
        return;
    double share = t->cell(t->from, row, t->told).share;
    p->cut_share += isnan(share) ? 0 : share;
}

/* Finds the scale of the values and bars that are kept, and what was cut. */
static void look(struct printer *p)
{
    const struct sheet *t = p->t;
    __int128 largest = 0;
    for (size_t row = 0; row < t->row_count; row++) {
        if (!sheet_keeps(t, &p->request, row, p->kept)) {
            look_at_cut(p, row);
            continue;
        }
        p->kept++;
        if (t->drawn != SHEET_NO_COLUMN) {
            double drawn = fabs(t->cell(t->from, row, t->drawn).share);
            p->longest = drawn > p->longest ? drawn : p->longest; /* NAN is not */
        }
        for (size_t i = 0; i < t->column_count; i++) {
            __int128 value =
                t->columns[i].kind == SHEET_VALUE ? t->cell(t->from, row, i).number : 0;
            value = value < 0 ? -value : value;
            largest = value > largest ? value : largest;
        }
    }
    p->scale = sheet_scale_of(t->unit, largest);
}

/* The columns that a bar takes, and what stands in front of names. */
static size_t room_of_bar(const struct printer *p)
{
    return p->t->drawn == SHEET_NO_COLUMN ? 2 : 2 + BAR + 2;
}

/* Leaves out the last columns of mixed cells where a terminal has no room for them. */
static void fit(struct printer *p)
{
    size_t room = NAME_LEAST + room_of_bar(p);
    for (size_t i = 1; i < p->t->column_count && p->window.columns > 0; i++) {
        if (!is_shown(p, i))
            continue;
        room += p->widths[i] + (i > 1 ? 2 : 0);
        if (room > p->window.columns && p->t->columns[i].kind == SHEET_MIXED)
            p->end = i;
    }
}

/* Finds the widths of the columns. */
static void measure(struct printer *p)
{
    const struct sheet *t = p->t;
    p->widths = mem_alloc_zeroed(t->column_count * sizeof *p->widths);
    for (size_t i = 1; i < t->column_count; i++)
        p->widths[i] = width_of(heading(p, i), SIZE_MAX, NULL);
    for (size_t row = 0, kept = 0; row < t->row_count && kept < p->kept; row++) {
        if (!sheet_keeps(t, &p->request, row, kept))
            continue;
        kept++;
        for (size_t i = 1; i < t->column_count; i++) {
            if (!is_shown(p, i))
                continue;
            struct sheet_cell cell = t->cell(t->from, row, i);
            size_t width = width_of(cell_text(p, t->columns[i].kind, &cell), SIZE_MAX, NULL);
            p->widths[i] = width > p->widths[i] ? width : p->widths[i];
        }
    }
    fit(p);
}

static struct printer printer_of(const struct sheet *t, const struct sheet_request *request,
                                 struct out *out)
{
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    struct printer p = {.t = t, .request = *request, .out = out, .end = t->column_count};
    if (out_is_terminal(out)) {
        p.window = out_window(out);
        p.has_color = (no_color == NULL || *no_color == '\0') && terminal != NULL &&
                      strcmp(terminal, "dumb") != 0;
    }
    size_t others = OTHER_LINES;
    for (size_t i = 0; i < t->title.n; i++)
        others += t->title.p[i] == '\n';
    if (p.request.most == SIZE_MAX && p.request.min_share <= 0 && p.window.lines > others &&
        !t->is_listing)
        p.request.most = p.window.lines - others;
    look(&p);
    return p;
}

static void free_printer(struct printer *p)
{
    mem_free(p->widths);
    buf_free(&p->text);
    buf_free(&p->clean);
}

/* Says what was cut, if anything was. */
static void write_rest(struct printer *p)
{
    char line[128];
    int n = 0;
    if (p->cut_rows > 0)
        n = snprintf(line, sizeof line, "and %zu more %s", (size_t)p->cut_rows,
                     p->cut_rows == 1 ? "row" : "rows");
    out_write(p->out, (struct str){line, (size_t)n});
    n = 0;
    if (p->cut_rows > 0 && p->t->told != SHEET_NO_COLUMN)
        n = snprintf(line, sizeof line, ": %.2f %% %.*s", 100 * p->cut_share,
                     STR_ARG(p->t->columns[p->t->told].heading));
    out_write(p->out, (struct str){line, (size_t)n});
    n = 0;
    if (p->end < p->t->column_count)
        n = snprintf(line, sizeof line, "%s%zu more %s", p->cut_rows > 0 ? ", " : "and ",
                     p->t->column_count - p->end,
                     p->t->column_count - p->end == 1 ? "column" : "columns");
    out_write(p->out, (struct str){line, (size_t)n});
    if (p->cut_rows > 0 || n > 0)
        out_write(p->out, STR("\n"));
}

/* --- text --- */

/* The larger the share, the warmer its colour. */
static void color_share(struct printer *p, double share)
{
    color(p, share >= 0.2 ? "\33[31m" : share >= 0.05 ? "\33[33m" : "\33[32m");
}

/* A bar of SHARE, in eighths of a column. */
static void write_bar(struct printer *p, double share)
{
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    double size = isnan(share) || p->longest <= 0 ? 0 : fabs(share) / p->longest * BAR * 8;
    unsigned n = (unsigned)(size + 0.5);
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

/* NAME, cut to where the terminal ends; ROOM is taken in front of it. */
static void write_name(struct printer *p, struct str bytes, size_t room)
{
    struct str name = clean(p, bytes);
    size_t most = SIZE_MAX;
    if (p->window.columns > 0)
        most = p->window.columns > room + NAME_LEAST ? p->window.columns - room : NAME_LEAST;
    out_write(p->out, cut(p, name, most));
}

/* The cells of ROW in front of its name; returns the columns that they take. */
static size_t write_cells(struct printer *p, size_t row)
{
    const struct sheet *t = p->t;
    size_t room = 0;
    for (size_t i = 1; i < t->column_count; i++) {
        if (!is_shown(p, i))
            continue;
        struct sheet_cell cell = t->cell(t->from, row, i);
        struct str text = cell_text(p, t->columns[i].kind, &cell);
        size_t between = room > 0 ? 2 : 0;
        spaces(p, p->widths[i] - width_of(text, SIZE_MAX, NULL) + between);
        out_write(p->out, text);
        room += p->widths[i] + between;
    }
    spaces(p, 2);
    return room;
}

static void write_row(struct printer *p, size_t row)
{
    const struct sheet *t = p->t;
    size_t room = write_cells(p, row) + room_of_bar(p);
    if (t->drawn != SHEET_NO_COLUMN) {
        write_bar(p, t->cell(t->from, row, t->drawn).share);
        spaces(p, 2);
    }
    write_name(p, t->cell(t->from, row, 0).text, room);
    out_write(p->out, STR("\n"));
}

/* A row of a listing: headings stand apart, and what has a share has its colour. */
static void write_line(struct printer *p, size_t row)
{
    const struct sheet *t = p->t;
    struct sheet_cell judged = t->cell(t->from, row, t->judged);
    bool is_heading = t->cell(t->from, row, 0).is_heading;
    out_write(p->out, is_heading ? STR("\n") : STR(""));
    if (is_heading)
        color(p, "\33[1m");
    else if (!judged.is_none)
        color_share(p, judged.share);
    size_t room = write_cells(p, row) + room_of_bar(p);
    if (!is_heading && !judged.is_none)
        color(p, "\33[0m");
    write_name(p, t->cell(t->from, row, 0).text, room);
    if (is_heading)
        color(p, "\33[0m");
    out_write(p->out, STR("\n"));
}

static void write_text_headings(struct printer *p)
{
    bool is_first = true;
    color(p, "\33[1m");
    for (size_t i = 1; i < p->t->column_count; i++) {
        if (!is_shown(p, i))
            continue;
        struct str text = heading(p, i);
        spaces(p, p->widths[i] - width_of(text, SIZE_MAX, NULL) + (is_first ? 0 : 2));
        out_write(p->out, text);
        is_first = false;
    }
    spaces(p, room_of_bar(p));
    out_write(p->out, p->t->columns[0].heading);
    color(p, "\33[0m");
    out_write(p->out, STR("\n"));
}

/* All but the title. */
static void write_text(struct printer *p)
{
    const struct sheet *t = p->t;
    measure(p);
    write_text_headings(p);
    for (size_t row = 0, kept = 0; row < t->row_count && kept < p->kept; row++)
        if (sheet_keeps(t, &p->request, row, kept)) {
            (t->is_listing ? write_line : write_row)(p, row);
            kept++;
        }
}

void sheet_write_text(const struct sheet *t, const struct sheet_request *request, struct out *out)
{
    struct printer p = printer_of(t, request, out);
    out_write(out, t->title);
    out_write(out, STR("\n"));
    write_text(&p);
    write_rest(&p);
    free_printer(&p);
}

/* --- Markdown --- */

/* NAME as code, in a cell of a table. */
static void write_code(struct printer *p, struct str bytes)
{
    struct str name = clean(p, bytes);
    size_t run = 0, longest = 0;
    if (name.n == 0) /* there is no such code */
        return;
    for (size_t i = 0; i < name.n; i++) {
        run = name.p[i] == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    for (size_t i = 0; i <= longest; i++)
        out_write(p->out, STR("`"));
    out_write(p->out, longest > 0 ? STR(" ") : STR(""));
    for (size_t i = 0; i < name.n; i++)
        out_write(p->out, name.p[i] == '|' ? STR("\\|") : (struct str){name.p + i, 1});
    out_write(p->out, longest > 0 ? STR(" ") : STR(""));
    for (size_t i = 0; i <= longest; i++)
        out_write(p->out, STR("`"));
}

static void write_markdown_row(struct printer *p, size_t row)
{
    const struct sheet *t = p->t;
    for (size_t i = 1; i < t->column_count; i++) {
        if (!is_shown(p, i))
            continue;
        struct sheet_cell cell = t->cell(t->from, row, i);
        out_write(p->out, STR("| "));
        bool is_plain =
            cell.is_none || (cell.is_json && cell.text.p[0] != '['); /* a number or flag */
        if (t->columns[i].kind == SHEET_MIXED && !is_plain)
            write_code(p, cell.text);
        else
            out_write(p->out, cell_text(p, t->columns[i].kind, &cell));
        out_write(p->out, STR(" "));
    }
    out_write(p->out, STR("| "));
    write_code(p, t->cell(t->from, row, 0).text);
    out_write(p->out, STR(" |\n"));
}

static void write_markdown_table(struct printer *p)
{
    const struct sheet *t = p->t;
    for (size_t i = 1; i < t->column_count; i++) {
        if (!is_shown(p, i))
            continue;
        out_write(p->out, STR("| "));
        if (t->columns[i].kind == SHEET_MIXED)
            write_code(p, t->columns[i].heading);
        else
            out_write(p->out, heading(p, i));
        out_write(p->out, STR(" "));
    }
    out_write(p->out, STR("| "));
    out_write(p->out, t->columns[0].heading);
    out_write(p->out, STR(" |\n"));
    for (size_t i = 1; i < t->column_count; i++)
        out_write(p->out, is_shown(p, i) ? STR("| ---: ") : STR(""));
    out_write(p->out, STR("| :--- |\n"));
    for (size_t row = 0, kept = 0; row < t->row_count && kept < p->kept; row++)
        if (sheet_keeps(t, &p->request, row, kept)) {
            write_markdown_row(p, row);
            kept++;
        }
}

/* Lines of files keep their blanks in a block of code alone. */
static void write_markdown_listing(struct printer *p)
{
    p->has_color = false;
    p->window = (struct out_window){0};
    out_write(p->out, STR("```\n"));
    write_text(p);
    out_write(p->out, STR("```\n"));
}

void sheet_write_markdown(const struct sheet *t, const struct sheet_request *request,
                          struct out *out)
{
    struct printer p = printer_of(t, request, out);
    out_write(out, t->title);
    out_write(out, STR("\n\n"));
    (t->is_listing ? write_markdown_listing : write_markdown_table)(&p);
    if (p.cut_rows > 0)
        out_write(out, STR("\n"));
    write_rest(&p);
    free_printer(&p);
}
