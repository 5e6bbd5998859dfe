/* Sources of pprof files that are written: their rows, and what the file says of all of them.
 *
 * Only those of the current input are kept one by one. Once another input begins, no sample of them can
 * come: then all that the file has to know is how many sources said the same. So a million inputs take
 * no more memory than those that differ. */
#include "formats/pprof/pprof_write.h"

#include "base/mem.h"
#include "base/order.h"
#include "base/units.h"
#include "formats/pprof/profile.pb-c.h"
#include "formats/wire.h"
#include "profile/default_type.h"
#include "rows/loss.h"
#include "rows/source_kind.h"
#include "rows/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* How many sources there are so far. */
static size_t source_total(const struct pprof_writer *w)
{
    return w->ended + w->source_count;
}

/* The bytes of M, a MEMBER_STRING, kept until the end. */
static struct str kept_inner(struct pprof_writer *w, const struct member *m)
{
    return pprof_write_kept(w, profile_inner_bytes(&w->file.profile, m->value));
}

/* === sources whose samples have all come === */

/* What the file has to know of such a source; sources that agree in all of it are counted. Strings are
 * numbers in w->texts; 0: empty. */
struct ended {
    uint32_t kind, default_type, drop_frames, keep_frames, doc_url, period_type, period_unit;
    unknown_id period_unknown;
    int32_t shown; /* the type of the file that pprof would show first: its index, or: */
    bool is_pprof, has_values, needs_no_period, has_period, has_period_type;
    int64_t period;
};

enum { SHOWN_NONE = -1, SHOWN_LAST = -2 };

static uint32_t text_number(struct pprof_writer *w, struct str text)
{
    return text.n == 0 ? 0 : intern_add(&w->texts, text, NULL);
}

