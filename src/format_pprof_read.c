/* pprof to profile rows.  See pprof2ndjson(1) for the rules.
 *
 * The file is read whole, decompressed, and walked twice field by field: once for strings, types,
 * mappings, functions and locations, whose rows go out in the file's order, and once for the
 * samples.  Only one sub-message is unpacked at a time. */
#include "arena.h"
#include "emit.h"
#include "formats.h"
#include "idmap.h"
#include "intern.h"
#include "loss.h"
#include "pprof.h"
#include "pprof_wire.h"
#include "profile.pb-c.h"
#include "text.h"

#include <inttypes.h>
#include <stdio.h>

/* Field numbers of Profile. */
enum field {
    FIELD_SAMPLE_TYPE = 1,
    FIELD_SAMPLE,
    FIELD_MAPPING,
    FIELD_LOCATION,
    FIELD_FUNCTION,
    FIELD_STRING,
    FIELD_DROP_FRAMES,
    FIELD_KEEP_FRAMES,
    FIELD_TIME,
    FIELD_DURATION,
    FIELD_PERIOD_TYPE,
    FIELD_PERIOD,
    FIELD_COMMENT,
    FIELD_DEFAULT_TYPE,
    FIELD_DOC_URL,
    FIELD_COUNT,
};

static const struct {
    const char *name;
    enum wire_type type;
    bool repeated; /* a list of numbers may also be packed */
} fields[FIELD_COUNT] = {
    [FIELD_SAMPLE_TYPE] = {"sample_type", WIRE_BYTES, true},
    [FIELD_SAMPLE] = {"sample", WIRE_BYTES, true},
    [FIELD_MAPPING] = {"mapping", WIRE_BYTES, true},
    [FIELD_LOCATION] = {"location", WIRE_BYTES, true},
    [FIELD_FUNCTION] = {"function", WIRE_BYTES, true},
    [FIELD_STRING] = {"string_table", WIRE_BYTES, true},
    [FIELD_DROP_FRAMES] = {"drop_frames", WIRE_VARINT, false},
    [FIELD_KEEP_FRAMES] = {"keep_frames", WIRE_VARINT, false},
    [FIELD_TIME] = {"time_nanos", WIRE_VARINT, false},
    [FIELD_DURATION] = {"duration_nanos", WIRE_VARINT, false},
    [FIELD_PERIOD_TYPE] = {"period_type", WIRE_BYTES, false},
    [FIELD_PERIOD] = {"period", WIRE_VARINT, false},
    [FIELD_COMMENT] = {"comment", WIRE_VARINT, true},
    [FIELD_DEFAULT_TYPE] = {"default_sample_type", WIRE_VARINT, false},
    [FIELD_DOC_URL] = {"doc_url", WIRE_VARINT, false},
};

/* A string of the table. */
struct string {
    struct str bytes;
    struct str text; /* canonical */
    bool exact;      /* the text says all */
};

/* A field of the outer message, kept for the second look. */
struct part {
    struct str bytes;
    size_t offset;
};

struct parts {
    struct part *items;
    size_t count, capacity;
};

/* The rows of a location: one per line, the outermost first, or one. */
struct frames {
    uint32_t first, count;
};

struct reader {
    struct in *in;
    const struct read_request *request;
    struct out *out;
    struct str data;       /* the whole file */
    struct arena messages; /* what protobuf-c unpacks, one message at a time */
    ProtobufCAllocator allocator;
    struct arena texts;

    struct string *strings;
    size_t string_count, string_capacity;
    struct parts types, mappings, functions, locations, period_types, comments;
    struct str *type_texts; /* pairs: type, unit */
    int64_t numbers[FIELD_COUNT];
    bool present[FIELD_COUNT];

    struct idmap mapping_ids, function_ids, location_ids; /* the file's ids -> places from 1 */
    struct frames *frames;                                /* by place of a location */
    uint32_t location_rows;
    struct intern seen[TABLE_COUNT]; /* keys of rows, to tell copies apart */
    uint32_t *copies[TABLE_COUNT];
    size_t copies_capacity[TABLE_COUNT];
    int64_t count_type; /* place of samples/count among the types, -1: none */

