#include "summary/resources.h"

#include "base/intern.h"
#include "base/mem.h"
#include "formats/perun/perun_entry.h"
#include "formats/perun/perun_facts.h"
#include "rows/emit.h"
#include "rows/members.h"
#include "rows/text.h"

/* Identifies something that a source numbers. No padding: equal keys are equal bytes. */
struct key {
    int64_t source, type, snapshot; /* 0: not set */
};

/* Its content: members of a type or snapshot, as spelled in the file. */
struct said {
    struct str members;
    /* of a snapshot: its index in its source, from 0; of a source: number of snapshots so far */
    int64_t rank;
    bool is_global;
};

/* Members shared by all resources of a type in one snapshot. */
struct share {
    bool is_known;       /* false: nothing is known of the type */
    uint32_t fields;     /* for records_end */
    struct str members;  /* an object, as spelled in the file */
    struct str snapshot; /* value of the column `snapshots`; null p: set by the resource */
};

struct resources {
    struct records *records;
    enum column_id family;
    struct intern said, shares; /* struct key */
    struct said *said_by;       /* by number in said - 1 */
    struct share *share;        /* by number in shares - 1 */
    size_t said_capacity, share_count, share_capacity;
    struct arena arena;
    const struct share *of; /* of the last sample; NULL: none */
    struct str own;         /* members of the sample itself, in the form of its row; null p: none */
    struct perun_flat flat;
    struct buf text;
};

struct resources *resources_open(struct records *records, enum column_id family)
{
    struct resources *r = mem_alloc_zeroed(sizeof *r);
    r->records = records;
    r->family = family;
    return r;
}

void resources_free(struct resources *r)
{
    intern_free(&r->said);
    intern_free(&r->shares);
    mem_free(r->said_by);
    mem_free(r->share);
    arena_free(&r->arena);
    perun_flat_free(&r->flat);
    buf_free(&r->text);
    mem_free(r);
}

static uint32_t key_number(struct intern *keys, struct key key)
{
    return intern_add(keys, (struct str){(char *)&key, sizeof key}, NULL);
}

/* The content for KEY, perhaps still empty; valid until the next call. */
static struct said *said_at(struct resources *r, struct key key)
{
    const uint32_t position = key_number(&r->said, key);
    r->said_by = mem_array_zeroed(r->said_by, &r->said_capacity, position, sizeof *r->said_by);
    return &r->said_by[position - 1];
}

void resources_row(struct resources *r, const struct row *row, struct place where)
{
    const enum perun_table table = perun_table_of(row);
    struct perun_facts f;
    if ((table != PERUN_TYPES && table != PERUN_SNAPSHOTS) || !perun_facts_read(row, table, &f))
        return;
    struct said said = {.is_global = f.is_global};
    if (table == PERUN_SNAPSHOTS && !f.is_global)
        said.rank = said_at(r, (struct key){.source = f.source})->rank++;
    r->text.n = 0;
    perun_spell(&r->text, f.value, where, "members");
    said.members = arena_copy(&r->arena, buf_str(&r->text));
    *said_at(r, table == PERUN_TYPES ? (struct key){.source = f.source, .type = f.number}
                                     : (struct key){.source = f.source, .snapshot = f.number}) =
        said;
}

/* The content for KEY; NULL: none. */
static const struct said *said_of(const struct resources *r, struct key key)
{
    const uint32_t position = intern_find(&r->said, (struct str){(char *)&key, sizeof key});
    return position == 0 ? NULL : &r->said_by[position - 1];
}

int64_t resources_snapshot(const struct resources *r, int64_t source, int64_t number)
{
    const struct said *snapshot = said_of(r, (struct key){.source = source, .snapshot = number});
    return snapshot == NULL ? 0 : snapshot->rank;
}

/* --- members shared by resources --- */

/* Sets r->text to the members of resources of TYPE in SNAPSHOT. Perun adds the snapshot's time and,
 * except in the layout `global`, its index. NULL: in no snapshot. */
static void merge_members(struct resources *r, const struct said *type, const struct said *snapshot)
{
    const bool has_members = type->members.n > 2 && *type->members.p == '{';
    r->text.n = 0;
    buf_add(&r->text, has_members ? (struct str){type->members.p, type->members.n - 1} : STR("{"));
    if (snapshot != NULL) {
        struct str time = text_member(snapshot->members, STR("time"));
        buf_add(&r->text, has_members ? STR(",") : STR(""));
        if (!snapshot->is_global) {
            buf_add(&r->text, STR("\"snapshot\":"));
            emit_number(&r->text, snapshot->rank);
            buf_add(&r->text, STR(","));
        }
        buf_add(&r->text, STR("\"time\":"));
        buf_add(&r->text, time.p == NULL ? STR("\"0.0\"") : time);
    }
    buf_add(&r->text, STR("}"));
}

