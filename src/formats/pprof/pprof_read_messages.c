/* Samples, locations and functions as in the file. There are many, so messages with only the usual
 * fields are decoded here. All others are left to protobuf-c, which also decides what is wrong with
 * them. */
#include "base/bits.h"
#include "base/mem.h"
#include "formats/pprof/pprof_read.h"

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
static void unpack_sample(struct pprof_reader *r, const struct pprof_part *part, size_t place)
{
    struct pprof_sample_message *to = &r->sample;
    const Pprof__Sample *s = (const Pprof__Sample *)pprof_unpack_part(r, &pprof__sample__descriptor,
                                                                      part, FIELD_SAMPLE, place);
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

/* An empty label takes two bytes in a file, but much more in memory and in a row. So more labels
 * than a row can hold are refused before they are unpacked. */
static void check_label_count(const struct pprof_reader *r, const struct pprof_part *part,
                              size_t place)
{
    static const size_t max = LIMITS_LINE / (sizeof "{\"key\":\"\",\"num\":0}," - 1);
    if (part->bytes.n / 2 <= max)
        return;
    size_t count = wire_count(part->bytes, SAMPLE_LABEL);
    if (count > max)
        die_at(
            pprof_place_at(r, part->offset),
            "sample[%zu].label: expected at most %zu labels, as many as a row can hold, found %zu",
            place, max, count);
}

void pprof_decode_sample(struct pprof_reader *r, const struct pprof_part *part, size_t place)
{
    check_label_count(r, part, place);
    if (!decode_usual_sample(part->bytes, &r->sample))
        unpack_sample(r, part, place);
}

/* --- functions --- */

struct pprof_function_message pprof_decode_function(struct pprof_reader *r,
                                                    const struct pprof_part *part, size_t place)
{
    int64_t fields[FUNCTION_COUNT] = {0};
    const unsigned char *p = (const unsigned char *)part->bytes.p;
    if (take_fields(&p, p + part->bytes.n, fields, FUNCTION_COUNT))
        return (struct pprof_function_message){(uint64_t)fields[FUNCTION_ID], fields[FUNCTION_NAME],
                                               fields[FUNCTION_SYSTEM],       fields[FUNCTION_FILE],
                                               fields[FUNCTION_START],        NULL};
    const Pprof__Function *f = (const Pprof__Function *)pprof_unpack_part(
        r, &pprof__function__descriptor, part, FIELD_FUNCTION, place);
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

const struct pprof_location_message *
pprof_decode_location(struct pprof_reader *r, const struct pprof_part *part, size_t place)
{
    struct pprof_location_message *to = &r->location;
    if (decode_usual_location(part->bytes, to))
        return to;
    const Pprof__Location *l = (const Pprof__Location *)pprof_unpack_part(
        r, &pprof__location__descriptor, part, FIELD_LOCATION, place);
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

void pprof_free_messages(struct pprof_reader *r)
{
    mem_free(r->location.lines);
    mem_free(r->sample.locations.items);
    mem_free(r->sample.values.items);
    mem_free(r->sample.labels);
}