    int64_t sample_id;
    struct buf extra, inexact, key;
};

/* --- what is wrong --- */

static struct place place_at(const struct reader *r, size_t offset)
{
    return (struct place){in_name(r->in), PLACE_OFFSET, offset};
}

/* The string number INDEX, which stands in the field PATH of part number PLACE of KIND. */
static const struct string *string_at(const struct reader *r, const struct part *part,
                                      enum field kind, size_t place, const char *path,
                                      int64_t index)
{
    if (index < 0 || (uint64_t)index >= r->string_count)
        die_at(place_at(r, part->offset), "%s[%zu].%s: no string %" PRId64 ": the table has %zu",
               fields[kind].name, place, path, index, r->string_count);
    return &r->strings[index];
}

/* The same for a field of the file itself. */
static const struct string *file_string(const struct reader *r, enum field field)
{
    int64_t index = r->numbers[field];
    if (index < 0 || (uint64_t)index >= r->string_count)
        die_at(place_at(r, r->data.n), "%s: no string %" PRId64 ": the table has %zu",
               fields[field].name, index, r->string_count);
    return &r->strings[index];
}

static _Noreturn void die_malformed(const struct reader *r, const struct part *part,
                                    enum field kind, size_t place)
{
    die_at(place_at(r, part->offset), "%s[%zu]: not a message of its kind", fields[kind].name,
           place);
}

static void *arena_for_protobuf(void *arena, size_t size)
{
    return arena_alloc(arena, size);
}

static void keep_for_protobuf(void *arena, void *block)
{
    (void)arena;
    (void)block;
}

/* Unpacks PART, number PLACE of KIND; valid until the next call. */
static const ProtobufCMessage *unpack(struct reader *r, const ProtobufCMessageDescriptor *type,
                                      const struct part *part, enum field kind, size_t place)
{
    arena_clear(&r->messages);
    const ProtobufCMessage *m = protobuf_c_message_unpack(type, &r->allocator, part->bytes.n,
                                                          (const uint8_t *)part->bytes.p);
    if (m == NULL)
        die_malformed(r, part, kind, place);
    if (m->n_unknown_fields > 0)
        loss_add("unknown fields", str_of(fields[kind].name), m->n_unknown_fields);
    return m;
}

/* --- the first walk --- */

static void add_part(struct parts *parts, const struct wire_field *f)
{
    parts->items =
        mem_array(parts->items, &parts->capacity, parts->count + 1, sizeof *parts->items);
    parts->items[parts->count++] = (struct part){f->bytes, f->offset};
}

static void add_string(struct reader *r, const struct wire_field *f)
{
    r->strings =
        mem_array(r->strings, &r->string_capacity, r->string_count + 1, sizeof *r->strings);
    struct string *s = &r->strings[r->string_count++];
    *s = (struct string){.bytes = f->bytes, .text = f->bytes, .exact = true};
    r->key.n = 0;
    s->exact = text_escape(&r->key, f->bytes);
    if (!str_equal(buf_str(&r->key), f->bytes))
        s->text = arena_copy(&r->texts, buf_str(&r->key));
    if (r->string_count == 1 && f->bytes.n != 0)
        die_at(place_at(r, f->offset), "string_table[0]: expected an empty string");
}

/* A list of numbers comes one by one or packed. */
static void add_comments(struct reader *r, const struct wire_field *f)
{
    struct wire_field one = *f;
    if (f->type == WIRE_VARINT) {
        one.bytes = (struct str){r->data.p + f->offset, r->data.n - f->offset};
        uint64_t key;
        wire_take_varint(&one.bytes, &key);
        add_part(&r->comments, &one);
        return;
    }
    struct str rest = f->bytes;
    uint64_t value;
    while (rest.n > 0) {
        one.bytes = rest;
        if (!wire_take_varint(&rest, &value))
            die_at(place_at(r, f->offset), "comment: expected numbers, found other bytes");
        add_part(&r->comments, &one);
    }
}

