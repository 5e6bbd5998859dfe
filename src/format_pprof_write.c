/* Profile rows to pprof.  See ndjson2pprof(1) for the rules.
 *
 * Functions, locations and strings wait in tables until the end; samples become sums by (labels,
 * stack), or go out one by one. */
#include "formats.h"
#include "hash.h"
#include "loss.h"
#include "merge.h"
#include "pprof_file.h"
#include "spool.h"
#include "text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A value type as one source has it; strings are canonical text. */
struct source_type {
    struct str type, unit;
    bool gauge;
    int index;     /* in the file's types; -1: it has no place there */
    uint64_t lost; /* values without a place */
};

struct source {
    struct str uri, kind; /* bytes, not text; uri.p may be NULL */
    struct source_type *types;
    size_t type_count, type_capacity;
    bool has_period;
    struct str period_type, period_unit;
    int64_t period;
    bool derives; /* values of the period's type come from samples/count */
    int derived;  /* the index of that type; -1: none */
};

/* Labels that were read before, by the text of the members that they stood in: most samples repeat
 * one of a few sets. */
enum { LABEL_MEMO = 1024 };

struct label_memo {
    struct buf text, labels;
};

struct writer {
    const struct write_request *request;
    struct merge *merge;
    struct out *out;
    struct arena arena;
    struct pprof_file file;
    struct source *sources;
    size_t source_count, source_capacity;
    bool has_time;
    uint32_t *functions, *locations; /* by id in the rows: their number in the file */
    size_t function_count, function_capacity, location_count, location_capacity;

    /* The sample being read. */
    struct source *source; /* NULL: none */
    size_t position;       /* of its next value */
    int64_t *values;       /* by type of the file */
    bool *present;
    size_t value_capacity, present_capacity;
    int64_t count; /* samples/count */
    bool has_count;
    struct buf labels; /* struct pprof_label */
    struct label_memo *memo;
    uint32_t *stack; /* as in pprof_file, depth locations behind [0] */
    size_t depth, stack_capacity;

    struct spool *spool; /* not NULL: samples one by one, until all types are known */
    struct buf packed, scratch;
};

static struct place here(const struct writer *w)
{
    return w->merge->stream->where;
}

/* --- strings --- */

/* The string in the column NAME, valid until the next call: its exact bytes where BYTES, the value
 * of `.bytes`, has them, else what TEXT stands for. */
static struct str bytes_of(struct writer *w, struct str name, struct str text, struct str bytes)
{
    struct str hex, exact = text_member(bytes, name);
    w->scratch.n = 0;
    if (exact.p == NULL) {
        text_unescape(&w->scratch, text);
    } else if (!text_is_string(exact, &hex) || !text_unhex(&w->scratch, hex)) {
        die_at(here(w), ".bytes.%.*s: expected hexadecimal digits in a string", STR_ARG(name));
    }
    return buf_str(&w->scratch);
}

/* Its index in the file's table. */
static string_id string_of(struct writer *w, struct str name, struct str text, struct str bytes)
{
    return pprof_string(&w->file, bytes_of(w, name, text, bytes));
}

static string_id plain_string(struct writer *w, struct str text)
{
    return string_of(w, STR(""), text, (struct str){NULL, 0});
}

/* --- value types --- */

/* Index of the type in the file; -1 when it is not there and must not be added. */
static int file_type(struct writer *w, struct str type, struct str unit)
{
    struct pprof_file *f = &w->file;
    string_id type_id = plain_string(w, type), unit_id = plain_string(w, unit);
    for (size_t i = 0; i < f->type_count; i++) {
        if (f->types[i].type != type_id)
            continue;
        if (f->types[i].unit == unit_id)
            return (int)i;
        if (w->request->types != NULL)
            return -1;
        die_at(
            here(w),
            "type \"%.*s\" comes in two units, \"%.*s\" and \"%.*s\": pprof wants each type once",
            STR_ARG(type), STR_ARG(intern_get(&f->strings, f->types[i].unit)), STR_ARG(unit));
    }
    if (w->request->types != NULL && w->source_count > 0)
        return -1;
    f->types = mem_array(f->types, &f->type_capacity, f->type_count + 1, sizeof *f->types);
    f->types[f->type_count] = (struct pprof_type){.type = type_id, .unit = unit_id};
    w->values = mem_array(w->values, &w->value_capacity, f->type_count + 1, sizeof *w->values);
    w->present = mem_array(w->present, &w->present_capacity, f->type_count + 1, sizeof *w->present);
    w->values[f->type_count] = 0;
    w->present[f->type_count] = false;
    return (int)f->type_count++;
}

