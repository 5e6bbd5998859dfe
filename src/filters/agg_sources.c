#include "filters/agg_sources.h"

#include "rows/emit.h"
#include "rows/listed.h"
#include "rows/text.h"

/* The value of column NAME in COLUMNS; null p if there is none. */
static struct str column_of(struct str columns, struct str name)
{
    struct str found, value;
    while (text_next_member(&columns, &found, &value))
        if (str_equal(found, name))
            return value;
    return (struct str){NULL, 0};
}

/* Adds the items of TYPES, a `.value_types`, that are not there yet. */
static void add_types(struct agg_sources *s, struct str types)
{
    struct str items = types.p == NULL ? STR("") : text_inside(types), item;
    while (text_next_item(&items, &item))
        intern_add(&s->types, item, NULL);
}

/* Keeps the columns that are also in COLUMNS, except BUT. */
static void keep_common(struct agg_sources *s, struct str columns, struct str but)
{
    struct buf kept = {0};
    struct str rest = buf_str(&s->columns), name, value;
    while (text_next_member(&rest, &name, &value)) {
        struct str other = column_of(columns, name);
        if (other.p == NULL || !str_equal(other, value) || str_equal(name, but))
            continue;
        emit_member(&kept, name);
        buf_add(&kept, value);
    }
    buf_free(&s->columns);
    s->columns = kept;
}

static bool same_numbers(const struct number *x, const struct number *y)
{
    return x->kind == y->kind && (x->kind != NUMBER_INTEGER || x->integer == y->integer) &&
           (x->kind != NUMBER_REAL || str_equal(x->real, y->real));
}

static void add_first(struct agg_sources *s, const struct row *row)
{
    s->has_any = true;
    s->row = *row;
    s->row.source.source_id = 1;
    s->row.source.source_type = arena_copy(&s->arena, row->source.source_type);
    if (row->source.source_uri.p != NULL)
        s->row.source.source_uri = arena_copy(&s->arena, row->source.source_uri);
    if (row->source.source_timestamp.kind == NUMBER_REAL)
        s->row.source.source_timestamp.real =
            arena_copy(&s->arena, row->source.source_timestamp.real);
    emit_others(&s->columns, row->extra, STR(".value_types"));
}

void agg_sources_add(struct agg_sources *s, const struct row *row)
{
    add_types(s, column_of(row->extra, STR(".value_types")));
    if (!s->has_any) {
        add_first(s, row);
        return;
    }
    bool same_uri = (row->source.source_uri.p == NULL) == (s->row.source.source_uri.p == NULL) &&
                    str_equal(row->source.source_uri, s->row.source.source_uri);
    bool same_type = str_equal(row->source.source_type, s->row.source.source_type);
    /* bytes of strings that were dropped mean nothing */
    keep_common(s, row->extra, same_uri && same_type ? STR("") : STR(".bytes"));
    if (!same_uri)
        s->row.source.source_uri = (struct str){NULL, 0};
    if (!same_type)
        s->row.source.source_type = STR("profagg");
    if (!same_numbers(&row->source.source_timestamp, &s->row.source.source_timestamp))
        s->row.source.source_timestamp = (struct number){.kind = NUMBER_NULL};
}

void agg_sources_drop(struct agg_sources *s, const struct value_type *type)
{
    struct buf item = {0};
    listed_add(&item, type->type, type->unit, LISTED_SUM);
    s->dropped = intern_find(&s->types, buf_str(&item));
    buf_free(&item);
}

bool agg_sources_get(struct agg_sources *s, struct row *row)
{
    const char *lead = "[";
    if (s->types.count > (s->dropped != 0))
        emit_member(&s->columns, STR(".value_types"));
    for (uint32_t i = 1; i <= s->types.count; i++) {
        if (i == s->dropped)
            continue;
        buf_add(&s->columns, str_of(lead));
        buf_add(&s->columns, intern_get(&s->types, i));
        lead = ",";
    }
    buf_add(&s->columns, *lead == ',' ? STR("]") : STR(""));
    *row = s->row;
    row->extra = buf_str(&s->columns);
    return s->has_any;
}

void agg_sources_free(struct agg_sources *s)
{
    arena_free(&s->arena);
    buf_free(&s->columns);
    intern_free(&s->types);
}
