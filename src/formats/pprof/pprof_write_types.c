/* Value types: types of sources become columns of sums, and columns become types of the file. */
#include "base/buf.h"
#include "base/mem.h"
#include "base/units.h"
#include "formats/pprof/pprof_write.h"
#include "rows/loss.h"
#include "rows/text.h"

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
        die_at(pprof_writer_place(w),
               "type \"%.*s\" comes in \"%.*s\", finer than \"%.*s\" of --types",
               STR_ARG(buf_str(&type_text)), STR_ARG(buf_str(&unit_text)),
               STR_ARG(buf_str(&old_text)));
    die_at(pprof_writer_place(w),
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

void pprof_writer_fix_types(struct writer *w)
{
    const char *list = w->options.types;
    while (*list != '\0') {
        size_t n = strcspn(list, ",");
        const char *slash = memchr(list, '/', n);
        if (n == 0 || slash == list || slash + 1 == list + n)
            die(STATUS_USAGE, "--types: expected TYPE or TYPE/UNIT, found \"%.*s\"", (int)n, list);
        size_t type_n = slash == NULL ? n : (size_t)(slash - list);
        string_id type = pprof_string(&w->file, (struct str){list, type_n});
        if (find_file_type(w, type) >= 0)
            die(STATUS_USAGE, "--types: \"%.*s\" comes twice", (int)n, list);
        struct str unit = slash == NULL ? STR("") : (struct str){slash + 1, n - type_n - 1};
        int i = add_file_type(w, type, pprof_string(&w->file, unit));
        w->file.types[i].is_fixed = slash != NULL;
        w->has_open_types |= slash == NULL;
        list += n + (list[n] == ',');
    }
    if (w->file.type_count == 0)
        die(STATUS_USAGE, "--types: expected TYPE or TYPE/UNIT, found nothing");
}

bool pprof_writer_has_type(const struct writer *w, struct str type)
{
    uint32_t known = intern_find(&w->file.profile.strings, type);
    return known != 0 && find_file_type(w, known) >= 0;
}

void pprof_writer_type_unknown(struct writer *w, const struct source_type *type, unknown_id id)
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

size_t pprof_writer_find_type(struct writer *w, const struct source *source, struct str type,
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

struct source_type *pprof_writer_add_type(struct writer *w, struct source *source, struct str type,
                                          struct str unit, bool gauge)
{
    struct source_type t = {.gauge = gauge, .column = COLUMN_NONE};
    t.type = kept_text(w, type);
    t.unit = kept_text(w, unit);
    t.is_count = str_equal(type, STR("samples")) && str_equal(unit, STR("count"));
    t.is_time = source->derives && str_equal(type, source->period_type);
    if (!gauge)
        t.column = column_of(w, type, unit, 1);
    t.misfits = !gauge && t.column == COLUMN_NONE && pprof_writer_has_type(w, type);
    size_t at = pprof_writer_find_type(w, source, t.type, t.unit);
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
        die(STATUS_INPUT, "--types: no source has the type \"%.*s\"; there are: %.*s",
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
    size_t *places = mem_alloc((s->type_count + 1) * sizeof *places), count = 0;
    for (size_t i = 0; i < s->type_count; i++) {
        const struct source_type *t = &s->types[i];
        int type = file_type_of(w, t);
        if (t->gauge || (type >= 0 && seen[type] == number)) /* already there in another unit */
            continue;
        if (type >= 0)
            seen[type] = number;
        places[count] = i;
        types[count++] = (struct default_type_entry){t->type, t->unit, i < s->listed_count,
                                                     is_pprof ? 1 : t->count};
    }
    size_t at = default_type_choose(&says, types, count);
    const struct source_type *shown = at == count ? NULL : &s->types[places[at]];
    mem_free(types);
    mem_free(places);
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
    return w->source_count == 0 || pprof_writer_has_type(w, w->sources[0].default_type)
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
        bool dropped = w->options.types != NULL && !pprof_writer_has_type(w, s->default_type);
        dropped_names += s->is_pprof && s->default_type.n > 0 && !dropped &&
                         !names_type(w, s, f->shown) &&
                         !str_equal(s->default_type, pprof_string_of(f, f->default_type));
    }
    if (dropped_names > 0)
        loss_add(LOSS_FACTS, STR("default_sample_type"), dropped_names);
}

void pprof_writer_finish_types(struct writer *w)
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
