/* The first pass over a file of pprof: which fields it has, and where the messages are. */
#include "base/mem.h"
#include "formats/pprof/pprof_read.h"
#include "rows/text.h"

#include <inttypes.h>
#include <stdio.h>

const struct pprof_field_kind pprof_field_kinds[FIELD_COUNT] = {
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

struct place pprof_place_at(const struct pprof_reader *r, size_t offset)
{
    return (struct place){in_name(r->in), PLACE_OFFSET, offset};
}

_Noreturn void pprof_die_in_part(const struct pprof_reader *r, const struct pprof_part *part,
                                 enum pprof_field kind, size_t place, const char *what)
{
    char index[32] = "";
    if (pprof_field_kinds[kind].repeated)
        snprintf(index, sizeof index, "[%zu]", place);
    die_at(pprof_place_at(r, part->offset), "%s%s%s", pprof_field_kinds[kind].name, index, what);
}

const struct pprof_string *pprof_find_string(const struct pprof_reader *r,
                                             const struct pprof_part *part, enum pprof_field kind,
                                             size_t place, const char *path, int64_t index)
{
    char what[160];
    if (index >= 0 && (uint64_t)index < r->string_count)
        return &r->strings[index];
    snprintf(what, sizeof what, "%s%s: no string %" PRId64 ": the table has %zu",
             *path == '\0' ? "" : ".", path, index, r->string_count);
    pprof_die_in_part(r, part, kind, place, what);
}

const struct pprof_string *pprof_file_string(const struct pprof_reader *r, enum pprof_field field)
{
    int64_t index = r->numbers[field];
    if (index < 0 || (uint64_t)index >= r->string_count)
        die_at(pprof_place_at(r, r->number_offsets[field]),
               "%s: no string %" PRId64 ": the table has %zu", pprof_field_kinds[field].name, index,
               r->string_count);
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
    while (wire_next(&wire, &f)) {
        const ProtobufCFieldDescriptor *d =
            protobuf_c_message_descriptor_get_field(type, (unsigned)f.number);
        if (d != NULL && d->type == PROTOBUF_C_TYPE_BOOL && f.type != WIRE_VARINT)
            return true;
    }
    return false;
}

const ProtobufCMessage *pprof_unpack_part(struct pprof_reader *r,
                                          const ProtobufCMessageDescriptor *type,
                                          const struct pprof_part *part, enum pprof_field kind,
                                          size_t place)
{
    ProtobufCAllocator allocator = {arena_for_protobuf, keep_for_protobuf, &r->messages};
    arena_clear(&r->messages);
    const ProtobufCMessage *m =
        protobuf_c_message_unpack(type, &allocator, part->bytes.n, (const uint8_t *)part->bytes.p);
    bool has_bools = kind == FIELD_MAPPING || kind == FIELD_LOCATION;
    if (m == NULL || (has_bools && has_wrong_bool(type, part->bytes)))
        pprof_die_in_part(r, part, kind, place, ": not a message of its kind");
    return m;
}

/* --- the first pass --- */

static void add_part(struct pprof_parts *parts, const struct wire_field *f)
{
    parts->items =
        mem_array(parts->items, &parts->capacity, parts->count + 1, sizeof *parts->items);
    parts->items[parts->count++] = (struct pprof_part){f->bytes, f->offset};
}

static void collect_string(struct pprof_reader *r, const struct wire_field *f)
{
    r->strings =
        mem_array(r->strings, &r->string_capacity, r->string_count + 1, sizeof *r->strings);
    struct pprof_string *s = &r->strings[r->string_count++];
    *s = (struct pprof_string){.bytes = f->bytes, .text = f->bytes, .exact = true};
    r->key.n = 0;
    s->exact = text_escape(&r->key, f->bytes);
    if (!str_equal(buf_str(&r->key), f->bytes))
        s->text = arena_copy(&r->texts, buf_str(&r->key));
    if (r->string_count == 1 && f->bytes.n != 0)
        die_at(pprof_place_at(r, f->offset), "string_table[0]: expected an empty string");
}

/* A list of numbers may be packed or not. */
static void collect_comments(struct pprof_reader *r, const struct wire_field *f)
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
            die_at(pprof_place_at(r, f->offset), "comment: expected numbers, found other bytes");
        add_part(&r->comments, &one);
    }
}

static void collect_number(struct pprof_reader *r, const struct wire_field *f)
{
    if (f->number == FIELD_TIME && r->numbers[FIELD_TIME] != 0)
        die_at(pprof_place_at(r, f->offset),
               "time_nanos comes twice: these are two profiles one after the other, not one");
    r->numbers[f->number] = (int64_t)f->value;
    r->number_offsets[f->number] = f->offset;
}

/* Samples are read in the second pass. */
static void note_sample(struct pprof_reader *r, const struct wire_field *f)
{
    if (r->samples_to == 0)
        r->samples_from = f->offset;
    r->samples_to = f->offset + f->whole.n;
}

static void collect_field(struct pprof_reader *r, const struct wire_field *f)
{
    switch ((enum pprof_field)f->number) {
    case FIELD_SAMPLE_TYPE: add_part(&r->types, f); break;
    case FIELD_MAPPING: add_part(&r->mappings, f); break;
    case FIELD_LOCATION: add_part(&r->locations, f); break;
    case FIELD_FUNCTION: add_part(&r->functions, f); break;
    case FIELD_PERIOD_TYPE: add_part(&r->period_types, f); break;
    case FIELD_STRING: collect_string(r, f); break;
    case FIELD_COMMENT: collect_comments(r, f); break;
    case FIELD_SAMPLE: note_sample(r, f); break;
    default: collect_number(r, f);
    }
}

void pprof_collect_parts(struct pprof_reader *r)
{
    struct wire wire = {.file = in_name(r->in), .format = "pprof", .data = r->data};
    struct wire_field f;
    while (wire_next(&wire, &f)) {
        if (f.number == 0 || f.number >= FIELD_COUNT) {
            buf_add(&r->unknown, f.whole);
            continue;
        }
        bool packed = f.number == FIELD_COMMENT && f.type == WIRE_BYTES;
        if (f.type != pprof_field_kinds[f.number].type && !packed)
            die_at(pprof_place_at(r, f.offset), "%s: expected wire type %d, found %d",
                   pprof_field_kinds[f.number].name, (int)pprof_field_kinds[f.number].type,
                   (int)f.type);
        collect_field(r, &f);
    }
    if (r->string_count == 0)
        die_at(pprof_place_at(r, r->data.n), "string_table: expected at least an empty string");
    if (r->types.count == 0)
        die_at(pprof_place_at(r, r->data.n), "sample_type: expected at least one");
}
