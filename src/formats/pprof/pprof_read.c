/* pprof to profile rows. See pprof2ndjson(1) for the rules.
 *
 * The file is decompressed as a whole and walked twice, field by field. The first pass reads
 * strings, types, mappings, functions and locations; their rows are written in the order of the
 * file. The second pass reads samples. Only one sub-message is unpacked at a time. */
#include "formats/pprof/pprof_read.h"
#include "base/arena.h"
#include "base/bits.h"
#include "base/buf.h"
#include "base/idmap.h"
#include "base/intern.h"
#include "base/mem.h"
#include "formats/pprof/pprof.h"
#include "formats/pprof/profile.pb-c.h"
#include "formats/wire.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/text.h"
#include "stream/growth.h"

#include <inttypes.h>
#include <stdio.h>

/* The field number of the labels in Sample. */
enum { FIELD_SAMPLE_LABEL = 3 };

/* A string of the file's table. */
struct string {
    struct str bytes;
    struct str text; /* canonical */
    bool exact;      /* the text is the exact string */
};

/* A field of the outer message, kept for the second pass. */
struct part {
    struct str bytes;
    size_t offset;
};

struct parts {
    struct part *items;
    size_t count, capacity;
};

struct pprof_numbers {
    uint64_t *items;
    size_t count, capacity;
};

struct pprof_label_message {
    int64_t key, str, num, num_unit;
    const ProtobufCMessage *base; /* with its unknown fields; NULL: none */
};

/* A sample as in the file. */
struct pprof_sample_message {
    struct pprof_numbers locations, values; /* values are int64_t */
    struct pprof_label_message *labels;
    size_t label_count, label_capacity;
    const ProtobufCMessage *base; /* as in a label */
};

/* A function, a line and a location as in the file. */
struct pprof_function_message {
    uint64_t id;
    int64_t name, system_name, filename, start_line;
    const ProtobufCMessage *base; /* as in a label */
};

struct pprof_line_message {
    uint64_t function_id;
    int64_t line, column;
    const ProtobufCMessage *base;
};

struct pprof_location_message {
    uint64_t id, mapping_id, address;
    bool is_folded;
    struct pprof_line_message *lines; /* innermost first */
    size_t line_count, line_capacity;
    const ProtobufCMessage *base;
};

/* The rows of a location that has one or two. INNER is 0 if it has more, or if no location has this
 * id. OUTER is 0 if it has one. */
struct pprof_pair {
    uint32_t inner, outer;
};

/* COUNT items from number FIRST. */
struct pprof_span {
    uint32_t first, count;
};

/* A file being read. */
struct reader {
    struct in *in;
    const struct read_request *request;
    bool expand; /* the option */
    struct sink *sink;
    struct str data;       /* the whole file */
    struct arena messages; /* what protobuf-c unpacks, one message at a time */
    struct arena texts;

    struct string *strings;
    size_t string_count, string_capacity;
    struct parts types, mappings, functions, locations, period_types, comments;
    size_t samples_from, samples_to; /* offsets of the first sample and of the end of the last */
    uint32_t *type_numbers;          /* numbers of the types in the flow */
    struct str *type_extras;         /* dotted columns of the values of each type */
    int64_t numbers[FIELD_COUNT];    /* fields of the file itself, and their offsets */
    size_t number_offsets[FIELD_COUNT];

    struct idmap mapping_ids, function_ids, location_ids; /* id in the file -> index + 1 */
    struct pprof_span *spans; /* by index of a location: its rows, one per line */
    uint32_t *rows;           /* of all locations, innermost first */
    size_t row_count, row_capacity;
    struct pprof_pair *pairs; /* by location id */
    size_t pair_count;
    uint32_t location_rows;          /* number of distinct location rows */
    struct intern seen[TABLE_COUNT]; /* keys of rows, to detect copies */
    uint32_t *notes[TABLE_COUNT];    /* by key: see note_of */
    size_t note_capacity[TABLE_COUNT];
    int64_t count_type; /* index of samples/count in the types; -1: none */

    int64_t sample_id;
    struct pprof_sample_message sample;
    struct pprof_location_message location;
    struct sample_value *values; /* of a sample, one per type */
    int64_t *stack;              /* ids of location rows, innermost first */
    size_t depth, stack_capacity;
    struct buf unknown; /* fields of the file itself that profile.proto does not define */
    struct buf extra, inexact, key;
};

/* === the file === */

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

/* The byte at OFFSET in the decompressed file, for messages. */
static struct place place_at(const struct reader *r, size_t offset)
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
    die_at(place_at(r, part->offset), "%s%s%s", pprof_reader_fields[kind].name, index, what);
}

/* Returns string number INDEX. For messages: the field PATH ("": the part itself) of PART, which is
 * number PLACE of KIND, refers to it. */
