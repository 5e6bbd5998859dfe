#include "summary/records.h"

#include "base/intern.h"
#include "base/mem.h"
#include "base/spool.h"
#include "rows/emit.h"
#include "rows/text.h"

/* Max number of columns: each is in every row. */
enum { MAX_COLUMNS = 1000 };

/* A row in the spool, followed by its head and SIZE bytes of fields. */
struct record {
    uint32_t shared;
    uint32_t head;
    uint64_t size;
};

/* Followed by SIZE bytes of text. */
struct field {
    uint32_t column, is_json;
    uint64_t size;
    uint64_t next; /* offset + 1 of the next field in the same column; 0: none, or not known yet */
};

struct records {
    const char *name;
    const enum column_id *families;
    struct intern columns; /* names */
    enum column_id *ids;   /* by number of a column - 1: its family */
    size_t capacity;
    struct intern shared; /* fields */
    struct spool *spool;
    size_t count;
    struct buf fields, head, text;
};

struct records *records_open(const char *name, const enum column_id *families)
{
    struct records *r = mem_alloc_zeroed(sizeof *r);
    r->name = name;
    r->families = families;
    r->spool = spool_open();
    return r;
}

void records_free(struct records *r)
{
    if (r == NULL)
        return;
    spool_close(r->spool);
    intern_free(&r->columns);
    intern_free(&r->shared);
    buf_free(&r->fields);
    buf_free(&r->head);
    buf_free(&r->text);
    mem_free(r->ids);
    mem_free(r);
}

size_t records_count(const struct records *r)
{
    return r->count;
}

/* --- rows to the spool --- */

uint32_t records_column(struct records *r, enum column_id family, struct str words,
                        struct place where)
{
    bool is_new;
    r->text.n = 0;
    columns_add_name(&r->text, family, words);
    uint32_t column = intern_add(&r->columns, buf_str(&r->text), &is_new);
    r->ids = mem_array(r->ids, &r->capacity, column, sizeof *r->ids);
    if (is_new)
        r->ids[column - 1] = family;
    if (column > MAX_COLUMNS)
        die_as(CODE_TOO_LARGE, where, "--%s: the %s have more than %d types, labels and members",
               r->name, r->name, MAX_COLUMNS);
    return column;
}

void records_begin(struct records *r, struct str head)
{
    r->fields.n = r->head.n = 0;
    buf_add(&r->head, head);
}

void records_add(struct records *r, uint32_t column, struct str text, bool is_json)
{
    struct field field = {column, is_json, text.n, 0};
    buf_add(&r->fields, (struct str){(char *)&field, sizeof field});
    buf_add(&r->fields, text);
}

void records_end(struct records *r, uint32_t shared)
{
    struct record record = {shared, (uint32_t)r->head.n, r->fields.n};
    spool_write(r->spool, (struct str){(char *)&record, sizeof record});
    spool_write(r->spool, buf_str(&r->head));
    spool_write(r->spool, buf_str(&r->fields));
    r->count++;
}

uint32_t records_end_shared(struct records *r)
{
    return r->fields.n == 0 ? 0 : intern_add(&r->shared, buf_str(&r->fields), NULL);
}

/* --- the table --- */

struct shown {
    struct records *records;
    const struct records_fixed *fixed;
    struct sheet_column *columns;
    uint32_t *numbers; /* by column - fixed->count: its number in records */
    size_t column_count;
    struct chain {
        uint64_t first, last; /* as in struct field */
    } * chains;               /* by number of a column - 1: its fields in the current row */
    size_t next;              /* the next row in the spool */
    struct buf head, fields;  /* of the row before it */
    struct buf text;
};

/* Links the fields of each column in the row; there may be as many as columns. */
static void link_fields(struct shown *t)
{
    struct field field;
    memset(t->chains, 0, t->records->columns.count * sizeof *t->chains);
    for (uint64_t at = 0; at < t->fields.n; at += sizeof field + field.size) {
        const uint64_t position = at + 1;
        memcpy(&field, t->fields.p + at, sizeof field);
        struct chain *chain = &t->chains[field.column - 1];
        if (chain->first == 0)
            chain->first = position;
        else
            memcpy(t->fields.p + chain->last - 1 + offsetof(struct field, next), &position,
                   sizeof position);
        chain->last = position;
    }
}

