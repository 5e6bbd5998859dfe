/* A Profile message may be written as a sequence of partial ones, so each part is packed as a
 * Profile with nothing else in it. */
#include "base/buf.h"
#include "base/mem.h"
#include "formats/pprof/pprof_file.h"
#include "formats/pprof/profile.pb-c.h"
#include "formats/wire.h"

static void write_part(struct out *out, const Pprof__Profile *part)
{
    size_t n = pprof__profile__get_packed_size(part);
    char *p = out_reserve(out, n);
    out_advance(out, p + pprof__profile__pack(part, (uint8_t *)p));
}

/* Adds the unknown fields ID to the message BASE; free_unknown frees the list after packing. */
static void set_unknown(ProtobufCMessage *base, const struct pprof_file *f, unknown_id id)
{
    if (id == 0)
        return;
    struct wire wire = {.data = intern_get(&f->unknown, id)};
    struct wire_field field;
    size_t capacity = 0;
    while (wire_next(&wire, &field)) {
        struct str content = field.whole;
        uint64_t key;
        wire_take_varint(&content, &key);
        base->unknown_fields =
            mem_array(base->unknown_fields, &capacity, (size_t)base->n_unknown_fields + 1,
                      sizeof *base->unknown_fields);
        base->unknown_fields[base->n_unknown_fields++] = (ProtobufCMessageUnknownField){
            .tag = (uint32_t)field.number,
            .wire_type = (ProtobufCWireType)field.type,
            .len = content.n,
            .data = (uint8_t *)(uintptr_t)content.p,
        };
    }
}

static void free_unknown(ProtobufCMessage *base)
{
    mem_free(base->unknown_fields);
}

void pprof_write_types(struct out *out, const struct pprof_file *f)
{
    for (size_t i = 0; i < f->type_count; i++) {
        Pprof__ValueType type = PPROF__VALUE_TYPE__INIT, *types[] = {&type};
        type.type = f->types[i].type;
        type.unit = f->types[i].unit;
        set_unknown(&type.base, f, f->types[i].unknown);
        Pprof__Profile part = PPROF__PROFILE__INIT;
        part.n_sample_type = 1;
        part.sample_type = types;
        write_part(out, &part);
        free_unknown(&type.base);
    }
}

/* --- samples ---
 *
 * Most of a file is samples, so those without unknown fields are packed here: as protobuf-c would
 * do it, which looks up each field in a description. */

/* The keys of fields: the number of the field times 8, plus the type: 0 varint, 2 with a size. */
enum {
    PROFILE_SAMPLE = 2 << 3 | 2,
    SAMPLE_LOCATIONS = 1 << 3 | 2,
    SAMPLE_VALUES = 2 << 3 | 2,
    SAMPLE_LABEL = 3 << 3 | 2,
    LABEL_KEY = 1 << 3,
    LABEL_STRING = 2 << 3,
    LABEL_NUMBER = 3 << 3,
    LABEL_UNIT = 4 << 3,
};

static char *put_head(char *to, unsigned key, uint64_t value)
{
    *to++ = (char)key;
    return wire_write_varint(to, value);
}

/* The size of a field with a content of SIZE bytes, without which it is not there. */
static size_t field_size(size_t size)
{
    return size == 0 ? 0 : 1 + wire_varint_size(size) + size;
}

static size_t number_size(uint64_t n)
{
    return n == 0 ? 0 : 1 + wire_varint_size(n);
}

static char *put_number(char *to, unsigned key, uint64_t n)
{
    return n == 0 ? to : put_head(to, key, n);
}

static size_t label_size(const struct label *l)
{
    return number_size(l->key) + number_size(l->string) + number_size((uint64_t)l->number) +
           number_size(l->unit);
}

static char *put_label(char *to, const struct label *l)
{
    to = put_head(to, SAMPLE_LABEL, label_size(l));
    to = put_number(to, LABEL_KEY, l->key);
    to = put_number(to, LABEL_STRING, l->string);
    to = put_number(to, LABEL_NUMBER, (uint64_t)l->number);
    return put_number(to, LABEL_UNIT, l->unit);
}