static const struct string *find_string(const struct reader *r, const struct part *part,
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

/* The string that FIELD of the file itself refers to. */
static const struct string *file_string(const struct reader *r, enum field field)
{
    int64_t index = r->numbers[field];
    if (index < 0 || (uint64_t)index >= r->string_count)
        die_at(place_at(r, r->number_offsets[field]),
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
    while (wire_next(&wire, &f)) {
        const ProtobufCFieldDescriptor *d =
            protobuf_c_message_descriptor_get_field(type, (unsigned)f.number);
        if (d != NULL && d->type == PROTOBUF_C_TYPE_BOOL && f.type != WIRE_VARINT)
            return true;
    }
    return false;
}

/* Unpacks PART, number PLACE of KIND, as a message of TYPE; valid until the next call. */
static const ProtobufCMessage *unpack_part(struct reader *r, const ProtobufCMessageDescriptor *type,
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

static void collect_string(struct reader *r, const struct wire_field *f)
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

/* A list of numbers may be packed or not. */
static void collect_comments(struct reader *r, const struct wire_field *f)
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

static void collect_number(struct reader *r, const struct wire_field *f)
{
    if (f->number == FIELD_TIME && r->numbers[FIELD_TIME] != 0)
        die_at(place_at(r, f->offset),
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
    case FIELD_STRING: collect_string(r, f); break;
    case FIELD_COMMENT: collect_comments(r, f); break;
    case FIELD_SAMPLE: note_sample(r, f); break;
    default: collect_number(r, f);
    }
}

/* The first pass: stores everything except samples in R. */
static void collect_parts(struct reader *r)
{
    struct wire wire = {.file = in_name(r->in), .format = "pprof", .data = r->data};
    struct wire_field f;
    while (wire_next(&wire, &f)) {
        if (f.number == 0 || f.number >= FIELD_COUNT) {
            buf_add(&r->unknown, f.whole);
            continue;
        }
        bool packed = f.number == FIELD_COMMENT && f.type == WIRE_BYTES;
        if (f.type != pprof_reader_fields[f.number].type && !packed)
            die_at(place_at(r, f.offset), "%s: expected wire type %d, found %d",
                   pprof_reader_fields[f.number].name, (int)pprof_reader_fields[f.number].type,
                   (int)f.type);
        collect_field(r, &f);
    }
    if (r->string_count == 0)
        die_at(place_at(r, r->data.n), "string_table: expected at least an empty string");
    if (r->types.count == 0)
        die_at(place_at(r, r->data.n), "sample_type: expected at least one");
}

/* --- strings in rows --- */

/* The text of S for COLUMN. If the text is not exact, finish_extra adds the bytes. */
static struct str column_text(struct reader *r, struct str column, const struct string *s)
{
    if (!s->exact)
        emit_bytes(&r->inexact, column, s->bytes);
    return s->text;
}

/* Finishes the dotted columns of a row and returns them. */
static struct str finish_extra(struct reader *r)
{
    emit_bytes_column(&r->extra, &r->inexact);
    return buf_str(&r->extra);
}

/* Append the string S as "text", or as {"bytes":"hex"} if it is not exact text; or a member NAME
 * whose value is a string, a number, `true` (nothing is appended for false), or a 64-bit number as
 * "0x...". */
static void add_string_value(struct reader *r, const struct string *s)
{
    if (s->exact)
        emit_string(&r->extra, s->text);
    else
        emit_bytes_object(&r->extra, s->bytes);
}

static void add_string(struct reader *r, struct str name, const struct string *s)
{
    emit_member(&r->extra, name);
    add_string_value(r, s);
}

static void add_number(struct reader *r, struct str name, int64_t value)
{
    emit_member(&r->extra, name);
    emit_number(&r->extra, value);
}

static void add_true(struct reader *r, struct str name, bool value)
{
    if (!value)
        return;
    emit_member(&r->extra, name);
    buf_add(&r->extra, STR("true"));
}

static void add_address(struct reader *r, struct str name, uint64_t value)
{
    emit_member(&r->extra, name);
    buf_add(&r->extra, STR("\""));
    emit_address(&r->extra, value);
    buf_add(&r->extra, STR("\""));
}

/* Appends a member NAME with BYTES in hexadecimal. */
static void add_hex(struct reader *r, struct str name, struct str bytes)
{
    emit_member(&r->extra, name);
    buf_add(&r->extra, STR("\""));
    text_hex(&r->extra, bytes);
    buf_add(&r->extra, STR("\""));
}

/* Appends a member NAME with the fields of M that profile.proto does not define, in hexadecimal.
 * Appends nothing if there are none or M is NULL. */
static void add_unknown(struct reader *r, struct str name, const ProtobufCMessage *m)
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
        wire_put_key(&r->key, f->tag, (enum wire_type)f->wire_type);
        buf_add(&r->key, (struct str){(const char *)f->data, f->len});
    }
    if (r->key.n > 0)
        add_hex(r, name, buf_str(&r->key));
}

/* Begins a member NAME that is an object; its members are appended next. Returns its start, for
 * close_object. An object in a list starts at r->extra.n. */
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

/* === messages === */

/* Decodes samples, locations and functions. There are many, so messages with only the usual fields
 * are decoded here. All others are left to protobuf-c, which also decides what is wrong with
 * them. */

/* Field numbers. All their keys are one byte. A field whose key begins with another byte is left to
 * protobuf-c. */
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_STR, LABEL_NUM, LABEL_NUM_UNIT, LABEL_COUNT };
enum {
    FUNCTION_ID = 1,
    FUNCTION_NAME,
    FUNCTION_SYSTEM,
    FUNCTION_FILE,
    FUNCTION_START,
    FUNCTION_COUNT
};
enum { LINE_FUNCTION = 1, LINE_LINE, LINE_COLUMN, LINE_COUNT };
enum {
    LOCATION_ID = 1,
    LOCATION_MAPPING,
    LOCATION_ADDRESS,
    LOCATION_LINE,
    LOCATION_FOLDED,
    LOCATION_COUNT
};

/* Max bytes of a length that protobuf-c accepts. */
enum { LENGTH_MAX = 5 };

/* Takes a varint off *P, mostly of up to three bytes, that ends before END. */
static inline bool take_number(const unsigned char **p, const unsigned char *end, uint64_t *value)
{
    size_t left = (size_t)(end - *p);
    const unsigned char *at = *p;
    if (left > 0 && at[0] < 0x80) {
        *value = at[0];
        *p = at + 1;
        return true;
    }
    if (left > 1 && at[1] < 0x80) {
        *value = (at[0] & 0x7fu) | (uint64_t)at[1] << 7;
        *p = at + 2;
        return true;
    }
    if (left > 2 && at[2] < 0x80) {
        *value = (at[0] & 0x7fu) | (at[1] & 0x7fu) << 7 | (uint64_t)at[2] << 14;
        *p = at + 3;
        return true;
    }
    struct str bytes = {(const char *)at, left};
    bool good = wire_take_varint(&bytes, value);
    *p = (const unsigned char *)bytes.p;
    return good;
}

/* Takes a length and that many bytes off *P. The bytes go from *P to the returned end; NULL if they
 * do not fit. */
