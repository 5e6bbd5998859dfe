/* Tables for programs: tab- or comma-separated values, JSON and NDJSON. */
#include "base/mem.h"
#include "base/order.h"
#include "rows/emit.h"
#include "rows/text.h"
#include "table/sheet.h"

#include <math.h>
#include <stdio.h>

struct data {
    const struct sheet *t;
    const struct sheet_request *request;
    struct out *out;
    size_t *order; /* the columns to write */
    size_t count;
    uint64_t left_out; /* rows, if the table has facts */
    bool is_nested;    /* rows hold those below them */
    size_t open_lists; /* of such rows */
    struct buf line, text, name;
};

/* --- cells --- */

/* Appends BYTES to TO as a field of CSV (RFC 4180): quoted if necessary. */
static void add_csv(struct buf *to, struct str bytes)
{
    bool quotes = false;
    for (size_t i = 0; i < bytes.n; i++)
        quotes |=
            bytes.p[i] == ',' || bytes.p[i] == '"' || bytes.p[i] == '\n' || bytes.p[i] == '\r';
    buf_add(to, quotes ? STR("\"") : STR(""));
    for (size_t i = 0; i < bytes.n; i++)
        buf_add(to, bytes.p[i] == '"' ? STR("\"\"") : (struct str){bytes.p + i, 1});
    buf_add(to, quotes ? STR("\"") : STR(""));
}

static bool is_json(const struct data *d)
{
    return sheet_is_json(d->request->format);
}

/* Appends BYTES to the line. U+FFFD replaces each byte that is not UTF-8, in any format. */
static void add_text(struct data *d, struct str bytes)
{
    d->text.n = 0;
    if (is_json(d)) {
        text_escape(&d->text, bytes);
        emit_string(&d->line, buf_str(&d->text));
    } else if (d->request->format == SHEET_FORMAT_TSV) {
        text_escape_tabs(&d->line, text_valid(&d->text, bytes));
    } else {
        add_csv(&d->line, text_valid(&d->text, bytes));
    }
}

static void add_cell(struct data *d, enum sheet_kind kind, const struct sheet_cell *cell)
{
    struct buf *to = &d->line;
    char text[32];
    if (cell->is_none || (kind == SHEET_SHARE && isnan(cell->share))) {
        buf_add(to, is_json(d) ? STR("null") : STR(""));
        return;
    }
    switch (kind) {
    case SHEET_MIXED:
    case SHEET_TEXT:
        if (cell->is_json && is_json(d))
            buf_add(to, cell->text);
        else
            add_text(d, cell->text);
        break;
    case SHEET_GIVEN: buf_add(to, cell->text); break;
    case SHEET_VALUE: sheet_add_plain(to, cell->number, d->t->power); break;
    case SHEET_COUNT: sheet_add_number(to, cell->number); break;
    case SHEET_FLAG: buf_add(to, wide_sign(cell->number) != 0 ? STR("true") : STR("false")); break;
    case SHEET_SHARE:
        buf_add(to, (struct str){text,
                                 (size_t)snprintf(text, sizeof text, "%.10g", 100 * cell->share)});
    }
}

/* --- facts --- */

/* Fact I of the table, with the rows that were left out among them. False after the last. */
static bool fact_at(struct data *d, size_t i, struct sheet_fact *fact)
{
    const struct sheet *t = d->t;
    size_t before = 0;
    while (before < t->fact_count && t->facts[before].id < COLUMN_ROWS_LEFT_OUT)
        before++;
    if (t->fact_count == 0 || i > t->fact_count)
        return false;
    if (i != before) {
        *fact = t->facts[i < before ? i : i - 1];
        return true;
    }
    d->name.n = 0;
    sheet_add_count(&d->name, d->left_out);
    *fact = (struct sheet_fact){COLUMN_ROWS_LEFT_OUT, buf_str(&d->name), true};
    return true;
}

static void add_fact(struct data *d, const struct sheet_fact *fact)
{
    const struct sheet_cell cell = {
        .text = fact->text, .is_none = fact->text.p == NULL, .is_json = fact->is_json};
    add_cell(d, SHEET_TEXT, &cell);
}

