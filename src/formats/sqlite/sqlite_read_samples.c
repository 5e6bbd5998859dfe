/* Samples, with their values, stacks and labels. */
#include "base/mem.h"
#include "base/order.h"
#include "formats/sqlite/sqlite_labels.h"
#include "formats/sqlite/sqlite_read.h"
#include "formats/sqlite/sqlite_write.h"
#include "model/model.h"
#include "rows/emit.h"
#include "rows/members.h"
#include "rows/text.h"

#include <stdlib.h>

/* --- types and nodes --- */

static uint32_t add_type(struct sqlite_reader *r, sqlite3_stmt *s, int at, struct place where)
{
    struct str type = sqlite_text(r, &r->texts[1], s, at, where, "type");
    struct str unit = sqlite_text(r, &r->texts[2], s, at + 1, where, "unit");
    return value_types_add(&r->sink->flow->types, type, unit);
}

/* Reads the value types, in the order that samples have them. */
static void read_types(struct sqlite_reader *r)
{
    sqlite3_stmt *s =
        sqlite_db_prepare(r->db, "SELECT type_id, type, unit FROM value_types ORDER BY type_id");
    while (sqlite_db_step(r->db, s)) {
        struct place where = {r->db->name, PLACE_FILE, 0};
        int64_t id = sqlite_integer(s, 0, where, "value_types.type_id", &schema_kinds[KIND_ID]);
        uint32_t type = add_type(r, s, 1, where);
        r->inexact.n = 0; /* recorded per value instead */
        if (id != (int64_t)r->type_count + 1)
            die_at(where, "value_types.type_id: expected %zu, found %lld", r->type_count + 1,
                   (long long)id);
        r->types = mem_array(r->types, &r->type_capacity, (size_t)id, sizeof *r->types);
        r->types[r->type_count++] = type;
        if (idmap_get(&r->type_orders, type) == 0)
            idmap_put(&r->type_orders, type, (uint32_t)id);
    }
    sqlite_db_finalize(r->db, s);
}

static void read_nodes(struct sqlite_reader *r)
{
    static const struct schema_kind parent = {SHAPE_INTEGER, true, 1, SCHEMA_ID_MAX,
                                              "a smaller id, or null"};
    sqlite3_stmt *s = sqlite_db_prepare(
        r->db, "SELECT node_id, parent_id, location_id FROM nodes ORDER BY node_id");
    struct buf name = {0};
    buf_add(&name, str_of(r->db->name));
    buf_add(&name, (struct str){": nodes rowid", 14});
    struct str file = arena_copy(&r->arena, buf_str(&name));
    buf_free(&name);
    while (sqlite_db_step(r->db, s)) {
        struct place where = {file.p, PLACE_ROW, (uint64_t)sqlite3_column_int64(s, 0)};
        int64_t id = sqlite_integer(s, 0, where, "node_id", &schema_kinds[KIND_ID]);
        int64_t outer = sqlite_integer(s, 1, where, "parent_id", &parent);
        if (id != (int64_t)r->node_count + 1)
            die_at(where, "node_id: expected %zu: nodes have no gaps", r->node_count + 1);
        if (outer >= id)
            sqlite_die_column(where, "parent_id", parent.expected, s, 1);
        r->nodes = mem_array(r->nodes, &r->node_capacity, r->node_count + 1, sizeof *r->nodes);
        r->nodes[r->node_count++] = (struct sqlite_node_row){
            outer == ROW_NULL ? 0 : (uint64_t)outer,
            sqlite_integer(s, 2, where, "location_id", &schema_kinds[KIND_REF])};
    }
    sqlite_db_finalize(r->db, s);
}

void sqlite_begin_samples(struct sqlite_reader *r)
{
    if (r->has_types)
        read_types(r);
    if (r->has_stacks)
        read_nodes(r);
}

/* --- rows of a sample --- */

/* Whether T is at a row of sample ID. A row of an earlier sample has no sample: ends the tool. */
static bool is_of_sample(struct sqlite_reader *r, struct sqlite_table *t, int64_t id)
{
    if (!sqlite_has_row(r, t))
        return false;
    struct place where = sqlite_row_place(t, t->all);
    int64_t of = sqlite_integer(t->all, 0, where, "sample_id", &schema_kinds[KIND_REF]);
    if (of < id)
        die_at(where, "sample_id: there is no sample %lld", (long long)of);
    return of == id;
}