static const unsigned char *take_bytes(const unsigned char **p, const unsigned char *end)
{
    const unsigned char *first = *p;
    uint64_t size;
    bool good = take_number(p, end, &size) && *p - first <= LENGTH_MAX;
    return good && size <= (uint64_t)(end - *p) ? *p + size : NULL;
}

/* Makes room for COUNT more numbers. */
static inline void reserve(struct pprof_numbers *to, size_t count)
{
    if (__builtin_expect(to->count + count > to->capacity, 0))
        to->items = mem_array(to->items, &to->capacity, to->count + count, sizeof *to->items);
}

static void append_number(struct pprof_numbers *to, uint64_t value)
{
    reserve(to, 1);
    to->items[to->count++] = value;
}

/* A bit for each of the 64 bytes at P that ends a varint, the first in the lowest bit. */
static uint64_t ends_at(const unsigned char *p)
{
    uint64_t ends = 0;
    for (unsigned i = 0; i < 64; i += 8) {
        uint64_t tops = ~bits_load((const char *)p + i) & BITS_EACH(0x80);
        ends |= (tops * 0x0002040810204081u >> 56) << i; /* the top bits, next to each other */
    }
    return ends;
}

/* The varint of SIZE bytes, at most 4, at P. */
static inline uint64_t short_varint(const unsigned char *p, unsigned size)
{
    uint64_t v = bits_load((const char *)p) & (0xffffffffu >> (32 - 8 * size));
    return (v & 0x7f) | (v >> 1 & 0x3f80) | (v >> 2 & 0x1fc000) | (v >> 3 & 0xfe00000);
}

static __attribute__((noinline)) bool long_varint(const unsigned char *p, unsigned size,
                                                  uint64_t *value)
{
    struct str bytes = {(const char *)p, size};
    return wire_take_varint(&bytes, value);
}

/* Decodes the varints from P to LAST into NEXT, and returns the end of the output, or NULL. 64
 * bytes after LAST must be readable. The length of each varint cannot be predicted, and finding
 * them one by one would stall the processor. So the ends of many are found first. */
static uint64_t *take_packed(const unsigned char *p, const unsigned char *last, uint64_t *next)
{
    while (p < last) {
        size_t left = (size_t)(last - p);
        uint64_t ends = ends_at(p) & (left < 64 ? (UINT64_C(1) << left) - 1 : UINT64_MAX);
        const unsigned char *begin = p;
        for (; ends != 0; ends &= ends - 1) {
            const unsigned char *end = p + __builtin_ctzll(ends) + 1;
            unsigned size = (unsigned)(end - begin);
            if (__builtin_expect(size <= 4, 1))
                *next = short_varint(begin, size);
            else if (!long_varint(begin, size, next))
                return NULL;
            next++;
            begin = end;
        }
        if (begin == p)
            return NULL;
        p = begin;
    }
    return next;
}

/* Takes the numbers of a field of TYPE off *P, after its key: one number, or a packed list. */
static bool take_numbers(const unsigned char **p, const unsigned char *end, enum wire_type type,
                         struct pprof_numbers *to)
{
    uint64_t value;
    if (type == WIRE_VARINT) {
        bool good = take_number(p, end, &value);
        append_number(to, value);
        return good;
    }
    const unsigned char *last = type == WIRE_BYTES ? take_bytes(p, end) : NULL;
    if (last == NULL)
        return false;
    reserve(to, (size_t)(last - *p) + 1); /* each takes at least a byte; a list may be empty */
    uint64_t *next = take_packed(*p, last, to->items + to->count);
    if (next == NULL)
        return false;
    to->count = (size_t)(next - to->items);
    *p = last;
    return true;
}

/* Takes the field after KEY off *P into FIELDS. The field must be a number, and its number below
 * COUNT. */
static bool take_field(const unsigned char **p, const unsigned char *end, unsigned key,
                       int64_t *fields, unsigned count)
{
    uint64_t value;
    if ((key & 7) != WIRE_VARINT || key >> 3 == 0 || key >> 3 >= count ||
        !take_number(p, end, &value))
        return false;
    fields[key >> 3] = (int64_t)value;
    return true;
}

/* Decodes a message of numbers from *P to END: field N goes to FIELDS[N], for N below COUNT. False
 * if it has any other field. */
static bool take_fields(const unsigned char **p, const unsigned char *end, int64_t *fields,
                        unsigned count)
{
    while (*p < end) {
        unsigned key = *(*p)++;
        if (!take_field(p, end, key, fields, count))
            return false;
    }
    return true;
}

/* --- samples --- */

static void append_label(struct pprof_sample_message *to, struct pprof_label_message label)
{
    to->labels =
        mem_array(to->labels, &to->label_capacity, to->label_count + 1, sizeof *to->labels);
    to->labels[to->label_count++] = label;
}

/* Takes a label off *P, after its key. */
static bool take_label(const unsigned char **p, const unsigned char *end,
                       struct pprof_sample_message *to)
{
    int64_t fields[LABEL_COUNT] = {0};
    const unsigned char *last = take_bytes(p, end);
    if (last == NULL || !take_fields(p, last, fields, LABEL_COUNT))
        return false;
    append_label(to, (struct pprof_label_message){fields[LABEL_KEY], fields[LABEL_STR],
                                                  fields[LABEL_NUM], fields[LABEL_NUM_UNIT], NULL});
    return true;
}

/* Decodes BYTES; false unless they are certainly a sample without unknown fields. */
static bool decode_usual_sample(struct str bytes, struct pprof_sample_message *to)
{
    const unsigned char *p = (const unsigned char *)bytes.p, *end = p + bytes.n;
    to->locations.count = to->values.count = to->label_count = 0;
    to->base = NULL;
    while (p < end) {
        bool good = false;
        unsigned key = *p++;
        enum wire_type type = (enum wire_type)(key & 7);
        switch (key >> 3) {
        case SAMPLE_LOCATION: good = take_numbers(&p, end, type, &to->locations); break;
        case SAMPLE_VALUE: good = take_numbers(&p, end, type, &to->values); break;
        case SAMPLE_LABEL: good = type == WIRE_BYTES && take_label(&p, end, to); break;
        default: break;
        }
        if (!good)
            return false;
    }
    return true;
}

