/* Writes tables of a summary: with what programs are told besides their rows, and with the columns of
 * entries that are lines. */
#include "rows/text.h"
#include "summary/heading.h"
#include "summary/view.h"

/* --- facts --- */

/* Copies TEXT, canonical, as bytes; valid until F is freed. TO has room for it. */
static struct str add_bytes(struct buf *to, struct str text)
{
    const size_t from = to->n;
    text_unescape(to, text);
    return (struct str){to->p + from, to->n - from};
}

struct view_facts view_facts_of(const struct summary *s, struct wide all)
{
    const struct choice *choice = &s->collect.choice;
    struct view_facts f = {.items = {{COLUMN_TYPE, {NULL, 0}, false},
                                     {COLUMN_UNIT, {NULL, 0}, false},
                                     {COLUMN_ALL, {NULL, 0}, true},
                                     {COLUMN_NO_STACK, {NULL, 0}, true}}};
    enum { NUMBERS = 128 }; /* room for both */
    struct str type = {NULL, 0};
    if (choice->chosen != 0)
        type = value_types_get(choice->names, choice->chosen)->type;
    buf_reserve(&f.text, type.n + choice->unit.n + NUMBERS);
    if (choice->chosen != 0) {
        f.items[0].text = add_bytes(&f.text, type);
        f.items[1].text = add_bytes(&f.text, choice->unit);
    }
    size_t from = f.text.n;
    sheet_add_plain(&f.text, all, s->collect.power);
    f.items[2].text = (struct str){f.text.p + from, f.text.n - from};
    from = f.text.n;
    sheet_add_count(&f.text, s->collect.no_stack_count);
    f.items[3].text = (struct str){f.text.p + from, f.text.n - from};
    return f;
}

void view_add_facts(struct sheet *sheet, const struct view_facts *f)
{
    sheet->facts = f->items;
    sheet->fact_count = sizeof f->items / sizeof *f->items;
}

void view_free_facts(struct view_facts *f)
{
    buf_free(&f->text);
}

/* --- tables --- */

/* A table of entries, as its rows are written. */
struct entries {
    const struct sheet *rows;
    const struct collect *collect;
    uint32_t (*entry)(const void *from, size_t row);
    bool is_human;
    size_t column_count; /* of ROWS; those of lines follow */
    struct buf *text;    /* of the last cell */
    struct view_path *path;
};

enum { LINE_FUNCTION, LINE_FILE, LINE_LINE, LINE_COLUMNS };

static const struct sheet_column line_columns[LINE_COLUMNS] = {
    [LINE_FUNCTION] = VIEW_COLUMN(FUNCTION, "function", TEXT),
    [LINE_FILE] = VIEW_COLUMN(FILE, "file", TEXT),
    [LINE_LINE] = VIEW_COLUMN(LINE, "line", TEXT),
};

/* The cell of COLUMN, one of line_columns, of ENTRY; none for an entry without a line. */
static struct sheet_cell line_cell(const struct entries *e, uint32_t entry, size_t column)
{
    const struct collect_key key = collect_key_of(e->collect, entry);
    struct sheet_cell cell = {.is_json = column == LINE_LINE};
    e->text->n = 0;
    const uint32_t function = collect_function(e->collect, entry);
    if (column == LINE_FUNCTION && e->is_human)
        collect_add_function(e->collect, entry, e->text);
    else if (column == LINE_FUNCTION && function != 0)
        buf_add(e->text, profile_string_of(&e->collect->profile, function));
    else if (column == LINE_FILE && key.line > 0)
        buf_add(e->text, profile_string_of(&e->collect->profile, key.string));
    else if (column == LINE_LINE && key.line > 0)
        sheet_add_count(e->text, (uint64_t)key.line);
    if (column == LINE_FUNCTION && key.line == 0) /* a stand-in, such as <no location> */
        collect_add_name(e->collect, entry, e->text);
    cell.text = buf_str(e->text);
    cell.is_none = cell.text.n == 0;
    return cell;
}

static struct sheet_cell entry_cell(const void *from, size_t row, size_t column)
{
    const struct entries *e = from;
    if (e->collect->by == COLLECT_BY_STACK && column == VIEW_NAME && !e->is_human)
        return view_path_entry(e->path, e->entry(e->rows->from, row));
    if (column >= e->column_count)
        return line_cell(e, e->entry(e->rows->from, row), column - e->column_count);
    struct sheet_cell cell = e->rows->cell(e->rows->from, row, column);
    if (column != VIEW_NAME || !e->is_human || e->collect->by != COLLECT_BY_LINE)
        return cell;
    struct sheet_cell function = line_cell(e, e->entry(e->rows->from, row), LINE_FUNCTION);
    const struct collect_key key = collect_key_of(e->collect, e->entry(e->rows->from, row));
    if (function.is_none || key.line == 0)
        return cell;
    struct buf whole = {0};
    buf_add(&whole, cell.text);
    buf_add(&whole, STR(" in "));
    buf_add(&whole, function.text);
    e->text->n = 0;
    buf_add(e->text, buf_str(&whole));
    buf_free(&whole);
    cell.text = buf_str(e->text);
    return cell;
}

void view_write_entries(const struct summary *s, struct sheet *rows, struct wide all,
                        uint32_t (*entry)(const void *from, size_t row))
{
    enum { MAX = 16 };
    struct sheet_column columns[MAX + LINE_COLUMNS];
    struct sheet sheet = *rows;
    struct buf text = {0};
    struct view_path path = view_path_of(&s->collect, s->plan->request.format);
    struct entries e = {.rows = rows,
                        .collect = &s->collect,
                        .entry = entry,
                        .is_human = sheet_is_human(&s->plan->request),
                        .column_count = rows->column_count,
                        .text = &text,
                        .path = &path};
    memcpy(columns, rows->columns, rows->column_count * sizeof *columns);
    columns[VIEW_NAME].id = collect_column(s->collect.by);
    sheet.columns = columns;
    if (s->collect.by == COLLECT_BY_LINE) {
        memcpy(columns + rows->column_count, line_columns, sizeof line_columns);
        sheet.column_count += LINE_COLUMNS;
    }
    if (s->collect.by == COLLECT_BY_STACK)
        columns[VIEW_NAME].heading = VIEW_STACK_HEADING;
    if (s->collect.by == COLLECT_BY_LINE || s->collect.by == COLLECT_BY_STACK) {
        sheet.cell = entry_cell;
        sheet.from = &e;
    }
    view_write(s, &sheet, all);
    buf_free(&text);
    view_path_free(&path);
}

void view_write(const struct summary *s, struct sheet *sheet, struct wide all)
{
    struct view_facts facts = view_facts_of(s, all);
    struct buf title = {0};
    sheet->unit = s->collect.choice.chosen == 0 ? STR("count") : s->collect.choice.unit;
    sheet->power = s->collect.power;
    heading_add(&title, &s->collect, all);
    sheet->title = buf_str(&title);
    view_add_facts(sheet, &facts);
    sheet_write(sheet, &s->plan->request, s->out);
    view_free_facts(&facts);
    buf_free(&title);
}
