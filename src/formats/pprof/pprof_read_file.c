#include "formats/pprof/pprof_read.h"

#include "base/buf.h"
#include "base/mem.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/text.h"

#include <inttypes.h>
#include <stdio.h>

const struct reader_field pprof_reader_fields[FIELD_COUNT] = {
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

/* --- errors --- */

struct place pprof_reader_place(const struct reader *r, size_t offset)
{
    return (struct place){in_name(r->in), PLACE_OFFSET, offset};
}

/* Ends the tool with WHAT, a path and an error, about PART, number PLACE of KIND. */
static _Noreturn void die_in_part(const struct reader *r, const struct part *part, enum field kind,
                                  size_t place, const char *what)
{
    char index[32] = "";
    if (pprof_reader_fields[kind].repeated)
        snprintf(index, sizeof index, "[%zu]", place);
    die_at(pprof_reader_place(r, part->offset), "%s%s%s", pprof_reader_fields[kind].name, index,
           what);
}

const struct string *pprof_reader_string(const struct reader *r, const struct part *part,
                                         enum field kind, size_t place, const char *path,
                                         int64_t index)
{
    char what[160];
    if (index >= 0 && (uint64_t)index < r->string_count)
        return &r->strings[index];
    snprintf(what, sizeof what, "%s%s: no string %" PRId64 ": the table has %zu",
             *path == '\0' ? "" : ".", path, index, r->string_count);
    die_in_part(r, part, kind, place, what);
}

const struct string *pprof_reader_file_string(const struct reader *r, enum field field)
{
    int64_t index = r->numbers[field];
    if (index < 0 || (uint64_t)index >= r->string_count)
        die_at(pprof_reader_place(r, r->number_offsets[field]),
               "%s: no string %" PRId64 ": the table has %zu", pprof_reader_fields[field].name,
               index, r->string_count);
    return &r->strings[index];
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

/* Whether BYTES, a well-formed message of TYPE, has a bool with a wrong wire type: protobuf-c
 * checks all types but this one. */
static bool has_wrong_bool(const ProtobufCMessageDescriptor *type, struct str bytes)
{
    struct wire wire = {.data = bytes};
    struct wire_field f;
    while (pprof_wire_next(&wire, &f)) {
        const ProtobufCFieldDescriptor *d =
            protobuf_c_message_descriptor_get_field(type, (unsigned)f.number);
        if (d != NULL && d->type == PROTOBUF_C_TYPE_BOOL && f.type != WIRE_VARINT)
            return true;
    }
    return false;
}

const ProtobufCMessage *pprof_reader_unpack(struct reader *r,
                                            const ProtobufCMessageDescriptor *type,
                                            const struct part *part, enum field kind, size_t place)
{
    ProtobufCAllocator allocator = {arena_for_protobuf, keep_for_protobuf, &r->messages};
    arena_clear(&r->messages);
    const ProtobufCMessage *m =
        protobuf_c_message_unpack(type, &allocator, part->bytes.n, (const uint8_t *)part->bytes.p);
    bool has_bools = kind == FIELD_MAPPING || kind == FIELD_LOCATION;
    if (m == NULL || (has_bools && has_wrong_bool(type, part->bytes)))
        die_in_part(r, part, kind, place, ": not a message of its kind");
    return m;
}

/* --- the first pass --- */

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
        die_at(pprof_reader_place(r, f->offset), "string_table[0]: expected an empty string");
}

/* A list of numbers may be packed or not. */
static void add_comments(struct reader *r, const struct wire_field *f)
{
    struct wire_field one = *f;
    if (f->type == WIRE_VARINT) {
        one.bytes = (struct str){r->data.p + f->offset, r->data.n - f->offset};
        uint64_t key;
        pprof_wire_take_varint(&one.bytes, &key);
        add_part(&r->comments, &one);
        return;
    }
    struct str rest = f->bytes;
    uint64_t value;
    while (rest.n > 0) {
        one.bytes = rest;
        if (!pprof_wire_take_varint(&rest, &value))
            die_at(pprof_reader_place(r, f->offset),
                   "comment: expected numbers, found other bytes");
        add_part(&r->comments, &one);
    }
}

static void add_number(struct reader *r, const struct wire_field *f)
{
    if (f->number == FIELD_TIME && r->numbers[FIELD_TIME] != 0)
        die_at(pprof_reader_place(r, f->offset),
               "time_nanos comes twice: these are two profiles one after the other, not one");
    r->numbers[f->number] = (int64_t)f->value;
    r->number_offsets[f->number] = f->offset;
}

/* Samples are read in the second pass. */
static void note_sample(struct reader *r, const struct wire_field *f)
{
    if (r->samples_to == 0)
        r->samples_from = f->offset;
    r->samples_to = f->offset + f->whole.n;
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
    case FIELD_SAMPLE: note_sample(r, f); break;
    default: add_number(r, f);
    }
}