/* The same with protobuf-c. Ends the tool if PART is not a sample. */
static void unpack_sample(struct reader *r, const struct part *part, size_t place)
{
    struct pprof_sample_message *to = &r->sample;
    const Pprof__Sample *s = (const Pprof__Sample *)unpack_part(r, &pprof__sample__descriptor, part,
                                                                FIELD_SAMPLE, place);
    to->locations.count = to->values.count = to->label_count = 0;
    to->base = &s->base;
    for (size_t i = 0; i < s->n_location_id; i++)
        append_number(&to->locations, s->location_id[i]);
    for (size_t i = 0; i < s->n_value; i++)
        append_number(&to->values, (uint64_t)s->value[i]);
    for (size_t i = 0; i < s->n_label; i++) {
        const Pprof__Label *l = s->label[i];
        append_label(to,
                     (struct pprof_label_message){l->key, l->str, l->num, l->num_unit, &l->base});
    }
}

/* Decodes PART, sample number PLACE, into r->sample; valid until the next call. */
static void decode_sample(struct reader *r, const struct part *part, size_t place)
{
    if (!decode_usual_sample(part->bytes, &r->sample))
        unpack_sample(r, part, place);
}

/* --- functions --- */

/* Decodes PART, function number PLACE. */
static struct pprof_function_message decode_function(struct reader *r, const struct part *part,
                                                     size_t place)
{
    int64_t fields[FUNCTION_COUNT] = {0};
    const unsigned char *p = (const unsigned char *)part->bytes.p;
    if (take_fields(&p, p + part->bytes.n, fields, FUNCTION_COUNT))
        return (struct pprof_function_message){(uint64_t)fields[FUNCTION_ID], fields[FUNCTION_NAME],
                                               fields[FUNCTION_SYSTEM],       fields[FUNCTION_FILE],
                                               fields[FUNCTION_START],        NULL};
    const Pprof__Function *f = (const Pprof__Function *)unpack_part(r, &pprof__function__descriptor,
                                                                    part, FIELD_FUNCTION, place);
    return (struct pprof_function_message){f->id,       f->name,       f->system_name,
                                           f->filename, f->start_line, &f->base};
}

/* --- locations --- */

static void add_line(struct pprof_location_message *to, struct pprof_line_message line)
{
    to->lines = mem_array(to->lines, &to->line_capacity, to->line_count + 1, sizeof *to->lines);
    to->lines[to->line_count++] = line;
}

/* Takes a line off *P, after its key. */
static bool take_line(const unsigned char **p, const unsigned char *end,
                      struct pprof_location_message *to)
{
    int64_t fields[LINE_COUNT] = {0};
    const unsigned char *last = take_bytes(p, end);
    if (last == NULL || !take_fields(p, last, fields, LINE_COUNT))
        return false;
    add_line(to, (struct pprof_line_message){(uint64_t)fields[LINE_FUNCTION], fields[LINE_LINE],
                                             fields[LINE_COLUMN], NULL});
    return true;
}

/* Decodes BYTES; false unless they are certainly a location without unknown fields. */
static bool decode_usual_location(struct str bytes, struct pprof_location_message *to)
{
    const unsigned char *p = (const unsigned char *)bytes.p, *end = p + bytes.n;
    int64_t fields[LOCATION_COUNT] = {0};
    to->line_count = 0;
    while (p < end) {
        unsigned key = *p++;
        bool is_line = key == (LOCATION_LINE << 3 | WIRE_BYTES);
        bool is_other = key >> 3 != LOCATION_LINE;
        if (is_line ? !take_line(&p, end, to)
                    : !is_other || !take_field(&p, end, key, fields, LOCATION_COUNT))
            return false;
    }
    to->id = (uint64_t)fields[LOCATION_ID];
    to->mapping_id = (uint64_t)fields[LOCATION_MAPPING];
    to->address = (uint64_t)fields[LOCATION_ADDRESS];
    to->is_folded = fields[LOCATION_FOLDED] != 0;
    to->base = NULL;
    return true;
}

/* Decodes PART, location number PLACE, into r->location; valid until the next call. */
static const struct pprof_location_message *decode_location(struct reader *r,
                                                            const struct part *part, size_t place)
{
    struct pprof_location_message *to = &r->location;
    if (decode_usual_location(part->bytes, to))
        return to;
    const Pprof__Location *l = (const Pprof__Location *)unpack_part(r, &pprof__location__descriptor,
                                                                    part, FIELD_LOCATION, place);
    to->id = l->id;
    to->mapping_id = l->mapping_id;
    to->address = l->address;
    to->is_folded = l->is_folded;
    to->base = &l->base;
    to->line_count = 0;
    for (size_t i = 0; i < l->n_line; i++) {
        const Pprof__Line *line = l->line[i];
        add_line(to, (struct pprof_line_message){line->function_id, line->line, line->column,
                                                 &line->base});
    }
    return to;
}

/* Frees what r->sample and r->location hold. */
static void free_messages(struct reader *r)
{
    mem_free(r->location.lines);
    mem_free(r->sample.locations.items);
    mem_free(r->sample.values.items);
    mem_free(r->sample.labels);
}

/* === sources and definitions === */

/* The rows before the samples of a pprof file: source, mappings, functions and locations. */

/* --- the source --- */

static void add_value_type(struct reader *r, const Pprof__ValueType *t, const struct part *part,
                           enum field kind, size_t place)
{
    add_string(r, STR("type"), find_string(r, part, kind, place, "type", t->type));
    add_string(r, STR("unit"), find_string(r, part, kind, place, "unit", t->unit));
    add_unknown(r, STR("unknown"), &t->base);
}

