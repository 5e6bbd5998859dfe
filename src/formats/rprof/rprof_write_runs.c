/* Sources, and the runs of lines that they become. */
#include "base/mem.h"
#include "base/units.h"
#include "formats/rprof/rprof_encoding.h"
#include "formats/rprof/rprof_write.h"
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

/* `.value_types`, of which M of WALK is the list. */
static void read_types(struct rprof_source *source, const struct members *walk,
                       const struct member *m)
{
    struct str items = text_inside(m->value), item;
    while (text_next_item(&items, &item)) {
        struct members inside = members_inside(walk, m, item);
        struct member part;
        bool is_samples = false, is_count = false;
        while (members_next(&inside, &part)) {
            is_samples |=
                part.id == MEMBER_ID_TYPE && str_equal(text_inside(part.value), STR("samples"));
            is_count |=
                part.id == MEMBER_ID_UNIT && str_equal(text_inside(part.value), STR("count"));
        }
        source->counts_samples |= is_samples && is_count;
    }
}

void rprof_read_source(struct rprof_writer *w, const struct row *row)
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
        case MEMBER_ID_VALUE_TYPES: read_types(source, &walk, &m); break;
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

void rprof_enter_run(struct rprof_writer *w, size_t id)
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

void rprof_read_file(struct rprof_writer *w, const struct row *row)
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

void rprof_end_runs(struct rprof_writer *w)
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
    if (w->assumes_interval)
        warn(CODE_GUESSED,
             "no interval is known: each line stands for %d microseconds" HINT
             "--interval sets this",
             INTERVAL_DEFAULT);
}