static void count_left_out(struct data *d)
{
    uint64_t kept = 0;
    for (size_t row = 0; d->t->fact_count > 0 && row < d->t->row_count; row++)
        kept += sheet_keeps(d->t, d->request, row, kept);
    d->left_out = d->t->missing_rows + (d->t->is_cut ? 0 : d->t->row_count - kept);
}

/* --- lines --- */

static void add_name(struct data *d, const struct sheet_column *column)
{
    d->name.n = 0;
    sheet_add_name(&d->name, column);
    add_text(d, buf_str(&d->name));
}

static void add_separator(struct data *d, bool is_first)
{
    if (!is_first)
        buf_add(&d->line, d->request->format == SHEET_FORMAT_TSV ? STR("\t") : STR(","));
}

static void add_headings(struct data *d)
{
    struct sheet_fact fact;
    for (size_t i = 0; i < d->count; i++) {
        add_separator(d, i == 0);
        add_name(d, &d->t->columns[d->order[i]]);
    }
    for (size_t i = 0; fact_at(d, i, &fact); i++) {
        add_separator(d, false);
        add_text(d, columns_known[fact.id].name);
    }
    buf_add(&d->line, STR("\n"));
}

/* Makes the line of ROW. */
static void make_line(struct data *d, size_t row)
{
    const struct sheet *t = d->t;
    const bool is_object = is_json(d);
    struct sheet_fact fact;
    d->line.n = 0;
    buf_add(&d->line, is_object ? STR("{") : STR(""));
    const size_t level = d->is_nested ? t->level(t->from, row) : 0;
    bool is_first = true;
    for (size_t i = 0; i < d->count; i++) {
        const struct sheet_column *column = &t->columns[d->order[i]];
        if (level != 0 && column->levels != 0 && (column->levels & 1u << (level - 1)) == 0)
            continue;
        struct sheet_cell cell = t->cell(t->from, row, d->order[i]);
        add_separator(d, is_first);
        is_first = false;
        if (is_object) {
            add_name(d, column);
            buf_add(&d->line, STR(":"));
        }
        add_cell(d, column->kind, &cell);
    }
    for (size_t i = 0; d->request->format != SHEET_FORMAT_JSON && fact_at(d, i, &fact); i++) {
        add_separator(d, false);
        if (is_object) {
            add_text(d, columns_known[fact.id].name);
            buf_add(&d->line, STR(":"));
        }
        add_fact(d, &fact);
    }
    if (level < t->level_count && d->is_nested) {
        buf_add(&d->line, STR(",\"rows_left_out\":"));
        sheet_add_count(&d->line, t->missing(t->from, row));
        buf_add(&d->line, STR(",\"rows\":["));
        d->open_lists = level;
        return;
    }
    buf_add(&d->line, is_object ? STR("}") : STR(""));
}

/* --- JSON --- */

/* The unit of COLUMN, bytes. For a family with a unit it ends the words of the profile. */
static struct str unit_of(struct data *d, const struct sheet_column *column)
{
    if (column->id == COLUMN_FOREIGN)
        return STR("");
    struct str unit = columns_known[column->id].unit;
    if (columns_known[column->id].kind != COLUMNS_FAMILY && column->words.n > 0)
        return column->words;
    if (str_equal(unit, COLUMNS_OF_VALUES)) {
        d->name.n = 0;
        text_unescape(&d->name, d->t->unit);
        return buf_str(&d->name);
    }
    if (columns_known[column->id].kind != COLUMNS_FAMILY || unit.n == 0)
        return unit;
    size_t start = column->words.n; /* a type may have a slash */
    while (start > 0 && column->words.p[start - 1] != '/')
        start--;
    return (struct str){column->words.p + start, column->words.n - start};
}

static void add_column(struct data *d, const struct sheet_column *column)
{
    buf_add(&d->line, STR("{\"name\":"));
    add_name(d, column);
    buf_add(&d->line, STR(",\"type\":"));
    add_text(d, columns_type_name(column->id == COLUMN_FOREIGN ? COLUMN_TYPE_ANY
                                                               : columns_known[column->id].type));
    struct str unit = unit_of(d, column);
    if (unit.n > 0) {
        buf_add(&d->line, STR(",\"unit\":"));
        add_text(d, unit);
    }
    buf_add(&d->line, STR("}"));
}