void pprof_reader_collect(struct reader *r)
{
    struct wire wire = {.file = in_name(r->in), .data = r->data};
    struct wire_field f;
    while (pprof_wire_next(&wire, &f)) {
        if (f.number == 0 || f.number >= FIELD_COUNT) {
            buf_add(&r->unknown, f.whole);
            continue;
        }
        bool packed = f.number == FIELD_COMMENT && f.type == WIRE_BYTES;
        if (f.type != pprof_reader_fields[f.number].type && !packed)
            die_at(pprof_reader_place(r, f.offset), "%s: expected wire type %d, found %d",
                   pprof_reader_fields[f.number].name, (int)pprof_reader_fields[f.number].type,
                   (int)f.type);
        collect_field(r, &f);
    }
    if (r->string_count == 0)
        die_at(pprof_reader_place(r, r->data.n), "string_table: expected at least an empty string");
    if (r->types.count == 0)
        die_at(pprof_reader_place(r, r->data.n), "sample_type: expected at least one");
}

/* --- strings in rows --- */

struct str pprof_reader_column_text(struct reader *r, struct str column, const struct string *s)
{
    if (!s->exact)
        emit_bytes(&r->inexact, column, s->bytes);
    return s->text;
}

struct str pprof_reader_finish_extra(struct reader *r)
{
    emit_bytes_column(&r->extra, &r->inexact);
    return buf_str(&r->extra);
}

void pprof_reader_add_string_value(struct reader *r, const struct string *s)
{
    if (s->exact)
        emit_string(&r->extra, s->text);
    else
        emit_bytes_object(&r->extra, s->bytes);
}

void pprof_reader_add_string(struct reader *r, struct str name, const struct string *s)
{
    emit_member(&r->extra, name);
    pprof_reader_add_string_value(r, s);
}

void pprof_reader_add_number(struct reader *r, struct str name, int64_t value)
{
    emit_member(&r->extra, name);
    emit_number(&r->extra, value);
}

void pprof_reader_add_true(struct reader *r, struct str name, bool value)
{
    if (!value)
        return;
    emit_member(&r->extra, name);
    buf_add(&r->extra, STR("true"));
}

void pprof_reader_add_address(struct reader *r, struct str name, uint64_t value)
{
    emit_member(&r->extra, name);
    buf_add(&r->extra, STR("\""));
    emit_address(&r->extra, value);
    buf_add(&r->extra, STR("\""));
}

void pprof_reader_add_hex(struct reader *r, struct str name, struct str bytes)
{
    emit_member(&r->extra, name);
    buf_add(&r->extra, STR("\""));
    text_hex(&r->extra, bytes);
    buf_add(&r->extra, STR("\""));
}

void pprof_reader_add_unknown(struct reader *r, struct str name, const ProtobufCMessage *m)
{
    if (m == NULL || m->n_unknown_fields == 0)
        return;
    r->key.n = 0;
    for (unsigned i = 0; i < m->n_unknown_fields; i++) {
        const ProtobufCMessageUnknownField *f = &m->unknown_fields[i];
        if (f->tag == 0) { /* invalid field number; only its long spellings get here */
            loss_add(LOSS_UNKNOWN_FIELDS, STR("0"), 1);
            continue;
        }
        pprof_wire_put_key(&r->key, f->tag, (enum wire_type)f->wire_type);
        buf_add(&r->key, (struct str){(const char *)f->data, f->len});
    }
    if (r->key.n > 0)
        pprof_reader_add_hex(r, name, buf_str(&r->key));
}

size_t pprof_reader_open(struct reader *r, struct str name)
{
    emit_member(&r->extra, name);
    return r->extra.n;
}

void pprof_reader_close(struct reader *r, size_t start)
{
    if (r->extra.n == start)
        buf_add(&r->extra, STR("{"));
    else
        r->extra.p[start] = '{';
    buf_add(&r->extra, STR("}"));
}