static bool is_count(struct str type, struct str unit)
{
    return str_equal(type, STR("samples")) && str_equal(unit, STR("count"));
}

/* Adds a value type to SOURCE and, behind samples/count, the one that is derived from it. */
static struct source_type *add_source_type(struct writer *w, struct source *source, struct str type,
                                           struct str unit, bool gauge)
{
    source->types = mem_array(source->types, &source->type_capacity, source->type_count + 1,
                              sizeof *source->types);
    struct source_type *t = &source->types[source->type_count++];
    *t = (struct source_type){.type = arena_copy(&w->arena, type),
                              .unit = arena_copy(&w->arena, unit),
                              .gauge = gauge,
                              .index = gauge ? -1 : file_type(w, type, unit)};
    if (source->derives && is_count(type, unit))
        source->derived = file_type(w, source->period_type, source->period_unit);
    return t;
}

/* The type that ROW's value has in its source.  Samples mostly carry the same types in the same
 * order, so the one at this position is tried first. */
static struct source_type *source_type(struct writer *w, const struct row *row)
{
    struct source *s = w->source;
    for (size_t i = 0; i < s->type_count; i++) {
        struct source_type *t = &s->types[(w->position + i) % s->type_count];
        if (str_equal(t->type, row->sample_value.type) &&
            str_equal(t->unit, row->sample_value.unit)) {
            w->position = (size_t)(t - s->types) + 1;
            return t;
        }
    }
    return add_source_type(w, s, row->sample_value.type, row->sample_value.unit, false);
}

/* The types that --types names, the only ones that the file will have. */
static void fix_types(struct writer *w)
{
    const char *list = w->request->types;
    while (*list != '\0') {
        size_t n = strcspn(list, ",");
        const char *slash = memchr(list, '/', n);
        if (slash == NULL || slash == list || slash + 1 == list + n)
            die(STATUS_USAGE, "--types: expected TYPE/UNIT, found \"%.*s\"", (int)n, list);
        struct buf type = {0}, unit = {0};
        text_escape(&type, (struct str){list, (size_t)(slash - list)});
        text_escape(&unit, (struct str){slash + 1, n - (size_t)(slash - list) - 1});
        size_t before = w->file.type_count;
        for (size_t i = 0; i < before; i++)
            if (w->file.types[i].type == plain_string(w, buf_str(&type)))
                die(STATUS_USAGE, "--types: \"%s\" comes twice", list);
        file_type(w, buf_str(&type), buf_str(&unit));
        buf_free(&type);
        buf_free(&unit);
        list += n + (list[n] == ',');
    }
    if (w->file.type_count == 0)
        die(STATUS_USAGE, "--types: expected TYPE/UNIT, found nothing");
}

/* --- sources --- */

/* Nanoseconds in one UNIT of time; 0 when it is none. */
static int64_t nanoseconds(struct str unit)
{
    return str_equal(unit, STR("nanoseconds"))    ? 1
           : str_equal(unit, STR("microseconds")) ? 1000
           : str_equal(unit, STR("milliseconds")) ? 1000000
           : str_equal(unit, STR("seconds"))      ? 1000000000
                                                  : 0;
}

static _Noreturn void die_malformed(const struct writer *w, const char *column,
                                    const char *expected)
{
    die_at(here(w), "%s: expected %s", column, expected);
}

static void read_period(struct writer *w, struct source *source, struct str value)
{
    struct str type, unit;
    if (!text_is_string(text_member(value, STR("type")), &type) || type.n == 0 ||
        !text_is_string(text_member(value, STR("unit")), &unit) ||
        !text_is_integer(text_member(value, STR("value")), &source->period))
        die_malformed(w, "sources..period", "an object with type, unit and an integer value");
    source->has_period = true;
    source->period_type = arena_copy(&w->arena, type);
    source->period_unit = arena_copy(&w->arena, unit);
}

