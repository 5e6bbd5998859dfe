/* Profile rows to Rprof text. See ndjson2rprof(1) for the rules.
 *
 * A run is a header and the lines after it, all of one source. A frame is spelled once per run,
 * then copied. */
#include "formats/rprof/rprof_write.h"
#include "base/mem.h"
#include "base/units.h"
#include "formats/rprof/rprof.h"
#include "formats/rprof/rprof_encoding.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/members.h"
#include "rows/text.h"

/* R's default, in microseconds. */
enum { INTERVAL_DEFAULT = 20000 };

/* The max interval in microseconds: in nanoseconds it must fit in 64 bits. */
#define INTERVAL_MAX (INT64_MAX / 1000)

/* --- sources --- */

/* `.period`: if it is a time, it is the interval. */
static void read_period(struct rprof_source *source, struct members period)
{
    struct member m;
    int64_t value = 0, unit = 0, nanoseconds;
    while (members_next(&period, &m))
        if (m.id == MEMBER_ID_UNIT)
            unit = units_nanoseconds(text_inside(m.value));
        else if (m.id == MEMBER_ID_VALUE)
            value = m.integer;
    bool is_time = value > 0 && unit != 0 && !__builtin_mul_overflow(value, unit, &nanoseconds);
    source->is_timed = is_time;
    int64_t interval = is_time && nanoseconds >= 1000 ? nanoseconds / 1000 : 1;
    if (is_time && source->header.interval == 0)
        source->header.interval = interval;
    if (!is_time || interval * 1000 != nanoseconds || interval != source->header.interval)
        loss_add(LOSS_FACTS, STR(".period"), 1);
}

/* `.rprof`: the header of the file that the source was read from. */
static void read_header(struct rprof_writer *w, const struct row *row, struct rprof_source *source,
                        struct members facts)
{
    struct rprof_header *h = &source->header;
    struct member m;
    source->is_rprof = true;
    while (members_next(&facts, &m))
        switch (m.id) {
        case MEMBER_ID_MEMORY: h->memory = m.flag; break;
        case MEMBER_ID_GC: h->gc = m.flag; break;
        case MEMBER_ID_LINES: h->lines = m.flag; break;
        case MEMBER_ID_CRLF: h->crlf = m.flag; break;
        case MEMBER_ID_APPENDED: source->is_appended = m.flag; break;
        case MEMBER_ID_ENCODING:
            w->scratch.n = 0;
            text_unescape(&w->scratch, m.text);
            source->encoding = rprof_encoding(buf_str(&w->scratch));
            if (source->encoding == NULL)
                die_at(rprof_place(w),
                       "sources..rprof.encoding: expected one that R runs in, found \"%.*s\"",
                       STR_ARG(m.text));
            break;
        case MEMBER_ID_INTERVAL:
            if (w->options.interval == 0 && m.integer <= INTERVAL_MAX)
                h->interval = m.integer;
            else if (h->interval != m.integer)
                loss_add_inside(row, facts.column, m.name);
            break;
        default: loss_add_inside(row, facts.column, m.name);
        }
}

static void read_source(struct rprof_writer *w, const struct row *row)
{
    w->sources =
        mem_array(w->sources, &w->source_capacity, w->source_count + 1, sizeof *w->sources);
    struct rprof_source *source = &w->sources[w->source_count++];
    *source = (struct rprof_source){.header.interval = w->options.interval};
    if (row->source.source_uri.p != NULL)
        source->uri = arena_copy(&w->arena, row->source.source_uri);
    struct members walk = members_of(row, rprof_place(w), NULL), period;
    struct member m;
    bool has_period = false;
    while (members_next(&walk, &m))
        switch (m.id) {
        case MEMBER_ID_RPROF:
            read_header(w, row, source, members_inside(&walk, &m, m.value));
            break;
        case MEMBER_ID_PERIOD: /* less exact than the header, which may follow */
            period = members_inside(&walk, &m, m.value);
            has_period = true;
            break;
        case MEMBER_ID_BYTES: loss_add_bytes(row, m.value); break;
        case MEMBER_ID_VALUE_TYPES: break;
        default: loss_add_column(row, m.name);
        }
    if (has_period)
        read_period(source, period);
    if (source->header.interval == 0) {
        source->header.interval = INTERVAL_DEFAULT;
        w->assumes_interval = true;
    }
    if (row->source.source_timestamp.kind != NUMBER_NULL)
        loss_add(LOSS_FACTS, STR("source_timestamp"), 1);
    if (source->is_rprof)
        return;
    source->header.lines = true; /* known only later */
    loss_add(LOSS_OWN, STR("source_type"), 1);
    if (row->source.source_uri.p != NULL)
        loss_add(LOSS_FACTS, STR("source_uri"), 1);
}

