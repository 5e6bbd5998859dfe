/* Profile rows to pprof. See ndjson2pprof(1) for the rules.
 *
 * Functions, locations and strings are kept in tables until the end. Samples are added up by
 * (labels, stack), or written one by one. */
#include "formats/pprof/pprof_write.h"

#include "base/mem.h"
#include "formats/pprof/profile.pb-c.h"
#include "formats/wire.h"
#include "rows/loss.h"
#include "rows/text.h"

unknown_id pprof_write_unknown(struct pprof_writer *w, struct str hex,
                               const ProtobufCMessageDescriptor *type)
{
    w->scratch.n = 0;
    text_unhex(&w->scratch, hex);
    struct str fields = buf_str(&w->scratch);
    uint64_t known = type->fields[type->n_fields - 1].id;
    if (!wire_is_fields(fields) || wire_has_number(fields, 0, known) ||
        wire_has_number(fields, (uint64_t)UINT32_MAX + 1,
                        UINT64_MAX)) { /* the max that protobuf-c accepts */
        loss_add(LOSS_UNKNOWN_FIELDS, str_of(type->short_name), 1);
        return 0;
    }
    return fields.n == 0 ? 0 : intern_add(&w->file.unknown, fields, NULL);
}

/* === frames === */

/* Mappings, functions and locations, and the stacks of samples.
 *
 * A pprof location is a list of lines, each inlined into the next: see chains.h. */

/* Max number of lines in all locations: far more than any program has. */
enum { LINES_MAX = 1 << 24 };

/* A number that keeps equal things apart, for --no-aggregate; else 0. */
static uint32_t next_serial(struct pprof_writer *w)
{
    return w->options.each ? ++w->serial : 0;
}

/* --- columns that only pprof has --- */

/* The message type for rows of TABLE. */
static const ProtobufCMessageDescriptor *message_of(enum table table)
{
    switch (table) {
    case TABLE_MAPPINGS: return &pprof__mapping__descriptor;
    case TABLE_FUNCTIONS: return &pprof__function__descriptor;
    default: return &pprof__location__descriptor;
    }
}

/* For a sample, or one of its labels. */
static bool keep_of_sample(struct pprof_writer *w, const struct member *m, uint32_t *other)
{
    if (m->id == MEMBER_ID_UNKNOWN)
        *other = pprof_write_unknown(w, m->text, &pprof__label__descriptor);
    else if (m->id == MEMBER_ID_PPROF_UNKNOWN)
        *other = pprof_write_unknown(w, m->text, &pprof__sample__descriptor);
    return m->id == MEMBER_ID_UNKNOWN || m->id == MEMBER_ID_PPROF_UNKNOWN;
}

static bool keep_own(void *user, const struct row *row, const struct member *m, uint32_t *other)
{
    struct pprof_writer *w = user;
    if (row->table == TABLE_SAMPLES)
        return keep_of_sample(w, m, other);
    if (row->table == TABLE_SOURCES)
        return pprof_write_keep_source(w, row, m, other);
    switch (m->id) {
    case MEMBER_ID_UNKNOWN:
    case MEMBER_ID_PPROF_UNKNOWN:
        w->own.unknown = pprof_write_unknown(w, m->text, message_of(row->table));
        return true;
    case MEMBER_ID_PPROF_LINE_UNKNOWN:
        w->own.line_unknown = pprof_write_unknown(w, m->text, &pprof__line__descriptor);
        return true;
    case MEMBER_ID_PPROF_START_LINE:
    case MEMBER_ID_PPROF_LINE:
        w->own.has_number = true;
        w->own.number = m->integer;
        return true;
    case MEMBER_ID_PPROF_OUTER: w->own.is_outer = m->flag; return true;
    case MEMBER_ID_PPROF_NO_LINES: w->own.no_lines = m->flag; return true;
    case MEMBER_ID_PPROF_COPY: return true;
    default: return false;
    }
}

/* --- mappings and functions --- */