static bool has_unknown(const struct pprof_sample *s)
{
    for (size_t i = 0; i < s->label_count; i++)
        if (s->labels[i].key == LABELS_NO_KEY || s->labels[i].other != 0)
            return true;
    return false;
}

static void write_plain(struct out *out, const struct pprof_sample *s)
{
    size_t locations = 0, values = 0, labels = 0;
    for (size_t i = 0; i < s->depth; i++)
        locations += wire_varint_size(s->stack[i]);
    for (size_t i = 0; i < s->value_count; i++)
        values += wire_varint_size((uint64_t)s->values[i]);
    for (size_t i = 0; i < s->label_count; i++) {
        size_t size = label_size(&s->labels[i]);
        labels += 1 + wire_varint_size(size) + size; /* an empty label is there, too */
    }
    size_t size = field_size(locations) + field_size(values) + labels;
    char *p = out_reserve(out, 1 + wire_varint_size(size) + size);
    p = put_head(p, PROFILE_SAMPLE, size);
    p = s->depth == 0 ? p : put_head(p, SAMPLE_LOCATIONS, locations);
    for (size_t i = 0; i < s->depth; i++)
        p = wire_write_varint(p, s->stack[i]);
    p = s->value_count == 0 ? p : put_head(p, SAMPLE_VALUES, values);
    for (size_t i = 0; i < s->value_count; i++)
        p = wire_write_varint(p, (uint64_t)s->values[i]);
    for (size_t i = 0; i < s->label_count; i++)
        p = put_label(p, &s->labels[i]);
    out_advance(out, p);
}

void pprof_write_sample(struct out *out, const struct pprof_file *f, const struct pprof_sample *s,
                        struct buf *scratch)
{
    if (!has_unknown(s)) {
        write_plain(out, s);
        return;
    }
    /* protobuf-c needs arrays of 64-bit ids, of pointers and of labels: all in one block */
    size_t ids = s->depth * sizeof(uint64_t), pointers = s->label_count * sizeof(Pprof__Label *);
    scratch->n = 0;
    char *p = buf_reserve(scratch, ids + pointers + s->label_count * sizeof(Pprof__Label) + 1);
    Pprof__Sample sample = PPROF__SAMPLE__INIT, *samples[] = {&sample};
    sample.n_location_id = s->depth;
    sample.location_id = (uint64_t *)(void *)p;
    for (size_t i = 0; i < s->depth; i++)
        sample.location_id[i] = s->stack[i];
    sample.n_value = s->value_count;
    sample.value = (int64_t *)(uintptr_t)s->values;
    sample.label = (Pprof__Label **)(void *)(p + ids);
    Pprof__Label *labels = (Pprof__Label *)(void *)(p + ids + pointers);
    for (size_t i = 0; i < s->label_count; i++) {
        if (s->labels[i].key == LABELS_NO_KEY) {
            set_unknown(&sample.base, f, s->labels[i].other);
            continue;
        }
        Pprof__Label *label = &labels[sample.n_label];
        pprof__label__init(label);
        label->key = s->labels[i].key;
        label->str = s->labels[i].string;
        label->num = s->labels[i].number;
        label->num_unit = s->labels[i].unit;
        set_unknown(&label->base, f, s->labels[i].other);
        sample.label[sample.n_label++] = label;
    }
    Pprof__Profile part = PPROF__PROFILE__INIT;
    part.n_sample = 1;
    part.sample = samples;
    write_part(out, &part);
    for (size_t i = 0; i < sample.n_label; i++)
        free_unknown(&labels[i].base);
    free_unknown(&sample.base);
}

/* The place of stack number I in the order of the file. */
static stacks_offset next_stack(const struct pprof_file *f, uint32_t i, struct stacks_pass *pass)
{
    stacks_offset place = 0;
    if (f->order != NULL)
        return f->order->stacks[i];
    stacks_next(&f->profile.stacks, pass, &place);
    return place;
}