static bool read_bytes(struct shown *t, struct buf *to, size_t n)
{
    to->n = 0;
    bool good = n == 0 || spool_read(t->records->spool, buf_reserve(to, n), n);
    to->n = n;
    return good;
}

/* Reads row ROW unless it is current: rows are asked for in order, mostly several times each. */
static void go_to(struct shown *t, size_t row)
{
    struct record record;
    if (row + 1 < t->next) {
        spool_rewind(t->records->spool);
        t->next = 0;
    }
    for (; t->next <= row; t->next++) {
        if (!spool_read(t->records->spool, &record, sizeof record) ||
            !read_bytes(t, &t->head, record.head) || !read_bytes(t, &t->fields, record.size))
            return;
        if (t->next < row)
            continue;
        if (record.shared != 0)
            buf_add(&t->fields, intern_get(&t->records->shared, record.shared));
        link_fields(t);
    }
}

/* Appends TEXT, bytes, to TO as a JSON string. */
static void add_string(struct buf *to, struct str text)
{
    struct buf escaped = {0};
    text_escape(&escaped, text);
    emit_string(to, buf_str(&escaped));
    buf_free(&escaped);
}

/* The cell of column NUMBER in the current row; of several fields, a JSON list. */
static struct sheet_cell field_of(struct shown *t, uint32_t number)
{
    const struct chain *chain = &t->chains[number - 1];
    const bool is_list = chain->first != chain->last;
    struct sheet_cell cell = {.is_none = chain->first == 0, .is_json = is_list};
    struct field field;
    for (uint64_t position = chain->first; position != 0; position = field.next) {
        const char *p = t->fields.p + position - 1;
        memcpy(&field, p, sizeof field);
        const struct str text = {p + sizeof field, field.size};
        if (is_list)
            buf_add(&t->text, position == chain->first ? STR("[") : STR(","));
        if (is_list && !field.is_json)
            add_string(&t->text, text);
        else
            buf_add(&t->text, text);
        cell.is_json |= field.is_json;
    }
    buf_add(&t->text, is_list ? STR("]") : STR(""));
    cell.text = buf_str(&t->text);
    return cell;
}

static struct sheet_cell cell_of(const void *from, size_t row, size_t column)
{
    struct shown *t = (struct shown *)(uintptr_t)from;
    go_to(t, row);
    t->text.n = 0;
    return column < t->fixed->count
               ? t->fixed->cell(t->fixed->from, buf_str(&t->head), column, &t->text)
               : field_of(t, t->numbers[column - t->fixed->count]);
}

static void make_columns(struct shown *t)
{
    const struct intern *names = &t->records->columns;
    const size_t fixed = t->fixed->count;
    t->columns = mem_alloc((fixed + names->count) * sizeof *t->columns);
    t->numbers = mem_alloc(((size_t)names->count + 1) * sizeof *t->numbers);
    t->chains = mem_alloc(((size_t)names->count + 1) * sizeof *t->chains);
    memcpy(t->columns, t->fixed->columns, fixed * sizeof *t->columns);
    t->column_count = fixed;
    for (const enum column_id *family = t->records->families; *family != COLUMN_NONE; family++)
        for (uint32_t i = 1; i <= names->count; i++) {
            const struct str name = intern_get(names, i), prefix = columns_prefix(*family);
            if (t->records->ids[i - 1] != *family)
                continue;
            t->numbers[t->column_count - fixed] = i;
            t->columns[t->column_count++] = (struct sheet_column){
                *family, name, SHEET_MIXED, {name.p + prefix.n, name.n - prefix.n}, 0};
        }
}

void records_write(struct records *r, const struct records_fixed *fixed, struct str title,
                   const struct sheet_request *request, struct out *out)
{
    struct shown t = {.records = r, .fixed = fixed};
    make_columns(&t);
    spool_rewind(r->spool);
    struct sheet sheet = {
        .title = title,
        .columns = t.columns,
        .column_count = t.column_count,
        .row_count = r->count,
        .unit = STR("count"),
        .families = r->families,
        .cell = cell_of,
        .from = &t,
        .drawn = SHEET_NO_COLUMN,
        .reported = SHEET_NO_COLUMN,
    };
    sheet_write(&sheet, request, out);
    buf_free(&t.head);
    buf_free(&t.fields);
    buf_free(&t.text);
    mem_free(t.columns);
    mem_free(t.numbers);
    mem_free(t.chains);
}
