/* Reads rows of sources. */
#include "base/mem.h"
#include "profile/profile.h"
#include "rows/listed.h"
#include "rows/loss.h"
#include "rows/source_kind.h"
#include "rows/text.h"

/* A copy of the bytes of VALUE, of a MEMBER_STRING, which lives as long as P. */
static struct str inner_copy(struct profile *p, struct str value)
{
    return arena_copy(&p->arena, profile_inner_bytes(p, value));
}

/* Passes M, a member inside COLUMN of ROW, to the user of P, who may set *OTHER. */
static void keep_inside(struct profile *p, const struct row *row, struct str column,
                        const struct member *m, uint32_t *other)
{
    if (p->keep == NULL || !p->keep(p->user, row, m, other))
        loss_add_inside(row, column, m->name);
}

/* What the callback for a value type needs, and its result. */
struct owner {
    struct profile *p;
    const struct row *row;
    uint32_t other; /* see struct profile_value_type */
};

static void keep_other(void *with, struct str column, const struct member *m)
{
    struct owner *o = with;
    keep_inside(o->p, o->row, column, m, &o->other);
}

/* Reads COLUMN of WALK, the `.value_types` of ROW. */
static void read_value_types(struct profile *p, const struct row *row, struct profile_source *s,
                             const struct members *walk, const struct member *column)
{
    struct owner owner = {p, row, 0};
    struct listed types = listed_of(walk, column);
    types.other = keep_other;
    types.with = &owner;
    for (; listed_next(&types); owner.other = 0) {
        s->types = mem_array(s->types, &s->type_capacity, s->type_count + 1, sizeof *s->types);
        s->types[s->type_count++] = (struct profile_value_type){
            .type = arena_copy(&p->arena, buf_str(&types.type)),
            .unit = arena_copy(&p->arena, buf_str(&types.unit)),
            .gauge = types.gauge,
            .inclusive = types.inclusive,
            .other = owner.other,
        };
    }
    listed_free(&types);
}

static void read_period(struct profile *p, const struct row *row, struct profile_source *s,
                        struct members period)
{
    struct member m;
    while (members_next(&period, &m))
        switch (m.id) {
        case MEMBER_ID_TYPE: s->period_type = inner_copy(p, m.value); break;
        case MEMBER_ID_UNIT: s->period_unit = inner_copy(p, m.value); break;
        case MEMBER_ID_VALUE: s->period = m.integer; break;
        default: keep_inside(p, row, period.column, &m, &s->period_other);
        }
    s->has_period = true;
}

static void take_fact(struct profile *p, struct str *to, const struct buf *found)
{
    if (found->n > 0)
        *to = arena_copy(&p->arena, buf_str(found));
}

/* The same for what it says of its provenance. */
static void take_provenance(struct profile *p, const struct provenance **to,
                            const struct provenance *found)
{
    if (!p->keeps_provenance || !provenance_is_there(found))
        return;
    const struct str names = arena_copy(&p->arena, buf_str(&found->names));
    struct provenance *copy = arena_alloc(&p->arena, sizeof *copy);
    *copy = *found;
    copy->names = (struct buf){(char *)(uintptr_t)names.p, names.n, 0};
    *to = copy;
}

/* Reads FACTS, the object of a format of KIND in ROW.  IS_KEPT: the user of P keeps the whole
 * object. */
static void read_facts(struct profile *p, const struct row *row, struct profile_source *s,
                       struct members facts, const struct source_kind *kind, bool is_kept)
{
    struct source_facts found = {.used = {NULL, 0}};
    struct member m;
    s->lists_types |= kind->lists_types;
    if (kind->facts != NULL)
        kind->facts(&facts, &found);
    take_fact(p, &s->default_type, &found.default_type);
    take_fact(p, &s->host, &found.host);
    take_fact(p, &s->producer, &found.producer);
    take_fact(p, &s->command, &found.command);
    take_fact(p, &s->date, &found.date);
    take_fact(p, &s->comments, &found.comments);
    take_provenance(p, &s->provenance, &found.provenance);
    s->duration = found.duration > 0 ? found.duration : s->duration;
    s->cores = found.cores > 0 ? found.cores : s->cores;
    source_kind_free_facts(&found);
    if (!is_kept && found.used.p == NULL)
        loss_add_column(row, facts.column);
    while (!is_kept && found.used.p != NULL && members_next(&facts, &m))
        if (!str_equal(m.name, found.used))
            loss_add_inside(row, facts.column, m.name);
}

