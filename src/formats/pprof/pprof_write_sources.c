/* Sources of pprof files that are written: their rows, and what the file says of all of them. */
#include "base/mem.h"
#include "base/order.h"
#include "base/units.h"
#include "formats/pprof/pprof_write.h"
#include "formats/pprof/profile.pb-c.h"
#include "formats/wire.h"
#include "profile/default_type.h"
#include "rows/loss.h"
#include "rows/source_kind.h"
#include "rows/text.h"

#include <stdio.h>

/* A copy of the bytes of M, a MEMBER_STRING, kept until the end. */
static struct str copy_inner(struct pprof_writer *w, const struct member *m)
{
    return arena_copy(&w->arena, profile_inner_bytes(&w->file.profile, m->value));
}

/* === the row of a source === */

static void add_time(struct pprof_writer *w, int64_t time)
{
    if (!w->has_file_time || time < w->file.time)
        w->file.time = time;
    w->has_file_time = true;
}

static _Noreturn void die_timestamp(const struct pprof_writer *w)
{
    die_as(CODE_OVERFLOW, pprof_write_place(w),
           "sources.source_timestamp: expected seconds that fit 64 bits as nanoseconds");
}

static void read_timestamp(struct pprof_writer *w, const struct number *n)
{
    int64_t time;
    bool is_exact;
    if (n->kind == NUMBER_NULL)
        return;
    if (!source_kind_nanoseconds(n, &time, &is_exact))
        die_timestamp(w);
    if (!is_exact)
        loss_add(LOSS_FRACTIONS, STR("source_timestamp"), 1);
    add_time(w, time);
}

/* The counts of the comment ID. */
static struct pprof_comment_count *comment_count(struct pprof_writer *w, string_id id)
{
    w->comments =
        mem_array_zeroed(w->comments, &w->comment_capacity, (size_t)id + 1, sizeof *w->comments);
    struct pprof_comment_count *c = &w->comments[id];
    if (c->source != w->source_count) {
        c->source = w->source_count;
        c->in_source = 0;
    }
    return c;
}

/* Merges comments: each occurs as often as in the source that has it most often. */
static void read_comments(struct pprof_writer *w, struct str value)
{
    struct pprof_file *f = &w->file;
    struct str rest = text_inside(value), item;
    bool is_merged = false;
    while (text_next_item(&rest, &item)) {
        struct str bytes = profile_inner_bytes(&w->file.profile, item);
        if (provenance_is(bytes)) {
            is_merged = true;
            if (w->options.provenance)
                continue; /* the feed adds it up */
        }
        string_id id = pprof_string(f, bytes);
        struct pprof_comment_count *c = comment_count(w, id);
        if (++c->in_source <= c->in_file)
            continue;
        c->in_file++;
        f->comments =
            mem_array(f->comments, &f->comment_capacity, f->comment_count + 1, sizeof *f->comments);
        f->comments[f->comment_count++] = id;
    }
    w->merged_sources += is_merged;
}

/* After the last source: what each of several says of its provenance is wrong for all of them. */
static void drop_provenance(struct pprof_writer *w)
{
    struct pprof_file *f = &w->file;
    size_t kept = 0;
    if (w->options.provenance || w->merged_sources == 0 || w->source_count == 1)
        return;
    for (size_t i = 0; i < f->comment_count; i++)
        if (!provenance_is(pprof_string_of(f, f->comments[i])))
            f->comments[kept++] = f->comments[i];
    f->comment_count = kept;
    loss_add(LOSS_FACTS, STR("provenance"), w->merged_sources);
}