static void add_number(struct reader *r, const struct wire_field *f)
{
    if (f->number == FIELD_TIME && r->numbers[FIELD_TIME] != 0)
        die_at(place_at(r, f->offset),
               "time_nanos comes twice: these are two profiles one after the other, not one");
    r->numbers[f->number] = (int64_t)f->value;
    r->present[f->number] = true;
}

static void collect_field(struct reader *r, const struct wire_field *f)
{
    switch ((enum field)f->number) {
    case FIELD_SAMPLE_TYPE: add_part(&r->types, f); break;
    case FIELD_MAPPING: add_part(&r->mappings, f); break;
    case FIELD_LOCATION: add_part(&r->locations, f); break;
    case FIELD_FUNCTION: add_part(&r->functions, f); break;
    case FIELD_PERIOD_TYPE: add_part(&r->period_types, f); break;
    case FIELD_STRING: add_string(r, f); break;
    case FIELD_COMMENT: add_comments(r, f); break;
    case FIELD_SAMPLE: break; /* in the second walk */
    default: add_number(r, f);
    }
}

static void collect(struct reader *r)
{
    struct wire wire = {.file = in_name(r->in), .data = r->data};
    struct wire_field f;
    while (wire_next(&wire, &f)) {
        if (f.number == 0 || f.number >= FIELD_COUNT) {
            loss_add("unknown fields", STR("profile"), 1);
            continue;
        }
        bool packed = f.number == FIELD_COMMENT && f.type == WIRE_BYTES;
        if (f.type != fields[f.number].type && !packed)
            die_at(place_at(r, f.offset), "%s: expected wire type %d, found %d",
                   fields[f.number].name, (int)fields[f.number].type, (int)f.type);
        collect_field(r, &f);
    }
    if (r->string_count == 0)
        die_at(place_at(r, r->data.n), "string_table: expected at least an empty string");
    if (r->types.count == 0)
        die_at(place_at(r, r->data.n), "sample_type: expected at least one");
}

/* --- strings in rows --- */

/* The text of S for COLUMN; where it does not say all, finish_extra adds the bytes. */
static struct str column_text(struct reader *r, struct str column, const struct string *s)
{
    if (!s->exact)
        emit_bytes(&r->inexact, column, s->bytes);
    return s->text;
}

/* Adds the `.bytes` column for what column_text could not show. */
static struct str finish_extra(struct reader *r)
{
    emit_bytes_column(&r->extra, &r->inexact);
    return buf_str(&r->extra);
}

/* Appends the string S inside a dotted column: as a string, or as {"bytes":"hex"}. */
static void add_string_value(struct reader *r, const struct string *s)
{
    if (s->exact) {
        emit_string(&r->extra, s->text);
        return;
    }
    buf_add(&r->extra, STR("{\"bytes\":\""));
    text_hex(&r->extra, s->bytes);
    buf_add(&r->extra, STR("\"}"));
}

static void add_string_member(struct reader *r, struct str name, const struct string *s)
{
    emit_member(&r->extra, name);
    add_string_value(r, s);
}

static void add_number_member(struct reader *r, struct str name, int64_t value)
{
    emit_member(&r->extra, name);
    emit_number(&r->extra, value);
}

static void add_true_member(struct reader *r, struct str name, bool value)
{
    if (!value)
        return;
    emit_member(&r->extra, name);
    buf_add(&r->extra, STR("true"));
}

/* A 64-bit number as `"0x..."`. */
static void add_address_member(struct reader *r, struct str name, uint64_t value)
{
    char hex[24];
    int n = snprintf(hex, sizeof hex, "\"0x%" PRIx64 "\"", value);
    emit_member(&r->extra, name);
    buf_add(&r->extra, (struct str){hex, (size_t)n});
}

/* An object that begins here: the comma of its first member is replaced by close_object. */
static size_t open_object(struct reader *r, struct str name)
{
    emit_member(&r->extra, name);
    return r->extra.n;
}

static void close_object(struct reader *r, size_t start)
{
    if (r->extra.n == start)
        buf_add(&r->extra, STR("{"));
    else
        r->extra.p[start] = '{';
    buf_add(&r->extra, STR("}"));
}

/* --- the source --- */

