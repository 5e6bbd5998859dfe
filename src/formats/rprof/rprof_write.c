/* Profile rows to Rprof text. See ndjson2rprof(1) for the rules.
 *
 * A run is a header and the lines after it, all of one source. A frame is spelled once per run,
 * then copied. */
#include "formats/rprof/rprof_write.h"

#include "base/mem.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/members.h"

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
    rprof_enter_run(w, (size_t)sample->source_id);
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
        loss_add(LOSS_SEEMS_CUT, STR(""), 1);
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
        loss_add(LOSS_NO_STACK, STR(""), 1);
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
    case TABLE_SOURCES: rprof_read_source(w, row); break;
    case TABLE_META: loss_add_columns(row); break;
    case TABLE_DOTTED:
        if (str_equal(row->dotted.name, STR(".rprof_files"))) {
            rprof_read_file(w, row);
            break;
        } /* fall through */
    default: loss_add_row(row);
    }
}

static void free_writer(struct rprof_writer *w)
{
    MEM_FREE(w->sources, w->functions, w->locations, w->types, w->values);
    BUF_FREE(&w->scratch, &w->raw, &w->spelled, &w->tail, &w->line, &w->prefix);
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
    rprof_end_runs(w);
    rprof_count_losses(w);
    free_writer(w);
}

const struct stage rprof_writer = {
    .takes = STAGE_TAKES_MERGED,
    .leaves_rows = true,
    .state_size = sizeof(struct rprof_writer),
    .open = open_writer,
    .close = close_writer,
};