/* Unknown fields of the file itself: if sources differ, the smallest by bytes are kept. */
static void add_unknown_fields(struct pprof_writer *w, struct str hex)
{
    struct buf *all = &w->file.unknown_fields;
    w->scratch.n = 0;
    text_unhex(&w->scratch, hex);
    struct str bytes = buf_str(&w->scratch);
    const ProtobufCMessageDescriptor *profile = &pprof__profile__descriptor;
    if (!wire_is_fields(bytes) ||
        wire_has_number(bytes, 1, profile->fields[profile->n_fields - 1].id)) {
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
static void read_file_facts(struct pprof_writer *w, const struct row *row, struct members facts)
{
    struct pprof_source *source = &w->sources[w->source_count - 1];
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
        case MEMBER_ID_DEFAULT_SAMPLE_TYPE: source->default_type = copy_inner(w, &m); break;
        case MEMBER_ID_DROP_FRAMES: source->drop_frames = copy_inner(w, &m); break;
        case MEMBER_ID_KEEP_FRAMES: source->keep_frames = copy_inner(w, &m); break;
        case MEMBER_ID_DOC_URL: source->doc_url = copy_inner(w, &m); break;
        case MEMBER_ID_UNKNOWN: add_unknown_fields(w, m.text); break;
        case MEMBER_ID_COMMENT: read_comments(w, m.value); break;
        default: loss_add_inside(row, facts.column, m.name);
        }
}

/* The value of --label-source for SOURCE: its URI. If another source has that already, such as an
 * earlier run in an appended file, the number of the run is added. */
static string_id source_label(struct pprof_writer *w, const struct pprof_source *source)
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

bool pprof_write_keep_source(struct pprof_writer *w, const struct row *row, const struct member *m,
                             uint32_t *other)
{
    if (m->id == MEMBER_ID_PPROF) {
        struct members walk = members_of(row, pprof_write_place(w), NULL);
        read_file_facts(w, row, members_inside(&walk, m, m->value));
    } else if (m->id == MEMBER_ID_UNKNOWN) {
        *other = pprof_write_unknown(w, m->text, &pprof__value_type__descriptor);
    }
    return m->id == MEMBER_ID_PPROF || m->id == MEMBER_ID_UNKNOWN;
}

void pprof_write_source(struct pprof_writer *w, const struct row *row)
{
    w->sources =
        mem_array(w->sources, &w->source_capacity, w->source_count + 1, sizeof *w->sources);
    struct pprof_source *source = &w->sources[w->source_count++];
    *source = (struct pprof_source){.derived = PPROF_COLUMN_NONE};
    w->own = (struct pprof_row_own){0};
    if (!str_equal(row->source.source_type, STR("pprof")))
        loss_add(LOSS_OWN, STR("source_type"), 1);
    const struct profile_source *of =
        profile_add_source(&w->file.profile, row, pprof_write_place(w));
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
    pprof_write_add_types(w, source, of);
}

/* === the types of the file === */

/* --- what cannot be had --- */

/* Appends TYPE and UNIT, in the form of --types, to LIST, unless they are in LISTED. */
static void list_type(struct intern *listed, struct str type, struct str unit, struct buf *list)
{
    enum { SHOWN = 20 };
    struct buf text = {0};
    bool is_new;
    buf_add(&text, type);
    buf_add(&text, STR("/"));
    buf_add(&text, unit);
    intern_add(listed, buf_str(&text), &is_new);
    if (is_new && listed->count <= SHOWN) {
        buf_add(list, listed->count > 1 ? STR(", ") : STR(""));
        buf_add(list, buf_str(&text));
    } else if (is_new && listed->count == SHOWN + 1) {
        buf_add(list, STR(", ..."));
    }
    buf_free(&text);
}

/* Appends to LIST, for a message, the types that can be written. */
static void list_types(struct pprof_writer *w, struct buf *list)
{
    struct intern listed = {0};
    for (size_t i = 0; i < w->source_count; i++) {
        const struct pprof_source *s = &w->sources[i];
        for (size_t j = 0; j < s->type_count; j++) {
            const struct pprof_source_type *t = &s->types[j];
            if (!t->gauge)
                list_type(&listed, t->type, t->unit, list);
            if (t->is_count && s->derives) {
                struct str type = pprof_write_kept_text(w, s->period_type);
                list_type(&listed, type, pprof_write_kept_text(w, s->period_unit), list);
            }
        }
    }
    buf_add(list, listed.count == 0 ? STR("none") : STR(""));
    intern_free(&listed);
}

/* A type in --types that no source has would be zero everywhere. */
static void check_types(struct pprof_writer *w)
{
    struct buf type = {0}, list = {0};
    for (size_t i = 0; w->source_count > 0 && i < w->file.type_count; i++) {
        const struct pprof_type *t = &w->file.types[i];
        if (t->is_used)
            continue;
        text_escape(&type, pprof_string_of(&w->file, t->type));
        buf_add(&type, t->is_fixed ? STR("/") : STR(""));
        text_escape(&type, pprof_string_of(&w->file, t->unit));
        list_types(w, &list);
        die(CODE_NO_SUCH_TYPE, "--types: no source has the type \"%.*s\"; there are: %.*s",
            STR_ARG(buf_str(&type)), STR_ARG(buf_str(&list)));
    }
}

/* --- what pprof shows first --- */

/* The file's type for T; -1: none. */
static int file_type_of(const struct pprof_writer *w, const struct pprof_source_type *t)
{
    return t->column == PPROF_COLUMN_NONE ? -1 : (int)pprof_column(&w->file, t->column + 1)->type;
}

/* Whether SOURCE has values other than 0. */
static bool has_any(const struct pprof_source *source)
{
    size_t i = 0;
    while (i < source->type_count && source->types[i].count == 0)
        i++;
    return i < source->type_count;
}

/* The type that source S shows first, or NULL if it has none. SEEN, by type of the file, is the
 * last source found to have it. NUMBER, from 1, is S itself. */
static const struct pprof_source_type *
shown_type(struct pprof_writer *w, const struct pprof_source *s, size_t number, size_t *seen)
{
    struct default_type says = {.default_type = pprof_write_kept_text(w, s->default_type)};
    bool is_pprof = s->is_pprof && has_any(s); /* a pprof source keeps showing the same type */
    struct default_type_entry *types = mem_alloc((s->type_count + 1) * sizeof *types);
    size_t *positions = mem_alloc((s->type_count + 1) * sizeof *positions), count = 0;
    for (size_t i = 0; i < s->type_count; i++) {
        const struct pprof_source_type *t = &s->types[i];
        int type = file_type_of(w, t);
        if (t->gauge || (type >= 0 && seen[type] == number)) /* already there in another unit */
            continue;
        if (type >= 0)
            seen[type] = number;
        positions[count] = i;
        types[count++] = (struct default_type_entry){t->type, t->unit, i < s->listed_count,
                                                     is_pprof ? 1 : t->count};
    }
    size_t at = default_type_choose(&says, types, count);
    const struct pprof_source_type *shown = at == count ? NULL : &s->types[positions[at]];
    mem_free(types);
    mem_free(positions);
    return shown;
}

/* The file's type that pprof would show first for source NUMBER alone, or -1 if it has none. If
 * --types excludes that type, the last of its types. *HAS_VALUES: the source has values of it. */
static int shown_first(struct pprof_writer *w, size_t number, size_t *seen, bool *has_values)
{
    const struct pprof_source *s = &w->sources[number - 1];
    *has_values = s->derived != PPROF_COLUMN_NONE;
    if (s->derived != PPROF_COLUMN_NONE)
        return (int)pprof_column(&w->file, s->derived + 1)->type;
    const struct pprof_source_type *shown = shown_type(w, s, number, seen);
    *has_values = has_any(s);
    if (shown == NULL)
        return -1;
    int type = file_type_of(w, shown);
    return type >= 0 ? type : (int)w->file.type_count - 1;
}

/* Whether SOURCE names type INDEX of the file as its default. */
static bool names_type(const struct pprof_writer *w, const struct pprof_source *source,
                       size_t index)
{
    return source->default_type.n > 0 &&
           str_equal(source->default_type, pprof_string_of(&w->file, w->file.types[index].type));
}

/* Chooses the type that the file shows first: the one of its sources that have values of it, if
 * any. If they differ, the first source decides, or with --canonical the smallest name. The same
 * sources decide whether it is named as the default. So a merge of merges gives the same result as
 * one merge of all. */
static bool choose_shown(struct pprof_writer *w)
{
    struct pprof_file *f = &w->file;
    size_t *seen = mem_alloc_zeroed(f->type_count * sizeof *seen);
    bool chosen = false, with_values = false, named = false, has_values;
    f->shown = f->type_count - 1;
    for (size_t i = 0; i < w->source_count && (!with_values || w->options.canonical); i++) {
        int type = shown_first(w, i + 1, seen, &has_values);
        if (type < 0 || (chosen && !has_values && (with_values || !w->options.canonical)))
            continue;
        int order = !chosen || has_values != with_values
                        ? -1
                        : str_compare(pprof_string_of(f, f->types[type].type),
                                      pprof_string_of(f, f->types[f->shown].type));
        if (order < 0) {
            f->shown = (size_t)type;
            named = false;
        }
        named |= order <= 0 && names_type(w, &w->sources[i], f->shown);
        chosen = true;
        with_values = has_values;
    }
    mem_free(seen);
    return named;
}

/* The default that all sources name although none has such a type; "" if they do not. */
static struct str empty_default(const struct pprof_writer *w)
{
    for (size_t i = 0; i < w->source_count; i++)
        if (!str_equal(w->sources[i].default_type, w->sources[0].default_type))
            return STR("");
    return w->source_count == 0 || pprof_write_has_type(w, w->sources[0].default_type)
               ? STR("")
               : w->sources[0].default_type;
}

/* Names the type shown first, unless pprof shows it anyway, and counts defaults of sources that are
 * lost. */
static void name_default(struct pprof_writer *w, bool named)
{
    struct pprof_file *f = &w->file;
    bool is_last = f->shown == f->type_count - 1 || (w->options.canonical && !f->types_sorted);
    f->default_type =
        named || !is_last ? f->types[f->shown].type : pprof_string(f, empty_default(w));
    uint64_t dropped_names = 0;
    for (size_t i = 0; i < w->source_count; i++) {
        const struct pprof_source *s = &w->sources[i];
        bool dropped = w->options.types != NULL && !pprof_write_has_type(w, s->default_type);
        dropped_names += s->is_pprof && s->default_type.n > 0 && !dropped &&
                         !names_type(w, s, f->shown) &&
                         !str_equal(s->default_type, pprof_string_of(f, f->default_type));
    }
    if (dropped_names > 0)
        loss_add(LOSS_FACTS, STR("default_sample_type"), dropped_names);
}

/* After the last row: fixes the types of the file, and which of them pprof shows first. */
static void finish_types(struct pprof_writer *w)
{
    struct pprof_file *f = &w->file;
    for (size_t i = 0; i < w->source_count; i++) {
        struct pprof_source *s = &w->sources[i];
        if (s->derived != PPROF_COLUMN_NONE)
            s->default_type = s->period_type;
        for (size_t j = 0; j < s->type_count; j++) {
            const struct pprof_source_type *t = &s->types[j];
            if (t->dropped > 0 && (t->gauge || t->misfits))
                loss_add(t->inclusive ? LOSS_INCLUSIVE
                         : t->gauge   ? LOSS_GAUGES
                                      : LOSS_VALUES,
                         t->type, t->dropped);
        }
    }
    if (w->options.types != NULL)
        check_types(w);
    if (f->type_count == 0) { /* pprof rejects a file without types */
        string_id type = pprof_string(f, STR("samples")), unit = pprof_string(f, STR("count"));
        pprof_write_add_file_type(w, type, unit);
    }
    pprof_finish(f);
    f->types_sorted = w->options.types != NULL;
    name_default(w, choose_shown(w));
}

/* === fields of the file === */

/* --- the mapping for sources without one --- */

static int by_bytes(const void *a, const void *b)
{
    return str_compare(*(const struct str *)a, *(const struct str *)b);
}

/* Sorts N strings and removes duplicates; returns the number left. */
static size_t sort_distinct(struct str *strings, size_t n)
{
    size_t distinct = 0;
    order_items(strings, n, sizeof *strings, by_bytes);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || !str_equal(strings[i], strings[distinct - 1]))
            strings[distinct++] = strings[i];
    return distinct;
}