void pprof_write_stacks(struct out *out, const struct pprof_file *f)
{
    struct buf scratch = {0};
    struct pprof_values values = {0};
    struct stacks_pass pass = {0};
    uint32_t *frames = NULL;
    size_t capacity = 0;
    for (uint32_t i = 0; i < f->profile.stacks.count; i++) {
        struct stacks_stack stack = stacks_at(&f->profile.stacks, next_stack(f, i, &pass));
        frames = stacks_frames(&stack, frames, &capacity);
        for (size_t j = 0; f->order != NULL && j < stack.depth; j++)
            frames[j] = f->order->locations[frames[j]];
        struct pprof_sample s = {
            .stack = frames, .depth = stack.depth, .value_count = f->type_count};
        s.labels = labels_get(&f->profile.labels,
                              f->order != NULL ? f->order->labels[stack.labels] : stack.labels,
                              &s.label_count);
        struct sums_walk walk = {.row = stack.number};
        struct sums_part part;
        pprof_values_begin(&values, f);
        while (sums_next(&f->profile.stacks.sums, &walk, &part))
            pprof_values_add(&values, f, &part);
        pprof_values_end(&values, f, frames, stack.depth);
        s.values = values.values;
        pprof_write_sample(out, f, &s, &scratch);
    }
    mem_free(frames);
    pprof_values_free(&values);
    buf_free(&scratch);
}

static void write_mapping(struct out *out, const struct pprof_file *f, uint32_t id)
{
    const struct pprof_mapping *m = pprof_mapping(f, id);
    Pprof__Mapping mapping = PPROF__MAPPING__INIT, *mappings[] = {&mapping};
    mapping.id = id;
    mapping.memory_start = m->memory_start;
    mapping.memory_limit = m->memory_limit;
    mapping.file_offset = m->file_offset;
    mapping.filename = m->filename;
    mapping.build_id = m->build_id;
    mapping.has_functions = m->has_functions;
    mapping.has_filenames = m->has_filenames;
    mapping.has_line_numbers = m->has_line_numbers;
    mapping.has_inline_frames = m->has_inline_frames;
    Pprof__Profile part = PPROF__PROFILE__INIT;
    part.n_mapping = 1;
    part.mapping = mappings;
    set_unknown(&mapping.base, f, m->unknown);
    write_part(out, &part);
    free_unknown(&mapping.base);
}

static void write_location(struct out *out, const struct pprof_file *f, uint32_t id)
{
    const struct pprof_location *l = pprof_location(f, id);
    Pprof__Line **pointers = mem_alloc(l->line_count * (sizeof *pointers + sizeof **pointers) + 1);
    Pprof__Line *lines = (Pprof__Line *)(void *)(pointers + l->line_count);
    for (uint32_t i = 0; i < l->line_count; i++) {
        pprof__line__init(&lines[i]);
        lines[i].function_id = l->lines[i].function;
        lines[i].line = l->lines[i].line;
        lines[i].column = l->lines[i].column;
        set_unknown(&lines[i].base, f, l->lines[i].unknown);
        pointers[i] = &lines[i];
    }
    Pprof__Location location = PPROF__LOCATION__INIT, *locations[] = {&location};
    location.id = id;
    location.mapping_id = l->mapping;
    location.address = l->address;
    location.is_folded = (protobuf_c_boolean)l->is_folded;
    location.n_line = l->line_count;
    location.line = pointers;
    Pprof__Profile part = PPROF__PROFILE__INIT;
    part.n_location = 1;
    part.location = locations;
    set_unknown(&location.base, f, l->unknown);
    write_part(out, &part);
    free_unknown(&location.base);
    for (uint32_t i = 0; i < l->line_count; i++)
        free_unknown(&lines[i].base);
    mem_free(pointers);
}

