/* A row for each sample, with all that it has: values, labels and dotted columns.  Which columns there are is known
 * when the last sample has come, so all wait in a spool, and memory is what names and columns need. */
#include "base/mem.h"
#include "base/spool.h"
#include "rows/emit.h"
#include "rows/members.h"
#include "rows/text.h"
#include "summary/view.h"

/* More columns are none that a table could have: each would be in each row. */
enum { COLUMNS_MOST = 1000 };

/* What a column is of, in the order in which they stand, behind those that all samples have. */
enum group { GROUP_VALUES, GROUP_LABELS, GROUP_MEMBERS, GROUP_COUNT };

/* A sample in the spool: behind it SIZE bytes, its entries, innermost first, and fields. */
struct head {
    int64_t sample_id;
    uint32_t source; /* its entry */
    uint32_t depth;
    uint64_t size;
};

/* Behind it SIZE bytes, of a text. */
struct field {
    uint32_t column, is_json;
    uint64_t size;
    uint64_t
        next; /* where the next of the same column begins, counted from 1; 0: there is none, or not known yet */
};

struct view_samples {
    struct intern columns; /* a byte for the group, and a name */
    uint32_t *of_type;     /* by number of a type - 1: its column; 0: not asked for yet */
    size_t type_capacity;
    struct spool *spool;
    size_t count;
    struct buf record, name, text;
};

struct view_samples *view_open_samples(void)
{
    struct view_samples *v = mem_alloc_zeroed(sizeof *v);
    v->spool = spool_open();
    return v;
}

void view_free_samples(struct view_samples *v)
{
    spool_close(v->spool);
    intern_free(&v->columns);
    mem_free(v->of_type);
    buf_free(&v->record);
    buf_free(&v->name);
    buf_free(&v->text);
    mem_free(v);
}

/* --- samples to the spool --- */

/* The column of GROUP that is called as v->name says. */
static uint32_t column_of(struct view_samples *v, enum group group, struct place where)
{
    char letter = (char)group;
    v->text.n = 0;
    buf_add(&v->text, (struct str){&letter, 1});
    buf_add(&v->text, buf_str(&v->name));
    uint32_t column = intern_add(&v->columns, buf_str(&v->text), NULL);
    if (column > COLUMNS_MOST)
        die_at(where, "--samples: the samples have more than %d types, labels and members",
               COLUMNS_MOST);
    return column;
}

static void add_field(struct view_samples *v, uint32_t column, bool is_json, struct str text)
{
    struct field field = {column, is_json, text.n, 0};
    buf_add(&v->record, (struct str){(char *)&field, sizeof field});
    buf_add(&v->record, text);
}

static void add_value(struct view_samples *v, struct flow *flow, const struct sample_value *value)
{
    v->of_type = mem_array_zeroed(v->of_type, &v->type_capacity, value->type, sizeof *v->of_type);
    uint32_t *column = &v->of_type[value->type - 1];
    if (*column == 0) {
        const struct value_type *type = value_types_get(&flow->types, value->type);
        v->name.n = 0;
        text_unescape(&v->name, type->type);
        buf_add(&v->name, STR("/"));
        text_unescape(&v->name, type->unit);
        *column = column_of(v, GROUP_VALUES, flow->where);
    }
    v->text.n = 0;
    if (value->value.kind == NUMBER_INTEGER)
        emit_number(&v->text, value->value.integer);
    else
        buf_add(&v->text, value->value.real);
    add_field(v, *column, true, buf_str(&v->text));
}

/* Adds LABEL, one item of `.labels`: the unit of a number is in the name of its column. */
static void add_label(struct view_samples *v, struct members label, struct place where)
{
    struct member m;
    struct str string = {NULL, 0}, unit = {NULL, 0};
    int64_t number = 0;
    v->name.n = 0;
    buf_add(&v->name, STR("label:"));
    while (members_next(&label, &m))
        switch (m.id) {
        case MEMBER_ID_KEY: text_inner_bytes(&v->name, m.value); break;
        case MEMBER_ID_STR: string = m.value; break;
        case MEMBER_ID_NUM: number = m.integer; break;
        case MEMBER_ID_UNIT: unit = m.value; break;
        default: break;
        }
    if (string.p == NULL && unit.p != NULL) {
        buf_add(&v->name, STR("/"));
        text_inner_bytes(&v->name, unit);
    }
    uint32_t column = column_of(v, GROUP_LABELS, where);
    v->text.n = 0;
    if (string.p != NULL)
        text_inner_bytes(&v->text, string);
    else
        emit_number(&v->text, number);
    add_field(v, column, string.p == NULL, buf_str(&v->text));
}