/* The dotted columns for values of a type: the bytes that its text cannot show. */
static struct str type_extra(struct reader *r, const struct string *type, const struct string *unit)
{
    struct buf extra = {0}, inexact = {0};
    if (!type->exact)
        emit_bytes(&inexact, STR("type"), type->bytes);
    if (!unit->exact)
        emit_bytes(&inexact, STR("unit"), unit->bytes);
    emit_bytes_column(&extra, &inexact);
    struct str kept = arena_copy(&r->texts, buf_str(&extra));
    buf_free(&extra);
    buf_free(&inexact);
    return kept;
}

static void add_value_types(struct reader *r)
{
    struct intern known = {0};
    r->type_numbers = mem_alloc(r->types.count * sizeof *r->type_numbers);
    r->values = mem_alloc(r->types.count * sizeof *r->values);
    r->type_extras = mem_alloc(r->types.count * sizeof *r->type_extras);
    r->count_type = -1;
    emit_member(&r->extra, STR(".value_types"));
    buf_add(&r->extra, STR("["));
    for (size_t i = 0; i < r->types.count; i++) {
        const struct part *part = &r->types.items[i];
        const Pprof__ValueType *t = (const Pprof__ValueType *)unpack_part(
            r, &pprof__value_type__descriptor, part, FIELD_SAMPLE_TYPE, i);
        size_t start = r->extra.n;
        add_value_type(r, t, part, FIELD_SAMPLE_TYPE, i);
        close_object(r, start);
        const struct string *type = &r->strings[t->type], *unit = &r->strings[t->unit];
        r->type_numbers[i] = value_types_add(&r->sink->flow->types, type->text, unit->text);
        r->type_extras[i] = type_extra(r, type, unit);
        bool is_new;
        intern_add(&known, type->text, &is_new);
        if (!is_new)
            die_at(place_at(r, part->offset), "sample_type[%zu]: \"%.*s\" comes twice", i,
                   STR_ARG(type->text));
        if (str_equal(type->text, STR("samples")) && str_equal(unit->text, STR("count")))
            r->count_type = (int64_t)i;
        if (i + 1 < r->types.count)
            buf_add(&r->extra, STR(","));
    }
    buf_add(&r->extra, STR("]"));
    intern_free(&known);
}

static void add_period(struct reader *r)
{
    if (r->period_types.count == 0)
        return;
    /* if a single field occurs several times, the last one counts */
    size_t last = r->period_types.count - 1;
    const struct part *part = &r->period_types.items[last];
    const Pprof__ValueType *t = (const Pprof__ValueType *)unpack_part(
        r, &pprof__value_type__descriptor, part, FIELD_PERIOD_TYPE, 0);
    size_t start = open_object(r, STR(".period"));
    add_value_type(r, t, part, FIELD_PERIOD_TYPE, 0);
    add_number(r, STR("value"), r->numbers[FIELD_PERIOD]);
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
            r, find_string(r, &r->comments.items[i], FIELD_COMMENT, i, "", (int64_t)index));
    }
    buf_add(&r->extra, STR("]"));
}

/* `.pprof`: fields of the file itself; empty ones are not written. */
static void add_file_facts(struct reader *r)
{
    static const enum field texts[] = {FIELD_DROP_FRAMES, FIELD_KEEP_FRAMES, FIELD_DEFAULT_TYPE,
                                       FIELD_DOC_URL};
    static const enum field numbers[] = {FIELD_TIME, FIELD_DURATION};
    size_t start = open_object(r, STR(".pprof"));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (r->numbers[numbers[i]] != 0 &&
            !(numbers[i] == FIELD_TIME && r->request->timestamp.kind != NUMBER_NULL))
            add_number(r, str_of(pprof_reader_fields[numbers[i]].name), r->numbers[numbers[i]]);
    if (r->period_types.count == 0 && r->numbers[FIELD_PERIOD] != 0)
        add_number(r, STR("period"), r->numbers[FIELD_PERIOD]);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const struct string *s = file_string(r, texts[i]);
        if (s->bytes.n != 0)
            add_string(r, str_of(pprof_reader_fields[texts[i]].name), s);
    }
    add_comment_list(r);
    if (r->unknown.n > 0)
        add_hex(r, STR("unknown"), buf_str(&r->unknown));
    close_object(r, start);
}

/* The time of the file in seconds; in TEXT unless it is whole. */
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

/* Write the row of the source; the rows of mappings, functions and locations. */
static void emit_source(struct reader *r)
{
    char time_text[40];
    struct row row = {.table = TABLE_SOURCES,
                      .source = {.source_id = 1,
                                 .source_type = STR("pprof"),
                                 .source_timestamp = timestamp(r, time_text, sizeof time_text)}};
    struct buf uri_text = {0};
    const char *uri = format_source_uri(r->request, r->in);
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
    sink_row(r->sink, &row);
    buf_free(&uri_text);
}

/* --- mappings, functions, locations --- */

/* Adds ID, of part number PLACE of KIND, to IDS. */
static void define_id(struct reader *r, struct idmap *ids, uint64_t id, const struct part *part,
                      enum field kind, size_t place)
{
    if (id == 0)
        die_at(place_at(r, part->offset), "%s[%zu].id: expected a number from 1, found 0",
               pprof_reader_fields[kind].name, place);
    if (idmap_get(ids, id) != 0)
        die_at(place_at(r, part->offset), "%s[%zu].id: %" PRIu64 " comes twice",
               pprof_reader_fields[kind].name, place, id);
    idmap_put(ids, id, (uint32_t)place + 1);
}

/* A number stored for the row of table T with the key r->key, at first 0. */
static uint32_t *note_of(struct reader *r, enum table t)
{
    bool is_new;
    uint32_t number = intern_add(&r->seen[t], buf_str(&r->key), &is_new);
    r->notes[t] = mem_array(r->notes[t], &r->note_capacity[t], number, sizeof *r->notes[t]);
    uint32_t *note = &r->notes[t][number - 1];
    if (is_new)
        *note = 0;
    return note;
}

/* Later stages merge equal rows. So a row with the same key, r->key, as an earlier one gets a
 * number: what occurs twice in the file is then written twice. */