/* Read a row of .mappings, functions, locations. */
static void read_mapping(struct pprof_writer *w, const struct row *row)
{
    w->own = (struct pprof_row_own){0};
    const struct profile_mapping *of =
        profile_add_mapping(&w->file.profile, row, pprof_write_place(w));
    struct pprof_mapping m;
    memset(&m, 0, sizeof m);
    m.memory_start = of->start;
    m.memory_limit = of->limit;
    m.file_offset = of->offset;
    m.filename = of->filename;
    m.build_id = of->build_id;
    m.has_functions = of->has_functions;
    m.has_filenames = of->has_filenames;
    m.has_line_numbers = of->has_line_numbers;
    m.has_inline_frames = of->has_inline_frames;
    m.unknown = w->own.unknown;
    m.serial = next_serial(w);
    size_t id = (size_t)row->mapping.mapping_id; /* dense, in order of appearance */
    w->mappings = mem_array(w->mappings, &w->mapping_capacity, id, sizeof *w->mappings);
    w->mappings[id - 1] = pprof_add_mapping(&w->file, &m);
}

static void read_function(struct pprof_writer *w, const struct row *row)
{
    w->own = (struct pprof_row_own){0};
    const struct profile_function *of =
        profile_add_function(&w->file.profile, row, pprof_write_place(w));
    struct pprof_function f;
    memset(&f, 0, sizeof f);
    f.name = of->name;
    f.system_name = of->system_name; /* without a system name pprof does not demangle the name */
    f.filename = of->filename;
    f.start_line = w->own.has_number ? w->own.number : of->start_line;
    f.unknown = w->own.unknown;
    f.serial = next_serial(w);
    size_t id = (size_t)row->function.function_id;
    w->functions = mem_array(w->functions, &w->function_capacity, id, sizeof *w->functions);
    w->functions[id - 1] = intern_add(&w->file.functions, (struct str){(char *)&f, sizeof f}, NULL);
}

/* The function for code outside of functions in FILENAME. */
static uint32_t toplevel(struct pprof_writer *w, string_id filename)
{
    struct pprof_function f;
    memset(&f, 0, sizeof f);
    f.name = pprof_string(&w->file, STR("<toplevel>"));
    f.filename = filename;
    return intern_add(&w->file.functions, (struct str){(char *)&f, sizeof f}, NULL);
}

/* --- locations --- */

/* The location of the file that begins with the row FIRST and has COUNT rows; 0: all rows of the
 * chain. */
static uint32_t location_of(struct pprof_writer *w, uint32_t first, uint32_t count, uint32_t serial)
{
    const struct profile *p = &w->file.profile;
    const struct profile_location *head = &p->locations[first - 1];
    struct pprof_location l;
    memset(&l, 0, sizeof l);
    l.address = head->address;
    l.has_address = head->address != 0;
    if (head->mapping != 0) {
        l.mapping = w->mappings[head->mapping - 1];
        if (l.has_address && w->file.unite != PPROF_UNITE_NOT)
            l.address -= p->mappings[head->mapping - 1].start;
    }
    l.is_folded = head->is_folded;
    l.unknown = w->lines[first - 1].unknown;
    l.serial = serial;
    w->key.n = 0;
    buf_add(&w->key, (struct str){(char *)&l, sizeof l});
    uint32_t n = 0;
    /* rows may share the lines that they are inlined into; locations of the file may not */
    for (uint32_t row = first;
         row != 0 && w->lines[first - 1].has_line && (count == 0 || n < count); n++) {
        const struct profile_location *at = &p->locations[row - 1];
        const struct pprof_row_line *own = &w->lines[row - 1];
        struct pprof_line line = {own->function, own->line_unknown, own->line, at->column};
        buf_add(&w->key, (struct str){(char *)&line, sizeof line});
        row = w->chains.rows[row - 1].into;
    }
    memcpy(w->key.p + offsetof(struct pprof_location, line_count), &n, sizeof n);
    bool is_new;
    uint32_t id = intern_add(&w->file.locations, buf_str(&w->key), &is_new);
    w->line_total += is_new ? n : 0;
    if (w->line_total > LINES_MAX)
        die_as(CODE_TOO_LARGE, pprof_write_place(w),
               "locations inlined into each other: more than %d lines", LINES_MAX);
    return id;
}