/* Adds VALUE of the member that v->name calls: objects by their members. */
static void add_member(struct view_samples *v, struct str value, struct place where)
{
    struct str inside = text_inside(value), name, text;
    size_t length = v->name.n;
    if (value.p[0] == '{') {
        while (text_next_member(&inside, &name, &text)) {
            v->name.n = length;
            buf_add(&v->name, STR("."));
            text_unescape(&v->name, name);
            add_member(v, text, where);
        }
        return;
    }
    uint32_t column = column_of(v, GROUP_MEMBERS, where);
    v->text.n = 0;
    bool is_string = text_is_string(value, &text);
    if (is_string)
        text_unescape(&v->text, text);
    add_field(v, column, !is_string, is_string ? buf_str(&v->text) : value);
}

/* Adds what stands in the dotted columns EXTRA of a sample. */
static void add_members(struct view_samples *v, struct str extra, struct place where)
{
    const struct row row = {.table = TABLE_SAMPLES, .extra = extra};
    struct members walk = members_of(&row, where, NULL);
    struct member m;
    while (members_next(&walk, &m)) {
        struct str items = text_inside(m.value), item;
        if (m.id == MEMBER_ID_LABELS) {
            while (text_next_item(&items, &item))
                add_label(v, members_inside(&walk, &m, item), where);
            continue;
        }
        v->name.n = 0;
        text_unescape(&v->name, m.name);
        add_member(v, m.value, where);
    }
}

void view_add_sample(struct view_samples *v, struct collect *c, const struct sample *sample)
{
    struct head head = {.sample_id = sample->sample_id,
                        .source = c->source_entries[sample->source_id - 1],
                        .depth = (uint32_t)collect_stack(c, sample)};
    v->record.n = 0;
    buf_add(&v->record, (struct str){(char *)&head, sizeof head});
    buf_add(&v->record, (struct str){(char *)c->stack, head.depth * sizeof *c->stack});
    for (size_t i = 0; i < sample->value_count; i++)
        add_value(v, c->flow, &sample->values[i]);
    if (sample->extra.n > 0)
        add_members(v, sample->extra, c->flow->where);
    head.size = v->record.n - sizeof head;
    memcpy(v->record.p, &head, sizeof head);
    spool_write(v->spool, buf_str(&v->record));
    v->count++;
    c->sample_count++;
}

/* --- the table --- */

enum { NAME, SAMPLE, SOURCE, LENGTH, ROOT, LEAF, FIXED };

static const struct sheet_column fixed[FIXED] = {
    [NAME] = {STR("name"), STR("stack, outermost first"), SHEET_TEXT},
    [SAMPLE] = {STR("sample_id"), STR("sample"), SHEET_COUNT},
    [SOURCE] = {STR("source"), STR("source"), SHEET_TEXT},
    [LENGTH] = {STR("length"), STR("length"), SHEET_COUNT},
    [ROOT] = {STR("root"), STR("root"), SHEET_TEXT},
    [LEAF] = {STR("leaf"), STR("leaf"), SHEET_TEXT},
};

struct sample_table {
    const struct summary *s;
    struct view_samples *samples;
    struct sheet_column *columns;
    uint32_t *numbers; /* by column - FIXED: its number among those of the samples */
    size_t column_count;
    struct chain {
        uint64_t first, last; /* as in struct field */
    } * chains;               /* by number of a column - 1: its fields in the record */
    size_t next;              /* the row that stands next in the spool */
    struct head head;         /* of the row before that */
    struct buf record, text;
};

/* Links the fields of each column in the record: a sample may have as many as there are columns. */
static void link_fields(struct sample_table *t)
{
    struct field field;
    memset(t->chains, 0, t->samples->columns.count * sizeof *t->chains);
    for (uint64_t at = t->head.depth * sizeof(uint32_t); at < t->record.n;
         at += sizeof field + field.size) {
        const uint64_t place = at + 1;
        memcpy(&field, t->record.p + at, sizeof field);
        struct chain *chain = &t->chains[field.column - 1];
        if (chain->first == 0)
            chain->first = place;
        else
            memcpy(t->record.p + chain->last - 1 + offsetof(struct field, next), &place,
                   sizeof place);
        chain->last = place;
    }
}