static void add_value_type(struct reader *r, const Pprof__ValueType *t, const struct part *part,
                           enum field kind, size_t place)
{
    add_string_member(r, STR("type"), string_at(r, part, kind, place, "type", t->type));
    add_string_member(r, STR("unit"), string_at(r, part, kind, place, "unit", t->unit));
}

static void add_value_types(struct reader *r)
{
    struct str *texts = mem_alloc(2 * r->types.count * sizeof *texts);
    r->type_texts = texts;
    r->count_type = -1;
    emit_member(&r->extra, STR(".value_types"));
    buf_add(&r->extra, STR("["));
    for (size_t i = 0; i < r->types.count; i++) {
        const struct part *part = &r->types.items[i];
        const Pprof__ValueType *t = (const Pprof__ValueType *)unpack(
            r, &pprof__value_type__descriptor, part, FIELD_SAMPLE_TYPE, i);
        size_t start = r->extra.n;
        add_value_type(r, t, part, FIELD_SAMPLE_TYPE, i);
        close_object(r, start);
        texts[2 * i] = r->strings[t->type].text;
        texts[2 * i + 1] = r->strings[t->unit].text;
        for (size_t j = 0; j < i; j++)
            if (str_equal(texts[2 * j], texts[2 * i]))
                die_at(place_at(r, part->offset), "sample_type[%zu]: \"%.*s\" comes twice", i,
                       STR_ARG(texts[2 * i]));
        if (str_equal(texts[2 * i], STR("samples")) && str_equal(texts[2 * i + 1], STR("count")))
            r->count_type = (int64_t)i;
        if (i + 1 < r->types.count)
            buf_add(&r->extra, STR(","));
    }
    buf_add(&r->extra, STR("]"));
}

static void add_period(struct reader *r)
{
    if (r->period_types.count == 0)
        return;
    size_t last = r->period_types.count - 1; /* the last of a field that comes once counts */
    const struct part *part = &r->period_types.items[last];
    const Pprof__ValueType *t = (const Pprof__ValueType *)unpack(r, &pprof__value_type__descriptor,
                                                                 part, FIELD_PERIOD_TYPE, 0);
    size_t start = open_object(r, STR(".period"));
    add_value_type(r, t, part, FIELD_PERIOD_TYPE, 0);
    add_number_member(r, STR("value"), r->numbers[FIELD_PERIOD]);
    close_object(r, start);
}

static void add_comment_list(struct reader *r)
{
    if (r->comments.count == 0)
        return;
    emit_member(&r->extra, STR("comment"));
    for (size_t i = 0; i < r->comments.count; i++) {
        struct str bytes = r->comments.items[i].bytes;
        uint64_t index = 0;
        wire_take_varint(&bytes, &index);
        buf_add(&r->extra, i == 0 ? STR("[") : STR(","));
        add_string_value(
            r, string_at(r, &r->comments.items[i], FIELD_COMMENT, i, "index", (int64_t)index));
    }
    buf_add(&r->extra, STR("]"));
}

/* `.pprof`: what the file says of itself, members left out where it says nothing. */
static void add_file_facts(struct reader *r)
{
    static const enum field texts[] = {FIELD_DROP_FRAMES, FIELD_KEEP_FRAMES, FIELD_DEFAULT_TYPE,
                                       FIELD_DOC_URL};
    static const enum field numbers[] = {FIELD_TIME, FIELD_DURATION};
    size_t start = open_object(r, STR(".pprof"));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (r->numbers[numbers[i]] != 0)
            add_number_member(r, str_of(fields[numbers[i]].name), r->numbers[numbers[i]]);
    if (r->period_types.count == 0 && r->numbers[FIELD_PERIOD] != 0)
        add_number_member(r, STR("period"), r->numbers[FIELD_PERIOD]);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const struct string *s = file_string(r, texts[i]);
        if (s->bytes.n != 0)
            add_string_member(r, str_of(fields[texts[i]].name), s);
    }
    add_comment_list(r);
    close_object(r, start);
}

