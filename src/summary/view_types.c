/* All types of values side by side: for people two shares of each in a row, for programs a row for
 * each type and entry. */
#include "base/mem.h"
#include "base/order.h"
#include "rows/text.h"
#include "summary/heading.h"
#include "summary/view.h"

#include <math.h>

/* A type, and its table. */
struct typed {
    struct str type, unit; /* bytes */
    struct wide all;
    int power;
    struct view_line *lines; /* sorted; without names */
    size_t count;
    const struct view_line **by_entry; /* by entry - 1; NULL: it has none */
};

/* A row for programs. */
struct typed_row {
    size_t type, line;
};

struct types {
    struct summary *s;
    struct typed *items;
    size_t count, capacity;
    struct typed_row *rows; /* for programs */
    uint32_t *entries;      /* for people */
    double *scores;         /* of these, by entry - 1 */
    struct str *names;      /* the same */
    size_t row_count;
    struct arena arena;
    struct buf title, text;
};

/* --- the tables of all types --- */

/* The bytes of TEXT, canonical, kept until the end. */
static struct str keep(struct types *t, struct str text)
{
    t->text.n = 0;
    text_unescape(&t->text, text);
    return arena_copy(&t->arena, buf_str(&t->text));
}

/* Adds the table of the type that is chosen now. */
static void add_type(struct types *t)
{
    struct summary *s = t->s;
    const struct choice *choice = &s->collect.choice;
    view_forget_totals(s);
    const struct view_totals *totals = view_totals_of(s);
    t->items = mem_array(t->items, &t->capacity, t->count + 1, sizeof *t->items);
    struct typed *item = &t->items[t->count++];
    *item = (struct typed){.all = totals->all, .power = s->collect.power, .count = totals->count};
    item->type = keep(t, value_types_get(choice->names, choice->chosen)->type);
    item->unit = keep(t, choice->unit);
    item->lines = mem_alloc((totals->count + 1) * sizeof *item->lines);
    item->by_entry =
        mem_alloc_zeroed(((size_t)s->collect.entries.count + 1) * sizeof *item->by_entry);
    for (size_t i = 0; i < totals->count; i++) {
        item->lines[i] = totals->lines[i];
        item->by_entry[item->lines[i].entry - 1] = &item->lines[i];
    }
    buf_add(&t->title, t->count > 1 ? STR("\n") : STR(""));
    heading_add(&t->title, &s->collect, totals->all);
}

/* Marks in IS_DONE the types that are one with the chosen one. */
static void mark(const struct choice *c, bool *is_done)
{
    for (size_t i = 0; i < c->type_capacity; i++)
        is_done[i] |= c->types[i].times != 0;
}

/* Adds all types with values, the one that is shown by default first. */
static void add_types(struct types *t)
{
    struct collect *c = &t->s->collect;
    const struct choice *choice = &c->choice;
    bool *is_done = mem_alloc_zeroed(choice->type_capacity + 1);
    if (choice->chosen != 0)
        add_type(t);
    mark(choice, is_done);
    for (uint32_t number = 1; number <= choice->type_capacity; number++) {
        const struct choice_type *type = &choice->types[number - 1];
        if (is_done[number - 1] || !type->is_used || type->count == 0)
            continue;
        const struct value_type *name = value_types_get(choice->names, number);
        t->text.n = 0;
        text_unescape(&t->text, name->type);
        buf_add(&t->text, STR("/"));
        text_unescape(&t->text, name->unit);
        collect_again(c, arena_copy(&t->arena, buf_str(&t->text)));
        mark(choice, is_done);
        is_done[number - 1] = true;
        if (choice->chosen != 0)
            add_type(t);
    }
    mem_free(is_done);
}

/* --- for people --- */