static void read_value_types(struct writer *w, struct source *source, struct str value)
{
    if (value.n == 0 || *value.p != '[')
        die_malformed(w, "sources..value_types", "an array");
    struct str rest = text_inside(value), item, type, unit;
    while (text_next_item(&rest, &item)) {
        if (!text_is_string(text_member(item, STR("type")), &type) || type.n == 0 ||
            !text_is_string(text_member(item, STR("unit")), &unit))
            die_malformed(w, "sources..value_types", "objects with the strings type and unit");
        bool gauge = str_equal(text_member(item, STR("gauge")), STR("true"));
        add_source_type(w, source, type, unit, gauge);
    }
}

/* A source whose period is a time and which counts samples, but has no value of the period's type,
 * gains it.  TYPES is its `.value_types`. */
static bool may_derive(const struct source *source, struct str types)
{
    if (!source->has_period || nanoseconds(source->period_unit) == 0)
        return false;
    struct str rest = types.n == 0 ? types : text_inside(types), item, type;
    while (text_next_item(&rest, &item))
        if (text_is_string(text_member(item, STR("type")), &type) &&
            str_equal(type, source->period_type))
            return false;
    return true;
}

static void read_timestamp(struct writer *w, const struct number *n)
{
    int64_t time;
    if (n->kind == NUMBER_NULL)
        return;
    if (n->kind == NUMBER_INTEGER) {
        if (__builtin_mul_overflow(n->integer, INT64_C(1000000000), &time))
            die_malformed(w, "sources.source_timestamp", "seconds that fit 64 bits as nanoseconds");
    } else {
        double nanos = round(strtod(n->real.p, NULL) * 1e9);
        if (!(fabs(nanos) < 9.2e18))
            die_malformed(w, "sources.source_timestamp", "seconds that fit 64 bits as nanoseconds");
        time = (int64_t)nanos;
    }
    if (!w->has_time || time < w->file.time)
        w->file.time = time;
    w->has_time = true;
}

static void read_source(struct writer *w, const struct row *row)
{
    w->sources =
        mem_array(w->sources, &w->source_capacity, w->source_count + 1, sizeof *w->sources);
    struct source *source = &w->sources[w->source_count++];
    *source = (struct source){.derived = -1};
    read_timestamp(w, &row->source.source_timestamp);
    if (!str_equal(row->source.source_type, STR("pprof")))
        loss_add("facts about sources", STR("source_type"), 1);

    struct str types = {NULL, 0}, bytes = {NULL, 0}, rest = row->extra, name, value;
    bool is_pprof = false;
    while (text_next_member(&rest, &name, &value)) {
        if (str_equal(name, STR(".value_types")))
            types = value;
        else if (str_equal(name, STR(".period")))
            read_period(w, source, value);
        else if (str_equal(name, STR(".bytes")))
            bytes = value;
        else
            loss_add("facts about sources", name, 1);
        is_pprof |= str_equal(name, STR(".pprof"));
    }
    source->kind =
        arena_copy(&w->arena, bytes_of(w, STR("source_type"), row->source.source_type, bytes));
    if (row->source.source_uri.p != NULL)
        source->uri =
            arena_copy(&w->arena, bytes_of(w, STR("source_uri"), row->source.source_uri, bytes));
    source->derives = !is_pprof && may_derive(source, types);
    if (types.p != NULL)
        read_value_types(w, source, types);
}

/* --- functions and locations --- */

/* Counts the dotted column NAME of ROW, which has no place in the file. */
static void lose_column(const struct row *row, struct str name)
{
    struct buf full = {0};
    buf_add(&full, row_table_name(row));
    buf_add(&full, STR("."));
    buf_add(&full, name);
    loss_add("dotted columns", buf_str(&full), 1);
    buf_free(&full);
}

/* Counts all dotted columns of ROW, of a table that has none with a place in the file. */
static void lose_columns(const struct row *row)
{
    struct str rest = row->extra, name, value;
    while (text_next_member(&rest, &name, &value))
        if (!str_equal(name, STR(".ends")))
            lose_column(row, name);
}