/* For chains.h. */
static uint32_t make_location(void *writer, uint32_t first, uint32_t count)
{
    return location_of(writer, first, count, 0);
}

/* Counts data of the location ROW, at AT, that cannot be written because it has no line. */
static void count_dropped(const struct pprof_writer *w, const struct row *row,
                          const struct profile_location *at)
{
    if (at->column != 0)
        loss_add_column(row, STR(".column"));
    if (w->own.line_unknown != 0)
        loss_add_column(row, STR(".pprof_line_unknown"));
    if (w->own.number != 0)
        loss_add_column(row, STR(".pprof_line"));
}

/* The fields that W itself keeps for the location ROW, at AT. */
static struct pprof_row_line line_of(struct pprof_writer *w, const struct row *row,
                                     const struct profile_location *at)
{
    struct pprof_row_line line = {.unknown = w->own.unknown, .line_unknown = w->own.line_unknown};
    if (w->own.has_number || at->line != ROW_NULL)
        line.line = w->own.has_number ? w->own.number : at->line;
    /* only an address, or code outside of any function */
    line.has_line = at->function != 0 || at->line != ROW_NULL || at->filename != 0 ||
                    !(at->address != 0 || at->mapping != 0 || w->own.no_lines);
    if (!line.has_line)
        count_dropped(w, row, at);
    if (at->function != 0)
        line.function = w->functions[at->function - 1];
    else if (line.has_line)
        line.function = toplevel(w, at->filename);
    return line;
}

/* Whether row A can be in the same location of the file as the row INTO that it is inlined into. */
static bool same_place(const struct pprof_writer *w, const struct profile_location *a,
                       uint32_t into)
{
    const struct profile_location *b = &w->file.profile.locations[into - 1];
    return a->address == b->address && a->mapping == b->mapping && a->is_folded == b->is_folded &&
           w->lines[into - 1].has_line;
}

static void read_location(struct pprof_writer *w, const struct row *row)
{
    size_t id = (size_t)row->location.location_id;
    w->own = (struct pprof_row_own){0};
    const struct profile_location *at =
        profile_add_location(&w->file.profile, row, pprof_write_place(w));
    w->lines = mem_array(w->lines, &w->line_capacity, id, sizeof *w->lines);
    struct pprof_row_line *line = &w->lines[id - 1];
    *line = line_of(w, row, at);
    struct chains_row *frame = chains_at(&w->chains, id);
    frame->into = at->into != 0 && line->has_line && same_place(w, at, at->into) ? at->into : 0;
    if (frame->into != at->into)
        loss_add_column(row, STR(".inlined_into"));
    frame->location = w->own.is_outer ? 0 : location_of(w, (uint32_t)id, 0, next_serial(w));
}

/* === samples and the stage === */

/* --- labels --- */

/* Removes labels with the key of --label-source from the sample, if they are to be replaced. */
static void remove_source_labels(struct pprof_writer *w)
{
    struct label *labels = (struct label *)(void *)w->labels.p;
    size_t count = w->labels.n / sizeof *labels, kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (labels[i].key != w->source_key)
            labels[kept++] = labels[i];
        else if (!w->options.replaces_label)
            die_at(
                pprof_write_place(w),
                "samples..labels: the key of --label-source is there already (with a \"!\" behind "
                "it its labels are replaced)");
    }
    w->labels.n = kept * sizeof *labels;
}

/* --label-source: adds the label with the source of the sample. */
static void add_source_label(struct pprof_writer *w)
{
    remove_source_labels(w);
    if (w->source->label == 0)
        return;
    struct label label = {.key = w->source_key, .string = w->source->label};
    buf_add(&w->labels, (struct str){(char *)&label, sizeof label});
}

/* Sets the labels of the sample from TEXT, its dotted columns, and from its source. */
static void read_labels(struct pprof_writer *w, struct str text)
{
    struct profile *p = &w->file.profile;
    if (!w->options.each && w->source_key == 0) {
        w->label_set = profile_label_set(p, text, pprof_write_place(w));
        return;
    }
    w->labels.n = 0;
    buf_add(&w->labels, profile_labels(p, text, pprof_write_place(w)));
    if (w->source_key != 0)
        add_source_label(w);
    if (!w->options.each)
        w->label_set = labels_add(&p->labels, buf_str(&w->labels));
}

