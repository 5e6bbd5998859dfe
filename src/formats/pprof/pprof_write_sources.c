/* Reads value types and fields of the file from sources. */
#include "base/buf.h"
#include "base/mem.h"
#include "formats/pprof/pprof_wire.h"
#include "formats/pprof/pprof_write.h"
#include "formats/pprof/profile.pb-c.h"
#include "profile/default_type.h"
#include "rows/loss.h"
#include "rows/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- value types --- */

/* `.bytes` of V; other dotted columns cannot be written. */
static struct str value_bytes(const struct writer *w, const struct sample_value *v)
{
    struct row row = {.table = TABLE_SAMPLE_VALUES, .extra = v->extra};
    struct members walk = members_of(&row, pprof_writer_place(w), NULL);
    struct member m;
    struct str bytes = {NULL, 0};
    while (members_next(&walk, &m)) {
        if (m.id != MEMBER_ID_BYTES) {
            loss_add_column(&row, m.name);
            continue;
        }
        bytes = m.value;
        loss_add_bytes(&row, bytes);
    }
    return bytes;
}

/* The index of the type of V in its source, where it is added if it is new. */
static size_t find_value_type(struct writer *w, const struct sample_value *v, struct str bytes)
{
    const struct value_type *type = value_types_get(&w->sink.flow->types, v->type);
    struct source *s = w->source;
    size_t at = pprof_writer_find_type(w, s, type->type, type->unit);
    if (at < s->type_count)
        return at;
    struct str type_bytes =
        arena_copy(&w->arena, profile_bytes(&w->file.profile, STR("type"), type->type, bytes));
    struct str unit_bytes =
        arena_copy(&w->arena, profile_bytes(&w->file.profile, STR("unit"), type->unit, bytes));
    pprof_writer_add_type(w, s, type_bytes, unit_bytes, false);
    return at;
}

struct source_type *pprof_writer_value_type(struct writer *w, const struct sample_value *v)
{
    struct source *s = w->source;
    struct str bytes = {NULL, 0};
    if (__builtin_expect(v->extra.n != 0, 0))
        bytes = value_bytes(w, v);
    if (__builtin_expect(v->type > w->known_capacity, 0))
        w->known = mem_array_zeroed(w->known, &w->known_capacity, v->type, sizeof *w->known);
    struct known_type *known = &w->known[v->type - 1];
    size_t number = (size_t)(s - w->sources) + 1;
    if (__builtin_expect(known->source != number, 0))
        *known = (struct known_type){number, find_value_type(w, v, bytes)};
    return &s->types[known->place];
}

/* --- columns of a source --- */

/* Adds the types listed in OF to SOURCE. */
static void add_types(struct writer *w, struct source *source, const struct profile_source *of)
{
    for (size_t i = 0; i < of->type_count; i++) {
        const struct profile_value_type *t = &of->types[i];
        if (profile_is_left_out(t) && w->options.types != NULL && pprof_writer_has_type(w, t->type))
            die_at(pprof_writer_place(w), "--types: \"%.*s\" is %s", STR_ARG(t->type),
                   t->inclusive ? "inclusive: it cannot be added up a stack"
                                : "a gauge: a level that cannot be added up");
        struct source_type *type =
            pprof_writer_add_type(w, source, t->type, t->unit, profile_is_left_out(t));
        type->inclusive = t->inclusive;
        pprof_writer_type_unknown(w, type, t->other);
    }
    source->listed_count = source->type_count;
}

static void add_time(struct writer *w, int64_t time)
{
    if (!w->has_file_time || time < w->file.time)
        w->file.time = time;
    w->has_file_time = true;
}

static _Noreturn void die_timestamp(const struct writer *w)
{
    die_at(pprof_writer_place(w),
           "sources.source_timestamp: expected seconds that fit 64 bits as nanoseconds");
}

/* The number of decimals in NUMBER, without trailing zeros. */
static size_t fraction_digits(struct str number)
{
    const char *point = memchr(number.p, '.', number.n), *last = point;
    if (point == NULL)
        return 0;
    for (const char *p = point + 1; p < number.p + number.n && *p >= '0' && *p <= '9'; p++)
        if (*p != '0')
            last = p;
    return (size_t)(last - point);
}

static void read_timestamp(struct writer *w, const struct number *n)
{
    int64_t time;
    if (n->kind == NUMBER_NULL)
        return;
    if (n->kind == NUMBER_INTEGER) {
        if (__builtin_mul_overflow(n->integer, INT64_C(1000000000), &time))
            die_timestamp(w);
        add_time(w, time);
        return;
    }
    double nanos = round(strtod(n->real.p, NULL) * 1e9);
    if (!(fabs(nanos) < 9.2e18))
        die_timestamp(w);
    if (fraction_digits(n->real) > 9)
        loss_add(LOSS_FRACTIONS, STR("source_timestamp"), 1);
    add_time(w, (int64_t)nanos);
}

/* The counts of the comment ID. */
static struct comment_count *comment_count(struct writer *w, string_id id)
{
    w->comments =
        mem_array_zeroed(w->comments, &w->comment_capacity, (size_t)id + 1, sizeof *w->comments);
    struct comment_count *c = &w->comments[id];
    if (c->source != w->source_count) {
        c->source = w->source_count;
        c->in_source = 0;
    }
    return c;
}