static void tell_copies(struct reader *r, struct row *row)
{
    uint32_t earlier = (*note_of(r, row->table))++;
    if (earlier == 0)
        return;
    add_number(r, STR(".pprof_copy"), earlier);
    row->extra = buf_str(&r->extra);
}

static void emit_mapping(struct reader *r, size_t place)
{
    const struct part *part = &r->mappings.items[place];
    const Pprof__Mapping *m = (const Pprof__Mapping *)unpack_part(r, &pprof__mapping__descriptor,
                                                                  part, FIELD_MAPPING, place);
    define_id(r, &r->mapping_ids, m->id, part, FIELD_MAPPING, place);
    r->extra.n = 0;
    add_address(r, STR("memory_start"), m->memory_start);
    add_address(r, STR("memory_limit"), m->memory_limit);
    add_address(r, STR("file_offset"), m->file_offset);
    add_string(r, STR("filename"),
               find_string(r, part, FIELD_MAPPING, place, "filename", m->filename));
    add_string(r, STR("build_id"),
               find_string(r, part, FIELD_MAPPING, place, "build_id", m->build_id));
    add_true(r, STR("has_functions"), m->has_functions);
    add_true(r, STR("has_filenames"), m->has_filenames);
    add_true(r, STR("has_line_numbers"), m->has_line_numbers);
    add_true(r, STR("has_inline_frames"), m->has_inline_frames);
    add_unknown(r, STR("unknown"), &m->base);
    struct row row = {
        .table = TABLE_MAPPINGS, .mapping = {(int64_t)place + 1}, .extra = buf_str(&r->extra)};
    r->key.n = 0;
    emit_key(&r->key, &row);
    tell_copies(r, &row);
    sink_row(r->sink, &row);
}

static void emit_function(struct reader *r, size_t place)
{
    static const struct string unnamed = {{"", 0}, ROW_NO_NAME, true};
    const struct part *part = &r->functions.items[place];
    struct pprof_function_message f = decode_function(r, part, place);
    define_id(r, &r->function_ids, f.id, part, FIELD_FUNCTION, place);
    const struct string *name = find_string(r, part, FIELD_FUNCTION, place, "name", f.name);
    const struct string *system =
        find_string(r, part, FIELD_FUNCTION, place, "system_name", f.system_name);
    const struct string *filename =
        find_string(r, part, FIELD_FUNCTION, place, "filename", f.filename);
    bool no_name = name->bytes.n == 0, unmangled = system->bytes.n == 0;
    if (no_name)
        name = &unnamed;
    if (unmangled)
        system = name;
    r->extra.n = 0;
    add_true(r, STR(".unmangled"), unmangled);
    add_true(r, STR(".no_name"), no_name);
    if (f.start_line < 0)
        add_number(r, STR(".pprof_start_line"), f.start_line);
    add_unknown(r, STR(".pprof_unknown"), f.base);
    struct row row = {.table = TABLE_FUNCTIONS};
    row.function.function_id = (int64_t)place + 1;
    row.function.name = column_text(r, STR("name"), name);
    row.function.system_name = column_text(r, STR("system_name"), system);
    row.function.filename = column_text(r, STR("filename"), filename);
    row.function.start_line = f.start_line < 0 ? 0 : f.start_line;
    row.extra = finish_extra(r);
    r->key.n = 0;
    emit_key(&r->key, &row);
    tell_copies(r, &row);
    sink_row(r->sink, &row);
}

/* The number of the function of AT, line number LINE of location number PLACE. */
static uint32_t function_of(const struct reader *r, const struct pprof_line_message *at,
                            const struct part *part, size_t place, int64_t line)
{
    uint32_t function = idmap_get(&r->function_ids, at->function_id);
    if (function == 0)
        die_at(place_at(r, part->offset),
               "location[%zu].line[%" PRId64 "].function_id: no function %" PRIu64, place, line,
               at->function_id);
    return function;
}

/* Sets the dotted columns of ROW: those of AT, a line of L, or of no line. The line is inlined into
 * the row INTO (0: none). IS_OUTER: others are inlined into it. */
static void add_location_columns(struct reader *r, const struct pprof_location_message *l,
                                 const struct pprof_line_message *at, uint32_t into, bool is_outer,
                                 struct row *row)
{
    struct row_site site = {
        .mapping_id = idmap_get(&r->mapping_ids, l->mapping_id), /* 0 if there is none */
        .address = l->address,
        .column = at != NULL ? at->column : 0,
        .is_folded = l->is_folded,
    };
    r->extra.n = 0;
    if (at != NULL && at->line < 0)
        add_number(r, STR(".pprof_line"), at->line);
    if (at != NULL)
        add_unknown(r, STR(".pprof_line_unknown"), at->base);
    if (r->extra.n == 0)
        site.inlined_into = into;
    else if (into != 0)
        add_number(r, STR(".inlined_into"), into);
    add_true(r, STR(".pprof_no_lines"), at == NULL && site.mapping_id == 0 && l->address == 0);
    add_true(r, STR(".pprof_outer"), is_outer);
    if (!is_outer)
        add_unknown(r, STR(".pprof_unknown"), l->base);
    row->site = site;
    row->extra = buf_str(&r->extra);
}

/* Writes one row of the location L: line number LINE, inlined into the row INTO (0: none), or no
 * line (-1). Returns the number of the row; locations share rows of equal outer lines. */
static uint32_t emit_line(struct reader *r, const struct pprof_location_message *l,
                          const struct part *part, size_t place, int64_t line, uint32_t into)
{
    struct row row = {.table = TABLE_LOCATIONS,
                      .location = {r->location_rows + 1, ROW_NULL, ROW_NULL}};
    const struct pprof_line_message *at = line < 0 ? NULL : &l->lines[line];
    if (at != NULL) {
        row.location.function_id = function_of(r, at, part, place, line);
        row.location.line = at->line < 0 ? 0 : at->line;
    }
    add_location_columns(r, l, at, into, line > 0, &row);
    r->key.n = 0;
    emit_key(&r->key, &row);
    if (line > 0) {
        uint32_t *same = note_of(r, TABLE_LOCATIONS);
        if (*same != 0)
            return *same;
        *same = r->location_rows + 1;
    } else {
        tell_copies(r, &row);
    }
    sink_row(r->sink, &row);
    return ++r->location_rows;
}

