/* Profile rows to pprof. See ndjson2pprof(1) for the rules.
 *
 * Functions, locations and strings are kept in tables until the end. Samples are added up by
 * (labels, stack), or written one by one. */
#include "base/buf.h"
#include "base/hash.h"
#include "base/idmap.h"
#include "base/mem.h"
#include "base/order.h"
#include "base/spool.h"
#include "base/units.h"
#include "base/wide.h"
#include "formats/pprof/pprof.h"
#include "formats/pprof/pprof_file.h"
#include "formats/pprof/profile.pb-c.h"
#include "formats/wire.h"
#include "profile/chains.h"
#include "profile/default_type.h"
#include "rows/loss.h"
#include "rows/members.h"
#include "rows/source_kind.h"
#include "rows/text.h"

#include <protobuf-c/protobuf-c.h>
#include <stdio.h>

#define COLUMN_NONE UINT32_MAX

/* A value type of one source. */
struct source_type {
    struct str type, unit; /* canonical text, as in the rows */
    bool gauge;            /* a level: not written, since its values must not be added up */
    bool inclusive;        /* includes the cost of called frames: not written for the same reason */
    bool is_count;         /* samples/count, from which other types may be derived */
    bool is_time;          /* the type that would be derived from samples/count */
    /* the file has the type, but in a unit to which this one cannot be converted */
    bool misfits;
    uint32_t column;  /* in the file, from 0; COLUMN_NONE: not in the file */
    uint64_t dropped; /* number of values that are not written */
    uint64_t count;   /* number of values other than 0 */
};

/* Strings are bytes, not text. A missing string has a null p. */
struct source {
    struct str uri, kind;
    string_id label; /* of --label-source: the name of the source; 0: none */
    struct source_type *types;
    struct intern type_keys; /* type and unit as text; the number is the index in types + 1 */
    size_t type_count, type_capacity;
    size_t listed_count; /* the first of them: those listed in `.value_types` */

    bool has_period, has_period_type;
    struct str period_type, period_unit;
    unknown_id period_unknown;
    int64_t period;
    bool derives;                  /* values of the period's type are derived from samples/count */
    uint32_t derived;              /* column of the derived values, or COLUMN_NONE */
    struct wide counted;           /* sum of the counts they were derived from */
    struct decimal counted_digits; /* the same for fractions */
    int64_t duration;              /* stated by the source, in nanoseconds */

    bool is_pprof;
    struct str default_type, drop_frames, keep_frames, doc_url;
};

/* How often a comment occurs in the file, and in source number SOURCE. */
struct comment_count {
    size_t in_file, in_source, source;
};

/* The other fields of a location row that the profile does not store in the form the file needs. */
struct row_line {
    int64_t line;                     /* 0: none or unknown */
    uint32_t function;                /* in the file; 0: none */
    unknown_id unknown, line_unknown; /* of the location, if it begins here, and of the line */
    bool has_line;
};

/* Dotted columns that only pprof has; cleared before the next row. */
struct row_own {
    unknown_id unknown, line_unknown;
    bool has_time, is_outer, no_lines, has_number;
    int64_t number; /* a negative line number */
};

/* Where the type of a value was found last: at index POSITION in the types of source number SOURCE,
 * from 1. */
struct known_type {
    size_t source, position;
};

struct writer {
    struct sink sink;
    struct pprof_write_options options;
    struct out *out;
    struct arena arena;
    struct pprof_file file;
    struct buf scratch, key;
    struct idmap type_numbers; /* string id of a type + 1 -> its index in the file + 1 */

    struct source *sources;
    size_t source_count, source_capacity;
    bool has_file_time;
    struct comment_count *comments; /* by string */
    size_t comment_capacity;
    struct provenance_sum provenance; /* of all inputs, if wanted */
    uint64_t merged_sources; /* sources that say where they came from, if that is not wanted */

    /* By row id. */
    struct row_own own;             /* of the row being read */
    uint32_t *mappings, *functions; /* numbers in the file */
    size_t mapping_capacity, function_capacity;
    struct chains chains;
    struct row_line *lines;
    size_t line_capacity;
    uint64_t line_total; /* lines in all locations of the file */
    uint32_t serial;     /* counts mappings, functions and locations if equal ones stay apart */

    struct known_type *known; /* by the type's number in the flow */
    size_t known_capacity;

    /* The sample being read. */
    struct source *source;   /* NULL: none */
    struct sums_part *parts; /* its values other than 0 */
    size_t part_count, part_capacity;
    struct decimal count; /* samples/count */
    bool has_count, has_time;
    uint64_t tallied;  /* for how many samples it counts */
    bool is_added;     /* its values are added up */
    struct buf labels; /* struct label */
    /* number of its labels in the file, unless samples are written one by one */
    uint32_t label_set;
    string_id source_key;       /* of --label-source; 0: none */
    struct intern labels_given; /* labels given to sources */
    bool has_open_types;        /* a type of --types has no unit */

    struct pprof_values values; /* of a sample written on its own */
    struct spool *spool;        /* not NULL: single samples, which wait until all types are known */
};

/* The place of the row being read. */
static inline struct place place_of(const struct writer *w)
{
    return w->sink.flow->where;
}

/* === strings and unknown fields === */

/* A copy of the bytes of M, a MEMBER_STRING, kept until the end. */
static struct str copy_inner(struct writer *w, const struct member *m)
{
    return arena_copy(&w->arena, profile_inner_bytes(&w->file.profile, m->value));
}

/* Stores HEX, fields that a message of TYPE does not define, in the file's table of them. Other
 * fields are counted as a loss; the result is 0 then. */
static unknown_id unknown_of(struct writer *w, struct str hex,
                             const ProtobufCMessageDescriptor *type)
{
    w->scratch.n = 0;
    text_unhex(&w->scratch, hex);
    struct str fields = buf_str(&w->scratch);
    uint64_t known = type->fields[type->n_fields - 1].id;
    if (!wire_is_fields(fields) || wire_has_number(fields, 0, known) ||
        wire_has_number(fields, (uint64_t)UINT32_MAX + 1,
                        UINT64_MAX)) { /* the max that protobuf-c accepts */
        loss_add(LOSS_UNKNOWN_FIELDS, str_of(type->short_name), 1);
        return 0;
    }
    return fields.n == 0 ? 0 : intern_add(&w->file.unknown, fields, NULL);
}