/* The time of the file as seconds, in TEXT unless it is whole. */
static struct number timestamp(const struct reader *r, char *text, size_t size)
{
    int64_t nanos = r->numbers[FIELD_TIME];
    if (r->request->timestamp.kind != NUMBER_NULL || nanos == 0)
        return r->request->timestamp;
    if (nanos % 1000000000 == 0)
        return number_of(nanos / 1000000000);
    uint64_t size_of = nanos < 0 ? 0 - (uint64_t)nanos : (uint64_t)nanos;
    int n = snprintf(text, size, "%s%" PRIu64 ".%09" PRIu64, nanos < 0 ? "-" : "",
                     size_of / 1000000000, size_of % 1000000000);
    return (struct number){.kind = NUMBER_REAL, .real = {text, (size_t)n}};
}

static void emit_source(struct reader *r)
{
    char time_text[40];
    struct row row = {.table = TABLE_SOURCES,
                      .source = {.source_id = 1,
                                 .source_type = STR("pprof"),
                                 .source_timestamp = timestamp(r, time_text, sizeof time_text)}};
    struct buf uri_text = {0};
    const char *uri = read_source_uri(r->request, r->in);
    r->extra.n = 0;
    if (uri != NULL) {
        struct string s = {.bytes = str_of(uri)};
        s.exact = text_escape(&uri_text, s.bytes);
        s.text = buf_str(&uri_text);
        row.source.source_uri = column_text(r, STR("source_uri"), &s);
    }
    add_value_types(r);
    add_period(r);
    add_file_facts(r);
    row.extra = finish_extra(r);
    emit_row(r->out, &row);
    buf_free(&uri_text);
}

/* --- mappings, functions, locations --- */

/* Enters ID, of part number PLACE of KIND, in IDS. */
static void define_id(struct reader *r, struct idmap *ids, uint64_t id, const struct part *part,
                      enum field kind, size_t place)
{
    if (id == 0)
        die_at(place_at(r, part->offset), "%s[%zu].id: expected a number from 1, found 0",
               fields[kind].name, place);
    if (idmap_get(ids, id) != 0)
        die_at(place_at(r, part->offset), "%s[%zu].id: %" PRIu64 " comes twice", fields[kind].name,
               place, id);
    idmap_put(ids, id, (uint32_t)place + 1);
}

/* Equal rows are merged further on, so a row that is equal to earlier ones is told apart by a
 * number: what the file has twice comes back twice. */
static void tell_copies(struct reader *r, struct row *row)
{
    enum table table = row->table;
    r->key.n = 0;
    emit_key(&r->key, row);
    bool is_new;
    uint32_t number = intern_add(&r->seen[table], buf_str(&r->key), &is_new);
    r->copies[table] =
        mem_array(r->copies[table], &r->copies_capacity[table], number, sizeof *r->copies[table]);
    if (is_new) {
        r->copies[table][number - 1] = 0;
        return;
    }
    add_number_member(r, STR(".pprof_copy"), ++r->copies[table][number - 1]);
    row->extra = buf_str(&r->extra);
}

static void emit_mapping(struct reader *r, size_t place)
{
    const struct part *part = &r->mappings.items[place];
    const Pprof__Mapping *m =
        (const Pprof__Mapping *)unpack(r, &pprof__mapping__descriptor, part, FIELD_MAPPING, place);
    define_id(r, &r->mapping_ids, m->id, part, FIELD_MAPPING, place);
    r->extra.n = 0;
    add_address_member(r, STR("memory_start"), m->memory_start);
    add_address_member(r, STR("memory_limit"), m->memory_limit);
    add_address_member(r, STR("file_offset"), m->file_offset);
    add_string_member(r, STR("filename"),
                      string_at(r, part, FIELD_MAPPING, place, "filename", m->filename));
    add_string_member(r, STR("build_id"),
                      string_at(r, part, FIELD_MAPPING, place, "build_id", m->build_id));
    add_true_member(r, STR("has_functions"), m->has_functions);
    add_true_member(r, STR("has_filenames"), m->has_filenames);
    add_true_member(r, STR("has_line_numbers"), m->has_line_numbers);
    add_true_member(r, STR("has_inline_frames"), m->has_inline_frames);
    struct row row = {
        .table = TABLE_MAPPINGS, .mapping = {(int64_t)place + 1}, .extra = buf_str(&r->extra)};
    tell_copies(r, &row);
    emit_row(r->out, &row);
}

