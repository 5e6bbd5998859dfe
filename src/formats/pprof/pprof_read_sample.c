/* A sample as it stands in a file.  There are many, so messages of the fields that all producers write
 * are decoded here; protobuf-c gets all others, and decides what is wrong with them. */
#include "base/mem.h"
#include "formats/pprof/pprof_read.h"

/* The fields of Sample and Label, by number. */
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_STR, LABEL_NUM, LABEL_NUM_UNIT, LABEL_FIELD_COUNT };

/* Takes a varint off *P, which mostly has up to three bytes, and ends before END. */
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
    bool good = pprof_wire_take_varint(&bytes, value);
    *p = (const unsigned char *)bytes.p;
    return good;
}

/* Takes bytes with their length in front off *P; they go from *P to the end that is returned, or that is
 * NULL. */
static const unsigned char *take_bytes(const unsigned char **p, const unsigned char *end)
{
    uint64_t size;
    return take_number(p, end, &size) && size <= (uint64_t)(end - *p) ? *p + size : NULL;
}

/* Makes room for COUNT more numbers. */
static inline void reserve(struct pprof_numbers *to, size_t count)
{
    if (__builtin_expect(to->count + count > to->capacity, 0))
        to->items = mem_array(to->items, &to->capacity, to->count + count, sizeof *to->items);
}

static void add_number(struct pprof_numbers *to, uint64_t value)
{
    reserve(to, 1);
    to->items[to->count++] = value;
}

/* Takes the numbers of a field of TYPE off *P, behind its key: one, or a packed list. */
static bool take_numbers(const unsigned char **p, const unsigned char *end, enum wire_type type,
                         struct pprof_numbers *to)
{
    uint64_t value;
    if (type == WIRE_VARINT) {
        bool good = take_number(p, end, &value);
        add_number(to, value);
        return good;
    }
    const unsigned char *last = type == WIRE_BYTES ? take_bytes(p, end) : NULL;
    if (last == NULL)
        return false;
    reserve(to, (size_t)(last - *p)); /* each has a byte or more */
    uint64_t *next = to->items + to->count;
    while (*p < last) {
        if (!take_number(p, last, next))
            return false;
        next++;
    }
    to->count = (size_t)(next - to->items);
    return true;
}

static void add_label(struct pprof_sample_message *to, struct pprof_label_message label)
{
    to->labels =
        mem_array(to->labels, &to->label_capacity, to->label_count + 1, sizeof *to->labels);
    to->labels[to->label_count++] = label;
}

/* Takes a label off *P, behind its key. */
static bool take_label(const unsigned char **p, const unsigned char *end,
                       struct pprof_sample_message *to)
{
    int64_t fields[LABEL_FIELD_COUNT] = {0};
    uint64_t key, value;
    const unsigned char *last = take_bytes(p, end);
    while (last != NULL && *p < last) {
        if (!take_number(p, last, &key) || (key & 7) != WIRE_VARINT || key >> 3 == 0 ||
            key >> 3 >= LABEL_FIELD_COUNT || !take_number(p, last, &value))
            return false;
        fields[key >> 3] = (int64_t)value;
    }
    add_label(to, (struct pprof_label_message){fields[LABEL_KEY], fields[LABEL_STR],
                                               fields[LABEL_NUM], fields[LABEL_NUM_UNIT], NULL});
    return last != NULL;
}

/* Decodes BYTES; false where they are not certainly a sample without unknown fields. */
static bool decode(struct str bytes, struct pprof_sample_message *to)
{
    const unsigned char *p = (const unsigned char *)bytes.p, *end = p + bytes.n;
    uint64_t key;
    to->locations.count = to->values.count = to->label_count = 0;
    to->base = NULL;
    while (p < end) {
        bool good = take_number(&p, end, &key);
        enum wire_type type = (enum wire_type)(key & 7);
        switch (good ? key >> 3 : 0) {
        case SAMPLE_LOCATION: good = take_numbers(&p, end, type, &to->locations); break;
        case SAMPLE_VALUE: good = take_numbers(&p, end, type, &to->values); break;
        case SAMPLE_LABEL: good = type == WIRE_BYTES && take_label(&p, end, to); break;
        default: good = false;
        }
        if (!good)
            return false;
    }
    return true;
}

/* The same by protobuf-c, which ends the tool where PART is none. */
static void unpack(struct reader *r, const struct part *part, size_t place)
{
    struct pprof_sample_message *to = &r->sample;
    const Pprof__Sample *s = (const Pprof__Sample *)pprof_reader_unpack(
        r, &pprof__sample__descriptor, part, FIELD_SAMPLE, place);
    to->locations.count = to->values.count = to->label_count = 0;
    to->base = &s->base;
    for (size_t i = 0; i < s->n_location_id; i++)
        add_number(&to->locations, s->location_id[i]);
    for (size_t i = 0; i < s->n_value; i++)
        add_number(&to->values, (uint64_t)s->value[i]);
    for (size_t i = 0; i < s->n_label; i++) {
        const Pprof__Label *l = s->label[i];
        add_label(to, (struct pprof_label_message){l->key, l->str, l->num, l->num_unit, &l->base});
    }
}

void pprof_reader_decode_sample(struct reader *r, const struct part *part, size_t place)
{
    if (!decode(part->bytes, &r->sample))
        unpack(r, part, place);
}

void pprof_reader_free_sample(struct reader *r)
{
    mem_free(r->sample.locations.items);
    mem_free(r->sample.values.items);
    mem_free(r->sample.labels);
}
