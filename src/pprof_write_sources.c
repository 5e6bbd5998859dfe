/* What sources say of value types and of the whole file. */
#include "loss.h"
#include "pprof_units.h"
#include "pprof_wire.h"
#include "pprof_write.h"
#include "profile.pb-c.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- value types --- */

/* Most sources have a handful of types; an index serves those that have many. */
enum { INDEXED_FROM = 16 };

/* Gives the file's type INDEX a unit that is FACTOR times finer, and everything that came before
 * the same. */
static void refine_unit(struct writer *w, int index, string_id unit, int64_t factor)
{
    struct pprof_type *t = &w->file.types[index];
    t->unit = unit;
    if (factor == 1)
        return;
    for (size_t i = 0; i < t->sum_count; i++)
        if (__builtin_mul_overflow(t->sums[i], factor, &t->sums[i]))
            writer_die_overflow(w, index);
    if (__builtin_mul_overflow(w->values[index], factor, &w->values[index]))
        writer_die_overflow(w, index);
    for (size_t i = 0; i < w->source_count; i++) {
        struct source *s = &w->sources[i];
        if (s->derived == index)
            s->derived_factor *= factor;
        for (size_t j = 0; j < s->type_count; j++)
            if (s->types[j].index == index)
                s->types[j].factor *= factor;
    }
    w->changes =
        mem_array(w->changes, &w->change_capacity, w->change_count + 1, sizeof *w->changes);
    w->changes[w->change_count++] = (struct unit_change){index, factor};
}

/* Lets a value of UNIT into the type INDEX, whose unit is another: sets *FACTOR to what makes it
 * the type's; the finer of the two units stands. */
static int convert_unit(struct writer *w, int index, struct str unit, int64_t *factor)
{
    const struct pprof_file *f = &w->file;
    string_id old_id = f->types[index].unit;
    struct str old = old_id == 0 ? STR("") : intern_get(&f->strings, old_id);
    int64_t finer = units_in(old, unit);
    *factor = units_in(unit, old);
    bool fixed = w->request->types != NULL;
    if (*factor == 1 && !fixed && str_compare(unit, old) < 0)
        refine_unit(w, index, pprof_string(&w->file, unit), 1); /* the same by another name */
    if (*factor != 0)
        return index;
    if (finer == 0 && fixed)
        return -1;
    struct buf type_text = {0}, old_text = {0}, unit_text = {0};
    text_escape(&type_text, intern_get(&f->strings, f->types[index].type));
    text_escape(&old_text, old);
    text_escape(&unit_text, unit);
    if (finer == 0)
        die_at(writer_place(w),
               "type \"%.*s\" comes in units that do not convert: \"%.*s\" and \"%.*s\"",
               STR_ARG(buf_str(&type_text)), STR_ARG(buf_str(&old_text)),
               STR_ARG(buf_str(&unit_text)));
    if (fixed)
        die_at(writer_place(w), "type \"%.*s\" comes in \"%.*s\", finer than \"%.*s\" of --types",
               STR_ARG(buf_str(&type_text)), STR_ARG(buf_str(&unit_text)),
               STR_ARG(buf_str(&old_text)));
    buf_free(&type_text);
    buf_free(&old_text);
    buf_free(&unit_text);
    refine_unit(w, index, pprof_string(&w->file, unit), finer);
    *factor = 1;
    return index;
}

/* The index of the type in the file, which it joins unless --types says otherwise (-1), and the
 * factor from UNIT to the file's. */
static int file_type(struct writer *w, struct str type, struct str unit, int64_t *factor)
{
    struct pprof_file *f = &w->file;
    string_id type_id = pprof_string(f, type);
    *factor = 1;
    uint32_t known = idmap_get(&w->type_numbers, (uint64_t)type_id + 1);
    if (known != 0) {
        int i = (int)known - 1;
        return f->types[i].unit == pprof_string(f, unit) ? i : convert_unit(w, i, unit, factor);
    }
    if (w->request->types != NULL && w->source_count > 0)
        return -1;
    size_t n = f->type_count;
    f->types = mem_array(f->types, &f->type_capacity, n + 1, sizeof *f->types);
    w->values = mem_array(w->values, &w->value_capacity, n + 1, sizeof *w->values);
    w->present = mem_array(w->present, &w->present_capacity, n + 1, sizeof *w->present);
    f->types[n] = (struct pprof_type){.type = type_id, .unit = pprof_string(f, unit)};
    w->values[n] = 0;
    w->present[n] = false;
    idmap_put(&w->type_numbers, (uint64_t)type_id + 1, (uint32_t)++f->type_count);
    return (int)n;
}