static void emit_function(struct reader *r, size_t place)
{
    static const struct string unnamed = {{"", 0}, STR("<?>"), true};
    const struct part *part = &r->functions.items[place];
    const Pprof__Function *f = (const Pprof__Function *)unpack(r, &pprof__function__descriptor,
                                                               part, FIELD_FUNCTION, place);
    define_id(r, &r->function_ids, f->id, part, FIELD_FUNCTION, place);
    const struct string *name = string_at(r, part, FIELD_FUNCTION, place, "name", f->name);
    const struct string *system =
        string_at(r, part, FIELD_FUNCTION, place, "system_name", f->system_name);
    const struct string *filename =
        string_at(r, part, FIELD_FUNCTION, place, "filename", f->filename);
    bool no_name = name->bytes.n == 0, unmangled = system->bytes.n == 0;
    if (no_name)
        name = &unnamed;
    if (unmangled)
        system = name;
    r->extra.n = 0;
    add_true_member(r, STR(".unmangled"), unmangled);
    add_true_member(r, STR(".no_name"), no_name);
    if (f->start_line < 0)
        add_number_member(r, STR(".pprof_start_line"), f->start_line);
    struct row row = {.table = TABLE_FUNCTIONS,
                      .function = {(int64_t)place + 1, column_text(r, STR("name"), name),
                                   column_text(r, STR("system_name"), system),
                                   column_text(r, STR("filename"), filename),
                                   f->start_line < 0 ? 0 : f->start_line}};
    row.extra = finish_extra(r);
    tell_copies(r, &row);
    emit_row(r->out, &row);
}

/* One row of the location L: its line number LINE, or no line (-1). */
static void emit_line(struct reader *r, const Pprof__Location *l, const struct part *part,
                      size_t place, int64_t line)
{
    struct row row = {.table = TABLE_LOCATIONS,
                      .location = {++r->location_rows, ROW_NULL, ROW_NULL}};
    const Pprof__Line *at = line < 0 ? NULL : l->line[line];
    uint32_t mapping = idmap_get(&r->mapping_ids, l->mapping_id); /* a dangling one is dropped */
    r->extra.n = 0;
    if (mapping != 0)
        add_number_member(r, STR(".mapping_id"), mapping);
    if (l->address != 0)
        add_address_member(r, STR(".address"), l->address);
    if (at != NULL && at->column != 0)
        add_number_member(r, STR(".column"), at->column);
    add_true_member(r, STR(".is_folded"), l->is_folded);
    if (at != NULL) {
        uint32_t function = idmap_get(&r->function_ids, at->function_id);
        if (function == 0)
            die_at(place_at(r, part->offset),
                   "location[%zu].line[%" PRId64 "].function_id: no function %" PRIu64, place, line,
                   at->function_id);
        row.location.function_id = function;
        row.location.line = at->line < 0 ? 0 : at->line;
        if (at->line < 0)
            add_number_member(r, STR(".pprof_line"), at->line);
        if ((size_t)line + 1 < l->n_line)
            add_number_member(r, STR(".inlined_into"), r->location_rows - 1);
    }
    add_true_member(r, STR(".pprof_no_lines"), at == NULL && mapping == 0 && l->address == 0);
    add_true_member(r, STR(".pprof_outer"), line > 0);
    row.extra = buf_str(&r->extra);
    if (line <= 0)
        tell_copies(r, &row);
    emit_row(r->out, &row);
}

static void emit_location(struct reader *r, size_t place)
{
    const struct part *part = &r->locations.items[place];
    const Pprof__Location *l = (const Pprof__Location *)unpack(r, &pprof__location__descriptor,
                                                               part, FIELD_LOCATION, place);
    define_id(r, &r->location_ids, l->id, part, FIELD_LOCATION, place);
    r->frames[place] =
        (struct frames){r->location_rows + 1, l->n_line > 0 ? (uint32_t)l->n_line : 1};
    if (l->n_line == 0)
        emit_line(r, l, part, place, -1);
    for (size_t i = l->n_line; i-- > 0;)
        emit_line(r, l, part, place, (int64_t)i);
}