static void read_function(struct writer *w, const struct row *row)
{
    struct str rest = row->extra, name, value, bytes = {NULL, 0};
    bool unmangled = false, no_name = false;
    while (text_next_member(&rest, &name, &value)) {
        bool is_true = str_equal(value, STR("true"));
        if (str_equal(name, STR(".unmangled")))
            unmangled = is_true;
        else if (str_equal(name, STR(".no_name")))
            no_name = is_true;
        else if (str_equal(name, STR(".bytes")))
            bytes = value;
        else
            lose_column(row, name);
    }
    struct pprof_function f;
    memset(&f, 0, sizeof f);
    /* Where the system name is left out pprof shows the name as it stands, without demangling. */
    if (!no_name)
        f.name = string_of(w, STR("name"), row->function.name, bytes);
    if (!unmangled)
        f.system_name = string_of(w, STR("system_name"), row->function.system_name, bytes);
    f.filename = string_of(w, STR("filename"), row->function.filename, bytes);
    f.start_line = row->function.start_line;
    w->functions =
        mem_array(w->functions, &w->function_capacity, w->function_count + 1, sizeof *w->functions);
    w->functions[w->function_count++] =
        intern_add(&w->file.functions, (struct str){(char *)&f, sizeof f}, NULL);
}

/* The function that stands for code outside of any, in FILENAME. */
static uint32_t toplevel(struct writer *w, string_id filename)
{
    struct pprof_function f;
    memset(&f, 0, sizeof f);
    f.name = pprof_string(&w->file, STR("<toplevel>"));
    f.filename = filename;
    return intern_add(&w->file.functions, (struct str){(char *)&f, sizeof f}, NULL);
}

static void read_location(struct writer *w, const struct row *row)
{
    struct str rest = row->extra, name, value, bytes = {NULL, 0}, filename = STR("");
    while (text_next_member(&rest, &name, &value)) {
        if (str_equal(name, STR(".filename"))) {
            if (!text_is_string(value, &filename))
                die_malformed(w, "locations..filename", "a string");
        } else if (str_equal(name, STR(".bytes"))) {
            bytes = value;
        } else {
            lose_column(row, name);
        }
    }
    struct pprof_location l;
    memset(&l, 0, sizeof l);
    l.function = row->location.function_id != ROW_NULL
                     ? w->functions[row->location.function_id - 1]
                     : toplevel(w, string_of(w, STR(".filename"), filename, bytes));
    l.line = row->location.line == ROW_NULL ? 0 : row->location.line;
    w->locations =
        mem_array(w->locations, &w->location_capacity, w->location_count + 1, sizeof *w->locations);
    w->locations[w->location_count++] =
        intern_add(&w->file.locations, (struct str){(char *)&l, sizeof l}, NULL);
}

/* --- samples --- */

/* Reads one item of `.labels` and adds it to the labels of the sample. */
static void read_label(struct writer *w, struct str item)
{
    struct str rest = item.n > 0 && *item.p == '{' ? text_inside(item) : STR(""), name, value;
    struct str key = {NULL, 0}, text, unit;
    bool has_value = false;
    struct pprof_label label;
    memset(&label, 0, sizeof label);
    while (text_next_member(&rest, &name, &value)) {
        if (str_equal(name, STR("key")) && text_is_string(value, &key)) {
            label.key = plain_string(w, key);
        } else if (str_equal(name, STR("str")) && text_is_string(value, &text)) {
            label.string = plain_string(w, text);
            has_value = true;
        } else if (str_equal(name, STR("num")) && text_is_integer(value, &label.number)) {
            has_value = true;
        } else if (str_equal(name, STR("unit")) && text_is_string(value, &unit)) {
            label.unit = plain_string(w, unit);
        } else {
            has_value = false;
            break;
        }
    }
    if (!has_value || key.p == NULL)
        die_malformed(w, "samples..labels",
                      "objects with a key and a str, or a key, a num and perhaps a unit");
    buf_add(&w->labels, (struct str){(char *)&label, sizeof label});
}