/* The name of the mapping for sources without one: their URIs, or the first few of them. If none
 * has a URI, their types. NAMES has COUNT strings. */
static string_id joined_names(struct pprof_writer *w, struct str *names, size_t count)
{
    enum { SHOWN = 4 };
    size_t distinct = sort_distinct(names, count);
    w->scratch.n = 0;
    for (size_t i = 0; i < distinct && i < SHOWN; i++) {
        buf_add(&w->scratch, i > 0 ? STR(", ") : STR(""));
        buf_add(&w->scratch, names[i]);
    }
    if (distinct > SHOWN) {
        char more[40];
        int n = snprintf(more, sizeof more, " and %zu more", distinct - SHOWN);
        buf_add(&w->scratch, (struct str){more, (size_t)n});
        if (w->source_key == 0)
            loss_add(LOSS_FACTS, STR("source_uri"), distinct - SHOWN);
    }
    return pprof_string(&w->file, buf_str(&w->scratch));
}

/* pprof needs a mapping to say what it shows. Sources from other formats share one, for all
 * locations without a mapping. */
static void add_mapping(struct pprof_writer *w)
{
    struct str *names = mem_alloc((w->source_count + 1) * sizeof *names);
    struct str *kinds = mem_alloc((w->source_count + 1) * sizeof *kinds);
    size_t name_count = 0, kind_count = 0;
    for (size_t i = 0; i < w->source_count; i++) {
        const struct pprof_source *s = &w->sources[i];
        if (!s->is_pprof)
            kinds[kind_count++] = s->kind;
        if (!s->is_pprof && s->uri.p != NULL)
            names[name_count++] = s->uri;
    }
    if (kind_count > 0) {
        struct pprof_mapping m;
        memset(&m, 0, sizeof m);
        if (!w->options.canonical)
            m.filename = name_count > 0 ? joined_names(w, names, name_count)
                                        : joined_names(w, kinds, kind_count);
        else if (w->source_key == 0)
            loss_add(LOSS_FACTS, STR("source_uri"), sort_distinct(names, name_count));
        m.has_functions = m.has_filenames = m.has_line_numbers = true;
        size_t before = w->file.mapping_count;
        uint32_t id = pprof_add_mapping(&w->file, &m);
        for (uint32_t i = 1; i <= w->file.locations.count; i++) {
            struct pprof_location *l = pprof_location(&w->file, i);
            if (l->mapping == 0 && l->address == 0)
                l->mapping = id;
        }
        if (id <= before && !w->options.each) /* another source already has this mapping */
            pprof_unite_changed(&w->file);
    }
    mem_free(names);
    mem_free(kinds);
}