static void write_function(struct out *out, const struct pprof_file *f, uint32_t id)
{
    const struct pprof_function *x = pprof_function(f, id);
    Pprof__Function function = PPROF__FUNCTION__INIT, *functions[] = {&function};
    function.id = id;
    function.name = x->name;
    function.system_name = x->system_name;
    function.filename = x->filename;
    function.start_line = x->start_line;
    Pprof__Profile part = PPROF__PROFILE__INIT;
    part.n_function = 1;
    part.function = functions;
    set_unknown(&function.base, f, x->unknown);
    write_part(out, &part);
    free_unknown(&function.base);
}

static void write_string(struct out *out, struct str s)
{
    ProtobufCBinaryData data = {s.n, (uint8_t *)(uintptr_t)s.p};
    Pprof__Profile part = PPROF__PROFILE__INIT;
    part.n_string_table = 1;
    part.string_table = &data;
    write_part(out, &part);
}

/* Writes the strings of the comments that the provenance makes.  These are many, and nothing else
 * uses them: so they are not in the table. */
static void write_provenance(struct out *out, const struct pprof_file *f)
{
    struct buf text = {0};
    for (size_t i = 0; i < f->provenance_count; i++) {
        text.n = 0;
        provenance_spell(&text, f->provenance, i);
        write_string(out, buf_str(&text));
    }
    buf_free(&text);
}

static void write_file_facts(struct out *out, const struct pprof_file *f)
{
    Pprof__ValueType period_type = PPROF__VALUE_TYPE__INIT;
    period_type.type = f->period_type;
    period_type.unit = f->period_unit;
    const size_t comment_count = f->comment_count + f->provenance_count;
    int64_t *comments = mem_alloc((comment_count + 1) * sizeof *comments);
    for (size_t i = 0; i < f->comment_count; i++)
        comments[i] = f->comments[i];
    for (size_t i = 0; i < f->provenance_count; i++)
        comments[f->comment_count + i] = (int64_t)(f->profile.strings.count + 1 + i);
    Pprof__Profile part = PPROF__PROFILE__INIT;
    part.drop_frames = f->drop_frames;
    part.keep_frames = f->keep_frames;
    part.time_nanos = f->time;
    part.duration_nanos = f->duration;
    part.period_type = f->has_period_type ? &period_type : NULL;
    part.period = f->period;
    part.n_comment = comment_count;
    part.comment = comments;
    part.default_sample_type = f->default_type;
    part.doc_url = f->doc_url;
    set_unknown(&period_type.base, f, f->period_unknown);
    write_part(out, &part);
    free_unknown(&period_type.base);
    out_write(out, buf_str(&f->unknown_fields));
    mem_free(comments);
}

void pprof_write_tables(struct out *out, const struct pprof_file *f)
{
    for (uint32_t i = 1; i <= f->mapping_count; i++)
        write_mapping(out, f, i);
    for (uint32_t i = 1; i <= f->locations.count; i++)
        write_location(out, f, i);
    for (uint32_t i = 1; i <= f->functions.count; i++)
        write_function(out, f, i);
    write_string(out, STR(""));
    for (uint32_t i = 1; i <= f->profile.strings.count; i++)
        write_string(out, intern_get(&f->profile.strings, i));
    write_provenance(out, f);
    write_file_facts(out, f);
}

void pprof_free(struct pprof_file *f)
{
    mem_free(f->types);
    mem_free(f->factors);
    intern_free(&f->columns);
    amount_free(&f->digits);
    mem_free(f->comments);
    mem_free(f->mappings);
    intern_free(&f->mapping_keys);
    intern_free(&f->functions);
    intern_free(&f->locations);
    intern_free(&f->unknown);
    buf_free(&f->unknown_fields);
    profile_free(&f->profile);
    if (f->order != NULL) {
        mem_free(f->order->stacks);
        mem_free(f->order->locations);
        mem_free(f->order->labels);
        mem_free(f->order);
    }
    *f = (struct pprof_file){0};
}