/* === value types === */

/* Value types: types of sources become columns of sums, and columns become types of the file. */

/* Most sources have a few types; those with more get an index. */
enum { INDEXED_FROM = 16 };

/* --- types and columns of the file --- */

/* The index of type ID in the file, or -1. */
static int find_file_type(const struct writer *w, string_id id)
{
    return (int)idmap_get(&w->type_numbers, (uint64_t)id + 1) - 1;
}

static int add_file_type(struct writer *w, string_id type, string_id unit)
{
    struct pprof_file *f = &w->file;
    size_t n = f->type_count;
    f->types = mem_array(f->types, &f->type_capacity, n + 1, sizeof *f->types);
    f->types[n] = (struct pprof_type){.type = type, .unit = unit};
    idmap_put(&w->type_numbers, (uint64_t)type + 1, (uint32_t)++f->type_count);
    return (int)n;
}

/* Ends the tool, saying why values of UNIT do not fit the type T: they cannot be converted or, if
 * FINER, its unit is too coarse. */
static _Noreturn void die_unit(const struct writer *w, const struct pprof_type *t, struct str unit,
                               bool finer)
{
    struct buf type_text = {0}, old_text = {0}, unit_text = {0};
    text_escape(&type_text, pprof_string_of(&w->file, t->type));
    text_escape(&old_text, pprof_string_of(&w->file, t->unit));
    text_escape(&unit_text, unit);
    if (finer)
        die_as(CODE_WRONG_TYPE, place_of(w),
               "type \"%.*s\" comes in \"%.*s\", finer than \"%.*s\" of --types",
               STR_ARG(buf_str(&type_text)), STR_ARG(buf_str(&unit_text)),
               STR_ARG(buf_str(&old_text)));
    die_as(CODE_WRONG_TYPE, place_of(w),
           "type \"%.*s\" comes in units that do not convert: \"%.*s\" and \"%.*s\"",
           STR_ARG(buf_str(&type_text)), STR_ARG(buf_str(&old_text)), STR_ARG(buf_str(&unit_text)));
}

/* Whether values of UNIT fit the type T. A type gets its finest unit, so that nothing is rounded;
 * if that has several names, the smallest. --types may already have fixed the unit. */
static bool admit_unit(const struct writer *w, struct pprof_type *t, string_id unit)
{
    struct str old = pprof_string_of(&w->file, t->unit), new = pprof_string_of(&w->file, unit);
    int64_t finer = units_in(old, new), coarser = units_in(new, old);
    if (finer == 0 && coarser == 0) {
        if (t->is_fixed)
            return false;
        die_unit(w, t, new, false);
    }
    if (coarser == 0 && t->is_fixed)
        die_unit(w, t, new, true);
    if (!t->is_fixed && (coarser == 0 || (coarser == 1 && str_compare(new, old) < 0)))
        t->unit = unit;
    return true;
}

/* The column for values of TYPE and UNIT that count TIMES each; COLUMN_NONE if --types excludes
 * them. */
static uint32_t column_of(struct writer *w, struct str type, struct str unit, int64_t times)
{
    struct pprof_file *f = &w->file;
    string_id type_id, unit_id;
    if (w->options.types != NULL) {
        uint32_t known = intern_find(&f->profile.strings, type);
        if (known == 0 || find_file_type(w, known) < 0)
            return COLUMN_NONE;
    }
    type_id = pprof_string(f, type);
    unit_id = pprof_string(f, unit);
    int i = find_file_type(w, type_id);
    if (i < 0)
        i = add_file_type(w, type_id, unit_id);
    struct pprof_type *t = &f->types[i];
    if (!t->is_used && !t->is_fixed)
        t->unit = unit_id;
    else if (t->unit != unit_id && !admit_unit(w, t, unit_id))
        return COLUMN_NONE;
    t->is_used = true;
    struct pprof_column column;
    memset(&column, 0, sizeof column);
    column.type = (uint32_t)i;
    column.unit = unit_id;
    column.times = times;
    return intern_add(&f->columns, (struct str){(char *)&column, sizeof column}, NULL) - 1;
}

/* Sets the types of the file to those of --types. */
static void fix_types(struct writer *w)
{
    const char *list = w->options.types;
    while (*list != '\0') {
        size_t n = strcspn(list, ",");
        const char *slash = memchr(list, '/', n);
        if (n == 0 || slash == list || (slash != NULL && slash + 1 == list + n))
            die(CODE_BAD_ARGUMENT, "--types: expected TYPE or TYPE/UNIT, found \"%.*s\"", (int)n,
                list);
        size_t type_n = slash == NULL ? n : (size_t)(slash - list);
        string_id type = pprof_string(&w->file, (struct str){list, type_n});
        if (find_file_type(w, type) >= 0)
            die(CODE_BAD_ARGUMENT, "--types: \"%.*s\" comes twice", (int)n, list);
        struct str unit = slash == NULL ? STR("") : (struct str){slash + 1, n - type_n - 1};
        int i = add_file_type(w, type, pprof_string(&w->file, unit));
        w->file.types[i].is_fixed = slash != NULL;
        w->has_open_types |= slash == NULL;
        list += n + (list[n] == ',');
    }
    if (w->file.type_count == 0)
        die(CODE_BAD_ARGUMENT, "--types: expected TYPE or TYPE/UNIT, found nothing");
}

/* Whether the file has TYPE. */
static bool has_type(const struct writer *w, struct str type)
{
    uint32_t known = intern_find(&w->file.profile.strings, type);
    return known != 0 && find_file_type(w, known) >= 0;
}

/* Sets the unknown fields of the file's type for TYPE to ID. Where sources differ, the smallest by
 * bytes are kept. */