/* Reads the dotted columns of a sample; false if there are others than labels. */
static bool parse_sample_columns(struct writer *w, const struct row *row)
{
    struct str rest = row->extra, name, value, item;
    bool labels_only = true;
    while (text_next_member(&rest, &name, &value)) {
        if (!str_equal(name, STR(".labels"))) {
            lose_column(row, name);
            labels_only = false;
            continue;
        }
        if (value.n == 0 || *value.p != '[')
            die_malformed(w, "samples..labels", "an array");
        struct str items = text_inside(value);
        while (text_next_item(&items, &item))
            read_label(w, item);
    }
    return labels_only;
}

static void read_sample_columns(struct writer *w, const struct row *row)
{
    if (w->memo == NULL)
        w->memo = mem_alloc_zeroed(LABEL_MEMO * sizeof *w->memo);
    struct label_memo *memo = &w->memo[hash_bytes(row->extra) % LABEL_MEMO];
    if (str_equal(buf_str(&memo->text), row->extra)) {
        buf_add(&w->labels, buf_str(&memo->labels));
    } else if (parse_sample_columns(w, row)) {
        memo->text.n = memo->labels.n = 0;
        buf_add(&memo->text, row->extra);
        buf_add(&memo->labels, buf_str(&w->labels));
    }
}

static void free_memo(struct writer *w)
{
    for (size_t i = 0; w->memo != NULL && i < LABEL_MEMO; i++) {
        buf_free(&w->memo[i].text);
        buf_free(&w->memo[i].labels);
    }
    mem_free(w->memo);
}

static void read_sample(struct writer *w, const struct row *row)
{
    w->source = &w->sources[row->sample.source_id - 1];
    w->position = 0;
    w->has_count = false;
    w->labels.n = 0;
    w->depth = 0;
    for (size_t i = 0; i < w->file.type_count; i++) {
        w->values[i] = 0;
        w->present[i] = false;
    }
    if (row->extra.n != 0)
        read_sample_columns(w, row);
}

/* The value of ROW as an integer; doubles are rounded. */
static int64_t integer_value(const struct writer *w, const struct row *row)
{
    const struct number *n = &row->sample_value.value;
    if (n->kind == NUMBER_INTEGER)
        return n->integer;
    double exact = strtod(n->real.p, NULL), rounded = round(exact);
    if (rounded != exact)
        loss_add("fractions of values", row->sample_value.type, 1);
    if (!(rounded >= -0x1p63 && rounded < 0x1p63))
        die_at(here(w), "sample_values.value: %.*s does not fit a 64-bit integer",
               STR_ARG(n->real));
    return (int64_t)rounded;
}

static void read_value(struct writer *w, const struct row *row)
{
    struct source_type *t = source_type(w, row);
    if (row->extra.n != 0)
        lose_columns(row);
    int64_t value = integer_value(w, row);
    if (w->source->derives && is_count(t->type, t->unit)) {
        w->has_count = true;
        w->count = value;
    }
    if (t->index < 0) {
        t->lost++;
        return;
    }
    w->values[t->index] = value;
    w->present[t->index] = true;
}

static inline void read_sample_location(struct writer *w, const struct row *row)
{
    if (w->depth + 2 > w->stack_capacity)
        w->stack = mem_array(w->stack, &w->stack_capacity, w->depth + 2, sizeof *w->stack);
    w->stack[++w->depth] = w->locations[row->sample_location.location_id - 1];
    if (row->extra.n != 0)
        lose_columns(row);
}

/* Name of the innermost function of the sample, for messages. */
static struct str innermost(const struct writer *w)
{
    if (w->depth == 0)
        return STR("(no function)");
    uint32_t function = pprof_location(&w->file, w->stack[1])->function;
    string_id name = pprof_function(&w->file, function)->name;
    return name == 0 ? STR("<?>") : intern_get(&w->file.strings, name);
}

static _Noreturn void die_overflow(struct writer *w, string_id type)
{
    struct buf type_text = {0}, function = {0};
    text_escape(&type_text, intern_get(&w->file.strings, type));
    text_escape(&function, innermost(w));
    die_at(here(w), "the sum of \"%.*s\" in function \"%.*s\" passes 64 bits",
           STR_ARG(buf_str(&type_text)), STR_ARG(buf_str(&function)));
}

