/* A Profile message may be written as the concatenation of partial ones, so each part is packed as
 * a Profile that holds nothing else. */
#include "pprof_file.h"
#include "profile.pb-c.h"

string_id pprof_string(struct pprof_file *f, struct str bytes)
{
    return bytes.n == 0 ? 0 : intern_add(&f->strings, bytes, NULL);
}

static void write_part(struct out *out, const Pprof__Profile *part)
{
    size_t n = pprof__profile__get_packed_size(part);
    char *p = out_reserve(out, n);
    out_advance(out, p + pprof__profile__pack(part, (uint8_t *)p));
}

void pprof_pack_sample(struct buf *to, struct buf *scratch, const uint32_t *stack, size_t depth,
                       const struct pprof_label *labels, size_t label_count, const int64_t *values,
                       size_t type_count)
{
    /* protobuf-c wants arrays of 64-bit ids and of pointers: they stand in front of the result */
    size_t ids = depth * sizeof(uint64_t), pointers = label_count * sizeof(Pprof__Label *);
    size_t before = ids + pointers + label_count * sizeof(Pprof__Label);
    scratch->n = 0;
    char *p = buf_reserve(scratch, before + 8);
    Pprof__Sample sample = PPROF__SAMPLE__INIT;
    sample.n_location_id = depth;
    sample.location_id = (uint64_t *)(void *)p;
    for (size_t i = 0; i < depth; i++)
        sample.location_id[i] = stack[i];
    sample.n_value = type_count;
    sample.value = (int64_t *)(uintptr_t)values;
    sample.n_label = label_count;
    sample.label = (Pprof__Label **)(void *)(p + ids);
    Pprof__Label *packed = (Pprof__Label *)(void *)(p + ids + pointers);
    for (size_t i = 0; i < label_count; i++) {
        pprof__label__init(&packed[i]);
        packed[i].key = labels[i].key;
        packed[i].str = labels[i].string;
        packed[i].num = labels[i].number;
        packed[i].num_unit = labels[i].unit;
        sample.label[i] = &packed[i];
    }
    uint8_t *end = (uint8_t *)buf_reserve(to, pprof__sample__get_packed_size(&sample));
    to->n += pprof__sample__pack(&sample, end);
}

void pprof_write_types(struct out *out, const struct pprof_file *f)
{
    for (size_t i = 0; i < f->type_count; i++) {
        Pprof__ValueType type = PPROF__VALUE_TYPE__INIT, *types[] = {&type};
        type.type = f->types[i].type;
        type.unit = f->types[i].unit;
        Pprof__Profile part = PPROF__PROFILE__INIT;
        part.n_sample_type = 1;
        part.sample_type = types;
        write_part(out, &part);
    }
}

static char *put_varint(char *p, size_t v)
{
    for (; v > 0x7f; v >>= 7)
        *p++ = (char)((v & 0x7f) | 0x80);
    *p++ = (char)v;
    return p;
}

void pprof_write_sample(struct out *out, struct str packed, size_t missing)
{
    /* The sample is field 2 of the profile, the values field 2 of the sample, both of wire type 2:
     * a key byte, a length, the content.  A repeated field may come in several runs, so what is
     * missing goes behind the rest. */
    enum { KEY = 2 << 3 | 2 };
    char zeros[16], *zeros_end = zeros;
    if (missing > 0) {
        *zeros_end++ = KEY;
        zeros_end = put_varint(zeros_end, missing);
    }
    size_t zeros_n = (size_t)(zeros_end - zeros);
    size_t size = packed.n + zeros_n + missing;
    char *p = out_reserve(out, size + 11);
    *p++ = KEY;
    p = put_varint(p, size);
    memcpy(p, packed.p, packed.n);
    memcpy(p + packed.n, zeros, zeros_n);
    memset(p + packed.n + zeros_n, 0, missing);
    out_advance(out, p + size);
}

