/* A row for each sample with all its values, labels and dotted columns. */
#include "base/mem.h"
#include "rows/emit.h"
#include "rows/members.h"
#include "rows/text.h"
#include "summary/records.h"
#include "summary/resources.h"
#include "summary/view.h"

/* Groups of columns, in order, after the columns of every sample. */
enum group { GROUP_VALUES, GROUP_LABELS, GROUP_MEMBERS, GROUP_COUNT };

/* Kept for each sample; followed by its entries, innermost first. */
struct head {
    int64_t sample_id;
    uint32_t source; /* its entry */
    uint32_t depth;
};

struct view_samples {
    struct records *records;
    struct resources *resources;
    uint32_t *of_type; /* by number of a type - 1: its column; 0: not known yet */
    size_t type_capacity;
    struct buf head, name, text;
};

struct view_samples *view_open_samples(void)
{
    struct view_samples *v = mem_alloc_zeroed(sizeof *v);
    v->records = records_open("samples", GROUP_COUNT);
    v->resources = resources_open(v->records, GROUP_MEMBERS);
    return v;
}

void view_free_samples(struct view_samples *v)
{
    resources_free(v->resources);
    records_free(v->records);
    mem_free(v->of_type);
    buf_free(&v->head);
    buf_free(&v->name);
    buf_free(&v->text);
    mem_free(v);
}

/* --- samples to the spool --- */

/* The column of GROUP with the name in v->name. */
static uint32_t column_of(struct view_samples *v, enum group group, struct place where)
{
    return records_column(v->records, group, buf_str(&v->name), where);
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
    records_add(v->records, *column, buf_str(&v->text), true);
}

/* Adds LABEL, an item of `.labels`. The unit of a number is part of the name of its column. */
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
    records_add(v->records, column, buf_str(&v->text), string.p == NULL);
}

/* Adds VALUE of the member named in v->name; an object is added member by member. */
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
    records_add(v->records, column, is_string ? buf_str(&v->text) : value, !is_string);
}

/* Whether ID is a column that resources replace by others. */
static bool is_of_resource(enum member_id id)
{
    return id == MEMBER_ID_PERUN_TYPE || id == MEMBER_ID_PERUN_SNAPSHOT ||
           id == MEMBER_ID_PERUN_MEMBERS;
}

/* Adds the dotted columns EXTRA of a sample. */
static void add_members(struct view_samples *v, struct str extra, bool is_resource,
                        struct place where)
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
        if (is_resource && is_of_resource(m.id))
            continue;
        v->name.n = 0;
        text_unescape(&v->name, m.name);
        add_member(v, m.value, where);
    }
}

void view_note_row(struct view_samples *v, const struct row *row, struct place where)
{
    resources_row(v->resources, row, where);
}

void view_add_sample(struct view_samples *v, struct collect *c, const struct sample *sample)
{
    struct head head = {.sample_id = sample->sample_id,
                        .source = c->source_entries[sample->source_id - 1],
                        .depth = (uint32_t)collect_stack(c, sample)};
    uint32_t shared;
    const bool is_resource = resources_find(v->resources, sample, c->flow->where, &shared);
    v->head.n = 0;
    buf_add(&v->head, (struct str){(char *)&head, sizeof head});
    buf_add(&v->head, (struct str){(char *)c->stack, head.depth * sizeof *c->stack});
    records_begin(v->records, buf_str(&v->head));
    for (size_t i = 0; i < sample->value_count; i++)
        add_value(v, c->flow, &sample->values[i]);
    if (sample->extra.n > 0)
        add_members(v, sample->extra, is_resource, c->flow->where);
    if (is_resource)
        resources_add(v->resources, sample, c->flow);
    records_end(v->records, shared);
    c->all.records++;
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

/* Appends the name of the frame at P, an entry, to TO. */
static void add_frame(const struct collect *c, const char *p, struct buf *to)
{
    uint32_t entry;
    memcpy(&entry, p, sizeof entry);
    collect_add_name(c, entry, to);
}

static struct sheet_cell cell_of(const void *from, struct str kept, size_t column, struct buf *text)
{
    struct view_path *path = *(struct view_path *const *)from;
    const struct collect *c = path->collect;
    const size_t size = sizeof(uint32_t);
    struct head head;
    memcpy(&head, kept.p, sizeof head);
    struct str frames = {kept.p + sizeof head, head.depth * size};
    if (column == NAME) {
        view_path_take(path, frames);
        return view_path_cell(path);
    }
    if (column == SOURCE)
        collect_add_name(c, head.source, text);
    else if (column == ROOT && frames.n > 0)
        add_frame(c, frames.p + frames.n - size, text);
    else if (column == LEAF && frames.n > 0)
        add_frame(c, frames.p, text);
    return (struct sheet_cell){.text = buf_str(text),
                               .number = wide_of(column == SAMPLE ? head.sample_id : head.depth)};
}

void view_sample_table(struct summary *s)
{
    struct records *records = s->samples->records;
    struct view_path path = view_path_of(s), *at = &path;
    const struct records_fixed own = {fixed, FIXED, cell_of, &at};
    const size_t count = records_count(records);
    struct buf title = {0};
    sheet_add_count(&title, count);
    buf_add(&title, count == 1 ? STR(" record") : STR(" records"));
    records_write(records, &own, buf_str(&title), &s->plan->request, s->out);
    buf_free(&title);
    view_path_free(&path);
}