static struct str text_of(const struct pprof_writer *w, uint32_t number)
{
    return number == 0 ? STR("") : intern_get(&w->texts, number);
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

/* The type that source S shows first, or NULL if it has none. NUMBER, from 1, is that of S: w->seen has
 * for each type of the file the last source found to have it. */
static const struct pprof_source_type *shown_type(struct pprof_writer *w,
                                                  const struct pprof_source *s, size_t number)
{
    struct default_type says = {.default_type = pprof_write_kept_text(w, s->default_type)};
    bool is_pprof = s->is_pprof && has_any(s); /* a pprof source keeps showing the same type */
    struct default_type_entry *types = mem_alloc((s->type_count + 1) * sizeof *types);
    size_t *positions = mem_alloc((s->type_count + 1) * sizeof *positions), count = 0;
    w->seen = mem_array_zeroed(w->seen, &w->seen_capacity, w->file.type_count, sizeof *w->seen);
    for (size_t i = 0; i < s->type_count; i++) {
        const struct pprof_source_type *t = &s->types[i];
        int type = file_type_of(w, t);
        if (t->gauge || (type >= 0 && w->seen[type] == number)) /* there in another unit */
            continue;
        if (type >= 0)
            w->seen[type] = number;
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

/* Sets in E what pprof would show first for S alone, whose number is NUMBER, and whether S has values of
 * it. If --types excludes that type it is the last of the file. */
static void set_shown(struct pprof_writer *w, const struct pprof_source *s, size_t number,
                      struct ended *e)
{
    e->has_values = true;
    if (s->derived != PPROF_COLUMN_NONE) {
        e->shown = (int32_t)pprof_column(&w->file, s->derived + 1)->type;
        return;
    }
    const struct pprof_source_type *shown = shown_type(w, s, number);
    int type = shown == NULL ? SHOWN_NONE : file_type_of(w, shown);
    e->has_values = has_any(s);
    e->shown = shown != NULL && type < 0 ? SHOWN_LAST : type;
}

/* --- what cannot be had --- */

/* Appends TYPE and UNIT, in the form of --types, to the list for a message, unless they are there. */
static void list_type(struct pprof_writer *w, struct str type, struct str unit)
{
    enum { SHOWN = 20 };
    struct buf text = {0}, *list = &w->listed_text;
    bool is_new;
    buf_add(&text, type);
    buf_add(&text, STR("/"));
    buf_add(&text, unit);
    intern_add(&w->listed, buf_str(&text), &is_new);
    if (is_new && w->listed.count <= SHOWN) {
        buf_add(list, w->listed.count > 1 ? STR(", ") : STR(""));
        buf_add(list, buf_str(&text));
    } else if (is_new && w->listed.count == SHOWN + 1) {
        buf_add(list, STR(", ..."));
    }
    buf_free(&text);
}

/* Lists the types of S that can be written, if a type of --types may be none of them. */
static void list_types(struct pprof_writer *w, const struct pprof_source *s)
{
    for (size_t i = 0; w->options.types != NULL && i < s->type_count; i++) {
        const struct pprof_source_type *t = &s->types[i];
        if (!t->gauge)
            list_type(w, t->type, t->unit);
        if (t->is_count && s->derives) {
            struct str type = pprof_write_kept_text(w, s->period_type);
            list_type(w, type, pprof_write_kept_text(w, s->period_unit));
        }
    }
}

/* Counts the values of S that are not in the file. */
static void count_dropped(const struct pprof_source *s)
{
    for (size_t i = 0; i < s->type_count; i++) {
        const struct pprof_source_type *t = &s->types[i];
        if (t->dropped > 0 && (t->gauge || t->misfits))
            loss_add(t->inclusive ? LOSS_INCLUSIVE
                     : t->gauge   ? LOSS_GAUGES
                                  : LOSS_VALUES,
                     t->type, t->dropped);
    }
}

/* --- durations --- */

/* Sets *NANOS to the duration of S in nanoseconds; false if it exceeds 64 bits. */
static bool duration_of(const struct pprof_source *s, int64_t *nanos)
{
    int64_t time;
    struct decimal counted = {s->counted, 0};
    decimal_add(&counted, s->counted_digits);
    counted = decimal_multiply(counted, decimal_of(s->period));
    counted = decimal_multiply(counted, decimal_of(units_nanoseconds(s->period_unit)));
    return decimal_round(counted, &time) && !__builtin_add_overflow(time, s->duration, nanos);
}

static void add_duration(struct pprof_writer *w, const struct pprof_source *s)
{
    int64_t nanos = 0;
    w->has_long_duration |= !duration_of(s, &nanos);
    wide_add_to(&w->durations, nanos);
    w->with_duration += s->duration != 0 || wide_sign(s->counted) != 0;
}

/* --- one of them --- */

/* Whether S has no period, and no value that one could be about. */
static bool needs_no_period(const struct pprof_source *s)
{
    return !has_any(s) && !s->has_period && !s->has_period_type;
}

/* Counts S, whose number is NUMBER, with those that are alike. */
static void end_source(struct pprof_writer *w, struct pprof_source *s, size_t number)
{
    struct ended e;
    memset(&e, 0, sizeof e);
    if (s->derived != PPROF_COLUMN_NONE)
        s->default_type = s->period_type;
    count_dropped(s);
    list_types(w, s);
    add_duration(w, s);
    set_shown(w, s, number, &e);
    e.is_pprof = s->is_pprof;
    e.kind = s->is_pprof ? 0 : text_number(w, s->kind);
    e.default_type = text_number(w, s->default_type);
    e.drop_frames = text_number(w, s->drop_frames);
    e.keep_frames = text_number(w, s->keep_frames);
    e.doc_url = text_number(w, s->doc_url);
    e.needs_no_period = needs_no_period(s);
    e.has_period = s->has_period;
    e.has_period_type = s->has_period_type;
    e.period_type = text_number(w, s->period_type);
    e.period_unit = text_number(w, s->period_unit);
    e.period_unknown = s->period_unknown;
    e.period = s->period;
    if (!s->is_pprof && s->uri.p != NULL)
        intern_add(&w->names, s->uri, NULL);
    uint32_t id = intern_add(&w->alike, (struct str){(char *)&e, sizeof e}, NULL);
    w->alike_counts =
        mem_array_zeroed(w->alike_counts, &w->alike_capacity, id, sizeof *w->alike_counts);
    w->alike_counts[id - 1]++;
}

/* Ends all sources that are there. */
static void end_sources(struct pprof_writer *w)
{
    for (size_t i = 0; i < w->source_count; i++) {
        end_source(w, &w->sources[i], w->ended + i + 1);
        mem_free(w->sources[i].types);
        intern_free(&w->sources[i].type_keys);
    }
    w->ended += w->source_count;
    w->source_count = 0;
    profile_forget_sources(&w->file.profile);
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
    if (c->source != source_total(w)) {
        c->source = source_total(w);
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
    if (w->options.provenance || w->merged_sources == 0 || source_total(w) == 1)
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
        case MEMBER_ID_DEFAULT_SAMPLE_TYPE: source->default_type = kept_inner(w, &m); break;
        case MEMBER_ID_DROP_FRAMES: source->drop_frames = kept_inner(w, &m); break;
        case MEMBER_ID_KEEP_FRAMES: source->keep_frames = kept_inner(w, &m); break;
        case MEMBER_ID_DOC_URL: source->doc_url = kept_inner(w, &m); break;
        case MEMBER_ID_UNKNOWN: add_unknown_fields(w, m.text); break;
        case MEMBER_ID_COMMENT: read_comments(w, m.value); break;
        default: loss_add_inside(row, facts.column, m.name);
        }
}

/* The value of --label-source for SOURCE: its URI. If another source has that already, such as an
 * earlier run in an appended file, the number of the run is added. */
static string_id source_label(struct pprof_writer *w, const struct pprof_source *source)
{
    w->scratch.n = 0;
    buf_add(&w->scratch, source->uri);
    naming_add_number(&w->scratch, naming_number(&w->labels_given, source->uri));
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
    if (w->input != w->sink.flow->input)
        end_sources(w);
    w->input = w->sink.flow->input;
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

/* === what the file says of all sources === */

/* The sources that are alike in all that E says, from 1; returns how many they are. */
static uint64_t get_ended(const struct pprof_writer *w, uint32_t number, struct ended *e)
{
    memcpy(e, intern_get(&w->alike, number).p, sizeof *e);
    return w->alike_counts[number - 1];
}

/* --- the type shown first --- */

/* A type in --types that no source has would be zero everywhere. */
static void check_types(struct pprof_writer *w)
{
    struct buf type = {0};
    for (size_t i = 0; source_total(w) > 0 && i < w->file.type_count; i++) {
        const struct pprof_type *t = &w->file.types[i];
        if (t->is_used)
            continue;
        text_escape(&type, pprof_string_of(&w->file, t->type));
        buf_add(&type, t->is_fixed ? STR("/") : STR(""));
        text_escape(&type, pprof_string_of(&w->file, t->unit));
        struct str listed = w->listed.count == 0 ? STR("none") : buf_str(&w->listed_text);
        die(CODE_NO_SUCH_TYPE, "--types: no source has the type \"%.*s\"; there are: %.*s",
            STR_ARG(buf_str(&type)), STR_ARG(listed));
    }
}

/* Whether the sources like E name type INDEX of the file as their default. */
static bool names_type(const struct pprof_writer *w, const struct ended *e, size_t index)
{
    return e->default_type != 0 && str_equal(text_of(w, e->default_type),
                                             pprof_string_of(&w->file, w->file.types[index].type));
}

/* Chooses the type that the file shows first: the one of its sources that have values of it, if
 * any. If they differ, the first source decides, or with --canonical the smallest name. The same
 * sources decide whether it is named as the default. So a merge of merges gives the same result as
 * one merge of all. */
static bool choose_shown(struct pprof_writer *w)
{
    struct pprof_file *f = &w->file;
    bool chosen = false, with_values = false, named = false;
    f->shown = f->type_count - 1;
    for (uint32_t i = 1; i <= w->alike.count && (!with_values || w->options.canonical); i++) {
        struct ended e;
        get_ended(w, i, &e);
        if (e.shown == SHOWN_NONE ||
            (chosen && !e.has_values && (with_values || !w->options.canonical)))
            continue;
        size_t type = e.shown == SHOWN_LAST ? f->type_count - 1 : (size_t)e.shown;
        int order = !chosen || e.has_values != with_values
                        ? -1
                        : str_compare(pprof_string_of(f, f->types[type].type),
                                      pprof_string_of(f, f->types[f->shown].type));
        if (order < 0) {
            f->shown = type;
            named = false;
        }
        named |= order <= 0 && names_type(w, &e, f->shown);
        chosen = true;
        with_values = e.has_values;
    }
    return named;
}

/* The default that all sources name although none has such a type; "" if they do not. */
static struct str empty_default(const struct pprof_writer *w)
{
    struct ended first, e;
    if (w->alike.count == 0)
        return STR("");
    get_ended(w, 1, &first);
    for (uint32_t i = 2; i <= w->alike.count; i++) {
        get_ended(w, i, &e);
        if (e.default_type != first.default_type)
            return STR("");
    }
    struct str name = text_of(w, first.default_type);
    return pprof_write_has_type(w, name) ? STR("") : name;
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
    for (uint32_t i = 1; i <= w->alike.count; i++) {
        struct ended e;
        const uint64_t count = get_ended(w, i, &e);
        const struct str name = text_of(w, e.default_type);
        bool dropped = w->options.types != NULL && !pprof_write_has_type(w, name);
        if (e.is_pprof && name.n > 0 && !dropped && !names_type(w, &e, f->shown) &&
            !str_equal(name, pprof_string_of(f, f->default_type)))
            dropped_names += count;
    }
    if (dropped_names > 0)
        loss_add(LOSS_FACTS, STR("default_sample_type"), dropped_names);
}

/* Fixes the types of the file, and which of them pprof shows first. */
static void finish_types(struct pprof_writer *w)
{
    struct pprof_file *f = &w->file;
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

/* --- the mapping for sources without one --- */

static int by_bytes(const void *a, const void *b)
{
    return str_compare(*(const struct str *)a, *(const struct str *)b);
}

/* The strings of T in order, to be freed. */
static struct str *sorted(const struct intern *t)
{
    struct str *strings = mem_alloc((t->count + 1) * sizeof *strings);
    for (uint32_t i = 0; i < t->count; i++)
        strings[i] = intern_get(t, i + 1);
    order_items(strings, t->count, sizeof *strings, by_bytes);
    return strings;
}

/* The name of the mapping for sources without one: their URIs, or the first few of them. If none
 * has a URI, NAMES are their types. */
static string_id joined_names(struct pprof_writer *w, const struct intern *names)
{
    enum { SHOWN = 4 };
    struct str *strings = sorted(names);
    w->scratch.n = 0;
    for (size_t i = 0; i < names->count && i < SHOWN; i++) {
        buf_add(&w->scratch, i > 0 ? STR(", ") : STR(""));
        buf_add(&w->scratch, strings[i]);
    }
    mem_free(strings);
    if (names->count > SHOWN) {
        char more[40];
        int n = snprintf(more, sizeof more, " and %" PRIu32 " more", names->count - SHOWN);
        buf_add(&w->scratch, (struct str){more, (size_t)n});
        if (w->source_key == 0)
            loss_add(LOSS_FACTS, STR("source_uri"), names->count - SHOWN);
    }
    return pprof_string(&w->file, buf_str(&w->scratch));
}

/* Sets KINDS to the types of sources that do not come from pprof. */
static void collect_kinds(const struct pprof_writer *w, struct intern *kinds)
{
    for (uint32_t i = 1; i <= w->alike.count; i++) {
        struct ended e;
        get_ended(w, i, &e);
        if (!e.is_pprof)
            intern_add(kinds, text_of(w, e.kind), NULL);
    }
}

/* pprof needs a mapping to say what it shows. Sources from other formats share one, for all
 * locations without a mapping. */
static void add_mapping(struct pprof_writer *w)
{
    struct intern kinds = {0};
    collect_kinds(w, &kinds);
    if (kinds.count > 0) {
        struct pprof_mapping m;
        memset(&m, 0, sizeof m);
        if (!w->options.canonical)
            m.filename = joined_names(w, w->names.count > 0 ? &w->names : &kinds);
        else if (w->source_key == 0)
            loss_add(LOSS_FACTS, STR("source_uri"), w->names.count);
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
    intern_free(&kinds);
}

/* --- facts --- */

static uint32_t number_in(const struct ended *e, size_t offset)
{
    uint32_t number;
    memcpy(&number, (const char *)e + offset, sizeof number);
    return number;
}

/* The string at OFFSET in struct ended if all sources have the same. If they differ, those of
 * pprof files are counted as lost. */
static string_id common_string(struct pprof_writer *w, size_t offset, struct str name)
{
    uint64_t dropped = 0;
    uint32_t first = 0;
    bool same = true;
    for (uint32_t i = 1; i <= w->alike.count; i++) {
        struct ended e;
        const uint64_t count = get_ended(w, i, &e);
        const uint32_t number = number_in(&e, offset);
        first = i == 1 ? number : first;
        same &= number == first;
        dropped += number != 0 && e.is_pprof ? count : 0;
    }
    if (same && w->alike.count > 0)
        return pprof_string(&w->file, text_of(w, first));
    if (dropped > 0)
        loss_add(LOSS_FACTS, name, dropped);
    return 0;
}

static bool have_same_period(const struct ended *a, const struct ended *b)
{
    return a->has_period == b->has_period && a->has_period_type == b->has_period_type &&
           a->period_type == b->period_type && a->period_unit == b->period_unit &&
           a->period_unknown == b->period_unknown;
}

/* Sets the period type if all sources share it, and the largest period. Sources without values do
 * not count. */
static void agree_on_period(struct pprof_writer *w)
{
    struct ended first = {.kind = 0};
    bool has_first = false, same = true;
    int64_t period = 0;
    uint64_t given = 0;
    for (uint32_t i = 1; i <= w->alike.count; i++) {
        struct ended e;
        const uint64_t count = get_ended(w, i, &e);
        if (e.needs_no_period)
            continue;
        if (!has_first || e.period > period)
            period = e.period;
        if (!has_first)
            first = e;
        has_first = true;
        given += e.has_period ? count : 0;
        same &= have_same_period(&e, &first);
    }
    if (given > 0 && same) {
        w->file.has_period_type = first.has_period_type;
        w->file.period_type = pprof_string(&w->file, text_of(w, first.period_type));
        w->file.period_unit = pprof_string(&w->file, text_of(w, first.period_unit));
        w->file.period_unknown = first.period_unknown;
        w->file.period = period;
    } else if (given > 0) {
        loss_add(LOSS_FACTS, STR(".period"), given);
    }
}

/* Sets the sum of all durations. If it exceeds 64 bits it is not written, and the sources with a
 * duration are counted. */
static void agree_on_duration(struct pprof_writer *w)
{
    if (wide_fits(w->durations, &w->file.duration) && !w->has_long_duration)
        return;
    w->file.duration = 0;
    loss_add(LOSS_FACTS, STR("duration_nanos"), w->with_duration);
}

void pprof_write_finish(struct pprof_writer *w)
{
    struct pprof_file *f = &w->file;
    end_sources(w);
    finish_types(w);
    add_mapping(w);
    agree_on_period(w);
    agree_on_duration(w);
    drop_provenance(w);
    f->drop_frames = common_string(w, offsetof(struct ended, drop_frames), STR("drop_frames"));
    f->keep_frames = common_string(w, offsetof(struct ended, keep_frames), STR("keep_frames"));
    f->doc_url = common_string(w, offsetof(struct ended, doc_url), STR("doc_url"));
}

void pprof_write_free_sources(struct pprof_writer *w)
{
    struct intern *tables[] = {&w->texts, &w->alike, &w->names, &w->listed};
    void *blocks[] = {w->sources, w->comments, w->known, w->alike_counts, w->seen};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        intern_free(tables[i]);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        mem_free(blocks[i]);
    naming_free_sources(&w->labels_given);
    buf_free(&w->listed_text);
}
