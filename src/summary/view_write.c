/* Writes tables of a summary: with what programs are told besides their rows, and with the
 * columns that name their entries. */
#include "base/mem.h"
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

void view_found_none(const struct summary *s, const char *option, const char *expression)
{
    static const char format[] = "--%s: no function matches \"%s\"";
    if (!s->options->follow && s->collect.all.records > 0)
        die(CODE_NO_SUCH_FUNCTION, format, option, expression);
    warn(CODE_NO_MATCH, format, option, expression);
}

/* --- tables --- */

/* A table of entries, as its rows are written. */
struct entries {
    const struct sheet *rows;
    const struct collect *collect;
    uint32_t (*entry)(const void *from, size_t row);
    bool is_human;
    size_t column_count; /* of ROWS; if there are several that name an entry, they follow */
    const enum column_id *columns; /* that name an entry for programs */
    struct buf *text;              /* of the last cell */
    struct view_path *path;
};

/* The cell of COLUMN, one of those that name ENTRY for programs. */
static struct sheet_cell part_cell(const struct entries *e, uint32_t entry, enum column_id column)
{
    struct sheet_cell cell = {.is_json = column == COLUMN_LINE};
    e->text->n = 0;
    collect_add_part(e->collect, e->collect->by, entry, column, e->text);
    cell.text = buf_str(e->text);
    cell.is_none = cell.text.n == 0;
    return cell;
}

/* The cell of ENTRY for people: that of a line has its function behind it. */
static struct sheet_cell named_cell(const struct entries *e, uint32_t entry, struct sheet_cell cell)
{
    struct buf name = {0};
    collect_add_function(e->collect, entry, &name);
    if (name.n > 0 && collect_key_of(e->collect, entry).line != 0) {
        e->text->n = 0;
        buf_add(e->text, cell.text);
        buf_add(e->text, STR(" in "));
        buf_add(e->text, buf_str(&name));
        cell.text = buf_str(e->text);
    }
    buf_free(&name);
    return cell;
}

static struct sheet_cell entry_cell(const void *from, size_t row, size_t column)
{
    const struct entries *e = from;
    if (column >= e->column_count || column == VIEW_NAME) {
        const uint32_t entry = e->entry(e->rows->from, row);
        if (column >= e->column_count)
            return part_cell(e, entry, e->columns[column - e->column_count]);
        if (e->collect->by == COLLECT_BY_STACK && !e->is_human)
            return view_path_entry(e->path, entry);
        if (e->collect->by == COLLECT_BY_LINE && e->is_human)
            return named_cell(e, entry, e->rows->cell(e->rows->from, row, column));
    }
    return e->rows->cell(e->rows->from, row, column);
}

void view_write_entries(const struct summary *s, struct sheet *rows, struct wide all,
                        uint32_t (*entry)(const void *from, size_t row))
{
    enum { MAX = 16 };
    struct sheet_column columns[MAX + COLLECT_PARTS];
    struct sheet sheet = *rows;
    struct buf text = {0};
    struct view_path path = view_path_of(&s->collect, s->plan->request.format);
    struct entries e = {.rows = rows,
                        .collect = &s->collect,
                        .entry = entry,
                        .is_human = sheet_is_human(&s->plan->request),
                        .column_count = rows->column_count,
                        .columns = collect_columns(s->collect.by),
                        .text = &text,
                        .path = &path};
    memcpy(columns, rows->columns, rows->column_count * sizeof *columns);
    columns[VIEW_NAME].id = e.columns[0];
    if (e.columns[1] != COLUMN_NONE) {
        columns[VIEW_NAME].id = COLUMN_NONE;
        for (const enum column_id *part = e.columns; *part != COLUMN_NONE; part++)
            columns[sheet.column_count++] = (struct sheet_column){.id = *part, .kind = SHEET_TEXT};
    }
    if (s->collect.by == COLLECT_BY_STACK)
        columns[VIEW_NAME].heading = VIEW_STACK_HEADING;
    sheet.columns = columns;
    sheet.cell = entry_cell;
    sheet.from = &e;
    view_write(s, &sheet, all);
    buf_free(&text);
    view_path_free(&path);
}