/* Sets the span of location number PLACE to the last N of r->rows, which become innermost first. */
static void end_span(struct reader *r, size_t place, size_t n)
{
    size_t first = r->row_count - n;
    for (size_t i = 0; i < n / 2; i++) {
        uint32_t row = r->rows[first + i];
        r->rows[first + i] = r->rows[first + n - 1 - i];
        r->rows[first + n - 1 - i] = row;
    }
    r->spans[place] = (struct pprof_span){(uint32_t)first, (uint32_t)n};
}

static void add_row(struct reader *r, uint32_t row)
{
    r->rows = mem_array(r->rows, &r->row_capacity, r->row_count + 1, sizeof *r->rows);
    r->rows[r->row_count++] = row;
}

static void emit_location(struct reader *r, size_t place)
{
    const struct part *part = &r->locations.items[place];
    const struct pprof_location_message *l = decode_location(r, part, place);
    define_id(r, &r->location_ids, l->id, part, FIELD_LOCATION, place);
    if (l->mapping_id != 0 && idmap_get(&r->mapping_ids, l->mapping_id) == 0)
        loss_add(LOSS_REFERENCES, STR("location.mapping_id"), 1);
    uint32_t row = 0;
    if (l->line_count == 0)
        add_row(r, emit_line(r, l, part, place, -1, 0));
    for (size_t i = l->line_count; i-- > 0;) {
        row = emit_line(r, l, part, place, (int64_t)i, row);
        add_row(r, row);
    }
    end_span(r, place, l->line_count == 0 ? 1 : l->line_count);
}

/* Ids are mostly small and dense, and most locations have one line or two: their rows are stored in
 * an array by id, which is fast to read for a stack. */
static void pair_up(struct reader *r)
{
    const struct idmap *ids = &r->location_ids;
    r->pair_count = ids->dense_count;
    r->pairs = mem_alloc_zeroed((r->pair_count + 1) * sizeof *r->pairs);
    for (size_t id = 0; id < r->pair_count; id++) {
        if (ids->dense[id] == 0)
            continue;
        struct pprof_span span = r->spans[ids->dense[id] - 1];
        const uint32_t *rows = r->rows + span.first;
        if (span.count <= 2)
            r->pairs[id] = (struct pprof_pair){rows[0], span.count == 2 ? rows[1] : 0};
    }
}

static void emit_definitions(struct reader *r)
{
    for (size_t i = 0; i < r->mappings.count; i++)
        emit_mapping(r, i);
    for (size_t i = 0; i < r->functions.count; i++)
        emit_function(r, i);
    r->spans = mem_alloc((r->locations.count + 1) * sizeof *r->spans);
    for (size_t i = 0; i < r->locations.count; i++)
        emit_location(r, i);
    pair_up(r);
    for (unsigned t = 0; t < TABLE_COUNT; t++) { /* frees much memory, which samples may need */
        intern_free(&r->seen[t]);
        mem_free(r->notes[t]);
        r->notes[t] = NULL;
    }
}

/* === samples === */

/* String number INDEX, from the field NAME of label number I of the sample. */
static const struct string *label_string(const struct reader *r, const struct part *part,
                                         size_t place, size_t i, const char *name, int64_t index)
{
    char path[64];
    if (index >= 0 && (uint64_t)index < r->string_count)
        return &r->strings[index];
    snprintf(path, sizeof path, "label[%zu].%s", i, name);
    return find_string(r, part, FIELD_SAMPLE, place, path, index);
}

/* Adds LABEL, number I of the sample. */
static void add_label(struct reader *r, const struct pprof_label_message *label, size_t i,
                      const struct part *part, size_t place)
{
    size_t start = r->extra.n;
    const struct string *s = label_string(r, part, place, i, "str", label->str);
    const struct string *unit = label_string(r, part, place, i, "num_unit", label->num_unit);
    add_string(r, STR("key"), label_string(r, part, place, i, "key", label->key));
    if (label->str != 0)
        add_string(r, STR("str"), s);
    if (label->num != 0 || label->str == 0)
        add_number(r, STR("num"), label->num);
    if (unit->bytes.n != 0)
        add_string(r, STR("unit"), unit);
    add_unknown(r, STR("unknown"), label->base);
    close_object(r, start);
}

static void add_labels(struct reader *r, const struct part *part, size_t place)
{
    const struct pprof_sample_message *s = &r->sample;
    if (s->label_count == 0)
        return;
    emit_member(&r->extra, STR(".labels"));
    for (size_t i = 0; i < s->label_count; i++) {
        buf_add(&r->extra, i == 0 ? STR("[") : STR(","));
        add_label(r, &s->labels[i], i, part, place);
    }
    buf_add(&r->extra, STR("]"));
}

static _Noreturn void die_no_location(const struct reader *r, const struct part *part, size_t place,
                                      size_t i)
{
    die_at(place_at(r, part->offset), "sample[%zu].location_id[%zu]: no location %" PRIu64, place,
           i, r->sample.locations.items[i]);
}

/* Puts the rows of location number I of the sample on the stack at DEPTH; returns the new depth. */
static size_t push_location(struct reader *r, const struct part *part, size_t place, size_t i,
                            size_t depth)
{
    uint32_t location = idmap_get(&r->location_ids, r->sample.locations.items[i]);
    if (location == 0)
        die_no_location(r, part, place, i);
    struct pprof_span span = r->spans[location - 1];
    growth_check_depth(depth + span.count, place_at(r, part->offset));
    /* room for two rows per remaining location; a location with more makes room itself */
    size_t left = r->sample.locations.count - i;
    r->stack =
        mem_array(r->stack, &r->stack_capacity, depth + span.count + 2 * left, sizeof *r->stack);
    for (uint32_t line = 0; line < span.count; line++)
        r->stack[depth++] = r->rows[span.first + line];
    return depth;
}