/* The type of the value in the current row of S. */
static uint32_t type_of(struct sqlite_reader *r, sqlite3_stmt *s, struct place where)
{
    enum { TYPE = 1 };
    if (!r->has_stacks)
        return add_type(r, s, TYPE, where);
    int64_t id = sqlite_integer(s, TYPE, where, "type_id", &schema_kinds[KIND_REF]);
    if (id > (int64_t)r->type_count)
        die_at(where, "type_id: there is no type %lld", (long long)id);
    return r->types[id - 1];
}

/* Records that the value at index PLACE in r->values has TYPE: a sample has at most one value per
 * name. */
static void note_type(struct sqlite_reader *r, uint32_t type, int64_t sample, size_t place,
                      struct place where)
{
    const struct value_type *t = value_types_get(&r->sink->flow->types, type);
    if (t->name > r->name_capacity)
        r->names = mem_array_zeroed(r->names, &r->name_capacity, t->name, sizeof *r->names);
    if (r->names[t->name - 1].sample == sample)
        die_at(where, "type: \"%.*s\" comes twice in sample %lld", STR_ARG(t->type),
               (long long)sample);
    r->names[t->name - 1] = (struct sqlite_name){sample, place};
}

/* Reads the values of sample ID; returns their number. */
static size_t read_values(struct sqlite_reader *r, int64_t id)
{
    struct sqlite_table *t = &r->tables[TABLE_SAMPLE_VALUES];
    size_t count = 0;
    int at = r->has_stacks ? 2 : 3;
    for (; is_of_sample(r, t, id); t->has_row = false) {
        struct place where = sqlite_row_place(t, t->all);
        uint32_t type = type_of(r, t->all, where), order = idmap_get(&r->type_orders, type);
        note_type(r, type, id, count, where);
        struct sample_value v = {.type = type};
        v.value = sqlite_number(r, &r->texts[3], t->all, at, where, "value", STR(""));
        if (v.value.kind == NUMBER_REAL)
            v.value.real = arena_copy(&r->sample_arena, v.value.real);
        if (r->inexact.n > 0) {
            sqlite_add_extra(r, &r->extra, STR(""), where);
            v.extra = arena_copy(&r->sample_arena, buf_str(&r->extra));
        }
        r->values = mem_array(r->values, &r->value_capacity, count + 1, sizeof *r->values);
        uint64_t place = t->has_rowid || order == 0 ? UINT32_MAX + (uint64_t)count : order;
        r->values[count++] = (struct sqlite_value){v, place};
    }
    return count;
}

/* Whether the list MEMBERS has a member NAME. */
static bool has_member(struct str members, struct str name)
{
    struct str found, value;
    while (members.n > 0 && text_next_member(&members, &found, &value))
        if (str_equal(found, name))
            return true;
    return false;
}

/* Adds the dotted columns in DOTTED to V, and removes our own from them. */
static void take_dotted(struct sqlite_reader *r, struct sqlite_value *v, struct str dotted,
                        struct place where)
{
    struct str name, value;
    int64_t position;
    for (struct str rest = dotted; rest.n > 0 && text_next_member(&rest, &name, &value);)
        if (str_equal(name, SQLITE_POSITION) && text_is_integer(value, &position) && position >= 1)
            v->order = (uint64_t)position;
    if (v->value.value.kind == NUMBER_REAL) {
        struct str digits = sqlite_digits(r, dotted, strtod(v->value.value.real.p, NULL));
        if (digits.p != NULL)
            v->value.value.real = arena_copy(&r->sample_arena, digits);
    }
    if (v->value.extra.n > 0 && has_member(dotted, STR(".bytes")))
        die_at(where, ".bytes is there, and a string that is not UTF-8 as well");
    sqlite_add_extra(r, &r->extra, dotted, where);
    buf_add(&r->extra, v->value.extra);
    v->value.extra = arena_copy(&r->sample_arena, buf_str(&r->extra));
}