static struct str *string_in(struct pprof_source *source, size_t offset)
{
    return (struct str *)(void *)((char *)source + offset);
}

/* The string at OFFSET in struct pprof_source if all sources have the same. If they differ, those of
 * pprof files are counted as lost. */
static string_id common_string(struct pprof_writer *w, size_t offset, struct str name)
{
    uint64_t dropped = 0;
    bool same = true;
    for (size_t i = 0; i < w->source_count; i++) {
        struct str s = *string_in(&w->sources[i], offset);
        dropped += s.n > 0 && w->sources[i].is_pprof;
        same &= str_equal(s, *string_in(w->sources, offset));
    }
    if (same && w->source_count > 0)
        return pprof_string(&w->file, *string_in(w->sources, offset));
    if (dropped > 0)
        loss_add(LOSS_FACTS, name, dropped);
    return 0;
}

/* Whether S has no period, and no value that one could be about. */
static bool needs_no_period(const struct pprof_source *s)
{
    for (size_t i = 0; i < s->type_count; i++)
        if (s->types[i].count > 0)
            return false;
    return !s->has_period && !s->has_period_type;
}

static bool have_same_period(const struct pprof_source *a, const struct pprof_source *b)
{
    return a->has_period == b->has_period && a->has_period_type == b->has_period_type &&
           str_equal(a->period_type, b->period_type) && str_equal(a->period_unit, b->period_unit) &&
           a->period_unknown == b->period_unknown;
}