/* Makes what stands before the rows: what is said once. */
static void make_head(struct data *d)
{
    struct sheet_fact fact;
    buf_add(&d->line, STR("{\"version\":"));
    sheet_add_count(&d->line, COLUMNS_VERSION);
    buf_add(&d->line, STR(",\n\"columns\":["));
    for (size_t i = 0; i < d->count; i++) {
        add_separator(d, i == 0);
        add_column(d, &d->t->columns[d->order[i]]);
    }
    buf_add(&d->line, STR("],\n"));
    for (size_t i = 0; fact_at(d, i, &fact); i++) {
        add_separator(d, i == 0);
        add_text(d, columns_known[fact.id].name);
        buf_add(&d->line, STR(":"));
        add_fact(d, &fact);
    }
    buf_add(&d->line, d->t->fact_count > 0 ? STR(",\n\"rows\":[") : STR("\"rows\":["));
}

/* --- the whole --- */

static bool has_row(const struct sheet *t, size_t row)
{
    return t->has_row != NULL ? t->has_row(t->from, row) : row < t->row_count;
}

static int compare_columns(const void *a, const void *b, void *sheet)
{
    const struct sheet *t = sheet;
    const enum column_id x = t->columns[*(const size_t *)a].id,
                         y = t->columns[*(const size_t *)b].id;
    return (x > y) - (x < y);
}

static void order_columns(struct data *d)
{
    const struct sheet *t = d->t;
    d->order = mem_alloc((t->column_count + 1) * sizeof *d->order);
    for (size_t i = 0; i < t->column_count; i++)
        if (t->columns[i].id != COLUMN_NONE)
            d->order[d->count++] = i;
    order_items_with(d->order, d->count, sizeof *d->order, compare_columns, (void *)(uintptr_t)t);
}

/* Ends the lists that a row of LEVEL is not in. */
static void end_lists(struct data *d, size_t level)
{
    for (; d->open_lists > 0 && d->open_lists >= level; d->open_lists--)
        out_write(d->out, STR("]}"));
}

/* Writes ROW; it is the first of its list if IS_FIRST. */
static void write_row(struct data *d, size_t row, bool is_first)
{
    const bool is_list = d->request->format == SHEET_FORMAT_JSON;
    if (d->is_nested)
        end_lists(d, d->t->level(d->t->from, row));
    out_write(d->out, !is_list ? STR("") : is_first ? STR("\n") : STR(",\n"));
    make_line(d, row);
    out_write(d->out, buf_str(&d->line));
    out_write(d->out, is_list ? STR("") : STR("\n"));
}

static void write_rows(struct data *d, bool is_there)
{
    const struct sheet *t = d->t;
    size_t kept = 0, level = 0; /* that of the row before */
    for (size_t row = 0; is_there && kept < d->request->max;) {
        const size_t before = level;
        level = t->level == NULL ? 0 : t->level(t->from, row);
        if (d->is_nested)
            write_row(d, row, level > before);
        else if (level == t->level_count && sheet_keeps(t, d->request, row, kept))
            write_row(d, row, kept++ == 0);
        is_there = kept < d->request->max && has_row(t, ++row);
    }
    end_lists(d, 1);
}

/* The first row is made before anything is written: if that fails there is no output. */
void sheet_write_data(const struct sheet *t, const struct sheet_request *request, struct out *out)
{
    struct data d = {.t = t, .request = request, .out = out};
    const bool is_there = has_row(t, 0);
    d.is_nested = t->level != NULL && request->format == SHEET_FORMAT_JSON;
    order_columns(&d);
    count_left_out(&d);
    if (request->format == SHEET_FORMAT_JSON)
        make_head(&d);
    else if (request->format != SHEET_FORMAT_NDJSON)
        add_headings(&d);
    out_write(out, buf_str(&d.line));
    write_rows(&d, is_there);
    out_write(out, request->format == SHEET_FORMAT_JSON ? STR("\n]}\n") : STR(""));
    mem_free(d.order);
    buf_free(&d.line);
    buf_free(&d.text);
    buf_free(&d.name);
}