/* Reads the dotted columns of the values of sample ID in r->values. */
static void read_dotted_values(struct sqlite_reader *r, int64_t id)
{
    enum { TYPE = 1, DOTTED = 2 };
    struct sqlite_table *t = &r->values_dotted;
    uint32_t last = 0;
    for (; is_of_sample(r, t, id); t->has_row = false) {
        struct place where = sqlite_row_place(t, t->all);
        struct str type = sqlite_text(r, &r->texts[1], t->all, TYPE, where, "type");
        struct str dotted =
            sqlite_members(r, &r->members, t->all, DOTTED, where, TABLE_SAMPLE_VALUES);
        r->inexact.n = 0;
        uint32_t name = intern_find(&r->sink->flow->types.names, type);
        if (name == 0 || name > r->name_capacity || r->names[name - 1].sample != id)
            die_at(where, "type: the sample has no value of \"%.*s\"", STR_ARG(type));
        if (name == last)
            die_at(where, "type: \"%.*s\" comes twice in sample %lld", STR_ARG(type),
                   (long long)id);
        last = name;
        take_dotted(r, &r->values[r->names[name - 1].value], dotted, where);
    }
}

static int compare_values(const void *a, const void *b)
{
    const struct sqlite_value *x = a, *y = b;
    return (x->order > y->order) - (x->order < y->order);
}

/* --- stacks --- */

static size_t read_stack(struct sqlite_reader *r, int64_t id)
{
    enum { DEPTH = 1, LOCATION = 2 };
    struct sqlite_table *t = &r->tables[TABLE_SAMPLE_LOCATIONS];
    size_t depth = 0;
    for (; is_of_sample(r, t, id); t->has_row = false) {
        struct place where = sqlite_row_place(t, t->all);
        int64_t at = sqlite_integer(t->all, DEPTH, where, "depth", &schema_kinds[KIND_DEPTH]);
        int64_t location =
            sqlite_integer(t->all, LOCATION, where, "location_id", &schema_kinds[KIND_REF]);
        if (at != (int64_t)depth + 1)
            die_at(where, "depth: expected %zu in sample %lld, found %lld", depth + 1,
                   (long long)id, (long long)at);
        sqlite_need(r, TABLE_LOCATIONS, location, where, "location_id");
        r->locations =
            mem_array(r->locations, &r->location_capacity, depth + 1, sizeof *r->locations);
        r->locations[depth++] = location;
    }
    return depth;
}

/* Reads the stack that ends in NODE; 0: an empty one. */
static size_t climb(struct sqlite_reader *r, uint64_t node, struct place where)
{
    size_t depth = 0;
    for (; node != 0; node = r->nodes[node - 1].parent) {
        int64_t location = r->nodes[node - 1].location;
        sqlite_need(r, TABLE_LOCATIONS, location, where, "location_id");
        r->locations =
            mem_array(r->locations, &r->location_capacity, depth + 1, sizeof *r->locations);
        r->locations[depth++] = location;
    }
    return depth;
}

/* Reads the dotted columns of the locations of SAMPLE, if there are any. */
static void read_dotted_locations(struct sqlite_reader *r, struct sample *sample)
{
    enum { DEPTH = 1, DOTTED = 2 };
    struct sqlite_table *t = &r->locations_dotted;
    int64_t last = 0;
    for (; is_of_sample(r, t, sample->sample_id); t->has_row = false) {
        struct place where = sqlite_row_place(t, t->all);
        int64_t at = sqlite_integer(t->all, DEPTH, where, "depth", &schema_kinds[KIND_DEPTH]);
        if (at == last)
            die_at(where, "depth: %lld comes twice in sample %lld", (long long)at,
                   (long long)sample->sample_id);
        last = at;
        struct str dotted =
            sqlite_members(r, &r->members, t->all, DOTTED, where, TABLE_SAMPLE_LOCATIONS);
        if (at > (int64_t)sample->depth)
            die_at(where, "depth: the sample has no location at %lld", (long long)at);
        if (sample->location_extras == NULL) {
            r->location_extras = mem_array(r->location_extras, &r->extra_capacity, sample->depth,
                                           sizeof *r->location_extras);
            memset(r->location_extras, 0, sample->depth * sizeof *r->location_extras);
            sample->location_extras = r->location_extras;
        }
        sqlite_add_extra(r, &r->extra, dotted, where);
        sample->location_extras[at - 1] = arena_copy(&r->sample_arena, buf_str(&r->extra));
    }
}

/* --- samples --- */

/* The bytes of the text in column AT of S; a null p for null, which must be ALLOWED. */
static struct str label_text(sqlite3_stmt *s, int at, struct place where, const char *column,
                             bool allowed)
{
    int type = sqlite3_column_type(s, at);
    if (type == SQLITE_NULL && allowed)
        return (struct str){NULL, 0};
    if (type != SQLITE_TEXT)
        sqlite_die_column(where, column, "a string", s, at);
    return sqlite_db_text(s, at);
}

