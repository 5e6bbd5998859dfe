/* Value types of pprof files that are written: types of sources become columns of sums, and columns
 * become types of the file. */
#include "formats/pprof/pprof_write.h"

#include "base/mem.h"
#include "base/units.h"
#include "profile/default_type.h"
#include "rows/loss.h"
#include "rows/text.h"

/* Most sources have a few types; those with more get an index. */
enum { INDEXED_FROM = 16 };

/* --- types and columns of the file --- */

/* The index of type ID in the file, or -1. */
static int find_file_type(const struct pprof_writer *w, string_id id)
{
    return (int)idmap_get(&w->type_numbers, (uint64_t)id + 1) - 1;
}

int pprof_write_add_file_type(struct pprof_writer *w, string_id type, string_id unit)
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
static _Noreturn void die_unit(const struct pprof_writer *w, const struct pprof_type *t,
                               struct str unit, bool finer)
{
    struct buf type_text = {0}, old_text = {0}, unit_text = {0};
    text_escape(&type_text, pprof_string_of(&w->file, t->type));
    text_escape(&old_text, pprof_string_of(&w->file, t->unit));
    text_escape(&unit_text, unit);
    if (finer)
        die_as(CODE_WRONG_TYPE, pprof_write_place(w),
               "type \"%.*s\" comes in \"%.*s\", finer than \"%.*s\" of --types",
               STR_ARG(buf_str(&type_text)), STR_ARG(buf_str(&unit_text)),
               STR_ARG(buf_str(&old_text)));
    die_as(CODE_WRONG_TYPE, pprof_write_place(w),
           "type \"%.*s\" comes in units that do not convert: \"%.*s\" and \"%.*s\"",
           STR_ARG(buf_str(&type_text)), STR_ARG(buf_str(&old_text)), STR_ARG(buf_str(&unit_text)));
}

/* Whether values of UNIT fit the type T. A type gets its finest unit, so that nothing is rounded;
 * if that has several names, the smallest. --types may already have fixed the unit. */
static bool admit_unit(const struct pprof_writer *w, struct pprof_type *t, string_id unit)
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

/* The column for values of TYPE and UNIT that count TIMES each; PPROF_COLUMN_NONE if --types excludes
 * them. */
static uint32_t column_of(struct pprof_writer *w, struct str type, struct str unit, int64_t times)
{
    struct pprof_file *f = &w->file;
    string_id type_id, unit_id;
    if (w->options.types != NULL) {
        uint32_t known = intern_find(&f->profile.strings, type);
        if (known == 0 || find_file_type(w, known) < 0)
            return PPROF_COLUMN_NONE;
    }
    type_id = pprof_string(f, type);
    unit_id = pprof_string(f, unit);
    int i = find_file_type(w, type_id);
    if (i < 0)
        i = pprof_write_add_file_type(w, type_id, unit_id);
    struct pprof_type *t = &f->types[i];
    if (!t->is_used && !t->is_fixed)
        t->unit = unit_id;
    else if (t->unit != unit_id && !admit_unit(w, t, unit_id))
        return PPROF_COLUMN_NONE;
    t->is_used = true;
    struct pprof_column column;
    memset(&column, 0, sizeof column);
    column.type = (uint32_t)i;
    column.unit = unit_id;
    column.times = times;
    return intern_add(&f->columns, (struct str){(char *)&column, sizeof column}, NULL) - 1;
}

void pprof_write_fix_types(struct pprof_writer *w)
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
        int i = pprof_write_add_file_type(w, type, pprof_string(&w->file, unit));
        w->file.types[i].is_fixed = slash != NULL;
        w->has_open_types |= slash == NULL;
        list += n + (list[n] == ',');
    }
    if (w->file.type_count == 0)
        die(CODE_BAD_ARGUMENT, "--types: expected TYPE or TYPE/UNIT, found nothing");
}

bool pprof_write_has_type(const struct pprof_writer *w, struct str type)
{
    uint32_t known = intern_find(&w->file.profile.strings, type);
    return known != 0 && find_file_type(w, known) >= 0;
}

/* Sets the unknown fields of the file's type for TYPE to ID. Where sources differ, the smallest by
 * bytes are kept. */