/* --- samples --- */

static void begin_sample(struct pprof_writer *w, const struct sample *sample)
{
    w->source = &w->sources[(size_t)sample->source_id - w->ended - 1];
    w->has_count = w->has_time = false;
    w->tallied = sample_tallied(sample);
    w->is_added = sample_added(sample) > 0;
    w->part_count = 0;
    read_labels(w, sample->extra);
}

/* Adds X to the sample in COLUMN of the file. */
static void add_value(struct pprof_writer *w, uint32_t column, struct decimal x)
{
    w->part_count += amount_split(&w->file.digits, column, x, w->parts + w->part_count);
}

/* The index of the type of V, as spelled, in the types of the sample's source, or their number if
 * it is not there yet. */
static size_t position_of_type(struct pprof_writer *w, const struct sample_value *v)
{
    const struct value_type *t = value_types_get(&w->sink.flow->types, v->type);
    return pprof_write_find_type(w, w->source, t->type, t->unit);
}

/* The exact value of V, which is not an integer, and whose type is at POSITION. A fraction of a
 * time gets a finer unit. Exceptions: --types forbids that, or V is a level, which would not be one
 * in another unit. */
static struct decimal exact_of(struct pprof_writer *w, struct sample_value *v, size_t position)
{
    const struct pprof_source *s = w->source;
    bool is_open = w->options.types == NULL || w->has_open_types;
    bool is_level = position < s->type_count && s->types[position].gauge;
    return is_open && !is_level ? sample_value_refine(v, &w->sink.flow->types)
                                : sample_value_exact(v);
}

static void read_value(struct pprof_writer *w, struct sample_value *v)
{
    struct pprof_source *s = w->source;
    size_t position = s->type_count, known = s->type_count;
    struct decimal exact;
    if (v->value.kind == NUMBER_INTEGER) {
        exact = decimal_of(v->value.integer);
    } else {
        position = position_of_type(w, v);
        exact = exact_of(w, v, position);
    }
    struct pprof_source_type *t = pprof_write_type(w, v);
    if (s->derives && t->is_count) {
        w->has_count = true;
        w->count = exact;
    }
    w->has_time |= t->is_time;
    (position < known ? &s->types[position] : t)->count +=
        decimal_sign(exact) != 0 ? w->tallied : 0;
    if (t->column == PPROF_COLUMN_NONE)
        t->dropped += w->tallied;
    else if (w->is_added)
        add_value(w, t->column, exact);
}

/* Adds to the sample the value of the period's type, if its source has none. */
static void derive_value(struct pprof_writer *w)
{
    struct pprof_source *s = w->source;
    if (!s->derives || !w->has_count || w->has_time)
        return;
    if (w->tallied == 0)
        ; /* it has been counted */
    else if (w->count.exponent == 0)
        s->counted = wide_add(s->counted, w->count.digits);
    else
        decimal_add(&s->counted_digits, w->count);
    if (s->derived != PPROF_COLUMN_NONE && w->is_added)
        add_value(w, s->derived, w->count);
}

static void add_to_sums(struct pprof_writer *w)
{
    stacks_add(&w->file.profile.stacks, w->label_set, w->chains.stack, w->chains.depth, w->parts,
               w->part_count);
}

/* --- samples one by one --- */

/* Precedes the values, labels and stack of a sample in the spool. */
struct waiting {
    uint64_t part_count, label_count, depth;
};