/* The share of ENTRY in ITEM. */
static double share_of(const struct typed *item, uint32_t entry, bool is_self)
{
    const struct view_line *line = item->by_entry[entry - 1];
    if (wide_sign(item->all) == 0)
        return NAN;
    return line == NULL ? 0 : wide_share(is_self ? line->self : line->total, item->all);
}

/* By the largest share in a type that is shown, then by name. */
static int by_score(const void *a, const void *b, void *with)
{
    const struct types *t = with;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (t->scores[x - 1] != t->scores[y - 1])
        return t->scores[x - 1] < t->scores[y - 1] ? 1 : -1;
    return str_compare(t->names[x - 1], t->names[y - 1]);
}

/* Sorts the entries that have something in the first SHOWN types. */
static void sort_entries(struct types *t, size_t shown)
{
    const struct collect *c = &t->s->collect;
    const size_t count = c->entries.count;
    t->entries = mem_alloc((count + 1) * sizeof *t->entries);
    t->scores = mem_alloc_zeroed((count + 1) * sizeof *t->scores);
    t->names = mem_alloc_zeroed((count + 1) * sizeof *t->names);
    for (uint32_t entry = 1; entry <= count; entry++) {
        bool is_there = false;
        for (size_t i = 0; i < shown; i++) {
            const double share = fabs(share_of(&t->items[i], entry, !t->s->plan->by_total));
            is_there |= t->items[i].by_entry[entry - 1] != NULL;
            t->scores[entry - 1] = fmax(t->scores[entry - 1], share);
        }
        if (!is_there)
            continue;
        t->text.n = 0;
        collect_add_name(c, entry, &t->text);
        t->names[entry - 1] = arena_copy(&t->arena, buf_str(&t->text));
        t->entries[t->row_count++] = entry;
    }
    order_items_with(t->entries, t->row_count, sizeof *t->entries, by_score, t);
}

static struct sheet_cell human_cell(const void *from, size_t row, size_t column)
{
    const struct types *t = from;
    const uint32_t entry = t->entries[row];
    if (column == 0)
        return (struct sheet_cell){.text = t->names[entry - 1]};
    return (struct sheet_cell){.share =
                                   share_of(&t->items[(column - 1) / 2], entry, column % 2 == 1)};
}

/* Writes two columns for each of the first types. */
static void write_human(struct types *t)
{
    enum { MAX = 6 };
    struct sheet_column columns[1 + 2 * MAX] = {VIEW_COLUMN(FUNCTION, "name", TEXT)};
    const size_t shown = t->count < MAX ? t->count : MAX;
    sort_entries(t, shown);
    for (size_t i = 0; i < shown; i++)
        for (size_t k = 0; k < 2; k++) {
            t->text.n = 0;
            buf_add(&t->text, t->items[i].type);
            buf_add(&t->text, k == 0 ? STR(" self") : STR(" total"));
            columns[1 + 2 * i + k] = (struct sheet_column){
                k == 0 ? COLUMN_SELF_PCT : COLUMN_TOTAL_PCT,
                arena_copy(&t->arena, buf_str(&t->text)), SHEET_SHARE, STR(""), 0};
        }
    struct sheet sheet = {.columns = columns,
                          .column_count = 1 + 2 * shown,
                          .row_count = t->row_count,
                          .cell = human_cell,
                          .from = t,
                          .title = buf_str(&t->title),
                          .judged = t->count > 0 ? 2 : SHEET_NO_COLUMN,
                          .drawn = SHEET_NO_COLUMN,
                          .reported = SHEET_NO_COLUMN};
    if (t->count > shown)
        warn(CODE_NOT_SHOWN, "--type=all: types that are not shown: %zu", t->count - shown);
    sheet_write(&sheet, &t->s->plan->request, t->s->out);
}

/* --- for programs --- */

enum { SELF, SELF_PCT, TOTAL, TOTAL_PCT, TYPE, UNIT, ALL, COLUMNS };