static void emit_definitions(struct reader *r)
{
    for (size_t i = 0; i < r->mappings.count; i++)
        emit_mapping(r, i);
    for (size_t i = 0; i < r->functions.count; i++)
        emit_function(r, i);
    r->frames = mem_alloc((r->locations.count + 1) * sizeof *r->frames);
    for (size_t i = 0; i < r->locations.count; i++)
        emit_location(r, i);
}

/* --- samples --- */

static void add_label(struct reader *r, const Pprof__Label *label, const struct part *part,
                      size_t place)
{
    size_t start = r->extra.n;
    add_string_member(r, STR("key"),
                      string_at(r, part, FIELD_SAMPLE, place, "label.key", label->key));
    const struct string *s = string_at(r, part, FIELD_SAMPLE, place, "label.str", label->str);
    const struct string *unit =
        string_at(r, part, FIELD_SAMPLE, place, "label.num_unit", label->num_unit);
    if (label->str != 0)
        add_string_member(r, STR("str"), s);
    if (label->num != 0 || label->str == 0)
        add_number_member(r, STR("num"), label->num);
    if (unit->bytes.n != 0)
        add_string_member(r, STR("unit"), unit);
    close_object(r, start);
}

static void add_labels(struct reader *r, const Pprof__Sample *s, const struct part *part,
                       size_t place)
{
    if (s->n_label == 0)
        return;
    emit_member(&r->extra, STR(".labels"));
    for (size_t i = 0; i < s->n_label; i++) {
        buf_add(&r->extra, i == 0 ? STR("[") : STR(","));
        add_label(r, s->label[i], part, place);
    }
    buf_add(&r->extra, STR("]"));
}

static void emit_stack(struct reader *r, const Pprof__Sample *s, const struct part *part,
                       size_t place)
{
    struct row row = {.table = TABLE_SAMPLE_LOCATIONS, .sample_location = {r->sample_id, 0, 0}};
    for (size_t i = 0; i < s->n_location_id; i++) {
        uint32_t location = idmap_get(&r->location_ids, s->location_id[i]);
        if (location == 0)
            die_at(place_at(r, part->offset), "sample[%zu].location_id[%zu]: no location %" PRIu64,
                   place, i, s->location_id[i]);
        struct frames frames = r->frames[location - 1];
        for (uint32_t j = frames.count; j-- > 0;) {
            row.sample_location.depth++;
            row.sample_location.location_id = frames.first + j;
            emit_row(r->out, &row);
        }
    }
}

/* The share of VALUE that sample number I of N gets when one is expanded to N: all shares together
 * are VALUE again. */
static int64_t share(int64_t value, int64_t i, int64_t n)
{
    return value / n + (i < (value < 0 ? -(value % n) : value % n) ? (value < 0 ? -1 : 1) : 0);
}

/* Writes sample number I of the N that S stands for. */
static void emit_one(struct reader *r, const Pprof__Sample *s, const struct part *part,
                     size_t place, int64_t i, int64_t n)
{
    struct row row = {
        .table = TABLE_SAMPLES, .sample = {++r->sample_id, 1}, .extra = buf_str(&r->extra)};
    emit_row(r->out, &row);
    row = (struct row){.table = TABLE_SAMPLE_VALUES};
    for (size_t t = 0; t < s->n_value; t++) {
        row.sample_value.sample_id = r->sample_id;
        row.sample_value.type = r->type_texts[2 * t];
        row.sample_value.unit = r->type_texts[2 * t + 1];
        row.sample_value.value = number_of(n == 1 ? s->value[t] : share(s->value[t], i, n));
        emit_row(r->out, &row);
    }
    emit_stack(r, s, part, place);
}

/* How often S is to be written: once, or under --expand as often as it counts. */
static int64_t repetitions(const struct reader *r, const Pprof__Sample *s, const struct part *part,
                           size_t place)
{
    if (!r->request->expand)
        return 1;
    int64_t n = s->value[r->count_type];
    if (n < 0)
        die_at(place_at(r, part->offset),
               "sample[%zu]: --expand: expected a count from 0, found %" PRId64, place, n);
    return n == 0 ? 1 : n;
}

