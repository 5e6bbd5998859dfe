/* Profile rows to pprof. See ndjson2pprof(1) for the rules.
 *
 * Functions, locations and strings are kept in tables until the end. Samples are added up by
 * (labels, stack), or written one by one. */
#include "formats/pprof/pprof_write.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/mem.h"
#include "formats/pprof/pprof.h"
#include "formats/pprof/profile.pb-c.h"
#include "rows/loss.h"
#include "rows/members.h"
#include "rows/text.h"

/* --- labels --- */

/* Removes labels with the key of --label-source from the sample, if they are to be replaced. */
static void remove_source_labels(struct writer *w)
{
    struct label *labels = (struct label *)(void *)w->labels.p;
    size_t count = w->labels.n / sizeof *labels, kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (labels[i].key != w->source_key)
            labels[kept++] = labels[i];
        else if (!w->options.replaces_label)
            die_at(
                pprof_writer_place(w),
                "samples..labels: the key of --label-source is there already (with a \"!\" behind "
                "it its labels are replaced)");
    }
    w->labels.n = kept * sizeof *labels;
}

/* --label-source: adds the label with the source of the sample. */
static void add_source_label(struct writer *w)
{
    remove_source_labels(w);
    if (w->source->label == 0)
        return;
    struct label label = {.key = w->source_key, .string = w->source->label};
    buf_add(&w->labels, (struct str){(char *)&label, sizeof label});
}

/* Sets the labels of the sample from TEXT, its dotted columns, and from its source. */
static void read_labels(struct writer *w, struct str text)
{
    struct profile *p = &w->file.profile;
    if (!w->options.each && w->source_key == 0) {
        w->label_set = profile_label_set(p, text, pprof_writer_place(w));
        return;
    }
    w->labels.n = 0;
    buf_add(&w->labels, profile_labels(p, text, pprof_writer_place(w)));
    if (w->source_key != 0)
        add_source_label(w);
    if (!w->options.each)
        w->label_set = labels_add(&p->labels, buf_str(&w->labels));
}

/* --- samples --- */

static void begin_sample(struct writer *w, const struct sample *sample)
{
    w->source = &w->sources[sample->source_id - 1];
    w->has_count = w->has_time = false;
    w->part_count = 0;
    read_labels(w, sample->extra);
}

/* Adds X to the sample in COLUMN of the file. */
static void add_value(struct writer *w, uint32_t column, struct decimal x)
{
    w->part_count += amount_split(&w->file.digits, column, x, w->parts + w->part_count);
}

/* The index of the type of V, as spelled, in the types of the sample's source, or their number if
 * it is not there yet. */
static size_t place_of_type(struct writer *w, const struct sample_value *v)
{
    const struct value_type *t = value_types_get(&w->sink.flow->types, v->type);
    return pprof_writer_find_type(w, w->source, t->type, t->unit);
}

/* The exact value of V, which is not an integer, and whose type is at PLACE. A fraction of a time
 * gets a finer unit. Exceptions: --types forbids that, or V is a level, which would not be one in
 * another unit. */
static struct decimal exact_of(struct writer *w, struct sample_value *v, size_t place)
{
    const struct source *s = w->source;
    bool is_open = w->options.types == NULL || w->has_open_types;
    bool is_level = place < s->type_count && s->types[place].gauge;
    return is_open && !is_level ? sample_value_refine(v, &w->sink.flow->types)
                                : sample_value_exact(v);
}

static void read_value(struct writer *w, struct sample_value *v)
{
    struct source *s = w->source;
    size_t place = s->type_count, known = s->type_count;
    struct decimal exact;
    if (v->value.kind == NUMBER_INTEGER) {
        exact = decimal_of(v->value.integer);
    } else {
        place = place_of_type(w, v);
        exact = exact_of(w, v, place);
    }
    struct source_type *t = pprof_writer_value_type(w, v);
    if (s->derives && t->is_count) {
        w->has_count = true;
        w->count = exact;
    }
    w->has_time |= t->is_time;
    (place < known ? &s->types[place] : t)->count += decimal_sign(exact) != 0;
    if (t->column == COLUMN_NONE)
        t->dropped++;
    else
        add_value(w, t->column, exact);
}

