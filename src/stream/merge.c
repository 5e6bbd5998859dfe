#include "stream/merge.h"

#include "base/mem.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/members.h"
#include "rows/site.h"
#include "rows/text.h"
#include "stream/references.h"

/* --- references --- */

static _Noreturn void die_undefined(const struct merge *m, struct place where, struct str table,
                                    struct str column, enum table refers, int64_t id)
{
    if (refers == TABLE_SAMPLES && m->samples.dropped)
        die_at(where,
               "%.*s.%.*s: sample %lld is not defined, or more than %d gaps in the numbering ago",
               STR_ARG(table), STR_ARG(column), (long long)id, SAMPLEMAP_RANGES / 2);
    die_as(CODE_OUT_OF_ORDER, where,
           "%.*s.%.*s: no %s %lld has been defined" HINT
           "if it follows later: profsort puts rows in order",
           STR_ARG(table), STR_ARG(column), schema_nouns[refers], (long long)id);
}

static int64_t map_reference(void *with, const struct row *row, struct str column,
                             enum table refers, int64_t id)
{
    const struct merge *m = with;
    int64_t to = refers == TABLE_SAMPLES ? samplemap_find(&m->samples, id)
                                         : (int64_t)idmap_get(&m->ids[refers], (uint64_t)id);
    if (to == 0)
        die_undefined(m, m->sink.flow->where, row_table_name(row), column, refers, id);
    return to;
}

/* Renumbers the references in the text of members that are not columns; the rest is unchanged. */
static void map_extra(struct merge *m, struct row *row)
{
    m->extra.n = 0;
    references_map(&m->extra, row, m->sink.flow->where, map_reference, m);
    row->extra = buf_str(&m->extra);
}

/* The same in the site of a location. */
static void map_site(struct merge *m, struct row *row)
{
    struct row_site *s = &row->site;
    if (s->mapping_id != 0)
        s->mapping_id = map_reference(m, row, STR(".mapping_id"), TABLE_MAPPINGS, s->mapping_id);
    if (s->inlined_into != 0)
        s->inlined_into =
            map_reference(m, row, STR(".inlined_into"), TABLE_LOCATIONS, s->inlined_into);
}

/* --- rows --- */

/* Merges a row that defines an id: of sources, functions, locations or mappings. */
static bool merge_definition(struct merge *m, struct row *row)
{
    const struct schema_table *t = &schema_tables[row->table];
    int64_t *own = row_integer(row, &t->columns[0]);
    if (idmap_get(&m->ids[row->table], (uint64_t)*own) != 0)
        die_at(m->sink.flow->where, "%.*s.%.*s: %lld is defined twice", STR_ARG(t->name),
               STR_ARG(t->columns[0].name), (long long)*own);
    for (unsigned i = 1; i < t->column_count; i++) {
        int64_t *id = row_integer(row, &t->columns[i]);
        if (t->columns[i].refers != TABLE_NONE && *id != ROW_NULL)
            *id = map_reference(m, row, t->columns[i].name, t->columns[i].refers, *id);
    }
    if (row->table == TABLE_LOCATIONS) {
        if (row->extra.n != 0 && !row_has_site(row))
            site_take(row);
        map_site(m, row);
    }
    if (row->extra.n != 0)
        map_extra(m, row);
    uint32_t number;
    bool is_new = true;
    if (row->table == TABLE_SOURCES) {
        number = ++m->source_count;
    } else {
        m->key.n = 0;
        emit_key(&m->key, row);
        number = intern_add(&m->distinct[row->table], buf_str(&m->key), &is_new);
    }
    idmap_put(&m->ids[row->table], (uint64_t)*own, number);
    *own = number;
    return is_new;
}

/* Drops everything about earlier profiles: the next one is numbered from 1. */
static void forget(struct merge *m)
{
    for (unsigned t = 0; t < TABLE_COUNT; t++)
        intern_free(&m->distinct[t]);
    m->source_count = 0;
    m->samples.to = 0;
    if (m->type_sample != NULL)
        memset(m->type_sample, 0, m->type_capacity * sizeof *m->type_sample);
}

void merge_note_meta(struct merge *m, const struct row *row)
{
    m->extra.n = 0;
    emit_others(&m->extra, row->extra, STR(".ends"));
    if (!str_equal(buf_str(&m->extra), buf_str(&m->first_meta)))
        loss_add_columns(row);
}