/* Gives the sample its value of the period's type, where its source has none. */
static void derive_value(struct writer *w)
{
    const struct source *s = w->source;
    if (!s->derives || !w->has_count || s->derived < 0 || w->present[s->derived])
        return;
    int64_t value, nanos;
    struct pprof_file *f = &w->file;
    if (__builtin_mul_overflow(w->count, s->period, &value) ||
        __builtin_mul_overflow(value, nanoseconds(s->period_unit), &nanos) ||
        __builtin_add_overflow(f->duration, nanos, &f->duration))
        die_overflow(w, f->types[s->derived].type);
    w->values[s->derived] = value;
}

static void add_to_sums(struct writer *w)
{
    struct pprof_file *f = &w->file;
    struct str labels = buf_str(&w->labels);
    w->stack[0] = labels.n == 0 ? 0 : intern_add(&f->label_sets, labels, NULL);
    size_t i = intern_add(&f->stacks,
                          (struct str){(char *)w->stack, (w->depth + 1) * sizeof *w->stack}, NULL);
    for (size_t t = 0; t < f->type_count; t++) {
        struct pprof_type *type = &f->types[t];
        if (i > type->sum_count) {
            size_t before = type->sum_count;
            type->sums = mem_array(type->sums, &type->sum_count, i, sizeof *type->sums);
            memset(type->sums + before, 0, (type->sum_count - before) * sizeof *type->sums);
        }
        if (__builtin_add_overflow(type->sums[i - 1], w->values[t], &type->sums[i - 1]))
            die_overflow(w, type->type);
    }
}

static void end_sample(struct writer *w)
{
    if (w->source == NULL)
        return;
    w->stack = mem_array(w->stack, &w->stack_capacity, 1, sizeof *w->stack);
    derive_value(w);
    if (!w->request->each) {
        add_to_sums(w);
    } else {
        w->packed.n = 0;
        pprof_pack_sample(&w->packed, &w->scratch, w->stack + 1, w->depth,
                          (const void *)w->labels.p, w->labels.n / sizeof(struct pprof_label),
                          w->values, w->file.type_count);
        if (w->spool == NULL)
            pprof_write_sample(w->out, buf_str(&w->packed), 0);
        else
            spool_add(w->spool, buf_str(&w->packed), (uint32_t)w->file.type_count);
    }
    w->source = NULL;
}

/* --- the whole file --- */

static void read_row(struct writer *w, const struct row *row)
{
    switch (row->table) {
    case TABLE_SAMPLE_LOCATIONS: read_sample_location(w, row); return;
    case TABLE_SAMPLE_VALUES: read_value(w, row); return;
    default: end_sample(w);
    }
    switch (row->table) {
    case TABLE_SAMPLES: read_sample(w, row); break;
    case TABLE_LOCATIONS: read_location(w, row); break;
    case TABLE_FUNCTIONS: read_function(w, row); break;
    case TABLE_SOURCES: read_source(w, row); break;
    case TABLE_META: lose_columns(row); break;
    default: loss_add("rows of dotted tables", row_table_name(row), 1);
    }
}

static int by_text(const void *a, const void *b)
{
    return str_compare(*(const struct str *)a, *(const struct str *)b);
}

/* The name that pprof shows as the file: the sources' URIs, or the first ones when there are many;
 * their type where none has a URI. */
static void name_mapping(struct writer *w)
{
    enum { SHOWN = 4 };
    struct str *uris = mem_alloc((w->source_count + 1) * sizeof *uris);
    size_t n = 0, distinct = 0;
    for (size_t i = 0; i < w->source_count; i++)
        if (w->sources[i].uri.p != NULL)
            uris[n++] = w->sources[i].uri;
    for (size_t i = 0; n == 0 && i < w->source_count; i++)
        uris[i] = w->sources[i].kind;
    if (n == 0)
        n = w->source_count;
    qsort(uris, n, sizeof *uris, by_text);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || !str_equal(uris[i], uris[distinct - 1]))
            uris[distinct++] = uris[i];
    w->scratch.n = 0;
    for (size_t i = 0; i < distinct && i < SHOWN; i++) {
        buf_add(&w->scratch, i > 0 ? STR(", ") : STR(""));
        buf_add(&w->scratch, uris[i]);
    }
    if (distinct > SHOWN) {
        char more[40];
        snprintf(more, sizeof more, " and %zu more", distinct - SHOWN);
        buf_add(&w->scratch, str_of(more));
        loss_add("facts about sources", STR("source_uri"), distinct - SHOWN);
    }
    w->file.mapping = pprof_string(&w->file, buf_str(&w->scratch));
    mem_free(uris);
}