/* A table with self and total also in percent of what all was BEFORE a filter. */
struct filtered {
    const struct sheet *rows;
    struct wide before;
    size_t of[2]; /* the columns that are shown so */
};

static struct sheet_cell filtered_cell(const void *from, size_t row, size_t column)
{
    const struct filtered *f = from;
    const size_t own = f->rows->column_count;
    if (column < own)
        return f->rows->cell(f->rows->from, row, column);
    struct sheet_cell cell = f->rows->cell(f->rows->from, row, f->of[column - own]);
    cell.share = wide_share(cell.number, f->before);
    return cell;
}

static size_t filtered_level(const void *from, size_t row)
{
    const struct filtered *f = from;
    return f->rows->level(f->rows->from, row);
}

static uint64_t filtered_missing(const void *from, size_t row)
{
    const struct filtered *f = from;
    return f->rows->missing(f->rows->from, row);
}

static bool filtered_inside(const void *from, size_t row, size_t i, struct sheet_item *item)
{
    const struct filtered *f = from;
    return f->rows->inside(f->rows->from, row, i, item);
}

/* Writes SHEET with those columns, if it has self and total and F->before is known. */
static void write_filtered(const struct summary *s, struct sheet sheet, struct filtered *f,
                           const struct sheet_request *request)
{
    static const struct sheet_column self = VIEW_COLUMN(SELF_PCT_ALL, "of all", SHARE),
                                     total = VIEW_COLUMN(TOTAL_PCT_ALL, "of all", SHARE);
    enum { MORE = 2 };
    const bool by_total = sheet.drawn != VIEW_SELF_SHARE && sheet.drawn != SHEET_NO_COLUMN;
    struct sheet_column *columns = mem_alloc((sheet.column_count + MORE) * sizeof *columns);
    memcpy(columns, sheet.columns, sheet.column_count * sizeof *columns);
    for (size_t i = 0; i < MORE; i++) {
        const bool is_self = (i == 0) != by_total;
        if (i > 0 && sheet_is_human(request) && !request->is_about)
            break; /* they see what bars are of, as a line has room for little */
        f->of[i] = is_self ? VIEW_SELF : VIEW_TOTAL;
        columns[sheet.column_count++] = is_self ? self : total;
    }
    sheet.columns = columns;
    sheet.cell = filtered_cell;
    sheet.from = f;
    sheet.level = sheet.level == NULL ? NULL : filtered_level;
    sheet.missing = sheet.missing == NULL ? NULL : filtered_missing;
    sheet.inside = sheet.inside == NULL ? NULL : filtered_inside;
    sheet_write(&sheet, request, s->out);
    mem_free(columns);
}

void view_write(const struct summary *s, struct sheet *sheet, struct wide all)
{
    struct view_facts facts = view_facts_of(s, all);
    struct filtered filtered = {.rows = sheet};
    struct buf title = {0};
    sheet->unit = s->collect.choice.chosen == 0 ? STR("count") : s->collect.choice.unit;
    sheet->power = s->collect.power;
    heading_add_origin(&title, &s->collect.profile);
    heading_add(&title, &s->collect, all);
    sheet->title = buf_str(&title);
    view_add_facts(sheet, &facts);
    struct sheet_request request = s->plan->request;
    if (sheet->is_cut && (request.max != SIZE_MAX || request.min_share > 0))
        request.max = sheet->row_count; /* all that there are: nothing has to fit a terminal */
    if (sheet->columns[VIEW_SELF].id == COLUMN_SELF &&
        (request.is_about || collect_before(&s->collect, all, &filtered.before)))
        write_filtered(s, *sheet, &filtered, &request);
    else
        sheet_write(sheet, &request, s->out);
    view_free_facts(&facts);
    buf_free(&title);
}