static void set_type_unknown(struct pprof_writer *w, const struct pprof_source_type *type,
                             unknown_id id)
{
    if (type->column == PPROF_COLUMN_NONE || id == 0)
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
static struct str type_key(struct pprof_writer *w, struct str type, struct str unit)
{
    w->key.n = 0;
    buf_add(&w->key, type);
    buf_add(&w->key, STR("\"")); /* canonical text only has it escaped */
    buf_add(&w->key, unit);
    return buf_str(&w->key);
}

size_t pprof_write_find_type(struct pprof_writer *w, const struct pprof_source *source,
                             struct str type, struct str unit)
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
static void index_types(struct pprof_writer *w, struct pprof_source *source)
{
    if (source->type_count <= INDEXED_FROM)
        return;
    for (size_t i = source->type_keys.count; i < source->type_count; i++)
        intern_add(&source->type_keys, type_key(w, source->types[i].type, source->types[i].unit),
                   NULL);
}

struct str pprof_write_kept(struct pprof_writer *w, struct str bytes)
{
    return intern_get(&w->texts, intern_add(&w->texts, bytes, NULL));
}

struct str pprof_write_kept_text(struct pprof_writer *w, struct str bytes)
{
    w->key.n = 0;
    text_escape(&w->key, bytes);
    return pprof_write_kept(w, buf_str(&w->key));
}

/* Adds a value type to SOURCE. After samples/count it also adds the type derived from it. TYPE and
 * UNIT are bytes. Returns the first, valid until the next is added. */
static struct pprof_source_type *add_type(struct pprof_writer *w, struct pprof_source *source,
                                          struct str type, struct str unit, bool gauge)
{
    struct pprof_source_type t = {.gauge = gauge, .column = PPROF_COLUMN_NONE};
    t.type = pprof_write_kept_text(w, type);
    t.unit = pprof_write_kept_text(w, unit);
    t.is_count = str_equal(type, STR("samples")) && str_equal(unit, STR("count"));
    t.is_time = source->derives && str_equal(type, source->period_type);
    if (!gauge)
        t.column = column_of(w, type, unit, 1);
    t.misfits = !gauge && t.column == PPROF_COLUMN_NONE && pprof_write_has_type(w, type);
    size_t at = pprof_write_find_type(w, source, t.type, t.unit);
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

/* --- value types --- */

/* `.bytes` of V; other dotted columns cannot be written. */
static struct str value_bytes(const struct pprof_writer *w, const struct sample_value *v)
{
    struct row row = {.table = TABLE_SAMPLE_VALUES, .extra = v->extra};
    struct members walk = members_of(&row, pprof_write_place(w), NULL);
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
static size_t find_value_type(struct pprof_writer *w, const struct sample_value *v,
                              struct str bytes)
{
    const struct value_type *type = value_types_get(&w->sink.flow->types, v->type);
    struct pprof_source *s = w->source;
    size_t at = pprof_write_find_type(w, s, type->type, type->unit);
    if (at < s->type_count)
        return at;
    struct str type_bytes =
        pprof_write_kept(w, profile_bytes(&w->file.profile, STR("type"), type->type, bytes));
    struct str unit_bytes =
        pprof_write_kept(w, profile_bytes(&w->file.profile, STR("unit"), type->unit, bytes));
    /* the row may have another text for these bytes */
    at = pprof_write_find_type(w, s, pprof_write_kept_text(w, type_bytes),
                               pprof_write_kept_text(w, unit_bytes));
    if (at == s->type_count)
        add_type(w, s, type_bytes, unit_bytes, false);
    return at;
}

struct pprof_source_type *pprof_write_type(struct pprof_writer *w, const struct sample_value *v)
{
    struct pprof_source *s = w->source;
    struct str bytes = {NULL, 0};
    if (__builtin_expect(v->extra.n != 0, 0))
        bytes = value_bytes(w, v);
    if (__builtin_expect(v->type > w->known_capacity, 0))
        w->known = mem_array_zeroed(w->known, &w->known_capacity, v->type, sizeof *w->known);
    struct pprof_known_type *known = &w->known[v->type - 1];
    size_t number = w->ended + (size_t)(s - w->sources) + 1;
    if (__builtin_expect(known->source != number, 0))
        *known = (struct pprof_known_type){number, find_value_type(w, v, bytes)};
    return &s->types[known->position];
}

/* --- columns of a source --- */

void pprof_write_add_types(struct pprof_writer *w, struct pprof_source *source,
                           const struct profile_source *of)
{
    for (size_t i = 0; i < of->type_count; i++) {
        const struct profile_value_type *t = &of->types[i];
        if (profile_is_left_out(t) && w->options.types != NULL && pprof_write_has_type(w, t->type))
            die_as(CODE_WRONG_TYPE, pprof_write_place(w), "--types: \"%.*s\" is %s",
                   STR_ARG(t->type),
                   t->inclusive ? "inclusive: it cannot be added up a stack"
                                : "a gauge: a level that cannot be added up");
        struct pprof_source_type *type =
            add_type(w, source, t->type, t->unit, profile_is_left_out(t));
        type->inclusive = t->inclusive;
        set_type_unknown(w, type, t->other);
    }
    source->listed_count = source->type_count;
}