/* Merges comments: each occurs as often as in the source that has it most often. */
static void read_comments(struct writer *w, struct str value)
{
    struct pprof_file *f = &w->file;
    struct str rest = text_inside(value), item;
    while (text_next_item(&rest, &item)) {
        string_id id = pprof_string(f, profile_inner_bytes(&w->file.profile, item));
        struct comment_count *c = comment_count(w, id);
        if (++c->in_source <= c->in_file)
            continue;
        c->in_file++;
        f->comments =
            mem_array(f->comments, &f->comment_capacity, f->comment_count + 1, sizeof *f->comments);
        f->comments[f->comment_count++] = id;
    }
}

/* Unknown fields of the file itself: if sources differ, the smallest by bytes are kept. */
static void add_unknown_fields(struct writer *w, struct str hex)
{
    struct buf *all = &w->file.unknown_fields;
    w->scratch.n = 0;
    text_unhex(&w->scratch, hex);
    struct str bytes = buf_str(&w->scratch);
    const ProtobufCMessageDescriptor *profile = &pprof__profile__descriptor;
    if (!pprof_wire_is_fields(bytes) ||
        pprof_wire_has_number(bytes, 1, profile->fields[profile->n_fields - 1].id)) {
        loss_add(LOSS_UNKNOWN_FIELDS, str_of(profile->short_name), 1);
        return;
    }
    if (all->n > 0 && !str_equal(bytes, buf_str(all)))
        loss_add(LOSS_FACTS, STR("unknown fields"), 1);
    if (all->n == 0 || str_compare(bytes, buf_str(all)) < 0) {
        all->n = 0;
        buf_add(all, bytes);
    }
}

/* `.pprof`: fields of the file that the source was read from. */
static void read_file_facts(struct writer *w, const struct row *row, struct members facts)
{
    struct source *source = &w->sources[w->source_count - 1];
    struct member m;
    source->is_pprof = true;
    while (members_next(&facts, &m))
        switch (m.id) {
        case MEMBER_ID_TIME_NANOS:
            add_time(w, m.integer);
            w->own.has_time = true;
            break;
        case MEMBER_ID_DURATION_NANOS: source->duration = m.integer; break;
        case MEMBER_ID_PERIOD_ALONE:
            source->has_period = true;
            source->period = m.integer;
            break;
        case MEMBER_ID_DEFAULT_SAMPLE_TYPE:
            source->default_type = pprof_writer_inner_copy(w, &m);
            break;
        case MEMBER_ID_DROP_FRAMES: source->drop_frames = pprof_writer_inner_copy(w, &m); break;
        case MEMBER_ID_KEEP_FRAMES: source->keep_frames = pprof_writer_inner_copy(w, &m); break;
        case MEMBER_ID_DOC_URL: source->doc_url = pprof_writer_inner_copy(w, &m); break;
        case MEMBER_ID_UNKNOWN: add_unknown_fields(w, m.text); break;
        case MEMBER_ID_COMMENT: read_comments(w, m.value); break;
        default: loss_add_inside(row, facts.column, m.name);
        }
}

/* The value of --label-source for SOURCE: its URI. If another source has that already, such as an
 * earlier run in an appended file, the number of the run is added. */
static string_id source_label(struct writer *w, const struct source *source)
{
    bool is_new;
    size_t run = 1;
    w->scratch.n = 0;
    buf_add(&w->scratch, source->uri);
    for (intern_add(&w->labels_given, buf_str(&w->scratch), &is_new); !is_new;
         intern_add(&w->labels_given, buf_str(&w->scratch), &is_new)) {
        char number[32];
        int n = snprintf(number, sizeof number, "#%zu", ++run);
        w->scratch.n = source->uri.n;
        buf_add(&w->scratch, (struct str){number, (size_t)n});
    }
    return intern_add(&w->file.profile.strings, buf_str(&w->scratch),
                      NULL); /* an empty list differs from none */
}

bool pprof_writer_keep_of_source(struct writer *w, const struct row *row, const struct member *m,
                                 uint32_t *other)
{
    if (m->id == MEMBER_ID_PPROF) {
        struct members walk = members_of(row, pprof_writer_place(w), NULL);
        read_file_facts(w, row, members_inside(&walk, m, m->value));
    } else if (m->id == MEMBER_ID_UNKNOWN) {
        *other = pprof_writer_unknown(w, m->text, &pprof__value_type__descriptor);
    }
    return m->id == MEMBER_ID_PPROF || m->id == MEMBER_ID_UNKNOWN;
}

void pprof_writer_source(struct writer *w, const struct row *row)
{
    w->sources =
        mem_array(w->sources, &w->source_capacity, w->source_count + 1, sizeof *w->sources);
    struct source *source = &w->sources[w->source_count++];
    *source = (struct source){.derived = COLUMN_NONE};
    w->own = (struct row_own){0};
    if (!str_equal(row->source.source_type, STR("pprof")))
        loss_add(LOSS_OWN, STR("source_type"), 1);
    const struct profile_source *of =
        profile_add_source(&w->file.profile, row, pprof_writer_place(w));
    if (!w->own.has_time)
        read_timestamp(w, &row->source.source_timestamp);
    source->kind = of->kind;
    source->uri = of->uri;
    if (of->has_period) {
        source->has_period = source->has_period_type = true;
        source->period_type = of->period_type;
        source->period_unit = of->period_unit;
        source->period_unknown = of->period_other;
        source->period = of->period;
    }
    if (w->source_key != 0 && source->uri.p != NULL)
        source->label = source_label(w, source);
    source->derives = default_type_has_time(of);
    add_types(w, source, of);
}