/* What tells a type of a source from others, in w->key. */
static struct str type_key(struct writer *w, struct str type, struct str unit)
{
    w->key.n = 0;
    buf_add(&w->key, type);
    buf_add(&w->key, STR("\"")); /* canonical text has none that is not escaped */
    buf_add(&w->key, unit);
    return buf_str(&w->key);
}

/* The place of a type among those of SOURCE, or their number where it is not there. */
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

/* Enters the types of SOURCE that are not in its index yet, once it has many. */
static void index_types(struct writer *w, struct source *source)
{
    if (source->type_count <= INDEXED_FROM)
        return;
    for (size_t i = source->type_keys.count; i < source->type_count; i++)
        intern_add(&source->type_keys, type_key(w, source->types[i].type, source->types[i].unit),
                   NULL);
}

/* Adds a value type to SOURCE and, behind samples/count, the one that is derived from it; returns
 * its place among the source's types. */
static size_t add_type(struct writer *w, struct source *source, struct str type, struct str unit,
                       bool gauge)
{
    struct source_type t = {.gauge = gauge, .index = -1, .factor = 1};
    struct buf type_text = {0}, unit_text = {0};
    text_escape(&type_text, type);
    text_escape(&unit_text, unit);
    t.type = arena_copy(&w->arena, buf_str(&type_text));
    t.unit = arena_copy(&w->arena, buf_str(&unit_text));
    buf_free(&type_text);
    buf_free(&unit_text);
    t.is_count = str_equal(type, STR("samples")) && str_equal(unit, STR("count"));
    if (!gauge)
        t.index = file_type(w, type, unit, &t.factor);
    size_t at = find_type(w, source, t.type, t.unit);
    if (at == source->type_count) {
        source->types =
            mem_array(source->types, &source->type_capacity, at + 1, sizeof *source->types);
        source->type_count++;
    }
    source->types[at] = t;
    index_types(w, source);
    if (source->derives && t.is_count)
        source->derived =
            file_type(w, source->period_type, source->period_unit, &source->derived_factor);
    return at;
}

/* `.bytes` of ROW; other dotted columns have no place. */
static struct str value_bytes(const struct writer *w, const struct row *row)
{
    struct members walk = members_of(row, writer_place(w), NULL);
    struct member m;
    struct str bytes = {NULL, 0};
    while (members_next(&walk, &m)) {
        if (m.id != MEMBER_ID_BYTES) {
            loss_add_column(row, m.name);
            continue;
        }
        bytes = m.value;
        loss_add_bytes(row, bytes);
    }
    return bytes;
}

struct source_type *writer_value_type(struct writer *w, const struct row *row)
{
    /* samples mostly carry the same types in the same order: the one at this position first */
    struct source *s = w->source;
    struct str type = row->sample_value.type, unit = row->sample_value.unit;
    struct str bytes = row->extra.n == 0 ? (struct str){NULL, 0} : value_bytes(w, row);
    size_t at = w->position < s->type_count ? w->position : 0;
    if (s->type_count == 0 || !str_equal(s->types[at].type, type) ||
        !str_equal(s->types[at].unit, unit)) {
        at = find_type(w, s, type, unit);
        if (at == s->type_count) {
            struct str type_bytes =
                arena_copy(&w->arena, writer_bytes(w, STR("type"), type, bytes));
            struct str unit_bytes =
                arena_copy(&w->arena, writer_bytes(w, STR("unit"), unit, bytes));
            at = add_type(w, s, type_bytes, unit_bytes, false);
        }
    }
    w->position = at + 1;
    return &s->types[at];
}

void writer_fix_types(struct writer *w)
{
    const char *list = w->request->types;
    int64_t factor;
    while (*list != '\0') {
        size_t n = strcspn(list, ",");
        const char *slash = memchr(list, '/', n);
        if (slash == NULL || slash == list || slash + 1 == list + n)
            die(STATUS_USAGE, "--types: expected TYPE/UNIT, found \"%.*s\"", (int)n, list);
        struct str type = {list, (size_t)(slash - list)};
        string_id id = pprof_string(&w->file, type);
        for (size_t i = 0; i < w->file.type_count; i++)
            if (w->file.types[i].type == id)
                die(STATUS_USAGE, "--types: \"%.*s\" comes twice", (int)n, list);
        file_type(w, type, (struct str){slash + 1, n - type.n - 1}, &factor);
        list += n + (list[n] == ',');
    }
    if (w->file.type_count == 0)
        die(STATUS_USAGE, "--types: expected TYPE/UNIT, found nothing");
}