void resources_put(struct records *to, enum column_id family, const struct perun_cell *cell,
                   struct place where)
{
    const uint32_t column = records_column(to, family, cell->name, where);
    if (cell->text.p != NULL)
        records_add(to, column, cell->text, cell->kind == PERUN_CELL_JSON);
}

static void add_cell(struct resources *r, const struct perun_cell *cell, struct place where)
{
    resources_put(r->records, r->family, cell, where);
}

static struct share share_of(struct resources *r, struct key key, struct place where)
{
    const struct said *type = said_of(r, (struct key){key.source, key.type, 0});
    const struct said *snapshot = said_of(r, (struct key){key.source, 0, key.snapshot});
    if (type == NULL)
        return (struct share){.snapshot = {NULL, 0}};
    merge_members(r, type, key.snapshot == 0 ? NULL : snapshot);
    perun_flatten(&r->flat, buf_str(&r->text));
    records_begin(r->records, STR(""));
    for (size_t i = 0; i < r->flat.count; i++)
        add_cell(r, &r->flat.cells[i], where);
    const struct perun_cell *number = perun_flat_find(&r->flat, STR("snapshot"));
    return (struct share){
        .fields = records_end_shared(r->records),
        .is_known = true,
        .members = arena_copy(&r->arena, buf_str(&r->text)),
        .snapshot = number == NULL || number->text.p == NULL ? (struct str){NULL, 0}
                                                             : arena_copy(&r->arena, number->text),
    };
}

/* Reads from SAMPLE the keys of its type and snapshot, and its own members into r->own. */
static struct key read_columns(struct resources *r, const struct sample *sample, struct place where)
{
    const struct row row = {.table = TABLE_SAMPLES, .extra = sample->extra};
    struct members walk = members_of(&row, where, NULL);
    struct member m;
    struct key key = {.source = sample->source_id};
    r->own = (struct str){NULL, 0};
    while (members_next(&walk, &m))
        switch (m.id) {
        case MEMBER_ID_PERUN_TYPE: key.type = m.integer; break;
        case MEMBER_ID_PERUN_SNAPSHOT: key.snapshot = m.integer; break;
        case MEMBER_ID_PERUN_MEMBERS: r->own = m.value; break;
        default: break;
        }
    return key;
}

bool resources_find(struct resources *r, const struct sample *sample, struct place where,
                    uint32_t *shared)
{
    r->of = NULL;
    *shared = 0;
    if (sample->extra.n == 0 || r->said.count == 0)
        return false;
    const struct key key = read_columns(r, sample, where);
    const uint32_t position = key.type == 0 ? 0 : key_number(&r->shares, key);
    if (position == 0)
        return false;
    if (position > r->share_count) {
        const struct share share = share_of(r, key, where);
        r->share = mem_array(r->share, &r->share_capacity, position, sizeof *r->share);
        r->share[position - 1] = share;
        r->share_count = position;
    }
    r->of = &r->share[position - 1];
    *shared = r->of->fields;
    return r->of->is_known;
}

/* --- members of single resources --- */

/* Whether resources have their own member NAME; one in their type takes precedence. */
static bool is_own(const struct resources *r, struct str name)
{
    struct str value = text_member(r->of->members, name);
    return value.p == NULL || str_equal(value, STR("null"));
}

/* Adds the values of SAMPLE. A member of the same name in r->flat takes precedence, since it has
 * the spelling of the file. */
static void add_values(struct resources *r, const struct sample *sample, struct flow *flow)
{
    for (size_t i = 0; i < sample->value_count; i++) {
        const struct sample_value *v = &sample->values[i];
        struct str type = value_types_get(&flow->types, v->type)->type;
        struct perun_cell cell = {str_equal(type, PERUN_EXCLUSIVE) ? type : STR("amount"),
                                  v->value.real, PERUN_CELL_JSON};
        r->text.n = 0;
        if (v->value.kind == NUMBER_INTEGER) {
            emit_number(&r->text, v->value.integer);
            cell.text = buf_str(&r->text);
        }
        if (perun_flat_find(&r->flat, cell.name) == NULL && is_own(r, cell.name))
            add_cell(r, &cell, flow->where);
    }
}

void resources_add(struct resources *r, const struct sample *sample, struct flow *flow)
{
    r->text.n = 0;
    if (r->own.p != NULL)
        perun_spell(&r->text, r->own, flow->where, "samples..perun_members");
    perun_flatten(&r->flat, buf_str(&r->text));
    for (size_t i = 0; i < r->flat.count; i++)
        if (is_own(r, r->flat.cells[i].name))
            add_cell(r, &r->flat.cells[i], flow->where);
    add_values(r, sample, flow);
    const struct perun_cell *own = perun_flat_find(&r->flat, STR("snapshot"));
    struct perun_cell number = {STR("snapshots"), r->of->snapshot, PERUN_CELL_JSON};
    if (number.text.p == NULL)
        number.text = own == NULL || own->text.p == NULL ? STR("0") : own->text;
    add_cell(r, &number, flow->where);
}