static const struct sheet_column columns_of_type[COLUMNS] = {
    [SELF] = VIEW_COLUMN(SELF, "self", GIVEN),
    [SELF_PCT] = VIEW_COLUMN(SELF_PCT, "self", SHARE),
    [TOTAL] = VIEW_COLUMN(TOTAL, "total", GIVEN),
    [TOTAL_PCT] = VIEW_COLUMN(TOTAL_PCT, "total", SHARE),
    [TYPE] = VIEW_COLUMN(TYPE, "type", TEXT),
    [UNIT] = VIEW_COLUMN(UNIT, "unit", TEXT),
    [ALL] = VIEW_COLUMN(ALL, "all", GIVEN),
};

/* The cell of VALUE in units of 10 to POWER. */
static struct sheet_cell plain_cell(struct types *t, struct wide value, int power)
{
    t->text.n = 0;
    sheet_add_plain(&t->text, value, power);
    return (struct sheet_cell){.text = buf_str(&t->text)};
}

static struct sheet_cell program_cell(const void *from, size_t row, size_t column)
{
    struct types *t = (struct types *)(uintptr_t)from;
    const struct typed *item = &t->items[t->rows[row].type];
    const struct view_line *line = &item->lines[t->rows[row].line];
    const struct collect *c = &t->s->collect;
    switch (column) {
    case SELF: return plain_cell(t, line->self, item->power);
    case TOTAL: return plain_cell(t, line->total, item->power);
    case ALL: return plain_cell(t, item->all, item->power);
    case SELF_PCT: return (struct sheet_cell){.share = wide_share(line->self, item->all)};
    case TOTAL_PCT: return (struct sheet_cell){.share = wide_share(line->total, item->all)};
    case TYPE: return (struct sheet_cell){.text = item->type};
    case UNIT: return (struct sheet_cell){.text = item->unit};
    default: break;
    }
    const enum column_id id = collect_columns(c->by)[column - COLUMNS];
    t->text.n = 0;
    collect_add_part(c, c->by, line->entry, id, &t->text);
    return (struct sheet_cell){
        .text = buf_str(&t->text), .is_json = id == COLUMN_LINE, .is_none = t->text.n == 0};
}

static void write_programs(struct types *t)
{
    struct sheet_column columns[COLUMNS + COLLECT_PARTS];
    size_t count = COLUMNS, rows = 0;
    memcpy(columns, columns_of_type, sizeof columns_of_type);
    for (const enum column_id *id = collect_columns(t->s->collect.by); *id != COLUMN_NONE; id++)
        columns[count++] = (struct sheet_column){.id = *id, .kind = SHEET_TEXT};
    for (size_t i = 0; i < t->count; i++)
        rows += t->items[i].count;
    t->rows = mem_alloc((rows + 1) * sizeof *t->rows);
    for (size_t i = 0; i < t->count; i++)
        for (size_t line = 0; line < t->items[i].count; line++)
            t->rows[t->row_count++] = (struct typed_row){i, line};
    struct sheet sheet = {.columns = columns,
                          .column_count = count,
                          .row_count = t->row_count,
                          .cell = program_cell,
                          .from = t,
                          .judged = TOTAL_PCT,
                          .drawn = SHEET_NO_COLUMN,
                          .reported = SHEET_NO_COLUMN};
    sheet_write(&sheet, &t->s->plan->request, t->s->out);
}

void view_types(struct summary *s)
{
    struct types t = {.s = s};
    heading_add_origin(&t.title, &s->collect.profile);
    add_types(&t);
    (sheet_is_human(&s->plan->request) ? write_human : write_programs)(&t);
    for (size_t i = 0; i < t.count; i++) {
        mem_free(t.items[i].lines);
        mem_free(t.items[i].by_entry);
    }
    mem_free(t.items);
    mem_free(t.rows);
    mem_free(t.entries);
    mem_free(t.scores);
    mem_free(t.names);
    arena_free(&t.arena);
    buf_free(&t.title);
    buf_free(&t.text);
}