static void set_type_unknown(struct writer *w, const struct source_type *type, unknown_id id)
{
    if (type->column == COLUMN_NONE || id == 0)
        return;
    struct pprof_type *t = &w->file.types[pprof_column(&w->file, type->column + 1)->type];
    if (t->unknown != 0 && id != t->unknown) {
        loss_add(LOSS_FACTS, STR("unknown fields"), 1);
        if (str_compare(intern_get(&w->file.unknown, t->unknown),
                        intern_get(&w->file.unknown, id)) < 0)
            return;
    }
    t->unknown = id;
}

/* --- types of a source --- */

/* The key of a type of a source, in w->key. */
static struct str type_key(struct writer *w, struct str type, struct str unit)
{
    w->key.n = 0;
    buf_add(&w->key, type);
    buf_add(&w->key, STR("\"")); /* canonical text only has it escaped */
    buf_add(&w->key, unit);
    return buf_str(&w->key);
}

/* The index of a type in those of SOURCE, or their count if it is not there. TYPE and UNIT are
 * canonical text. */
static size_t find_type(struct writer *w, const struct source *source, struct str type,
                        struct str unit)
{
    if (source->type_count > INDEXED_FROM) {
        uint32_t known = intern_find(&source->type_keys, type_key(w, type, unit));
        return known == 0 ? source->type_count : known - 1;
    }
    size_t i = 0;
    while (i < source->type_count &&
           !(str_equal(source->types[i].type, type) && str_equal(source->types[i].unit, unit)))
        i++;
    return i;
}

/* Adds types of SOURCE to its index, once it has many. */
static void index_types(struct writer *w, struct source *source)
{
    if (source->type_count <= INDEXED_FROM)
        return;
    for (size_t i = source->type_keys.count; i < source->type_count; i++)
        intern_add(&source->type_keys, type_key(w, source->types[i].type, source->types[i].unit),
                   NULL);
}

/* The canonical text of BYTES, kept until the end. */
static struct str kept_text(struct writer *w, struct str bytes)
{
    w->key.n = 0;
    text_escape(&w->key, bytes);
    return arena_copy(&w->arena, buf_str(&w->key));
}

/* Adds a value type to SOURCE. After samples/count it also adds the type derived from it. TYPE and
 * UNIT are bytes. Returns the first, valid until the next is added. */
static struct source_type *add_type(struct writer *w, struct source *source, struct str type,
                                    struct str unit, bool gauge)
{
    struct source_type t = {.gauge = gauge, .column = COLUMN_NONE};
    t.type = kept_text(w, type);
    t.unit = kept_text(w, unit);
    t.is_count = str_equal(type, STR("samples")) && str_equal(unit, STR("count"));
    t.is_time = source->derives && str_equal(type, source->period_type);
    if (!gauge)
        t.column = column_of(w, type, unit, 1);
    t.misfits = !gauge && t.column == COLUMN_NONE && has_type(w, type);
    size_t at = find_type(w, source, t.type, t.unit);
    if (at == source->type_count) {
        source->types =
            mem_array(source->types, &source->type_capacity, at + 1, sizeof *source->types);
        source->type_count++;
    }
    source->types[at] = t;
    index_types(w, source);
    if (source->derives && t.is_count)
        source->derived = column_of(w, source->period_type, source->period_unit, source->period);
    return &source->types[at];
}

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
static void list_types(struct writer *w, struct buf *list)
{
    struct intern listed = {0};
    for (size_t i = 0; i < w->source_count; i++) {
        const struct source *s = &w->sources[i];
        for (size_t j = 0; j < s->type_count; j++) {
            const struct source_type *t = &s->types[j];
            if (!t->gauge)
                list_type(&listed, t->type, t->unit, list);
            if (t->is_count && s->derives) {
                struct str type = kept_text(w, s->period_type);
                list_type(&listed, type, kept_text(w, s->period_unit), list);
            }
        }
    }
    buf_add(list, listed.count == 0 ? STR("none") : STR(""));
    intern_free(&listed);
}

/* A type in --types that no source has would be zero everywhere. */
static void check_types(struct writer *w)
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
static int file_type_of(const struct writer *w, const struct source_type *t)
{
    return t->column == COLUMN_NONE ? -1 : (int)pprof_column(&w->file, t->column + 1)->type;
}

/* Whether SOURCE has values other than 0. */
static bool has_any(const struct source *source)
{
    size_t i = 0;
    while (i < source->type_count && source->types[i].count == 0)
        i++;
    return i < source->type_count;
}

/* The type that source S shows first, or NULL if it has none. SEEN, by type of the file, is the
 * last source found to have it. NUMBER, from 1, is S itself. */