/* --- columns of a source --- */

/* Gives T the unknown fields ID; where sources differ in them the least stand, by bytes. */
static void set_type_unknown(const struct writer *w, struct pprof_type *t, unknown_id id)
{
    if (t->unknown != 0 && id != 0 && id != t->unknown) {
        loss_add(LOSS_FACTS, STR("unknown fields"), 1);
        if (str_compare(intern_get(&w->file.unknown, t->unknown),
                        intern_get(&w->file.unknown, id)) < 0)
            return;
    }
    if (id != 0)
        t->unknown = id;
}

/* Whether --types names TYPE. */
static bool type_is_wanted(const struct writer *w, struct str type)
{
    for (size_t i = 0; i < w->file.type_count; i++)
        if (str_equal(type, intern_get(&w->file.strings, w->file.types[i].type)))
            return true;
    return false;
}

/* Reads TYPE, one item of `.value_types` of ROW. */
static void read_value_type(struct writer *w, const struct row *row, struct source *source,
                            struct members item)
{
    struct str type = {NULL, 0}, unit = {NULL, 0};
    struct member m;
    unknown_id unknown = 0;
    bool gauge = false;
    while (members_next(&item, &m))
        switch (m.id) {
        case MEMBER_ID_TYPE: type = writer_inner_copy(w, &m); break;
        case MEMBER_ID_UNIT: unit = writer_inner_copy(w, &m); break;
        case MEMBER_ID_GAUGE: gauge = m.flag; break;
        case MEMBER_ID_UNKNOWN:
            unknown = writer_unknown(w, m.text, &pprof__value_type__descriptor);
            break;
        default: loss_add_inside(row, item.column, m.name);
        }
    if (gauge && w->request->types != NULL && type_is_wanted(w, type))
        die_at(writer_place(w), "--types: \"%.*s\" is a gauge: a level that cannot be added up",
               STR_ARG(type));
    size_t at = add_type(w, source, type, unit, gauge);
    int index = source->types[at].index;
    if (unknown != 0 && index >= 0)
        set_type_unknown(w, &w->file.types[index], unknown);
}

static void read_value_types(struct writer *w, const struct row *row, struct source *source)
{
    struct members walk = members_of(row, writer_place(w), NULL);
    struct member m;
    while (members_next(&walk, &m)) {
        struct str items = text_inside(m.value), item;
        while (m.id == MEMBER_ID_VALUE_TYPES && text_next_item(&items, &item))
            read_value_type(w, row, source, members_inside(&walk, &m, item));
    }
}

static void read_period(struct writer *w, const struct row *row, struct source *source,
                        struct members period)
{
    struct member m;
    while (members_next(&period, &m))
        switch (m.id) {
        case MEMBER_ID_TYPE: source->period_type = writer_inner_copy(w, &m); break;
        case MEMBER_ID_UNIT: source->period_unit = writer_inner_copy(w, &m); break;
        case MEMBER_ID_VALUE: source->period = m.integer; break;
        case MEMBER_ID_UNKNOWN:
            source->period_unknown = writer_unknown(w, m.text, &pprof__value_type__descriptor);
            break;
        default: loss_add_inside(row, period.column, m.name);
        }
    source->has_period = source->has_period_type = true;
}

/* Whether the `.value_types` of ROW have TYPE. */
static bool has_value_type(struct writer *w, const struct row *row, struct str type)
{
    struct member types;
    struct str items, item;
    if (!members_get(row, MEMBER_ID_VALUE_TYPES, &types))
        return false;
    items = text_inside(types.value);
    while (text_next_item(&items, &item))
        if (str_equal(writer_inner_bytes(w, text_member(item, STR("type"))), type))
            return true;
    return false;
}

/* Whether SOURCE, of ROW, which counts samples, gains values of its period's type: that is a time, and
 * no type of its own. */
static bool may_derive(struct writer *w, const struct row *row, const struct source *source)
{
    return !source->is_pprof && source->has_period && source->period_type.n > 0 &&
           units_nanoseconds(source->period_unit) != 0 &&
           !has_value_type(w, row, source->period_type);
}

