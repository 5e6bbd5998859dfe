/* A table as an HTML page. With scripts its rows can be sorted; without them it is a plain
 * table. */
#include "page/page.h"
#include "page/svg.h"
#include "page/visible.h"
#include "table/sheet_printer.h"

#include <math.h>
#include <stdio.h>

/* The size of a bar in pixels. For changes zero is in the middle. */
enum { BAR_WIDTH = 100, BAR_HEIGHT = 10 };

/* The width of a name, in columns: longer ones are shortened. */
enum { NAME_COLUMNS = 48 };

/* The largest number of columns besides names that a narrow screen shows below these. */
enum { MAX_COLUMNS = 8 };

/* --- headings --- */

/* The first line of the title is the title of the page. */
static struct str first_line(struct str title)
{
    struct str line = STR("");
    str_next_line(&title, &line);
    return line;
}

static void write_title(struct sheet_printer *p)
{
    bool is_first = true;
    for (struct str rest = p->t->title, line; str_next_line(&rest, &line); is_first = false) {
        out_write(p->out, is_first ? STR("<h1>") : STR("<p>"));
        visible_write(p->out, line);
        out_write(p->out, is_first ? STR("</h1>\n") : STR("</p>\n"));
    }
}

static void write_headings(struct sheet_printer *p)
{
    const struct sheet *t = p->t;
    out_write(p->out, STR("<thead>\n<tr>"));
    for (size_t i = 1; i < t->column_count; i++) {
        if (!sheet_printer_shows(p, i))
            continue;
        out_write(p->out, sheet_printer_is_numeric(p, i)
                              ? STR("<th scope=\"col\">")
                              : STR("<th scope=\"col\" class=\"text\">"));
        visible_write(p->out, sheet_printer_heading(p, i));
        out_write(p->out, STR("</th>"));
    }
    if (t->drawn != SHEET_NO_COLUMN)
        out_write(p->out, STR("<td class=\"bar\"></td>"));
    out_write(p->out, sheet_printer_is_numeric(p, 0) ? STR("<th scope=\"col\">")
                                                     : STR("<th scope=\"col\" class=\"name\">"));
    visible_write(p->out, t->columns[0].heading);
    out_write(p->out, STR("</th></tr>\n</thead>\n"));
}

/* --- rows --- */

/* Writes an attribute to sort CELL by, if that is not its text: a number with all digits. */
static void write_exact(struct sheet_printer *p, enum sheet_kind kind,
                        const struct sheet_cell *cell)
{
    char share[32];
    p->clean.n = 0;
    if (kind == SHEET_VALUE)
        sheet_add_plain(&p->clean, cell->number, p->t->power);
    else if (kind == SHEET_SHARE && !isnan(cell->share))
        buf_add(&p->clean, (struct str){share, (size_t)snprintf(share, sizeof share, "%.10g",
                                                                100 * cell->share)});
    if (p->clean.n > 0 && !cell->is_none)
        svg_string(p->out, "data-value", buf_str(&p->clean));
}

static void write_cell(struct sheet_printer *p, size_t row, size_t i)
{
    enum sheet_kind kind = p->t->columns[i].kind;
    struct sheet_cell cell = p->t->cell(p->t->from, row, i);
    bool is_text = !sheet_printer_is_numeric(p, i);
    svg_open(p->out, "td");
    if (is_text)
        svg_string(p->out, "class", STR("text"));
    if (kind == SHEET_VALUE || kind == SHEET_SHARE)
        write_exact(p, kind, &cell);
    svg_inside(p->out);
    if (kind == SHEET_MIXED && !cell.is_none)
        visible_write(p->out, cell.text);
    else
        visible_write(p->out, sheet_printer_cell(p, kind, &cell));
    out_write(p->out, STR("</td>"));
}

/* Hidden from screen readers: a bar repeats a column. */
static void write_bar(struct sheet_printer *p, double share)
{
    double whole = p->t->draws_changes ? BAR_WIDTH / 2.0 : BAR_WIDTH;
    double size = isnan(share) || p->longest <= 0 ? 0 : fabs(share) / p->longest * whole;
    double from = !p->t->draws_changes ? 0 : share < 0 ? whole - size : whole;
    out_write(p->out, STR("<td class=\"bar\">"));
    svg_open(p->out, "svg");
    svg_number(p->out, "width", BAR_WIDTH);
    svg_number(p->out, "height", BAR_HEIGHT);
    svg_string(p->out, "aria-hidden", STR("true"));
    svg_inside(p->out);
    svg_open_rect(p->out, from, 0, size, BAR_HEIGHT);
    svg_string(p->out, "class",
               !p->t->draws_changes ? STR("share")
               : share < 0          ? STR("less")
                                    : STR("more"));
    out_write(p->out, STR("/></svg></td>"));
}

/* Writes NAME. If SHOWN is another, that is seen, but the whole is found and copied (look.css). */
static void write_short(struct sheet_printer *p, struct str name, struct str shown)
{
    p->clean.n = 0;
    visible_add(&p->clean, name);
    const bool is_whole = shown.n == 0 || str_equal(shown, buf_str(&p->clean));
    if (!is_whole) {
        svg_open(p->out, "span");
        svg_string(p->out, "class", STR("short"));
        svg_string(p->out, "data-short", shown);
        svg_string(p->out, "title", name);
        svg_inside(p->out);
    }
    visible_write_text(p->out, buf_str(&p->clean));
    out_write(p->out, is_whole ? STR("") : STR("</span>"));
}

