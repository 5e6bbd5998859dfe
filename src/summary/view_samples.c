/* A row for each sample with all its values, labels and dotted columns. */
#include "base/mem.h"
#include "rows/emit.h"
#include "rows/members.h"
#include "rows/text.h"
#include "summary/heading.h"
#include "summary/records.h"
#include "summary/resources.h"
#include "summary/view.h"

/* Kept for each sample; followed by its entries, which are sites, innermost first. */
struct head {
    int64_t sample_id;
    int64_t time; /* nanoseconds */
    bool has_time;
    uint32_t source; /* its entry */
    uint32_t depth;
};

struct view_samples {
    struct records *records;
    struct resources *resources;
    uint32_t *of_type; /* by number of a type - 1: its column; 0: not known yet */
    size_t type_capacity;
    bool has_times; /* some sample has one */
    struct buf head, name, text;
};

struct view_samples *view_open_samples(void)
{
    static const enum column_id families[] = {COLUMN_VALUES,  COLUMN_LABELS,    COLUMN_NUMBERS,
                                              COLUMN_MEMBERS, COLUMN_RESOURCES, COLUMN_NONE};
    struct view_samples *v = mem_alloc_zeroed(sizeof *v);
    v->records = records_open("samples", families);
    v->resources = resources_open(v->records, COLUMN_RESOURCES);
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

/* The column of FAMILY with the words in v->name. */
static uint32_t column_of(struct view_samples *v, enum column_id family, struct place where)
{
    return records_column(v->records, family, buf_str(&v->name), where);
}

/* The column of values of type NUMBER. */
static uint32_t column_of_type(struct view_samples *v, struct flow *flow, uint32_t number)
{
    v->of_type = mem_array_zeroed(v->of_type, &v->type_capacity, number, sizeof *v->of_type);
    uint32_t *column = &v->of_type[number - 1];
    if (*column == 0) {
        const struct value_type *type = value_types_get(&flow->types, number);
        v->name.n = 0;
        text_unescape(&v->name, type->type);
        buf_add(&v->name, STR("/"));
        text_unescape(&v->name, type->unit);
        *column = column_of(v, COLUMN_VALUES, flow->where);
    }
    return *column;
}

static void add_value(struct view_samples *v, struct flow *flow, const struct sample_value *value)
{
    const uint32_t column = column_of_type(v, flow, value->type);
    v->text.n = 0;
    if (value->value.kind == NUMBER_INTEGER)
        emit_number(&v->text, value->value.integer);
    else
        buf_add(&v->text, value->value.real);
    records_add(v->records, column, buf_str(&v->text), true);
}

/* Adds the time that COUNT samples of SOURCE stand for, as SQL and tables of functions have it. */
static void add_time(struct view_samples *v, const struct collect *c, size_t source,
                     const struct sample_value *count)
{
    const struct choice_source *s = &c->choice.sources[source - 1];
    if (count->type != c->counts || s->time == 0)
        return;
    v->text.n = 0;
    decimal_write(&v->text, amount_times(sample_value_exact(count), s->period));
    records_add(v->records, column_of_type(v, c->flow, s->time), buf_str(&v->text), true);
}

/* Adds LABEL, an item of `.labels`. The unit of a number is part of the name of its column. */
static void add_label(struct view_samples *v, struct members label, struct place where)
{
    struct member m;
    struct str string = {NULL, 0}, unit = {NULL, 0};
    int64_t number = 0;
    v->name.n = 0;
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
    const bool has_unit = string.p == NULL && unit.p != NULL;
    uint32_t column = column_of(v, has_unit ? COLUMN_NUMBERS : COLUMN_LABELS, where);
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
    if (str_equal(value, STR("null"))) /* as if it were not there */
        return;
    if (value.p[0] == '{') {
        while (text_next_member(&inside, &name, &text)) {
            v->name.n = length;
            buf_add(&v->name, STR("."));
            text_unescape(&v->name, name);
            add_member(v, text, where);
        }
        return;
    }
    uint32_t column = column_of(v, COLUMN_MEMBERS, where);
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
        if (m.id == MEMBER_ID_TIME || (is_resource && is_of_resource(m.id)))
            continue;
        v->name.n = 0;
        text_unescape(&v->name, (struct str){m.name.p + 1, m.name.n - 1}); /* without the dot */
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
    head.has_time = sample_time(sample->extra, &head.time);
    v->has_times |= head.has_time;
    const bool is_resource = resources_find(v->resources, sample, c->flow->where, &shared);
    v->head.n = 0;
    buf_add(&v->head, (struct str){(char *)&head, sizeof head});
    buf_add(&v->head, (struct str){(char *)c->stack, head.depth * sizeof *c->stack});
    records_begin(v->records, buf_str(&v->head));
    for (size_t i = 0; i < sample->value_count; i++) {
        add_value(v, c->flow, &sample->values[i]);
        add_time(v, c, (size_t)sample->source_id, &sample->values[i]);
    }
    if (sample->extra.n > 0)
        add_members(v, sample->extra, is_resource, c->flow->where);
    if (is_resource)
        resources_add(v->resources, sample, c->flow);
    records_end(v->records, shared);
    c->all.records++;
}

/* --- the table --- */

enum { STACK, SAMPLE, TIME, SOURCE, LEAF, LEAF_FILE, LEAF_LINE, FIXED };

static const struct sheet_column fixed[FIXED] = {
    [STACK] = VIEW_COLUMN(STACK, "stack, outermost first", TEXT),
    [SAMPLE] = VIEW_COLUMN(SAMPLE_ID, "sample", COUNT),
    [TIME] = VIEW_COLUMN(TIME, "time (ns)", MIXED),
    [SOURCE] = VIEW_COLUMN(SOURCE, "source", TEXT),
    [LEAF] = VIEW_COLUMN(LEAF, "leaf", TEXT),
    [LEAF_FILE] = VIEW_COLUMN(LEAF_FILE, "file of leaf", TEXT),
    [LEAF_LINE] = VIEW_COLUMN(LEAF_LINE, "line of leaf", TEXT),
};

/* The innermost of FRAMES, sites as uint32_t, that has a name; all zero if none has. */
static struct collect_key leaf_of(const struct collect *c, struct str frames)
{
    for (size_t at = 0; at < frames.n; at += sizeof(uint32_t)) {
        uint32_t entry;
        memcpy(&entry, frames.p + at, sizeof entry);
        const struct collect_key key = collect_key_of(c, entry);
        if (key.string != 0)
            return key;
    }
    return (struct collect_key){0};
}

/* Appends to TEXT what COLUMN says of the leaf of FRAMES. */
static void add_leaf(const struct collect *c, struct str frames, size_t column, struct buf *text)
{
    const struct collect_key key = leaf_of(c, frames);
    if (column != LEAF_LINE)
        buf_add(text, profile_string_of(&c->profile, column == LEAF ? key.string : key.number));
    else if (key.line > 0)
        emit_number(text, key.line);
}

static struct sheet_cell cell_of(const void *from, struct str kept, size_t column, struct buf *text)
{
    struct view_path *path = *(struct view_path *const *)from;
    struct head head;
    memcpy(&head, kept.p, sizeof head);
    const struct str frames = {kept.p + sizeof head, head.depth * sizeof(uint32_t)};
    struct sheet_cell cell = {.number = wide_of(head.sample_id)};
    switch (column) {
    case STACK: view_path_take(path, frames); return view_path_cell(path);
    case TIME:
        if (head.has_time)
            emit_number(text, head.time);
        break;
    case SOURCE: collect_add_name(path->collect, head.source, text); break;
    case SAMPLE: return cell;
    default: add_leaf(path->collect, frames, column, text);
    }
    cell.text = buf_str(text);
    cell.is_none = text->n == 0;
    cell.is_json = column == TIME || column == LEAF_LINE;
    return cell;
}

void view_sample_table(struct summary *s)
{
    struct records *records = s->samples->records;
    struct view_path path = view_path_of(&s->collect, s->plan->request.format), *at = &path;
    struct sheet_column columns[FIXED];
    const struct records_fixed own = {columns, FIXED, cell_of, &at};
    const size_t count = records_count(records);
    struct buf title = {0};
    memcpy(columns, fixed, sizeof columns);
    if (!s->samples->has_times) /* people need no empty column */
        columns[TIME].kind = SHEET_TEXT;
    heading_add_origin(&title, &s->collect.profile);
    sheet_add_grouped_count(&title, count);
    buf_add(&title, count == 1 ? STR(" record") : STR(" records"));
    records_write(records, &own, buf_str(&title), &s->plan->request, s->out);
    buf_free(&title);
    view_path_free(&path);
}