static void add_time(struct writer *w, int64_t time)
{
    if (!w->has_time || time < w->file.time)
        w->file.time = time;
    w->has_time = true;
}

static _Noreturn void die_timestamp(const struct writer *w)
{
    die_at(writer_place(w),
           "sources.source_timestamp: expected seconds that fit 64 bits as nanoseconds");
}

/* How many digits NUMBER has behind its point, zeros at their end left aside. */
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

static void add_duration(struct writer *w, int64_t nanos)
{
    if (__builtin_add_overflow(w->file.duration, nanos, &w->file.duration))
        die_at(writer_place(w), "the sum of durations passes 64 bits");
}

/* How often the comment ID stands in the file and in the source being read. */
static struct comment_count *comment_count(struct writer *w, string_id id)
{
    size_t known = w->comment_capacity;
    w->comments = mem_array(w->comments, &w->comment_capacity, (size_t)id + 1, sizeof *w->comments);
    memset(w->comments + known, 0, (w->comment_capacity - known) * sizeof *w->comments);
    struct comment_count *c = &w->comments[id];
    if (c->source != w->source_count) {
        c->source = w->source_count;
        c->in_source = 0;
    }
    return c;
}

/* Comments are united: each stands as often as in the source that has it most often. */
static void read_comments(struct writer *w, struct str value)
{
    struct pprof_file *f = &w->file;
    struct str rest = text_inside(value), item;
    while (text_next_item(&rest, &item)) {
        string_id id = pprof_string(f, writer_inner_bytes(w, item));
        struct comment_count *c = comment_count(w, id);
        if (++c->in_source <= c->in_file)
            continue;
        c->in_file++;
        f->comments =
            mem_array(f->comments, &f->comment_capacity, f->comment_count + 1, sizeof *f->comments);
        f->comments[f->comment_count++] = id;
    }
}

/* Fields of the file itself that nobody knows: where sources differ in them the least stand, by
 * bytes. */
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

/* `.pprof`: what the file that the source was read from said of itself. */
static void read_file_facts(struct writer *w, const struct row *row, struct source *source,
                            struct members facts, bool *has_time)
{
    struct member m;
    source->is_pprof = true;
    while (members_next(&facts, &m))
        switch (m.id) {
        case MEMBER_ID_TIME_NANOS:
            add_time(w, m.integer);
            *has_time = true;
            break;
        case MEMBER_ID_DURATION_NANOS: add_duration(w, m.integer); break;
        case MEMBER_ID_PERIOD_ALONE:
            source->has_period = true;
            source->period = m.integer;
            break;
        case MEMBER_ID_DEFAULT_SAMPLE_TYPE: source->default_type = writer_inner_copy(w, &m); break;
        case MEMBER_ID_DROP_FRAMES: source->drop_frames = writer_inner_copy(w, &m); break;
        case MEMBER_ID_KEEP_FRAMES: source->keep_frames = writer_inner_copy(w, &m); break;
        case MEMBER_ID_DOC_URL: source->doc_url = writer_inner_copy(w, &m); break;
        case MEMBER_ID_UNKNOWN: add_unknown_fields(w, m.text); break;
        case MEMBER_ID_COMMENT: read_comments(w, m.value); break;
        default: loss_add_inside(row, facts.column, m.name);
        }
}

void writer_source(struct writer *w, const struct row *row)
{
    w->sources =
        mem_array(w->sources, &w->source_capacity, w->source_count + 1, sizeof *w->sources);
    struct source *source = &w->sources[w->source_count++];
    *source = (struct source){.derived = -1, .derived_factor = 1};

    struct members walk = members_of(row, writer_place(w), NULL);
    struct member m;
    struct str bytes = {NULL, 0};
    bool has_time = false;
    if (!str_equal(row->source.source_type, STR("pprof")))
        loss_add(LOSS_OWN, STR("source_type"), 1);
    while (members_next(&walk, &m))
        switch (m.id) {
        case MEMBER_ID_VALUE_TYPES: break; /* they need to know the period */
        case MEMBER_ID_PERIOD:
            read_period(w, row, source, members_inside(&walk, &m, m.value));
            break;
        case MEMBER_ID_BYTES:
            bytes = m.value;
            loss_add_bytes(row, bytes);
            break;
        case MEMBER_ID_PPROF:
            read_file_facts(w, row, source, members_inside(&walk, &m, m.value), &has_time);
            break;
        default: loss_add_column(row, m.name);
        }
    if (!has_time)
        read_timestamp(w, &row->source.source_timestamp);
    source->kind =
        arena_copy(&w->arena, writer_bytes(w, STR("source_type"), row->source.source_type, bytes));
    if (row->source.source_uri.p != NULL)
        source->uri = arena_copy(&w->arena,
                                 writer_bytes(w, STR("source_uri"), row->source.source_uri, bytes));
    source->derives = may_derive(w, row, source);
    read_value_types(w, row, source);
}