/* Sets the period type if all sources share it, and the largest period. Sources without values do
 * not count. */
static void agree_on_period(struct pprof_writer *w)
{
    const struct pprof_source *first = NULL;
    bool same = true;
    int64_t period = 0;
    uint64_t given = 0;
    for (size_t i = 0; i < w->source_count; i++) {
        const struct pprof_source *s = &w->sources[i];
        if (needs_no_period(s))
            continue;
        if (first == NULL || s->period > period)
            period = s->period;
        if (first == NULL)
            first = s;
        given += s->has_period;
        same &= have_same_period(s, first);
    }
    if (given > 0 && same) {
        w->file.has_period_type = first->has_period_type;
        w->file.period_type = pprof_string(&w->file, first->period_type);
        w->file.period_unit = pprof_string(&w->file, first->period_unit);
        w->file.period_unknown = first->period_unknown;
        w->file.period = period;
    } else if (given > 0) {
        loss_add(LOSS_FACTS, STR(".period"), given);
    }
}

/* Sets *NANOS to the duration of SOURCE in nanoseconds; false if it exceeds 64 bits. */
static bool duration_of(const struct pprof_source *s, int64_t *nanos)
{
    int64_t time;
    struct decimal counted = {s->counted, 0};
    decimal_add(&counted, s->counted_digits);
    counted = decimal_multiply(counted, decimal_of(s->period));
    counted = decimal_multiply(counted, decimal_of(units_nanoseconds(s->period_unit)));
    return decimal_round(counted, &time) && !__builtin_add_overflow(time, s->duration, nanos);
}