/* Puts the rows of the sample's locations on the stack, innermost first. Whether a location has one
 * row or two cannot be predicted, so two are always written, and the second is overwritten if it
 * does not exist. */
static void read_stack(struct reader *r, const struct part *part, size_t place)
{
    const struct pprof_numbers *locations = &r->sample.locations;
    const struct pprof_pair *pairs = r->pairs;
    size_t depth = 0, pair_count = r->pair_count;
    r->stack = mem_array(r->stack, &r->stack_capacity, 2 * locations->count + 1, sizeof *r->stack);
    for (size_t i = 0; i < locations->count; i++) {
        uint64_t id = locations->items[i];
        struct pprof_pair pair = {0, 0};
        if (__builtin_expect(id < pair_count, 1))
            pair = pairs[id];
        if (__builtin_expect(pair.inner == 0, 0)) {
            depth = push_location(r, part, place, i, depth);
            continue;
        }
        r->stack[depth] = pair.inner;
        r->stack[depth + 1] = pair.outer;
        depth += 1 + (pair.outer != 0);
    }
    r->depth = depth;
}

/* The share of VALUE for sample I of the N that one sample is expanded to. All shares add up to
 * VALUE. */
static int64_t share(int64_t value, int64_t i, int64_t n)
{
    return value / n + (i < (value < 0 ? -(value % n) : value % n) ? (value < 0 ? -1 : 1) : 0);
}

/* Pushes sample I of the N that the sample in the file stands for. */
static void emit_one(struct reader *r, int64_t i, int64_t n)
{
    const struct pprof_numbers *values = &r->sample.values;
    for (size_t t = 0; t < values->count; t++) {
        int64_t value = (int64_t)values->items[t];
        /* member by member: faster than the whole struct */
        struct sample_value *to = &r->values[t];
        to->type = r->type_numbers[t];
        to->value.kind = NUMBER_INTEGER;
        to->value.integer = n == 1 ? value : share(value, i, n);
        to->extra = r->type_extras[t];
    }
    sink_sample(r->sink, &(struct sample){
                             .sample_id = ++r->sample_id,
                             .source_id = 1,
                             .extra = buf_str(&r->extra),
                             .values = r->values,
                             .value_count = values->count,
                             .locations = r->stack,
                             .depth = r->depth,
                         });
}

/* How often to write the sample: once, or with --expand as often as it counts. */
static int64_t repetitions(const struct reader *r, const struct part *part, size_t place)
{
    if (!r->expand)
        return 1;
    int64_t n = (int64_t)r->sample.values.items[r->count_type];
    if (n < 0)
        die_at(place_at(r, part->offset),
               "sample[%zu]: --expand: expected a count from 0, found %" PRId64, place, n);
    return n == 0 ? 1 : n;
}

/* An empty label takes two bytes in a file, but much more in memory and in a row. So more labels
 * than a row can hold are refused before they are unpacked. */
static void check_label_count(const struct reader *r, const struct part *part, size_t place)
{
    static const size_t max = LIMITS_LINE / (sizeof "{\"key\":\"\",\"num\":0}," - 1);
    if (part->bytes.n / 2 <= max)
        return;
    size_t count = wire_count(part->bytes, FIELD_SAMPLE_LABEL);
    if (count > max)
        die_at(
            place_at(r, part->offset),
            "sample[%zu].label: expected at most %zu labels, as many as a row can hold, found %zu",
            place, max, count);
}

static void emit_samples(struct reader *r)
{
    struct wire wire = {in_name(r->in), "pprof", {r->data.p, r->samples_to}, r->samples_from};
    struct wire_field f;
    size_t place = 0;
    if (r->expand && r->count_type < 0)
        die_at(place_at(r, 0), "--expand: no sample type samples/count");
    while (wire_next(&wire, &f)) {
        if (f.number != FIELD_SAMPLE)
            continue;
        struct part part = {f.bytes, f.offset};
        check_label_count(r, &part, place);
        decode_sample(r, &part, place);
        if (r->sample.values.count != r->types.count)
            die_at(place_at(r, part.offset),
                   "sample[%zu].value: expected %zu, one for each sample type, found %zu", place,
                   r->types.count, r->sample.values.count);
        r->extra.n = 0;
        add_labels(r, &part, place);
        add_unknown(r, STR(".pprof_unknown"), r->sample.base);
        int64_t n = repetitions(r, &part, place);
        for (int64_t i = 0; i < n; i++) {
            read_stack(r, &part, place); /* the receiver of the last sample may have changed it */
            emit_one(r, i, n);
        }
        place++;
    }
}

/* --- the whole file --- */

static void close_reader(struct reader *r)
{
    struct parts *parts[] = {&r->types,     &r->mappings,     &r->functions,
                             &r->locations, &r->period_types, &r->comments};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        mem_free(parts[i]->items);
    free_messages(r);
    mem_free(r->strings);
    mem_free(r->type_numbers);
    mem_free(r->values);
    mem_free(r->stack);
    mem_free(r->type_extras);
    mem_free(r->spans);
    mem_free(r->rows);
    mem_free(r->pairs);
    idmap_free(&r->mapping_ids);
    idmap_free(&r->function_ids);
    idmap_free(&r->location_ids);
    arena_free(&r->messages);
    arena_free(&r->texts);
    buf_free(&r->unknown);
    buf_free(&r->extra);
    buf_free(&r->inexact);
    buf_free(&r->key);
}

void pprof_read(struct in *in, const struct read_request *request, struct sink *sink)
{
    const struct pprof_read_options *options = request->options;
    struct reader r = {
        .in = in, .request = request, .expand = options != NULL && options->expand, .sink = sink};
    r.data = format_whole(in, request);
    collect_parts(&r);
    emit_source(&r);
    emit_definitions(&r);
    emit_samples(&r);
    close_reader(&r);
}