void pprof_write_stacks(struct out *out, const struct pprof_file *f)
{
    struct buf packed = {0}, scratch = {0};
    int64_t *values = mem_alloc((f->type_count + 1) * sizeof *values);
    for (uint32_t i = 1; i <= f->stacks.count; i++) {
        size_t depth, label_count;
        const uint32_t *stack = pprof_stack(f, i, &depth);
        const struct pprof_label *labels = pprof_labels(f, stack[0], &label_count);
        for (size_t t = 0; t < f->type_count; t++)
            values[t] = i <= f->types[t].sum_count ? f->types[t].sums[i - 1] : 0;
        packed.n = 0;
        pprof_pack_sample(&packed, &scratch, stack + 1, depth, labels, label_count, values,
                          f->type_count);
        pprof_write_sample(out, buf_str(&packed), 0);
    }
    mem_free(values);
    buf_free(&packed);
    buf_free(&scratch);
}

static void write_mapping(struct out *out, string_id name)
{
    Pprof__Mapping mapping = PPROF__MAPPING__INIT, *mappings[] = {&mapping};
    mapping.id = 1;
    mapping.filename = name;
    mapping.has_functions = mapping.has_filenames = mapping.has_line_numbers = 1;
    Pprof__Profile part = PPROF__PROFILE__INIT;
    part.n_mapping = 1;
    part.mapping = mappings;
    write_part(out, &part);
}

static void write_location(struct out *out, uint64_t id, const struct pprof_location *l)
{
    Pprof__Line line = PPROF__LINE__INIT, *lines[] = {&line};
    line.function_id = l->function;
    line.line = l->line;
    Pprof__Location location = PPROF__LOCATION__INIT, *locations[] = {&location};
    location.id = id;
    location.mapping_id = 1;
    location.n_line = 1;
    location.line = lines;
    Pprof__Profile part = PPROF__PROFILE__INIT;
    part.n_location = 1;
    part.location = locations;
    write_part(out, &part);
}

static void write_function(struct out *out, uint64_t id, const struct pprof_function *f)
{
    Pprof__Function function = PPROF__FUNCTION__INIT, *functions[] = {&function};
    function.id = id;
    function.name = f->name;
    function.system_name = f->system_name;
    function.filename = f->filename;
    function.start_line = f->start_line;
    Pprof__Profile part = PPROF__PROFILE__INIT;
    part.n_function = 1;
    part.function = functions;
    write_part(out, &part);
}

static void write_string(struct out *out, struct str s)
{
    ProtobufCBinaryData data = {s.n, (uint8_t *)(uintptr_t)s.p};
    Pprof__Profile part = PPROF__PROFILE__INIT;
    part.n_string_table = 1;
    part.string_table = &data;
    write_part(out, &part);
}

void pprof_write_tables(struct out *out, const struct pprof_file *f)
{
    write_mapping(out, f->mapping);
    for (uint32_t i = 1; i <= f->locations.count; i++)
        write_location(out, i, pprof_location(f, i));
    for (uint32_t i = 1; i <= f->functions.count; i++)
        write_function(out, i, pprof_function(f, i));
    write_string(out, STR(""));
    for (uint32_t i = 1; i <= f->strings.count; i++)
        write_string(out, intern_get(&f->strings, i));

    Pprof__ValueType period_type = PPROF__VALUE_TYPE__INIT;
    period_type.type = f->period_type;
    period_type.unit = f->period_unit;
    Pprof__Profile part = PPROF__PROFILE__INIT;
    part.time_nanos = f->time;
    part.duration_nanos = f->duration;
    part.period = f->period;
    part.period_type = f->period_type != 0 ? &period_type : NULL;
    part.default_sample_type = f->default_type;
    write_part(out, &part);
}

void pprof_free(struct pprof_file *f)
{
    for (size_t i = 0; i < f->type_count; i++)
        mem_free(f->types[i].sums);
    mem_free(f->types);
    intern_free(&f->functions);
    intern_free(&f->locations);
    intern_free(&f->strings);
    intern_free(&f->label_sets);
    intern_free(&f->stacks);
    *f = (struct pprof_file){0};
}