/* Sets the sum of all durations. If it exceeds 64 bits it is not written, and the sources with a
 * duration are reported. */
static void agree_on_duration(struct pprof_writer *w)
{
    struct wide sum = wide_of(0);
    bool fits = true;
    for (size_t i = 0; i < w->source_count; i++) {
        int64_t nanos = 0;
        fits &= duration_of(&w->sources[i], &nanos);
        wide_add_to(&sum, nanos);
    }
    if (wide_fits(sum, &w->file.duration) && fits)
        return;
    w->file.duration = 0;
    for (size_t i = 0; i < w->source_count; i++) {
        const struct pprof_source *s = &w->sources[i];
        if (s->duration == 0 && wide_sign(s->counted) == 0)
            continue;
        w->scratch.n = 0;
        buf_add(&w->scratch, STR("duration_nanos of "));
        text_escape(&w->scratch, s->uri.p != NULL ? s->uri : s->kind);
        loss_add(LOSS_FACTS, buf_str(&w->scratch), 1);
    }
}

/* After the last row: sets the other fields of the file. */
static void set_file_fields(struct pprof_writer *w)
{
    add_mapping(w);
    agree_on_period(w);
    agree_on_duration(w);
    drop_provenance(w);
    struct pprof_file *f = &w->file;
    f->drop_frames =
        common_string(w, offsetof(struct pprof_source, drop_frames), STR("drop_frames"));
    f->keep_frames =
        common_string(w, offsetof(struct pprof_source, keep_frames), STR("keep_frames"));
    f->doc_url = common_string(w, offsetof(struct pprof_source, doc_url), STR("doc_url"));
}

void pprof_write_finish(struct pprof_writer *w)
{
    finish_types(w);
    set_file_fields(w);
}

void pprof_write_free_sources(struct pprof_writer *w)
{
    for (size_t i = 0; i < w->source_count; i++) {
        mem_free(w->sources[i].types);
        intern_free(&w->sources[i].type_keys);
    }
    mem_free(w->sources);
    mem_free(w->comments);
    mem_free(w->known);
    intern_free(&w->labels_given);
}