/* --- runs --- */

static void write_header(struct out *out, const struct rprof_header *h)
{
    struct buf interval = {0};
    emit_number(&interval, h->interval);
    out_write(out, h->memory ? rprof_flag_memory : STR(""));
    out_write(out, h->gc ? rprof_flag_gc : STR(""));
    out_write(out, h->lines ? rprof_flag_lines : STR(""));
    out_write(out, rprof_interval);
    out_write(out, buf_str(&interval));
    out_write(out, h->crlf ? STR("\r\n") : STR("\n"));
    buf_free(&interval);
}

/* The style of SOURCE, shared with sources of the same style. */
static struct rprof_style *style_of(struct rprof_writer *w, const struct rprof_source *source)
{
    struct rprof_used_style *s = w->styles;
    while (s != NULL && (s->style.crlf != source->header.crlf || s->encoding != source->encoding))
        s = s->next;
    if (s != NULL)
        return &s->style;
    s = arena_alloc(&w->arena, sizeof *s);
    *s = (struct rprof_used_style){w->styles, source->encoding, {.crlf = source->header.crlf}};
    if (s->encoding != NULL && !rprof_style_encoding(&s->style, s->encoding))
        die_at(rprof_place(w), "sources..rprof.encoding: expected an encoding that is known here");
    w->styles = s;
    return &s->style;
}

/* Whether samples of source S may follow those of LAST without a new header, which R's own tools
 * would take for a function. Runs of one file keep their headers, so that the file is restored.
 * Runs with memory do too: allocation is the difference to the previous sample. */
static bool shares_header(const struct rprof_source *s, const struct rprof_source *last)
{
    const struct rprof_header *a = &s->header, *b = &last->header;
    bool is_same_uri = s->uri.p == NULL ? last->uri.p == NULL
                                        : last->uri.p != NULL && str_equal(s->uri, last->uri);
    bool is_same_file = is_same_uri && (s->is_appended || last->is_appended);
    return !is_same_file && !a->memory && !b->memory && a->gc == b->gc && a->lines == b->lines &&
           a->interval == b->interval && s->style == last->style;
}

/* Writes the `#File` line of a row of .rprof_files with NUMBER, PATH and LINE. In a run with a
 * shared header the path may already have a number, and the number another path. */
static void write_file(struct rprof_writer *w, int64_t number, uint32_t path, struct str line)
{
    uint32_t meaning;
    if (w->is_shared && rprof_files_number(&w->files, path) != 0)
        return;
    if (w->is_shared && rprof_files_get(&w->files, number, &meaning))
        number = rprof_files_unused(&w->files);
    rprof_write_file(w, number, path, line);
}

/* Begins a run of source number ID. */
static void begin_run(struct rprof_writer *w, size_t id)
{
    struct rprof_source *source = &w->sources[id - 1];
    if (source->style == NULL)
        source->style = style_of(w, source);
    w->is_shared = w->run != 0 && shares_header(source, &w->sources[w->run - 1]);
    w->run = id;
    w->style = source->style;
    if (!w->is_shared) {
        rprof_files_clear(&w->files);
        w->has_previous = false;
        w->epoch++;
        write_header(w->out, &source->header);
    } else if (!source->begun && source->is_rprof) {
        loss_add(LOSS_FACTS, STR("where a run begins"), 1);
    }
    source->begun = true;
    for (const struct rprof_waiting *f = source->files; f != NULL; f = f->next)
        write_file(w, f->number, f->path, f->line);
    source->files = NULL;
}

/* Makes the current run one of source number ID. Runs of Rprof that had only a header are written
 * first. */
static void enter_run(struct rprof_writer *w, size_t id)
{
    if (w->run == id)
        return;
    for (; w->headed < id; w->headed++)
        if (w->headed + 1 < id && w->sources[w->headed].is_rprof && !w->sources[w->headed].begun)
            begin_run(w, w->headed + 1);
    begin_run(w, id);
}

/* Keeps a #File line until its source has a run: sorted rows have the files of all sources
 * first. */
static void add_waiting(struct rprof_writer *w, struct rprof_source *source, int64_t number,
                        uint32_t path, struct str line)
{
    struct rprof_waiting *f = arena_alloc(&w->arena, sizeof *f);
    *f = (struct rprof_waiting){NULL, number, path, line};
    if (source->files == NULL)
        source->files = f;
    else
        source->last_file->next = f;
    source->last_file = f;
}

