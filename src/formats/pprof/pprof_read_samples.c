/* The second pass over a file of pprof: samples. */
#include "base/mem.h"
#include "formats/pprof/pprof_read.h"
#include "rows/emit.h"
#include "stream/growth.h"

#include <inttypes.h>
#include <stdio.h>

/* String number INDEX, from the field NAME of label number I of the sample. */
static const struct pprof_string *label_string(const struct pprof_reader *r,
                                               const struct pprof_part *part, size_t place,
                                               size_t i, const char *name, int64_t index)
{
    char path[64];
    if (index >= 0 && (uint64_t)index < r->string_count)
        return &r->strings[index];
    snprintf(path, sizeof path, "label[%zu].%s", i, name);
    return pprof_find_string(r, part, FIELD_SAMPLE, place, path, index);
}

/* Adds LABEL, number I of the sample. */
static void add_label(struct pprof_reader *r, const struct pprof_label_message *label, size_t i,
                      const struct pprof_part *part, size_t place)
{
    size_t start = r->extra.n;
    const struct pprof_string *s = label_string(r, part, place, i, "str", label->str);
    const struct pprof_string *unit = label_string(r, part, place, i, "num_unit", label->num_unit);
    pprof_add_string(r, STR("key"), label_string(r, part, place, i, "key", label->key));
    if (label->str != 0)
        pprof_add_string(r, STR("str"), s);
    if (label->num != 0 || label->str == 0)
        pprof_add_number(r, STR("num"), label->num);
    if (unit->bytes.n != 0)
        pprof_add_string(r, STR("unit"), unit);
    pprof_add_unknown(r, STR("unknown"), label->base);
    pprof_close_object(r, start);
}

static void add_labels(struct pprof_reader *r, const struct pprof_part *part, size_t place)
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

static _Noreturn void die_no_location(const struct pprof_reader *r, const struct pprof_part *part,
                                      size_t place, size_t i)
{
    die_at(pprof_place_at(r, part->offset), "sample[%zu].location_id[%zu]: no location %" PRIu64,
           place, i, r->sample.locations.items[i]);
}

/* Puts the rows of location number I of the sample on the stack at DEPTH; returns the new depth. */
static size_t push_location(struct pprof_reader *r, const struct pprof_part *part, size_t place,
                            size_t i, size_t depth)
{
    uint32_t location = idmap_get(&r->location_ids, r->sample.locations.items[i]);
    if (location == 0)
        die_no_location(r, part, place, i);
    struct pprof_span span = r->spans[location - 1];
    growth_check_depth(depth + span.count, pprof_place_at(r, part->offset));
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
static void read_stack(struct pprof_reader *r, const struct pprof_part *part, size_t place)
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
static void emit_one(struct pprof_reader *r, int64_t i, int64_t n)
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
static int64_t repetitions(const struct pprof_reader *r, const struct pprof_part *part,
                           size_t place)
{
    if (!r->expand)
        return 1;
    int64_t n = (int64_t)r->sample.values.items[r->count_type];
    if (n < 0)
        die_at(pprof_place_at(r, part->offset),
               "sample[%zu]: --expand: expected a count from 0, found %" PRId64, place, n);
    return n == 0 ? 1 : n;
}

void pprof_push_samples(struct pprof_reader *r)
{
    struct wire wire = {in_name(r->in), "pprof", {r->data.p, r->samples_to}, r->samples_from};
    struct wire_field f;
    size_t place = 0;
    if (r->expand && r->count_type < 0)
        die_at(pprof_place_at(r, 0), "--expand: no sample type samples/count");
    while (wire_next(&wire, &f)) {
        if (f.number != FIELD_SAMPLE)
            continue;
        struct pprof_part part = {f.bytes, f.offset};
        pprof_decode_sample(r, &part, place);
        if (r->sample.values.count != r->types.count)
            die_at(pprof_place_at(r, part.offset),
                   "sample[%zu].value: expected %zu, one for each sample type, found %zu", place,
                   r->types.count, r->sample.values.count);
        r->extra.n = 0;
        add_labels(r, &part, place);
        pprof_add_unknown(r, STR(".pprof_unknown"), r->sample.base);
        int64_t n = repetitions(r, &part, place);
        for (int64_t i = 0; i < n; i++) {
            read_stack(r, &part, place); /* the receiver of the last sample may have changed it */
            emit_one(r, i, n);
        }
        place++;
    }
}