static void put_aside(struct pprof_writer *w)
{
    struct waiting head = {w->part_count, w->labels.n / sizeof(struct label), w->chains.depth};
    struct str parts[] = {
        {(char *)&head, sizeof head},
        {(char *)w->parts, head.part_count * sizeof *w->parts},
        buf_str(&w->labels),
        {(char *)w->chains.stack, head.depth * sizeof *w->chains.stack},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        spool_write(w->spool, parts[i]);
}

/* Writes SAMPLE with the values of COUNT PARTS. */
static void write_one(struct pprof_writer *w, struct pprof_sample *sample,
                      const struct sums_part *parts, size_t count)
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

static void write_waiting(struct pprof_writer *w)
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
static void end_one(struct pprof_writer *w)
{
    if (w->spool != NULL) {
        put_aside(w);
        return;
    }
    struct pprof_sample sample = {
        .stack = w->chains.stack,
        .depth = w->chains.depth,
        .labels = (struct label *)(void *)w->labels.p,
        .label_count = w->labels.n / sizeof(struct label),
    };
    pprof_finish(&w->file);
    write_one(w, &sample, w->parts, w->part_count);
}

static void end_sample(struct pprof_writer *w)
{
    derive_value(w);
    if (w->options.each)
        end_one(w);
    else if (w->is_added)
        add_to_sums(w);
    w->source = NULL;
}

static void take_sample(struct sink *to, struct sample *sample)
{
    struct pprof_writer *w = (struct pprof_writer *)to;
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
    chains_read(&w->chains, sample->locations, sample->depth);
    for (size_t i = 0; sample->location_extras != NULL && i < sample->depth; i++)
        loss_add_extra(TABLE_SAMPLE_LOCATIONS, sample->location_extras[i]);
    end_sample(w);
}

/* --- the whole file --- */

static void take_row(struct sink *to, struct row *row)
{
    struct pprof_writer *w = (struct pprof_writer *)to;
    switch (row->table) {
    case TABLE_LOCATIONS: read_location(w, row); break;
    case TABLE_FUNCTIONS: read_function(w, row); break;
    case TABLE_MAPPINGS: read_mapping(w, row); break;
    case TABLE_SOURCES: pprof_write_source(w, row); break;
    case TABLE_META: loss_add_columns(row); break;
    default: loss_add_row(row);
    }
}

static void free_writer(struct pprof_writer *w)
{
    MEM_FREE(w->mappings, w->functions, w->lines, w->parts);
    pprof_write_free_sources(w);
    chains_free(&w->chains);
    buf_free(&w->labels);
    buf_free(&w->scratch);
    pprof_values_free(&w->values);
    buf_free(&w->key);
    idmap_free(&w->type_numbers);
    provenance_free_sum(&w->provenance);
    pprof_free(&w->file);
}

/* Whether samples are written as they come. */
static bool streams(const struct pprof_writer *w)
{
    return w->options.each && w->options.types != NULL && !w->has_open_types;
}

static void open_writer(void *to, struct flow *flow, const void *with, struct out *out)
{
    struct pprof_writer *w = to;
    w->sink = (struct sink){flow, take_row, take_sample};
    w->out = out;
    if (with != NULL)
        w->options = *(const struct pprof_write_options *)with;
    flow->adds_up = !w->options.each;
    flow->takes_sums = !w->options.each && w->options.source_key == NULL;
    w->file.profile.stacks.flow = flow;
    w->file.profile.keep = keep_own;
    w->chains.make = make_location;
    w->chains.user = w;
    w->file.profile.user = w;
    if (w->options.provenance) {
        w->provenance.max = w->options.max_names;
        flow->provenance = &w->provenance;
    }
    if (w->options.level > 0)
        out_gzip(out, w->options.level);
    if (!w->options.each && !w->options.keep_addresses)
        w->file.unite = w->options.canonical ? PPROF_UNITE_MIN : PPROF_UNITE_FIRST;
    if (w->options.source_key != NULL)
        w->source_key = pprof_string(&w->file, str_of(w->options.source_key));
    if (w->options.types != NULL)
        pprof_write_fix_types(w);
    if (streams(w))
        pprof_write_types(out, &w->file);
    else if (w->options.each)
        w->spool = spool_open();
}

static void close_writer(void *to)
{
    struct pprof_writer *w = to;
    stacks_finish(&w->file.profile.stacks);
    if (w->options.provenance) {
        w->file.provenance = &w->provenance;
        w->file.provenance_count = provenance_end(&w->provenance);
    }
    pprof_write_finish(w);
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
    .state_size = sizeof(struct pprof_writer),
    .open = open_writer,
    .close = close_writer,
};