/* Reads row number ROW, unless it has been read: rows are asked for one after the other, mostly more than once. */
static void go_to(struct sample_table *t, size_t row)
{
    if (row + 1 < t->next) {
        spool_rewind(t->samples->spool);
        t->next = 0;
    }
    for (; t->next <= row; t->next++) {
        t->record.n = 0;
        if (!spool_read(t->samples->spool, &t->head, sizeof t->head) ||
            !spool_read(t->samples->spool, buf_reserve(&t->record, t->head.size), t->head.size))
            return;
        t->record.n = t->head.size;
        if (t->next == row)
            link_fields(t);
    }
}

/* What the sample has in the column NUMBER; several of one key have a comma between. */
static struct sheet_cell field_of(struct sample_table *t, uint32_t number)
{
    struct sheet_cell cell = {.is_none = true};
    struct field field;
    t->text.n = 0;
    for (uint64_t place = t->chains[number - 1].first; place != 0; place = field.next) {
        const char *p = t->record.p + place - 1;
        memcpy(&field, p, sizeof field);
        buf_add(&t->text, cell.is_none ? STR("") : STR(","));
        buf_add(&t->text, (struct str){p + sizeof field, field.size});
        cell.is_json = cell.is_none && field.is_json;
        cell.is_none = false;
    }
    cell.text = buf_str(&t->text);
    return cell;
}

static struct sheet_cell cell_of(const void *from, size_t row, size_t column)
{
    struct sample_table *t = (struct sample_table *)(uintptr_t)from;
    const struct collect *c = &t->s->collect;
    const size_t size = sizeof(uint32_t);
    go_to(t, row);
    if (column >= FIXED)
        return field_of(t, t->numbers[column - FIXED]);
    struct str frames = {buf_str(&t->record).p, t->head.depth * size};
    t->text.n = 0;
    if (column == NAME)
        view_add_path(c, frames, &t->text);
    else if (column == SOURCE)
        collect_add_name(c, t->head.source, &t->text);
    else if (column == ROOT && frames.n > 0)
        view_add_path(c, (struct str){frames.p + frames.n - size, size}, &t->text);
    else if (column == LEAF && frames.n > 0)
        view_add_path(c, (struct str){frames.p, size}, &t->text);
    return (struct sheet_cell){.text = buf_str(&t->text),
                               .number =
                                   column == SAMPLE ? t->head.sample_id : (__int128)t->head.depth};
}

/* Makes the columns of T: values, then labels, then members, each in order of appearance. */
static void make_columns(struct sample_table *t)
{
    const struct intern *names = &t->samples->columns;
    t->columns = mem_alloc((FIXED + names->count) * sizeof *t->columns);
    t->numbers = mem_alloc(((size_t)names->count + 1) * sizeof *t->numbers);
    t->chains = mem_alloc(((size_t)names->count + 1) * sizeof *t->chains);
    memcpy(t->columns, fixed, sizeof fixed);
    t->column_count = FIXED;
    for (unsigned group = 0; group < GROUP_COUNT; group++)
        for (uint32_t i = 1; i <= names->count; i++) {
            struct str name = intern_get(names, i);
            if ((unsigned char)name.p[0] != group)
                continue;
            name = (struct str){name.p + 1, name.n - 1};
            t->numbers[t->column_count - FIXED] = i;
            t->columns[t->column_count++] = (struct sheet_column){name, name, SHEET_MIXED};
        }
}

void view_sample_table(struct summary *s)
{
    struct sample_table t = {.s = s, .samples = s->samples};
    struct buf title = {0};
    make_columns(&t);
    spool_rewind(s->samples->spool);
    sheet_add_number(&title, (__int128)s->samples->count);
    buf_add(&title, s->samples->count == 1 ? STR(" sample") : STR(" samples"));
    struct sheet sheet = {
        .title = buf_str(&title),
        .columns = t.columns,
        .column_count = t.column_count,
        .row_count = s->samples->count,
        .unit = STR("count"),
        .cell = cell_of,
        .from = &t,
        .drawn = SHEET_NO_COLUMN,
        .told = SHEET_NO_COLUMN,
    };
    sheet_write(&sheet, &s->plan->request, s->out);
    buf_free(&title);
    buf_free(&t.record);
    buf_free(&t.text);
    mem_free(t.columns);
    mem_free(t.numbers);
    mem_free(t.chains);
}