/* Starts a profile with new ids.  The first version row serves for all merged profiles. */
static bool merge_meta(struct merge *m, struct row *row)
{
    for (unsigned t = 0; t < TABLE_COUNT; t++)
        idmap_clear(&m->ids[t]);
    samplemap_clear(&m->samples);
    if (m->keeps_apart) {
        forget(m);
        return true;
    }
    if (m->begun) {
        merge_note_meta(m, row);
        return false;
    }
    m->extra.n = 0;
    emit_others(&m->extra, row->extra, STR(".ends"));
    m->begun = true;
    buf_add(&m->first_meta, buf_str(&m->extra));
    m->extra.n = 0;
    buf_add(&m->extra, STR(",\".ends\":true"));
    buf_add(&m->extra, buf_str(&m->first_meta));
    row->extra = buf_str(&m->extra);
    return true;
}

/* Counts other members of an .end row as lost. */
static void drop_end(const struct row *row)
{
    struct members walk = members_of(row, (struct place){0}, &findings_ignored);
    struct member m;
    while (row->extra.n > 0 && members_next(&walk, &m))
        if (m.id != MEMBER_ID_MORE)
            loss_add_column(row, m.name);
}

/* Whether to push ROW; false if an equal row was pushed before, or it marks the border of a
 * profile. */
static bool merge_row(struct merge *m, struct row *row)
{
    switch (row->table) {
    case TABLE_META: return merge_meta(m, row);
    case TABLE_DOTTED:
        map_extra(m, row); /* also for an .end row: what it refers to must exist */
        if (row_is_end(row) && !m->keeps_apart) {
            drop_end(row);
            return false;
        }
        return true;
    default: return merge_definition(m, row);
    }
}

static void take_row(struct sink *to, struct row *row)
{
    struct merge *m = (struct merge *)to;
    if (merge_row(m, row))
        sink_row(m->next, row);
}

/* --- samples --- */

/* A sample may have a type only once, whatever its unit. */
static void check_types(struct merge *m, const struct sample *s)
{
    const struct value_types *types = &m->sink.flow->types;
    for (size_t i = 0; i < s->value_count; i++) {
        const struct value_type *type = value_types_get(types, s->values[i].type);
        if (__builtin_expect(type->name > m->type_capacity, 0))
            m->type_sample = mem_array_zeroed(m->type_sample, &m->type_capacity, type->name,
                                              sizeof *m->type_sample);
        int64_t *last = &m->type_sample[type->name - 1];
        if (__builtin_expect(*last == m->samples.to, 0))
            die_at(sample_place(s, m->sink.flow->where, i),
                   "sample_values.type: \"%.*s\" comes twice in sample %lld", STR_ARG(type->type),
                   (long long)s->sample_id);
        *last = m->samples.to;
    }
}

static void take_sample(struct sink *to, struct sample *s)
{
    struct merge *m = (struct merge *)to;
    struct place where = m->sink.flow->where;
    int64_t source = idmap_get(&m->ids[TABLE_SOURCES], (uint64_t)s->source_id);
    if (__builtin_expect(source == 0, 0))
        die_undefined(m, where, STR("samples"), STR("source_id"), TABLE_SOURCES, s->source_id);
    samplemap_add(&m->samples, s->sample_id);
    check_types(m, s);
    size_t mapped = idmap_get_all(&m->ids[TABLE_LOCATIONS], s->locations, s->depth);
    if (__builtin_expect(mapped < s->depth, 0))
        die_undefined(m, sample_place(s, where, s->value_count + mapped), STR("sample_locations"),
                      STR("location_id"), TABLE_LOCATIONS, s->locations[mapped]);
    s->source_id = source;
    s->sample_id = m->samples.to;
    sink_sample(m->next, s);
}

struct merge merge_of(struct sink *next)
{
    return (struct merge){.sink = {next->flow, take_row, take_sample}, .next = next};
}

struct merge merge_each_of(struct sink *next)
{
    struct merge m = merge_of(next);
    m.keeps_apart = true;
    return m;
}

void merge_free(struct merge *m)
{
    for (unsigned t = 0; t < TABLE_COUNT; t++) {
        idmap_free(&m->ids[t]);
        intern_free(&m->distinct[t]);
    }
    samplemap_free(&m->samples);
    mem_free(m->type_sample);
    buf_free(&m->first_meta);
    buf_free(&m->key);
    buf_free(&m->extra);
    *m = (struct merge){0};
}