/* Writes NAME, which SHOWN stands for, and if ROW can be opened what is inside. Blanks in the cell
 * would be seen. */
static void write_name(struct sheet_printer *p, size_t row, struct str name, struct str shown)
{
    const struct sheet *t = p->t;
    struct sheet_item item;
    if (t->inside == NULL || !t->inside(t->from, row, 0, &item)) {
        write_short(p, name, shown);
        return;
    }
    out_write(p->out, STR("<details><summary>"));
    write_short(p, name, shown);
    out_write(p->out, STR("</summary><table>"));
    for (size_t i = 0; t->inside(t->from, row, i, &item); i++) {
        const struct sheet_cell cell = {.number = item.value, .share = item.share};
        out_write(p->out, STR("<tr><td>"));
        visible_write(p->out, sheet_printer_cell(p, SHEET_VALUE, &cell));
        out_write(p->out, STR("</td><td>"));
        visible_write(p->out, sheet_printer_cell(p, SHEET_SHARE, &cell));
        out_write(p->out, STR("</td><td class=\"name\">"));
        visible_write(p->out, item.name);
        out_write(p->out, STR("</td></tr>"));
    }
    out_write(p->out, STR("</table></details>"));
}

/* Writes ROW, the kept one number KEPT. The first row of a part of a listing is a heading. */
static void write_row(struct sheet_printer *p, size_t row, size_t kept)
{
    const struct sheet *t = p->t;
    bool is_heading = t->cell(t->from, row, 0).is_heading;
    out_write(p->out, is_heading ? STR("<tr class=\"part\">") : STR("<tr>"));
    for (size_t i = 1; i < t->column_count; i++)
        if (sheet_printer_shows(p, i))
            write_cell(p, row, i);
    if (t->drawn != SHEET_NO_COLUMN)
        write_bar(p, t->cell(t->from, row, t->drawn).share);
    struct str name = t->cell(t->from, row, 0).text;
    if (t->is_code) /* turns tabs into blanks */
        name = sheet_printer_clean(p, name);
    out_write(p->out, is_heading                       ? STR("<th scope=\"row\" class=\"name\">")
                      : sheet_printer_is_numeric(p, 0) ? STR("<td>")
                                                       : STR("<td class=\"name\">"));
    write_name(p, row, name, kept < p->names.count ? shorten_at(&p->names, kept) : STR(""));
    out_write(p->out, is_heading ? STR("</th></tr>\n") : STR("</td></tr>\n"));
}

/* The class tells a narrow screen the number of columns besides names (look.css). */
static void write_table_start(struct sheet_printer *p)
{
    const struct sheet *t = p->t;
    const bool is_sortable = !t->is_listing && t->level == NULL;
    struct buf class = {0};
    char number[32];
    size_t count = 0;
    for (size_t i = 1; i < t->column_count; i++)
        count += sheet_printer_shows(p, i);
    buf_add(&class, is_sortable ? STR("sortable") : STR(""));
    if (!t->is_listing && !sheet_printer_is_numeric(p, 0) && count > 0 && count <= MAX_COLUMNS)
        buf_add(&class, (struct str){number, (size_t)snprintf(number, sizeof number, " columns-%zu",
                                                              count)});
    svg_open(p->out, "table");
    if (class.n > 0)
        svg_string(p->out, "class", buf_str(&class));
    svg_inside(p->out);
    out_write(p->out, STR("\n"));
    buf_free(&class);
}

static void write_table(struct sheet_printer *p)
{
    const struct sheet *t = p->t;
    out_write(p->out, STR("<div class=\"scroll\" tabindex=\"0\">\n"));
    write_table_start(p);
    write_headings(p);
    if (!t->is_listing && !sheet_printer_is_numeric(p, 0))
        sheet_printer_shorten(p, NAME_COLUMNS, visible_add);
    out_write(p->out, STR("<tbody>\n"));
    for (size_t row = 0, kept = 0; row < t->row_count && kept < p->kept; row++)
        if (sheet_keeps(t, &p->request, row, kept)) {
            write_row(p, row, kept);
            kept++;
        }
    out_write(p->out, STR("</tbody>\n</table>\n</div>\n"));
}

static void write_faint(struct out *out, struct str text)
{
    if (text.n == 0)
        return;
    out_write(out, STR("<p class=\"faint\">"));
    visible_write(out, text);
    out_write(out, STR("</p>\n"));
}

void sheet_write_html(const struct sheet *t, const struct sheet_request *request, struct out *out)
{
    struct page page = {
        .title = first_line(t->title),
        .styles = {&page_look_css},
        .scripts = {&page_table_js},
    };
    struct sheet_printer p = sheet_printer_of(t, request, out);
    page_begin(&page, out);
    write_title(&p);
    write_table(&p);
    p.text.n = 0;
    sheet_printer_rest(&p, &p.text);
    write_faint(out, buf_str(&p.text));
    write_faint(out, t->note);
    page_end(&page, out);
    sheet_printer_free(&p);
}