/* Appends the label in the current row of S to r->labels. */
static void read_label(struct sqlite_reader *r, sqlite3_stmt *s, struct place where)
{
    enum { KEY = 2, STRING, NUMBER, UNIT };
    static const struct schema_kind number = {SHAPE_INTEGER, true, INT64_MIN, INT64_MAX,
                                              "an integer, or null"};
    struct sqlite_label l = {
        .key = label_text(s, KEY, where, "key", false),
        .string = label_text(s, STRING, where, "str", true),
        .unit = label_text(s, UNIT, where, "unit", true),
        .has_number = sqlite3_column_type(s, NUMBER) != SQLITE_NULL,
    };
    if (l.has_number)
        l.number = sqlite_integer(s, NUMBER, where, "num", &number);
    if (l.string.p == NULL && !l.has_number)
        die_at(where, "expected a label with str or num, found neither");
    if (!sqlite_labels_emit(&r->labels, &l))
        die_at(where, "expected text of UTF-8 without NUL in the label");
}

/* Sets r->labels to `.labels` with the set ID, of the sample WHERE. */
static void read_labels(struct sqlite_reader *r, int64_t id, struct place where)
{
    enum { POSITION = 1 };
    struct sqlite_table *t = &r->stored_labels;
    int64_t last = 0;
    r->labels.n = 0;
    if (t->one != NULL)
        sqlite3_bind_int64(t->one, 1, id);
    for (; t->one != NULL && sqlite_db_step(r->db, t->one);) {
        struct place at = sqlite_row_place(t, t->one);
        int64_t position =
            sqlite_integer(t->one, POSITION, at, "position", &schema_kinds[KIND_DEPTH]);
        if (position == last)
            die_at(at, "position: %lld comes twice", (long long)position);
        last = position;
        read_label(r, t->one, at);
    }
    if (last == 0)
        die_at(where, "labels_id: there is no row %lld of stored_labels", (long long)id);
    sqlite3_reset(t->one);
    buf_add(&r->labels, STR("]"));
}

/* The dotted columns of the current sample of S that are not stored as labels: stored with it, or
 * elsewhere under their id. */
static struct str read_sample_dotted(struct sqlite_reader *r, sqlite3_stmt *s, struct place where)
{
    enum { DOTTED_ID = 4, DOTTED = 5, STORED = 1 };
    static const struct schema_kind number = {SHAPE_INTEGER, true, 1, SCHEMA_ID_MAX,
                                              "an id of stored_dotted, or null"};
    struct sqlite_table *t = &r->stored_dotted;
    int64_t id = sqlite_integer(s, DOTTED_ID, where, "dotted_id", &number);
    if (id == ROW_NULL)
        return sqlite_members(r, &r->members, s, DOTTED, where, TABLE_SAMPLES);
    if (sqlite3_column_type(s, DOTTED) != SQLITE_NULL)
        die_at(where, "dotted: expected null beside a dotted_id");
    if (t->one != NULL)
        sqlite3_bind_int64(t->one, 1, id);
    if (t->one == NULL || !sqlite_db_step(r->db, t->one))
        die_at(where, "dotted_id: there is no row %lld of stored_dotted", (long long)id);
    struct str dotted =
        sqlite_members(r, &r->members, t->one, STORED, sqlite_row_place(t, t->one), TABLE_SAMPLES);
    sqlite3_reset(t->one);
    return dotted;
}

/* Puts r->members before r->extra. */
static void put_first(struct sqlite_reader *r)
{
    buf_add(&r->members, buf_str(&r->extra));
    struct buf members = r->extra;
    r->extra = r->members;
    r->members = members;
}

/* Puts the time in column AT of S, a sample, before r->extra, unless it is there already. */
static void read_time(struct sqlite_reader *r, sqlite3_stmt *s, int at, struct place where)
{
    static const struct schema_kind any = {SHAPE_INTEGER, true, INT64_MIN, INT64_MAX,
                                           "an integer, or null"};
    const struct str name = members_known(MEMBER_ID_TIME)->name;
    const int64_t time = sqlite_integer(s, at, where, name.p, &any);
    if (sqlite3_column_type(s, at) == SQLITE_NULL || has_member(buf_str(&r->extra), name))
        return;
    r->members.n = 0;
    emit_member(&r->members, name);
    emit_number(&r->members, time);
    put_first(r);
}