/* --- the whole file --- */

static int by_bytes(const void *a, const void *b)
{
    return str_compare(*(const struct str *)a, *(const struct str *)b);
}

/* The distinct ones of N strings, sorted; returns how many. */
static size_t sort_distinct(struct str *strings, size_t n)
{
    size_t distinct = 0;
    qsort(strings, n, sizeof *strings, by_bytes);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || !str_equal(strings[i], strings[distinct - 1]))
            strings[distinct++] = strings[i];
    return distinct;
}

/* The name of the mapping of sources that have none: their URIs, or the first ones when there are
 * many; their types where none has a URI.  Of COUNT strings in NAMES. */
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

/* Without a mapping pprof cannot tell what it shows: sources that come from elsewhere share one,
 * for all locations that have none. */
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
        m.filename = name_count > 0 ? joined_names(w, names, name_count)
                                    : joined_names(w, kinds, kind_count);
        m.has_functions = m.has_filenames = m.has_line_numbers = true;
        uint32_t id = intern_add(&w->file.mappings, (struct str){(char *)&m, sizeof m}, NULL);
        for (uint32_t i = 1; i <= w->file.locations.count; i++) {
            struct pprof_location *l = pprof_location(&w->file, i);
            if (l->mapping == 0 && l->address == 0)
                l->mapping = id;
        }
    }
    mem_free(names);
    mem_free(kinds);
}

static struct str *string_in(struct source *source, size_t offset)
{
    return (struct str *)(void *)((char *)source + offset);
}

/* The value of the string at OFFSET in struct source if all sources have the same; if not, those
 * of pprof files are counted as lost. */
static string_id common_string(struct writer *w, size_t offset, struct str name)
{
    uint64_t lost = 0;
    bool same = true;
    for (size_t i = 0; i < w->source_count; i++) {
        struct str s = *string_in(&w->sources[i], offset);
        lost += s.n > 0 && w->sources[i].is_pprof;
        same &= str_equal(s, *string_in(w->sources, offset));
    }
    if (same && w->source_count > 0)
        return pprof_string(&w->file, *string_in(w->sources, offset));
    if (lost > 0)
        loss_add(LOSS_FACTS, name, lost);
    return 0;
}

/* The period's type that all sources share, and the largest period. */
static void agree_on_period(struct writer *w)
{
    const struct source *first = w->sources;
    bool same = true;
    int64_t period = 0;
    uint64_t given = 0;
    for (size_t i = 0; i < w->source_count; i++) {
        const struct source *s = &w->sources[i];
        given += s->has_period;
        same &= s->has_period == first->has_period &&
                s->has_period_type == first->has_period_type &&
                str_equal(s->period_type, first->period_type) &&
                str_equal(s->period_unit, first->period_unit) &&
                s->period_unknown == first->period_unknown;
        if (i == 0 || s->period > period)
            period = s->period;
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

void writer_agree(struct writer *w)
{
    for (size_t i = 0; i < w->source_count; i++) {
        struct source *s = &w->sources[i];
        if (s->derived >= 0)
            s->default_type = s->period_type;
        for (size_t j = 0; j < s->type_count; j++) {
            const struct source_type *t = &s->types[j];
            if (t->lost > 0 && t->gauge)
                loss_add(LOSS_GAUGES, t->type, t->lost);
        }
    }
    add_mapping(w);
    agree_on_period(w);
    struct pprof_file *f = &w->file;
    int64_t factor;
    if (f->type_count == 0) /* pprof refuses a file without any */
        file_type(w, STR("samples"), STR("count"), &factor);
    f->default_type =
        common_string(w, offsetof(struct source, default_type), STR("default_sample_type"));
    f->drop_frames = common_string(w, offsetof(struct source, drop_frames), STR("drop_frames"));
    f->keep_frames = common_string(w, offsetof(struct source, keep_frames), STR("keep_frames"));
    f->doc_url = common_string(w, offsetof(struct source, doc_url), STR("doc_url"));
}