/* Reads the dotted columns of ROW; *BYTES is its `.bytes`. */
static void read_columns(struct profile *p, const struct row *row, struct place where,
                         struct profile_source *s, struct str *bytes)
{
    struct members walk = members_of(row, where, NULL);
    struct member m, types = {.value = STR("[]")};
    while (members_next(&walk, &m))
        switch (m.id) {
        case MEMBER_ID_VALUE_TYPES: types = m; break; /* after the members of the source itself */
        case MEMBER_ID_PERIOD: read_period(p, row, s, members_inside(&walk, &m, m.value)); break;
        case MEMBER_ID_BYTES:
            *bytes = m.value;
            loss_add_bytes(row, *bytes);
            break;
        default: {
            bool is_kept = p->keep != NULL && p->keep(p->user, row, &m, NULL);
            const struct source_kind *kind = source_kind_object(m.name);
            if (kind != NULL && m.id != MEMBER_ID_OTHER && m.kind == MEMBER_OBJECT)
                read_facts(p, row, s, members_inside(&walk, &m, m.value), kind, is_kept);
            else if (!is_kept)
                loss_add_column(row, m.name);
        }
        }
    read_value_types(p, row, s, &walk, &types);
}

/* The spelling of N; empty if it is null. */
static struct str copy_number(struct profile *p, const struct number *n)
{
    struct buf text = {0};
    if (n->kind == NUMBER_INTEGER)
        decimal_write(&text, decimal_of(n->integer));
    else if (n->kind == NUMBER_REAL)
        buf_add(&text, n->real);
    const struct str copy = arena_copy(&p->arena, buf_str(&text));
    buf_free(&text);
    return copy;
}

const struct profile_source *profile_add_source(struct profile *p, const struct row *row,
                                                struct place where)
{
    p->sources =
        mem_array(p->sources, &p->source_capacity, p->source_count + 1, sizeof *p->sources);
    struct profile_source *s = &p->sources[p->source_count++];
    struct str bytes = {NULL, 0};
    *s = (struct profile_source){.default_type = STR(""),
                                 .host = STR(""),
                                 .producer = STR(""),
                                 .command = STR(""),
                                 .date = STR(""),
                                 .comments = STR("")};
    read_columns(p, row, where, s, &bytes);
    s->timestamp = copy_number(p, &row->source.source_timestamp);
    s->kind =
        arena_copy(&p->arena, profile_bytes(p, STR("source_type"), row->source.source_type, bytes));
    const struct source_kind *kind = source_kind_find(s->kind);
    s->lists_types |= kind != NULL && kind->lists_types;
    if (row->source.source_uri.p != NULL)
        s->uri = arena_copy(&p->arena,
                            profile_bytes(p, STR("source_uri"), row->source.source_uri, bytes));
    return s;
}

bool profile_is_sequence(struct str type)
{
    const struct source_kind *kind = source_kind_find(type);
    return kind == NULL || kind->order == SOURCE_IN_ORDER;
}

bool profile_is_scattered(struct str type)
{
    const struct source_kind *kind = source_kind_find(type);
    return kind != NULL && kind->order == SOURCE_SCATTERED;
}

bool profile_counts_calls(const struct profile_source *of)
{
    const struct source_kind *kind = source_kind_find(of->kind);
    bool has_inclusive = false;
    for (size_t i = 0; i < of->type_count; i++)
        has_inclusive |= of->types[i].inclusive;
    return kind != NULL && kind->counts_calls && has_inclusive;
}

bool profile_leaves_stackless(struct str type)
{
    const struct source_kind *kind = source_kind_find(type);
    return kind != NULL && kind->leaves_stackless;
}

uint32_t profile_list_type(struct value_types *types, const struct profile_value_type *t)
{
    struct buf room = {0};
    if (!text_escape(&room, t->type) || !text_escape(&room, t->unit))
        loss_add(LOSS_FACTS, STR(".value_types"), 1);
    buf_free(&room);
    return value_types_add_bytes(types, t->type, t->unit);
}

void profile_drop_source(const struct row *row, const struct profile_source *of, struct str kind)
{
    bool is_own = str_equal(of->kind, kind);
    if (!is_own)
        loss_add(LOSS_OWN, STR("source_type"), 1);
    if (!is_own && of->uri.p != NULL)
        loss_add(LOSS_FACTS, STR("source_uri"), 1);
    if (row->source.source_timestamp.kind != NUMBER_NULL)
        loss_add(LOSS_FACTS, STR("source_timestamp"), 1);
    if (of->has_period)
        loss_add(LOSS_FACTS, STR(".period"), 1);
}

void profile_forget_sources(struct profile *p)
{
    for (size_t i = 0; i < p->source_count; i++)
        mem_free(p->sources[i].types);
    p->source_count = 0;
    arena_clear(&p->arena);
}

void profile_free_sources(struct profile *p)
{
    profile_forget_sources(p);
    mem_free(p->sources);
}