/* Sets r->extra to the dotted columns of the current sample of S. Labels come first, unless they
 * are among the others, which then have all that they say. */
static void read_stored(struct sqlite_reader *r, sqlite3_stmt *s, struct place where)
{
    enum { LABELS_ID = 3 };
    static const struct schema_kind number = {SHAPE_INTEGER, true, 1, SCHEMA_ID_MAX,
                                              "an id of stored_labels, or null"};
    struct str dotted = read_sample_dotted(r, s, where);
    sqlite_add_extra(r, &r->extra, dotted, where);
    int64_t id = sqlite_integer(s, LABELS_ID, where, "labels_id", &number);
    if (id == ROW_NULL || has_member(dotted, STR(".labels")))
        return;
    read_labels(r, id, where);
    r->members.n = 0;
    emit_member(&r->members, STR(".labels"));
    buf_add(&r->members, buf_str(&r->labels));
    put_first(r);
}

/* Reads the current sample of S into *SAMPLE. */
static void read_sample(struct sqlite_reader *r, sqlite3_stmt *s, struct place where,
                        struct sample *sample)
{
    enum { SOURCE = 1, NODE = 2, STORED_TIME = 6, TIME = 3 };
    static const struct schema_kind node = {SHAPE_INTEGER, true, 1, SCHEMA_ID_MAX,
                                            "the id of a node, or null"};
    int64_t of = ROW_NULL;
    sample->source_id = sqlite_integer(s, SOURCE, where, "source_id", &schema_kinds[KIND_REF]);
    sqlite_need(r, TABLE_SOURCES, sample->source_id, where, "source_id");
    if (r->has_stacks)
        of = sqlite_integer(s, NODE, where, "node_id", &node);
    if (of > (int64_t)r->node_count)
        die_at(where, "node_id: there is no node %lld", (long long)of);
    if (r->has_stacks)
        read_stored(r, s, where);
    else
        sqlite_add_extra(r, &r->extra,
                         sqlite_members(r, &r->members, s, NODE, where, TABLE_SAMPLES), where);
    read_time(r, s, r->has_stacks ? STORED_TIME : TIME, where);
    sample->extra = arena_copy(&r->sample_arena, buf_str(&r->extra));
    sample->value_count = read_values(r, sample->sample_id);
    read_dotted_values(r, sample->sample_id);
    order_items(r->values, sample->value_count, sizeof *r->values, compare_values);
    r->sorted = mem_array(r->sorted, &r->sorted_capacity, sample->value_count, sizeof *r->sorted);
    for (size_t i = 0; i < sample->value_count; i++)
        r->sorted[i] = r->values[i].value;
    sample->values = r->sorted;
    sample->depth = r->has_stacks ? climb(r, of == ROW_NULL ? 0 : (uint64_t)of, where)
                                  : read_stack(r, sample->sample_id);
    sample->locations = r->locations;
    read_dotted_locations(r, sample);
}

void sqlite_push_samples(struct sqlite_reader *r, int64_t last)
{
    struct sqlite_table *t = &r->tables[TABLE_SAMPLES];
    while (sqlite_has_row(r, t)) {
        struct place where = sqlite_row_place(t, t->all);
        struct sample sample = {0};
        sample.sample_id = sqlite_integer(t->all, 0, where, "sample_id", &schema_kinds[KIND_ID]);
        if (sample.sample_id > last)
            return;
        if (sample.sample_id == t->last)
            die_at(where, "sample_id: %lld is defined twice", (long long)sample.sample_id);
        arena_clear(&r->sample_arena);
        read_sample(r, t->all, where, &sample);
        t->last = sample.sample_id;
        t->has_row = false;
        r->sink->flow->where = where;
        sink_sample(r->sink, &sample);
    }
}

void sqlite_end_samples(struct sqlite_reader *r)
{
    struct sqlite_table *tables[] = {&r->tables[TABLE_SAMPLE_VALUES],
                                     &r->tables[TABLE_SAMPLE_LOCATIONS], &r->values_dotted,
                                     &r->locations_dotted};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        is_of_sample(r, tables[i], INT64_MAX);
}

void sqlite_free_samples(struct sqlite_reader *r)
{
    MEM_FREE(r->nodes, r->types, r->values, r->sorted, r->names, r->locations, r->location_extras);
    idmap_free(&r->type_orders);
}