/* Adds to the sample the value of the period's type, if its source has none. */
static void derive_value(struct writer *w)
{
    struct source *s = w->source;
    if (!s->derives || !w->has_count || w->has_time)
        return;
    if (w->count.exponent == 0)
        s->counted = wide_add(s->counted, w->count.digits);
    else
        decimal_add(&s->counted_digits, w->count);
    if (s->derived != COLUMN_NONE)
        add_value(w, s->derived, w->count);
}

static void add_to_sums(struct writer *w)
{
    stacks_add(&w->file.profile.stacks, w->label_set, w->stack, w->depth, w->parts, w->part_count);
}

/* --- samples one by one --- */

/* Precedes the values, labels and stack of a sample in the spool. */
struct waiting {
    uint64_t part_count, label_count, depth;
};

static void put_aside(struct writer *w)
{
    struct waiting head = {w->part_count, w->labels.n / sizeof(struct label), w->depth};
    struct str parts[] = {
        {(char *)&head, sizeof head},
        {(char *)w->parts, head.part_count * sizeof *w->parts},
        buf_str(&w->labels),
        {(char *)w->stack, head.depth * sizeof *w->stack},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        spool_write(w->spool, parts[i]);
}

/* Writes SAMPLE with the values of COUNT PARTS. */
static void write_one(struct writer *w, struct pprof_sample *sample, const struct sums_part *parts,
                      size_t count)
{
    struct pprof_file *f = &w->file;
    pprof_values_begin(&w->values, f);
    for (size_t i = 0; i < count; i++)
        pprof_values_add(&w->values, f, &parts[i]);
    pprof_values_end(&w->values, f, sample->stack, sample->depth);
    sample->values = w->values.values;
    sample->value_count = f->type_count;
    pprof_write_sample(w->out, f, sample, &w->scratch);
}

static void write_waiting(struct writer *w)
{
    struct waiting head;
    struct buf record = {0};
    spool_rewind(w->spool);
    while (spool_read(w->spool, &head, sizeof head)) {
        size_t parts = head.part_count * sizeof(struct sums_part);
        size_t labels = head.label_count * sizeof(struct label);
        size_t n = parts + labels + head.depth * sizeof(uint32_t);
        record.n = 0;
        char *p = buf_reserve(&record, n + 1);
        spool_read(w->spool, p, n);
        struct pprof_sample sample = {
            .labels = (struct label *)(void *)(p + parts),
            .label_count = head.label_count,
            .stack = (uint32_t *)(void *)(p + parts + labels),
            .depth = head.depth,
        };
        write_one(w, &sample, (struct sums_part *)(void *)p, head.part_count);
    }
    buf_free(&record);
    spool_close(w->spool);
}

/* Writes the current sample, or keeps it until all types are known. */
static void end_one(struct writer *w)
{
    if (w->spool != NULL) {
        put_aside(w);
        return;
    }
    struct pprof_sample sample = {
        .stack = w->stack,
        .depth = w->depth,
        .labels = (struct label *)(void *)w->labels.p,
        .label_count = w->labels.n / sizeof(struct label),
    };
    pprof_finish(&w->file);
    write_one(w, &sample, w->parts, w->part_count);
}

static void end_sample(struct writer *w)
{
    derive_value(w);
    if (w->options.each)
        end_one(w);
    else
        add_to_sums(w);
    w->source = NULL;
}

static void take_sample(struct sink *to, struct sample *sample)
{
    struct writer *w = (struct writer *)to;
    struct place where = to->flow->where;
    begin_sample(w, sample);
    /* one more for the derived value */
    w->parts = mem_array(w->parts, &w->part_capacity, (sample->value_count + 1) * AMOUNT_PARTS,
                         sizeof *w->parts);
    for (size_t i = 0; i < sample->value_count; i++) {
        to->flow->where = sample_place(sample, where, i);
        read_value(w, &sample->values[i]);
    }
    to->flow->where = where;
    pprof_writer_stack(w, sample->locations, sample->depth);
    for (size_t i = 0; sample->location_extras != NULL && i < sample->depth; i++)
        loss_add_extra(TABLE_SAMPLE_LOCATIONS, sample->location_extras[i]);
    end_sample(w);
}

/* --- the whole file --- */

static void take_row(struct sink *to, struct row *row)
{
    struct writer *w = (struct writer *)to;
    switch (row->table) {
    case TABLE_LOCATIONS: pprof_writer_location(w, row); break;
    case TABLE_FUNCTIONS: pprof_writer_function(w, row); break;
    case TABLE_MAPPINGS: pprof_writer_mapping(w, row); break;
    case TABLE_SOURCES: pprof_writer_source(w, row); break;
    case TABLE_META: loss_add_columns(row); break;
    default: loss_add_row(row);
    }
}

static void free_writer(struct writer *w)
{
    for (size_t i = 0; i < w->source_count; i++) {
        mem_free(w->sources[i].types);
        intern_free(&w->sources[i].type_keys);
    }
    void *blocks[] = {w->sources, w->comments, w->mappings, w->functions, w->frames,
                      w->lines,   w->parts,    w->stack,    w->known};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        mem_free(blocks[i]);
    intern_free(&w->labels_given);
    buf_free(&w->labels);
    buf_free(&w->scratch);
    pprof_values_free(&w->values);
    buf_free(&w->key);
    idmap_free(&w->type_numbers);
    arena_free(&w->arena);
    pprof_free(&w->file);
}

/* Whether samples are written as they come. */
static bool streams(const struct writer *w)
{
    return w->options.each && w->options.types != NULL && !w->has_open_types;
}

static void open_writer(void *to, struct flow *flow, const void *with, struct out *out)
{
    struct writer *w = to;
    w->sink = (struct sink){flow, take_row, take_sample};
    w->out = out;
    if (with != NULL)
        w->options = *(const struct pprof_write_options *)with;
    flow->adds_up = !w->options.each;
    pprof_writer_keep_own(w);
    if (w->options.level > 0)
        out_gzip(out, w->options.level);
    if (!w->options.each && !w->options.keep_addresses)
        w->file.unite = w->options.canonical ? PPROF_UNITE_MIN : PPROF_UNITE_FIRST;
    if (w->options.source_key != NULL)
        w->source_key = pprof_string(&w->file, str_of(w->options.source_key));
    if (w->options.types != NULL)
        pprof_writer_fix_types(w);
    if (streams(w))
        pprof_write_types(out, &w->file);
    else if (w->options.each)
        w->spool = spool_open();
}

static void close_writer(void *to)
{
    struct writer *w = to;
    stacks_finish(&w->file.profile.stacks);
    pprof_writer_finish_types(w);
    pprof_writer_agree(w);
    pprof_place(&w->file);
    if (!w->options.each)
        pprof_drop_strings(&w->file);
    if (w->options.canonical)
        pprof_sort(&w->file);
    if (!streams(w))
        pprof_write_types(w->out, &w->file);
    if (!w->options.each)
        pprof_write_stacks(w->out, &w->file);
    else if (!streams(w))
        write_waiting(w);
    pprof_write_tables(w->out, &w->file);
    free_writer(w);
}

const struct stage pprof_writer = {
    .takes = STAGE_TAKES_MERGED,
    .leaves_rows = true,
    .state_size = sizeof(struct writer),
    .open = open_writer,
    .close = close_writer,
};