/* A row of .rprof_files. */
static void read_file(struct rprof_writer *w, const struct row *row)
{
    struct members walk = members_of(row, rprof_place(w), NULL);
    struct member m;
    struct str path = STR(""), text = STR(""), bytes = {NULL, 0};
    int64_t source = 0, number = 0;
    while (members_next(&walk, &m))
        switch (m.id) {
        case MEMBER_ID_OF_SOURCE: source = m.integer; break;
        case MEMBER_ID_NUMBER: number = m.integer; break;
        case MEMBER_ID_PATH: path = m.text; break;
        case MEMBER_ID_TEXT_OF_LINE: text = m.text; break;
        case MEMBER_ID_BYTES:
            bytes = m.value;
            loss_add_bytes(row, bytes);
            break;
        default: loss_add_column(row, m.name);
        }
    if (source == ROW_NULL || number > RPROF_NUMBER_MAX) {
        loss_add_row(row);
        return;
    }
    uint32_t id = rprof_path(w, rprof_bytes(w, STR("path"), path, bytes));
    struct str line = arena_copy(&w->arena, rprof_bytes(w, STR("text"), text, bytes));
    if (w->run == (size_t)source)
        write_file(w, number, id, line);
    else
        add_waiting(w, &w->sources[source - 1], number, id, line);
}

/* --- samples --- */

static void read_sample_columns(struct rprof_writer *w, const struct row *row)
{
    struct members walk = members_of(row, rprof_place(w), NULL);
    struct member m;
    struct str tail = {NULL, 0}, bytes = {NULL, 0};
    while (members_next(&walk, &m))
        switch (m.id) {
        case MEMBER_ID_TRUNCATED: w->truncated = m.flag; break;
        case MEMBER_ID_RPROF_TAIL: tail = m.text; break;
        case MEMBER_ID_BYTES:
            bytes = m.value;
            loss_add_bytes(row, bytes);
            break;
        default: loss_add_column(row, m.name);
        }
    w->has_tail = tail.p != NULL;
    if (w->has_tail)
        buf_add(&w->tail, rprof_bytes(w, STR(".rprof_tail"), tail, bytes));
}

static void begin_sample(struct rprof_writer *w, const struct sample *sample)
{
    enter_run(w, (size_t)sample->source_id);
    w->source = &w->sources[sample->source_id - 1];
    w->truncated = w->has_tail = false;
    w->tail.n = w->line.n = 0;
    w->value_count = w->depth = 0;
    w->ends_unnamed = false;
    if (sample->extra.n != 0)
        read_sample_columns(w, &(struct row){.table = TABLE_SAMPLES, .extra = sample->extra});
}

static inline void add_text(struct buf *line, const char *p, size_t n)
{
    if (__builtin_expect(line->capacity - line->n < n, 0))
        buf_reserve(line, n);
    memcpy(line->p + line->n, p, n);
    line->n += n;
}

/* The last frame has no name but others follow. Only the outermost frame may have no name. */
static void name_last(struct rprof_writer *w)
{
    static const struct str name = STR("<toplevel>");
    loss_add(LOSS_FRAMES, name, 1);
    buf_add(&w->line, STR("\""));
    buf_add(&w->line, name);
    buf_add(&w->line, STR("\" "));
    w->ends_unnamed = false;
}

static inline void add_frame(struct rprof_writer *w, size_t id)
{
    struct rprof_location *l = &w->locations[id - 1];
    if (__builtin_expect(l->epoch != w->epoch, 0))
        rprof_spell(w, l);
    if (__builtin_expect(w->ends_unnamed, 0))
        name_last(w);
    add_text(&w->line, l->text, l->n);
    w->depth++;
    w->ends_unnamed = !l->frame.has_name;
}

/* Whether the line with a tail of N bytes is so long that R would cut it; a CR at the end does not
 * count. */
static bool is_full(const struct rprof_writer *w, size_t n)
{
    size_t frames = w->line.n - (w->depth > 0); /* without its space */
    return w->prefix.n + frames + n >= (size_t)RPROF_CUT_AT + w->style->crlf;
}

/* Appends the text after the frames: from the row, or the usual one. */
static void add_tail(struct rprof_writer *w)
{
    bool is_cut = false;
    if (w->has_tail && !rprof_check_tail(w, is_full(w, w->tail.n), &is_cut)) {
        loss_add(LOSS_OWN, STR("samples..rprof_tail"), 1);
        w->has_tail = is_cut = false;
    }
    if (is_cut && w->ends_unnamed)
        name_last(w); /* otherwise the cut name would follow the position */
    struct str tail = w->has_tail ? buf_str(&w->tail) : rprof_usual_tail(w->depth, w->style->crlf);
    bool reads_cut = is_cut || is_full(w, tail.n);
    if (w->truncated && !reads_cut)
        loss_add(LOSS_DOTTED_COLUMNS, STR("samples..truncated"), 1);
    else if (reads_cut && (!w->truncated || w->ends_unnamed))
        loss_add(LOSS_SEEMS_CUT, STR("samples"), 1);
    if (w->depth > 0)
        w->line.n--;
    buf_add(&w->line, tail);
    buf_add(&w->line, STR("\n"));
}