static const struct source_type *shown_type(struct writer *w, const struct source *s, size_t number,
                                            size_t *seen)
{
    struct default_type says = {.default_type = kept_text(w, s->default_type)};
    bool is_pprof = s->is_pprof && has_any(s); /* a pprof source keeps showing the same type */
    struct default_type_entry *types = mem_alloc((s->type_count + 1) * sizeof *types);
    size_t *positions = mem_alloc((s->type_count + 1) * sizeof *positions), count = 0;
    for (size_t i = 0; i < s->type_count; i++) {
        const struct source_type *t = &s->types[i];
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
    const struct source_type *shown = at == count ? NULL : &s->types[positions[at]];
    mem_free(types);
    mem_free(positions);
    return shown;
}

/* The file's type that pprof would show first for source NUMBER alone, or -1 if it has none. If
 * --types excludes that type, the last of its types. *HAS_VALUES: the source has values of it. */
static int shown_first(struct writer *w, size_t number, size_t *seen, bool *has_values)
{
    const struct source *s = &w->sources[number - 1];
    *has_values = s->derived != COLUMN_NONE;
    if (s->derived != COLUMN_NONE)
        return (int)pprof_column(&w->file, s->derived + 1)->type;
    const struct source_type *shown = shown_type(w, s, number, seen);
    *has_values = has_any(s);
    if (shown == NULL)
        return -1;
    int type = file_type_of(w, shown);
    return type >= 0 ? type : (int)w->file.type_count - 1;
}

/* Whether SOURCE names type INDEX of the file as its default. */
static bool names_type(const struct writer *w, const struct source *source, size_t index)
{
    return source->default_type.n > 0 &&
           str_equal(source->default_type, pprof_string_of(&w->file, w->file.types[index].type));
}

/* Chooses the type that the file shows first: the one of its sources that have values of it, if
 * any. If they differ, the first source decides, or with --canonical the smallest name. The same
 * sources decide whether it is named as the default. So a merge of merges gives the same result as
 * one merge of all. */
static bool choose_shown(struct writer *w)
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
static struct str empty_default(const struct writer *w)
{
    for (size_t i = 0; i < w->source_count; i++)
        if (!str_equal(w->sources[i].default_type, w->sources[0].default_type))
            return STR("");
    return w->source_count == 0 || has_type(w, w->sources[0].default_type)
               ? STR("")
               : w->sources[0].default_type;
}

/* Names the type shown first, unless pprof shows it anyway, and counts defaults of sources that are
 * lost. */
static void name_default(struct writer *w, bool named)
{
    struct pprof_file *f = &w->file;
    bool is_last = f->shown == f->type_count - 1 || (w->options.canonical && !f->types_sorted);
    f->default_type =
        named || !is_last ? f->types[f->shown].type : pprof_string(f, empty_default(w));
    uint64_t dropped_names = 0;
    for (size_t i = 0; i < w->source_count; i++) {
        const struct source *s = &w->sources[i];
        bool dropped = w->options.types != NULL && !has_type(w, s->default_type);
        dropped_names += s->is_pprof && s->default_type.n > 0 && !dropped &&
                         !names_type(w, s, f->shown) &&
                         !str_equal(s->default_type, pprof_string_of(f, f->default_type));
    }
    if (dropped_names > 0)
        loss_add(LOSS_FACTS, STR("default_sample_type"), dropped_names);
}

/* After the last row: fixes the types of the file, and which of them pprof shows first. */
static void finish_types(struct writer *w)
{
    struct pprof_file *f = &w->file;
    for (size_t i = 0; i < w->source_count; i++) {
        struct source *s = &w->sources[i];
        if (s->derived != COLUMN_NONE)
            s->default_type = s->period_type;
        for (size_t j = 0; j < s->type_count; j++) {
            const struct source_type *t = &s->types[j];
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
        add_file_type(w, type, unit);
    }
    pprof_finish(f);
    f->types_sorted = w->options.types != NULL;
    name_default(w, choose_shown(w));
}

/* === sources === */

/* --- value types --- */

/* `.bytes` of V; other dotted columns cannot be written. */
static struct str value_bytes(const struct writer *w, const struct sample_value *v)
{
    struct row row = {.table = TABLE_SAMPLE_VALUES, .extra = v->extra};
    struct members walk = members_of(&row, place_of(w), NULL);
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
    size_t at = find_type(w, s, type->type, type->unit);
    if (at < s->type_count)
        return at;
    struct str type_bytes =
        arena_copy(&w->arena, profile_bytes(&w->file.profile, STR("type"), type->type, bytes));
    struct str unit_bytes =
        arena_copy(&w->arena, profile_bytes(&w->file.profile, STR("unit"), type->unit, bytes));
    add_type(w, s, type_bytes, unit_bytes, false);
    return at;
}

/* The type in its source of V, a value of the sample being read. */
static struct source_type *type_of_value(struct writer *w, const struct sample_value *v)
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
    return &s->types[known->position];
}

/* --- columns of a source --- */

/* Adds the types listed in OF to SOURCE. */
static void add_types(struct writer *w, struct source *source, const struct profile_source *of)
{
    for (size_t i = 0; i < of->type_count; i++) {
        const struct profile_value_type *t = &of->types[i];
        if (profile_is_left_out(t) && w->options.types != NULL && has_type(w, t->type))
            die_as(CODE_WRONG_TYPE, place_of(w), "--types: \"%.*s\" is %s", STR_ARG(t->type),
                   t->inclusive ? "inclusive: it cannot be added up a stack"
                                : "a gauge: a level that cannot be added up");
        struct source_type *type = add_type(w, source, t->type, t->unit, profile_is_left_out(t));
        type->inclusive = t->inclusive;
        set_type_unknown(w, type, t->other);
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
    die_as(CODE_OVERFLOW, place_of(w),
           "sources.source_timestamp: expected seconds that fit 64 bits as nanoseconds");
}

static void read_timestamp(struct writer *w, const struct number *n)
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
    bool is_merged = false;
    while (text_next_item(&rest, &item)) {
        struct str bytes = profile_inner_bytes(&w->file.profile, item);
        if (provenance_is(bytes)) {
            is_merged = true;
            if (w->options.provenance)
                continue; /* the feed adds it up */
        }
        string_id id = pprof_string(f, bytes);
        struct comment_count *c = comment_count(w, id);
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
static void drop_provenance(struct writer *w)
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
static void add_unknown_fields(struct writer *w, struct str hex)
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

/* Keeps M of the row of sources being read (profile.h). */
static bool keep_of_source(struct writer *w, const struct row *row, const struct member *m,
                           uint32_t *other)
{
    if (m->id == MEMBER_ID_PPROF) {
        struct members walk = members_of(row, place_of(w), NULL);
        read_file_facts(w, row, members_inside(&walk, m, m->value));
    } else if (m->id == MEMBER_ID_UNKNOWN) {
        *other = unknown_of(w, m->text, &pprof__value_type__descriptor);
    }
    return m->id == MEMBER_ID_PPROF || m->id == MEMBER_ID_UNKNOWN;
}

/* Reads a row of sources. */
static void read_source(struct writer *w, const struct row *row)
{
    w->sources =
        mem_array(w->sources, &w->source_capacity, w->source_count + 1, sizeof *w->sources);
    struct source *source = &w->sources[w->source_count++];
    *source = (struct source){.derived = COLUMN_NONE};
    w->own = (struct row_own){0};
    if (!str_equal(row->source.source_type, STR("pprof")))
        loss_add(LOSS_OWN, STR("source_type"), 1);
    const struct profile_source *of = profile_add_source(&w->file.profile, row, place_of(w));
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
static string_id joined_names(struct writer *w, struct str *names, size_t count)
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
static void add_mapping(struct writer *w)
{
    struct str *names = mem_alloc((w->source_count + 1) * sizeof *names);
    struct str *kinds = mem_alloc((w->source_count + 1) * sizeof *kinds);
    size_t name_count = 0, kind_count = 0;
    for (size_t i = 0; i < w->source_count; i++) {
        const struct source *s = &w->sources[i];
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

static struct str *string_in(struct source *source, size_t offset)
{
    return (struct str *)(void *)((char *)source + offset);
}

/* The string at OFFSET in struct source if all sources have the same. If they differ, those of
 * pprof files are counted as lost. */
static string_id common_string(struct writer *w, size_t offset, struct str name)
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
static bool needs_no_period(const struct source *s)
{
    for (size_t i = 0; i < s->type_count; i++)
        if (s->types[i].count > 0)
            return false;
    return !s->has_period && !s->has_period_type;
}

static bool have_same_period(const struct source *a, const struct source *b)
{
    return a->has_period == b->has_period && a->has_period_type == b->has_period_type &&
           str_equal(a->period_type, b->period_type) && str_equal(a->period_unit, b->period_unit) &&
           a->period_unknown == b->period_unknown;
}

/* Sets the period type if all sources share it, and the largest period. Sources without values do
 * not count. */
static void agree_on_period(struct writer *w)
{
    const struct source *first = NULL;
    bool same = true;
    int64_t period = 0;
    uint64_t given = 0;
    for (size_t i = 0; i < w->source_count; i++) {
        const struct source *s = &w->sources[i];
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
static bool duration_of(const struct source *s, int64_t *nanos)
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
static void agree_on_duration(struct writer *w)
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
        const struct source *s = &w->sources[i];
        if (s->duration == 0 && wide_sign(s->counted) == 0)
            continue;
        w->scratch.n = 0;
        buf_add(&w->scratch, STR("duration_nanos of "));
        text_escape(&w->scratch, s->uri.p != NULL ? s->uri : s->kind);
        loss_add(LOSS_FACTS, buf_str(&w->scratch), 1);
    }
}

/* After the last row: sets the other fields of the file. */
static void set_file_fields(struct writer *w)
{
    add_mapping(w);
    agree_on_period(w);
    agree_on_duration(w);
    drop_provenance(w);
    struct pprof_file *f = &w->file;
    f->drop_frames = common_string(w, offsetof(struct source, drop_frames), STR("drop_frames"));
    f->keep_frames = common_string(w, offsetof(struct source, keep_frames), STR("keep_frames"));
    f->doc_url = common_string(w, offsetof(struct source, doc_url), STR("doc_url"));
}

/* === frames === */

/* Mappings, functions and locations, and the stacks of samples.
 *
 * A pprof location is a list of lines, each inlined into the next: see chains.h. */

/* Max number of lines in all locations: far more than any program has. */
enum { LINES_MAX = 1 << 24 };

/* A number that keeps equal things apart, for --no-aggregate; else 0. */
static uint32_t next_serial(struct writer *w)
{
    return w->options.each ? ++w->serial : 0;
}

/* --- columns that only pprof has --- */

/* The message type for rows of TABLE. */
static const ProtobufCMessageDescriptor *message_of(enum table table)
{
    switch (table) {
    case TABLE_MAPPINGS: return &pprof__mapping__descriptor;
    case TABLE_FUNCTIONS: return &pprof__function__descriptor;
    default: return &pprof__location__descriptor;
    }
}

/* For a sample, or one of its labels. */
static bool keep_of_sample(struct writer *w, const struct member *m, uint32_t *other)
{
    if (m->id == MEMBER_ID_UNKNOWN)
        *other = unknown_of(w, m->text, &pprof__label__descriptor);
    else if (m->id == MEMBER_ID_PPROF_UNKNOWN)
        *other = unknown_of(w, m->text, &pprof__sample__descriptor);
    return m->id == MEMBER_ID_UNKNOWN || m->id == MEMBER_ID_PPROF_UNKNOWN;
}

static bool keep_own(void *user, const struct row *row, const struct member *m, uint32_t *other)
{
    struct writer *w = user;
    if (row->table == TABLE_SAMPLES)
        return keep_of_sample(w, m, other);
    if (row->table == TABLE_SOURCES)
        return keep_of_source(w, row, m, other);
    switch (m->id) {
    case MEMBER_ID_UNKNOWN:
    case MEMBER_ID_PPROF_UNKNOWN:
        w->own.unknown = unknown_of(w, m->text, message_of(row->table));
        return true;
    case MEMBER_ID_PPROF_LINE_UNKNOWN:
        w->own.line_unknown = unknown_of(w, m->text, &pprof__line__descriptor);
        return true;
    case MEMBER_ID_PPROF_START_LINE:
    case MEMBER_ID_PPROF_LINE:
        w->own.has_number = true;
        w->own.number = m->integer;
        return true;
    case MEMBER_ID_PPROF_OUTER: w->own.is_outer = m->flag; return true;
    case MEMBER_ID_PPROF_NO_LINES: w->own.no_lines = m->flag; return true;
    case MEMBER_ID_PPROF_COPY: return true;
    default: return false;
    }
}

/* --- mappings and functions --- */

/* Read a row of .mappings, functions, locations. */
static void read_mapping(struct writer *w, const struct row *row)
{
    w->own = (struct row_own){0};
    const struct profile_mapping *of = profile_add_mapping(&w->file.profile, row, place_of(w));
    struct pprof_mapping m;
    memset(&m, 0, sizeof m);
    m.memory_start = of->start;
    m.memory_limit = of->limit;
    m.file_offset = of->offset;
    m.filename = of->filename;
    m.build_id = of->build_id;
    m.has_functions = of->has_functions;
    m.has_filenames = of->has_filenames;
    m.has_line_numbers = of->has_line_numbers;
    m.has_inline_frames = of->has_inline_frames;
    m.unknown = w->own.unknown;
    m.serial = next_serial(w);
    size_t id = (size_t)row->mapping.mapping_id; /* dense, in order of appearance */
    w->mappings = mem_array(w->mappings, &w->mapping_capacity, id, sizeof *w->mappings);
    w->mappings[id - 1] = pprof_add_mapping(&w->file, &m);
}

static void read_function(struct writer *w, const struct row *row)
{
    w->own = (struct row_own){0};
    const struct profile_function *of = profile_add_function(&w->file.profile, row, place_of(w));
    struct pprof_function f;
    memset(&f, 0, sizeof f);
    f.name = of->name;
    f.system_name = of->system_name; /* without a system name pprof does not demangle the name */
    f.filename = of->filename;
    f.start_line = w->own.has_number ? w->own.number : of->start_line;
    f.unknown = w->own.unknown;
    f.serial = next_serial(w);
    size_t id = (size_t)row->function.function_id;
    w->functions = mem_array(w->functions, &w->function_capacity, id, sizeof *w->functions);
    w->functions[id - 1] = intern_add(&w->file.functions, (struct str){(char *)&f, sizeof f}, NULL);
}

/* The function for code outside of functions in FILENAME. */
static uint32_t toplevel(struct writer *w, string_id filename)
{
    struct pprof_function f;
    memset(&f, 0, sizeof f);
    f.name = pprof_string(&w->file, STR("<toplevel>"));
    f.filename = filename;
    return intern_add(&w->file.functions, (struct str){(char *)&f, sizeof f}, NULL);
}

/* --- locations --- */

/* The location of the file that begins with the row FIRST and has COUNT rows; 0: all rows of the
 * chain. */
static uint32_t location_of(struct writer *w, uint32_t first, uint32_t count, uint32_t serial)
{
    const struct profile *p = &w->file.profile;
    const struct profile_location *head = &p->locations[first - 1];
    struct pprof_location l;
    memset(&l, 0, sizeof l);
    l.address = head->address;
    l.has_address = head->address != 0;
    if (head->mapping != 0) {
        l.mapping = w->mappings[head->mapping - 1];
        if (l.has_address && w->file.unite != PPROF_UNITE_NOT)
            l.address -= p->mappings[head->mapping - 1].start;
    }
    l.is_folded = head->is_folded;
    l.unknown = w->lines[first - 1].unknown;
    l.serial = serial;
    w->key.n = 0;
    buf_add(&w->key, (struct str){(char *)&l, sizeof l});
    uint32_t n = 0;
    /* rows may share the lines that they are inlined into; locations of the file may not */
    for (uint32_t row = first;
         row != 0 && w->lines[first - 1].has_line && (count == 0 || n < count); n++) {
        const struct profile_location *at = &p->locations[row - 1];
        const struct row_line *own = &w->lines[row - 1];
        struct pprof_line line = {own->function, own->line_unknown, own->line, at->column};
        buf_add(&w->key, (struct str){(char *)&line, sizeof line});
        row = w->chains.rows[row - 1].into;
    }
    memcpy(w->key.p + offsetof(struct pprof_location, line_count), &n, sizeof n);
    bool is_new;
    uint32_t id = intern_add(&w->file.locations, buf_str(&w->key), &is_new);
    w->line_total += is_new ? n : 0;
    if (w->line_total > LINES_MAX)
        die_as(CODE_TOO_LARGE, place_of(w), "locations inlined into each other: more than %d lines",
               LINES_MAX);
    return id;
}

/* For chains.h. */
static uint32_t make_location(void *writer, uint32_t first, uint32_t count)
{
    return location_of(writer, first, count, 0);
}

/* Counts data of the location ROW, at AT, that cannot be written because it has no line. */
static void count_dropped(const struct writer *w, const struct row *row,
                          const struct profile_location *at)
{
    if (at->column != 0)
        loss_add_column(row, STR(".column"));
    if (w->own.line_unknown != 0)
        loss_add_column(row, STR(".pprof_line_unknown"));
    if (w->own.number != 0)
        loss_add_column(row, STR(".pprof_line"));
}

/* The fields that W itself keeps for the location ROW, at AT. */
static struct row_line line_of(struct writer *w, const struct row *row,
                               const struct profile_location *at)
{
    struct row_line line = {.unknown = w->own.unknown, .line_unknown = w->own.line_unknown};
    if (w->own.has_number || at->line != ROW_NULL)
        line.line = w->own.has_number ? w->own.number : at->line;
    /* only an address, or code outside of any function */
    line.has_line = at->function != 0 || at->line != ROW_NULL || at->filename != 0 ||
                    !(at->address != 0 || at->mapping != 0 || w->own.no_lines);
    if (!line.has_line)
        count_dropped(w, row, at);
    if (at->function != 0)
        line.function = w->functions[at->function - 1];
    else if (line.has_line)
        line.function = toplevel(w, at->filename);
    return line;
}

/* Whether row A can be in the same location of the file as the row INTO that it is inlined into. */
static bool same_place(const struct writer *w, const struct profile_location *a, uint32_t into)
{
    const struct profile_location *b = &w->file.profile.locations[into - 1];
    return a->address == b->address && a->mapping == b->mapping && a->is_folded == b->is_folded &&
           w->lines[into - 1].has_line;
}

static void read_location(struct writer *w, const struct row *row)
{
    size_t id = (size_t)row->location.location_id;
    w->own = (struct row_own){0};
    const struct profile_location *at = profile_add_location(&w->file.profile, row, place_of(w));
    w->lines = mem_array(w->lines, &w->line_capacity, id, sizeof *w->lines);
    struct row_line *line = &w->lines[id - 1];
    *line = line_of(w, row, at);
    struct chains_row *frame = chains_at(&w->chains, id);
    frame->into = at->into != 0 && line->has_line && same_place(w, at, at->into) ? at->into : 0;
    if (frame->into != at->into)
        loss_add_column(row, STR(".inlined_into"));
    frame->location = w->own.is_outer ? 0 : location_of(w, (uint32_t)id, 0, next_serial(w));
}

/* === samples and the stage === */

/* --- labels --- */

/* Removes labels with the key of --label-source from the sample, if they are to be replaced. */
static void remove_source_labels(struct writer *w)
{
    struct label *labels = (struct label *)(void *)w->labels.p;
    size_t count = w->labels.n / sizeof *labels, kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (labels[i].key != w->source_key)
            labels[kept++] = labels[i];
        else if (!w->options.replaces_label)
            die_at(
                place_of(w),
                "samples..labels: the key of --label-source is there already (with a \"!\" behind "
                "it its labels are replaced)");
    }
    w->labels.n = kept * sizeof *labels;
}

/* --label-source: adds the label with the source of the sample. */
static void add_source_label(struct writer *w)
{
    remove_source_labels(w);
    if (w->source->label == 0)
        return;
    struct label label = {.key = w->source_key, .string = w->source->label};
    buf_add(&w->labels, (struct str){(char *)&label, sizeof label});
}

/* Sets the labels of the sample from TEXT, its dotted columns, and from its source. */
static void read_labels(struct writer *w, struct str text)
{
    struct profile *p = &w->file.profile;
    if (!w->options.each && w->source_key == 0) {
        w->label_set = profile_label_set(p, text, place_of(w));
        return;
    }
    w->labels.n = 0;
    buf_add(&w->labels, profile_labels(p, text, place_of(w)));
    if (w->source_key != 0)
        add_source_label(w);
    if (!w->options.each)
        w->label_set = labels_add(&p->labels, buf_str(&w->labels));
}

/* --- samples --- */

static void begin_sample(struct writer *w, const struct sample *sample)
{
    w->source = &w->sources[sample->source_id - 1];
    w->has_count = w->has_time = false;
    w->tallied = sample_tallied(sample);
    w->is_added = sample_added(sample) > 0;
    w->part_count = 0;
    read_labels(w, sample->extra);
}

/* Adds X to the sample in COLUMN of the file. */
static void add_value(struct writer *w, uint32_t column, struct decimal x)
{
    w->part_count += amount_split(&w->file.digits, column, x, w->parts + w->part_count);
}

/* The index of the type of V, as spelled, in the types of the sample's source, or their number if
 * it is not there yet. */
static size_t position_of_type(struct writer *w, const struct sample_value *v)
{
    const struct value_type *t = value_types_get(&w->sink.flow->types, v->type);
    return find_type(w, w->source, t->type, t->unit);
}

/* The exact value of V, which is not an integer, and whose type is at POSITION. A fraction of a
 * time gets a finer unit. Exceptions: --types forbids that, or V is a level, which would not be one
 * in another unit. */
static struct decimal exact_of(struct writer *w, struct sample_value *v, size_t position)
{
    const struct source *s = w->source;
    bool is_open = w->options.types == NULL || w->has_open_types;
    bool is_level = position < s->type_count && s->types[position].gauge;
    return is_open && !is_level ? sample_value_refine(v, &w->sink.flow->types)
                                : sample_value_exact(v);
}

static void read_value(struct writer *w, struct sample_value *v)
{
    struct source *s = w->source;
    size_t position = s->type_count, known = s->type_count;
    struct decimal exact;
    if (v->value.kind == NUMBER_INTEGER) {
        exact = decimal_of(v->value.integer);
    } else {
        position = position_of_type(w, v);
        exact = exact_of(w, v, position);
    }
    struct source_type *t = type_of_value(w, v);
    if (s->derives && t->is_count) {
        w->has_count = true;
        w->count = exact;
    }
    w->has_time |= t->is_time;
    (position < known ? &s->types[position] : t)->count +=
        decimal_sign(exact) != 0 ? w->tallied : 0;
    if (t->column == COLUMN_NONE)
        t->dropped += w->tallied;
    else if (w->is_added)
        add_value(w, t->column, exact);
}

/* Adds to the sample the value of the period's type, if its source has none. */
static void derive_value(struct writer *w)
{
    struct source *s = w->source;
    if (!s->derives || !w->has_count || w->has_time)
        return;
    if (w->tallied == 0)
        ; /* it has been counted */
    else if (w->count.exponent == 0)
        s->counted = wide_add(s->counted, w->count.digits);
    else
        decimal_add(&s->counted_digits, w->count);
    if (s->derived != COLUMN_NONE && w->is_added)
        add_value(w, s->derived, w->count);
}

static void add_to_sums(struct writer *w)
{
    stacks_add(&w->file.profile.stacks, w->label_set, w->chains.stack, w->chains.depth, w->parts,
               w->part_count);
}

/* --- samples one by one --- */

/* Precedes the values, labels and stack of a sample in the spool. */
struct waiting {
    uint64_t part_count, label_count, depth;
};

static void put_aside(struct writer *w)
{
    struct waiting head = {w->part_count, w->labels.n / sizeof(struct label), w->chains.depth};
    struct str parts[] = {
        {(char *)&head, sizeof head},
        {(char *)w->parts, head.part_count * sizeof *w->parts},
        buf_str(&w->labels),
        {(char *)w->chains.stack, head.depth * sizeof *w->chains.stack},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        spool_write(w->spool, parts[i]);
}

/* Writes SAMPLE with the values of COUNT PARTS. */
static void write_one(struct writer *w, struct pprof_sample *sample, const struct sums_part *parts,
                      size_t count)
{
    struct pprof_file *f = &w->file;
    pprof_values_begin(&w->values, f);
    for (size_t i = 0; i < count; i++)
        pprof_values_add(&w->values, f, &parts[i]);
    pprof_values_end(&w->values, f, sample->stack, sample->depth);
    sample->values = w->values.values;
    sample->value_count = f->type_count;
    pprof_write_sample(w->out, f, sample, &w->scratch);
}

static void write_waiting(struct writer *w)
{
    struct waiting head;
    struct buf record = {0};
    spool_rewind(w->spool);
    while (spool_read(w->spool, &head, sizeof head)) {
        size_t parts = head.part_count * sizeof(struct sums_part);
        size_t labels = head.label_count * sizeof(struct label);
        size_t n = parts + labels + head.depth * sizeof(uint32_t);
        record.n = 0;
        char *p = buf_reserve(&record, n + 1);
        spool_read(w->spool, p, n);
        struct pprof_sample sample = {
            .labels = (struct label *)(void *)(p + parts),
            .label_count = head.label_count,
            .stack = (uint32_t *)(void *)(p + parts + labels),
            .depth = head.depth,
        };
        write_one(w, &sample, (struct sums_part *)(void *)p, head.part_count);
    }
    buf_free(&record);
    spool_close(w->spool);
}

/* Writes the current sample, or keeps it until all types are known. */
static void end_one(struct writer *w)
{
    if (w->spool != NULL) {
        put_aside(w);
        return;
    }
    struct pprof_sample sample = {
        .stack = w->chains.stack,
        .depth = w->chains.depth,
        .labels = (struct label *)(void *)w->labels.p,
        .label_count = w->labels.n / sizeof(struct label),
    };
    pprof_finish(&w->file);
    write_one(w, &sample, w->parts, w->part_count);
}

static void end_sample(struct writer *w)
{
    derive_value(w);
    if (w->options.each)
        end_one(w);
    else if (w->is_added)
        add_to_sums(w);
    w->source = NULL;
}

static void take_sample(struct sink *to, struct sample *sample)
{
    struct writer *w = (struct writer *)to;
    struct place where = to->flow->where;
    begin_sample(w, sample);
    /* one more for the derived value */
    w->parts = mem_array(w->parts, &w->part_capacity, (sample->value_count + 1) * AMOUNT_PARTS,
                         sizeof *w->parts);
    for (size_t i = 0; i < sample->value_count; i++) {
        to->flow->where = sample_place(sample, where, i);
        read_value(w, &sample->values[i]);
    }
    to->flow->where = where;
    chains_read(&w->chains, sample->locations, sample->depth);
    for (size_t i = 0; sample->location_extras != NULL && i < sample->depth; i++)
        loss_add_extra(TABLE_SAMPLE_LOCATIONS, sample->location_extras[i]);
    end_sample(w);
}

/* --- the whole file --- */

static void take_row(struct sink *to, struct row *row)
{
    struct writer *w = (struct writer *)to;
    switch (row->table) {
    case TABLE_LOCATIONS: read_location(w, row); break;
    case TABLE_FUNCTIONS: read_function(w, row); break;
    case TABLE_MAPPINGS: read_mapping(w, row); break;
    case TABLE_SOURCES: read_source(w, row); break;
    case TABLE_META: loss_add_columns(row); break;
    default: loss_add_row(row);
    }
}

static void free_writer(struct writer *w)
{
    for (size_t i = 0; i < w->source_count; i++) {
        mem_free(w->sources[i].types);
        intern_free(&w->sources[i].type_keys);
    }
    void *blocks[] = {w->sources, w->comments, w->mappings, w->functions,
                      w->lines,   w->parts,    w->known};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        mem_free(blocks[i]);
    chains_free(&w->chains);
    intern_free(&w->labels_given);
    buf_free(&w->labels);
    buf_free(&w->scratch);
    pprof_values_free(&w->values);
    buf_free(&w->key);
    idmap_free(&w->type_numbers);
    arena_free(&w->arena);
    provenance_free_sum(&w->provenance);
    pprof_free(&w->file);
}

/* Whether samples are written as they come. */
static bool streams(const struct writer *w)
{
    return w->options.each && w->options.types != NULL && !w->has_open_types;
}

static void open_writer(void *to, struct flow *flow, const void *with, struct out *out)
{
    struct writer *w = to;
    w->sink = (struct sink){flow, take_row, take_sample};
    w->out = out;
    if (with != NULL)
        w->options = *(const struct pprof_write_options *)with;
    flow->adds_up = !w->options.each;
    flow->takes_sums = !w->options.each && w->options.source_key == NULL;
    w->file.profile.stacks.flow = flow;
    w->file.profile.keep = keep_own;
    w->chains.make = make_location;
    w->chains.user = w;
    w->file.profile.user = w;
    if (w->options.provenance) {
        w->provenance.max = w->options.max_names;
        flow->provenance = &w->provenance;
    }
    if (w->options.level > 0)
        out_gzip(out, w->options.level);
    if (!w->options.each && !w->options.keep_addresses)
        w->file.unite = w->options.canonical ? PPROF_UNITE_MIN : PPROF_UNITE_FIRST;
    if (w->options.source_key != NULL)
        w->source_key = pprof_string(&w->file, str_of(w->options.source_key));
    if (w->options.types != NULL)
        fix_types(w);
    if (streams(w))
        pprof_write_types(out, &w->file);
    else if (w->options.each)
        w->spool = spool_open();
}

static void close_writer(void *to)
{
    struct writer *w = to;
    stacks_finish(&w->file.profile.stacks);
    if (w->options.provenance) {
        w->file.provenance = &w->provenance;
        w->file.provenance_count = provenance_end(&w->provenance);
    }
    finish_types(w);
    set_file_fields(w);
    pprof_place(&w->file);
    if (!w->options.each)
        pprof_drop_strings(&w->file);
    if (w->options.canonical)
        pprof_sort(&w->file);
    if (!streams(w))
        pprof_write_types(w->out, &w->file);
    if (!w->options.each)
        pprof_write_stacks(w->out, &w->file);
    else if (!streams(w))
        write_waiting(w);
    pprof_write_tables(w->out, &w->file);
    free_writer(w);
}

const struct stage pprof_writer = {
    .takes = STAGE_TAKES_MERGED,
    .leaves_rows = true,
    .state_size = sizeof(struct writer),
    .open = open_writer,
    .close = close_writer,
};