/* What the sources agree on: the period's type, of which the largest period stands, and the type
 * that is shown by default. */
static void agree(struct writer *w)
{
    const struct source *first = w->sources;
    bool same_period = w->source_count > 0, same_default = w->source_count > 0;
    int64_t period = 0;
    uint64_t periods = 0;
    for (size_t i = 0; i < w->source_count; i++) {
        const struct source *s = &w->sources[i];
        periods += s->has_period;
        same_period &= s->has_period && str_equal(s->period_type, first->period_type) &&
                       str_equal(s->period_unit, first->period_unit);
        same_default &= s->derived >= 0 && s->derived == first->derived;
        if (s->period > period)
            period = s->period;
    }
    if (same_period) {
        w->file.period_type = plain_string(w, first->period_type);
        w->file.period_unit = plain_string(w, first->period_unit);
        w->file.period = period;
    } else if (periods > 0) {
        loss_add("facts about sources", STR(".period"), periods);
    }
    if (same_default)
        w->file.default_type = w->file.types[first->derived].type;
}

static void count_lost_values(const struct writer *w)
{
    for (size_t i = 0; i < w->source_count; i++)
        for (size_t j = 0; j < w->sources[i].type_count; j++) {
            const struct source_type *t = &w->sources[i].types[j];
            if (t->lost > 0)
                loss_add(t->gauge ? "values of gauges" : "values of types not asked for", t->type,
                         t->lost);
        }
}

static void write_samples(struct writer *w)
{
    if (!w->request->each) {
        pprof_write_stacks(w->out, &w->file);
        return;
    }
    if (w->spool == NULL)
        return;
    uint32_t types;
    spool_rewind(w->spool);
    while (spool_next(w->spool, &w->packed, &types))
        pprof_write_sample(w->out, buf_str(&w->packed), w->file.type_count - types);
    spool_close(w->spool);
}

static void close_writer(struct writer *w)
{
    for (size_t i = 0; i < w->source_count; i++)
        mem_free(w->sources[i].types);
    mem_free(w->sources);
    mem_free(w->functions);
    mem_free(w->locations);
    mem_free(w->values);
    mem_free(w->present);
    mem_free(w->stack);
    free_memo(w);
    buf_free(&w->labels);
    buf_free(&w->packed);
    buf_free(&w->scratch);
    arena_free(&w->arena);
    pprof_free(&w->file);
}

static void write_pprof(struct merge *merge, const struct write_request *request, struct out *out)
{
    struct writer w = {.request = request, .merge = merge, .out = out};
    bool streams = request->each && request->types != NULL;
    if (request->types != NULL)
        fix_types(&w);
    if (streams)
        pprof_write_types(out, &w.file);
    else if (request->each)
        w.spool = spool_open();

    struct row row;
    while (merge_next(merge, &row))
        read_row(&w, &row);
    end_sample(&w);

    /* pprof refuses a file without a type */
    if (w.file.type_count == 0)
        file_type(&w, STR("samples"), STR("count"));
    name_mapping(&w);
    agree(&w);
    count_lost_values(&w);
    if (merge->meta_dropped > 0)
        loss_add("dotted columns", STR("meta"), merge->meta_dropped);
    if (request->canonical)
        pprof_sort(&w.file);
    if (!streams)
        pprof_write_types(out, &w.file);
    write_samples(&w);
    pprof_write_tables(out, &w.file);
    close_writer(&w);
}

/* Raw pprof: its first field is mostly a sample type, a short message that begins with a type. */
static bool detect_pprof(struct str head)
{
    return head.n >= 3 && head.p[0] == 0x0a && head.p[1] >= 2 && head.p[1] < 24 &&
           head.p[2] == 0x08;
}

const struct format format_pprof = {
    .name = "a pprof file",
    .detect = detect_pprof,
    .write = write_pprof,
};