static void set_prefix(struct rprof_writer *w, const struct rprof_memory *m)
{
    int64_t numbers[] = {m->small, m->large, m->nodes, m->duplications};
    w->prefix.n = 0;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        buf_add(&w->prefix, STR(":"));
        emit_number(&w->prefix, numbers[i]);
    }
    buf_add(&w->prefix, STR(":"));
}

static void end_sample(struct rprof_writer *w)
{
    struct rprof_memory memory = {0};
    bool has_memory = w->source->header.memory;
    uint64_t count = rprof_weigh(w, &memory);
    w->prefix.n = 0;
    if (has_memory)
        set_prefix(w, &memory);
    add_tail(w);
    if (w->prefix.n == 0 && w->line.n == 1) {
        loss_add(LOSS_NO_STACK, STR("samples"), 1);
        count = 0;
    }
    for (uint64_t i = 0; i < count; i++) {
        out_write(w->out, buf_str(&w->prefix));
        out_write(w->out, buf_str(&w->line));
        if (i == 0 && has_memory) { /* only the first line has the duplications */
            memory.duplications = 0;
            set_prefix(w, &memory);
        }
    }
    w->source = NULL;
}

/* --- the whole file --- */

static void take_sample(struct sink *to, struct sample *sample)
{
    struct rprof_writer *w = (struct rprof_writer *)to;
    struct place where = to->flow->where;
    begin_sample(w, sample);
    for (size_t i = 0; i < sample->value_count; i++) {
        to->flow->where = sample_place(sample, where, i);
        rprof_read_value(w, &sample->values[i]);
    }
    to->flow->where = where;
    for (size_t i = 0; i < sample->depth; i++) {
        add_frame(w, (size_t)sample->locations[i]);
        if (sample->location_extras != NULL)
            loss_add_extra(TABLE_SAMPLE_LOCATIONS, sample->location_extras[i]);
    }
    end_sample(w);
}

static void take_row(struct sink *to, struct row *row)
{
    struct rprof_writer *w = (struct rprof_writer *)to;
    switch (row->table) {
    case TABLE_LOCATIONS: rprof_read_location(w, row); break;
    case TABLE_FUNCTIONS: rprof_read_function(w, row); break;
    case TABLE_SOURCES: read_source(w, row); break;
    case TABLE_META: loss_add_columns(row); break;
    case TABLE_DOTTED:
        if (str_equal(row->dotted.name, STR(".rprof_files"))) {
            read_file(w, row);
            break;
        } /* fall through */
    default: loss_add_row(row);
    }
}

/* Runs with only a header come last. A file always has a header. */
static void end_runs(struct rprof_writer *w)
{
    for (; w->headed < w->source_count; w->headed++)
        if (w->sources[w->headed].is_rprof && !w->sources[w->headed].begun)
            begin_run(w, w->headed + 1);
    if (w->run == 0 && w->source_count > 0)
        begin_run(w, 1);
    else if (w->run == 0)
        write_header(w->out, &(struct rprof_header){.interval = w->options.interval > 0
                                                                    ? w->options.interval
                                                                    : INTERVAL_DEFAULT});
}

static void free_writer(struct rprof_writer *w)
{
    void *blocks[] = {w->sources, w->functions, w->locations, w->types, w->values};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        mem_free(blocks[i]);
    struct buf *bufs[] = {&w->scratch, &w->raw, &w->spelled, &w->tail, &w->line, &w->prefix};
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        buf_free(bufs[i]);
    intern_free(&w->paths);
    for (struct rprof_used_style *s = w->styles; s != NULL; s = s->next)
        rprof_style_free(&s->style);
    rprof_files_free(&w->files);
    arena_free(&w->arena);
}

static void open_writer(void *to, struct flow *flow, const void *with, struct out *out)
{
    struct rprof_writer *w = to;
    w->sink = (struct sink){flow, take_row, take_sample};
    w->out = out;
    if (with != NULL)
        w->options = *(const struct rprof_write_options *)with;
}

static void close_writer(void *to)
{
    struct rprof_writer *w = to;
    end_runs(w);
    rprof_count_losses(w);
    if (w->assumes_interval)
        warn("no interval is known: each line stands for %d microseconds (--interval sets this)",
             INTERVAL_DEFAULT);
    free_writer(w);
}

const struct stage rprof_writer = {
    .takes = STAGE_TAKES_MERGED,
    .leaves_rows = true,
    .state_size = sizeof(struct rprof_writer),
    .open = open_writer,
    .close = close_writer,
};
