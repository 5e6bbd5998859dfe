/* A sample as it stands in a file.  There are many, so messages of the fields that all producers write
 * are decoded here; protobuf-c gets all others, and decides what is wrong with them. */
#include "base/mem.h"
#include "formats/pprof/pprof_read.h"

/* The fields of Sample and Label, by number. */
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_STR, LABEL_NUM, LABEL_NUM_UNIT, LABEL_FIELD_COUNT };

/* Takes a varint off *BYTES, which mostly has one byte or two. */
static inline bool take_number(struct str *bytes, uint64_t *value)
{
    const unsigned char *p = (const unsigned char *)bytes->p;
    size_t n = bytes->n > 0 && p[0] < 0x80 ? 1 : bytes->n > 1 && p[1] < 0x80 ? 2 : 0;
    if (__builtin_expect(n == 0, 0))
        return pprof_wire_take_varint(bytes, value);
    *value = n == 1 ? p[0] : (uint64_t)(p[0] & 0x7f) | (uint64_t)p[1] << 7;
    bytes->p += n;
    bytes->n -= n;
    return true;
}

static void add_number(struct pprof_numbers *to, uint64_t value)
{
    if (__builtin_expect(to->count >= to->capacity, 0))
        to->items = mem_array(to->items, &to->capacity, to->count + 1, sizeof *to->items);
    to->items[to->count++] = value;
}

/* Takes the numbers of a field of TYPE off *REST, behind its key: one, or a packed list. */
static bool take_numbers(struct str *rest, enum wire_type type, struct pprof_numbers *to)
{
    uint64_t value;
    if (!take_number(rest, &value))
        return false;
    if (type == WIRE_VARINT) {
        add_number(to, value);
        return true;
    }
    if (type != WIRE_BYTES || value > rest->n)
        return false;
    struct str list = {rest->p, (size_t)value};
    rest->p += list.n;
    rest->n -= list.n;
    while (list.n > 0) {
        if (!take_number(&list, &value))
            return false;
        add_number(to, value);
    }
    return true;
}

static void add_label(struct pprof_sample_message *to, struct pprof_label_message label)
{
    to->labels =
        mem_array(to->labels, &to->label_capacity, to->label_count + 1, sizeof *to->labels);
    to->labels[to->label_count++] = label;
}

/* Takes a label off *REST, behind its key. */
static bool take_label(struct str *rest, struct pprof_sample_message *to)
{
    int64_t fields[LABEL_FIELD_COUNT] = {0};
    uint64_t size, key, value;
    if (!take_number(rest, &size) || size > rest->n)
        return false;
    struct str label = {rest->p, (size_t)size};
    while (label.n > 0) {
        if (!take_number(&label, &key) || (key & 7) != WIRE_VARINT || key >> 3 == 0 ||
            key >> 3 >= LABEL_FIELD_COUNT || !take_number(&label, &value))
            return false;
        fields[key >> 3] = (int64_t)value;
    }
    rest->p += size;
    rest->n -= size;
    add_label(to, (struct pprof_label_message){fields[LABEL_KEY], fields[LABEL_STR],
                                               fields[LABEL_NUM], fields[LABEL_NUM_UNIT], NULL});
    return true;
}

/* Decodes BYTES; false where they are not certainly a sample without unknown fields. */
static bool decode(struct str bytes, struct pprof_sample_message *to)
{
    uint64_t key;
    to->locations.count = to->values.count = to->label_count = 0;
    to->base = NULL;
    while (bytes.n > 0) {
        bool good = take_number(&bytes, &key);
        switch (good ? key >> 3 : 0) {
        case SAMPLE_LOCATION:
            good = take_numbers(&bytes, (enum wire_type)(key & 7), &to->locations);
            break;
        case SAMPLE_VALUE:
            good = take_numbers(&bytes, (enum wire_type)(key & 7), &to->values);
            break;
        case SAMPLE_LABEL: good = (key & 7) == WIRE_BYTES && take_label(&bytes, to); break;
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