static void emit_samples(struct reader *r)
{
    struct wire wire = {.file = in_name(r->in), .data = r->data};
    struct wire_field f;
    size_t place = 0;
    if (r->request->expand && r->count_type < 0)
        die_at(place_at(r, 0), "--expand: no sample type samples/count");
    while (wire_next(&wire, &f)) {
        if (f.number != FIELD_SAMPLE)
            continue;
        struct part part = {f.bytes, f.offset};
        const Pprof__Sample *s = (const Pprof__Sample *)unpack(r, &pprof__sample__descriptor, &part,
                                                               FIELD_SAMPLE, place);
        if (s->n_value != r->types.count)
            die_at(place_at(r, part.offset),
                   "sample[%zu].value: expected %zu, one for each sample type, found %zu", place,
                   r->types.count, s->n_value);
        r->extra.n = 0;
        add_labels(r, s, &part, place);
        int64_t n = repetitions(r, s, &part, place);
        for (int64_t i = 0; i < n; i++)
            emit_one(r, s, &part, place, i, n);
        place++;
    }
}

/* --- the whole file --- */

/* Reads the input to memory, up to the limit. */
static void read_all(struct reader *r)
{
    uint64_t limit = r->request->max_size;
    r->data = in_peek(r->in, limit == UINT64_MAX ? SIZE_MAX : (size_t)limit + 1);
    if (r->data.n > limit)
        die_at((struct place){in_name(r->in), PLACE_FILE, 0},
               "more than %" PRIu64 " bytes, decompressed (--max-size sets the limit)", limit);
}

static void check_format(const struct reader *r)
{
    static const struct str old[] = {STR("heap profile:"),      STR("heapz"),    STR("--- "),
                                     STR("goroutine profile:"), STR("threads:"), STR("growthz")};
    struct place where = {in_name(r->in), PLACE_FILE, 0};
    if (r->data.n == 0)
        die_at(where, "expected a pprof file, found an empty file");
    const struct format *found = format_detect(r->data);
    if (found != NULL && found != &format_pprof)
        format_die_unexpected(where, "a pprof file", found);
    for (size_t i = 0; i < sizeof old / sizeof *old; i++)
        if (str_starts(r->data, old[i]))
            die_at(where, "expected pprof's protobuf format, found an old text format: \"go tool "
                          "pprof -proto FILE\" converts it");
    /* the old CPU profile: words of 0, 3, 0, the period and 0 */
    static const char cpu[16] = {0, 0, 0, 0, 0, 0, 0, 0, 3};
    if (str_starts(r->data, (struct str){cpu, 16}))
        die_at(where,
               "expected pprof's protobuf format, found an old binary CPU profile: \"go tool "
               "pprof -proto PROGRAM FILE\" converts it");
}

static void close_reader(struct reader *r)
{
    struct parts *parts[] = {&r->types,     &r->mappings,     &r->functions,
                             &r->locations, &r->period_types, &r->comments};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        mem_free(parts[i]->items);
    for (unsigned t = 0; t < TABLE_COUNT; t++) {
        intern_free(&r->seen[t]);
        mem_free(r->copies[t]);
    }
    mem_free(r->strings);
    mem_free(r->type_texts);
    mem_free(r->frames);
    idmap_free(&r->mapping_ids);
    idmap_free(&r->function_ids);
    idmap_free(&r->location_ids);
    arena_free(&r->messages);
    arena_free(&r->texts);
    buf_free(&r->extra);
    buf_free(&r->inexact);
    buf_free(&r->key);
}

void pprof_read(struct in *in, const struct read_request *request, struct out *out)
{
    struct reader r = {.in = in, .request = request, .out = out};
    r.allocator = (ProtobufCAllocator){arena_for_protobuf, keep_for_protobuf, &r.messages};
    read_all(&r);
    check_format(&r);
    collect(&r);
    emit_begin(out);
    emit_source(&r);
    emit_definitions(&r);
    emit_samples(&r);
    loss_report(request->lossless);
    emit_end(out, request->more);
    close_reader(&r);
}
