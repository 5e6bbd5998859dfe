/* A format to copy: text with one function name per line. Each line is a sample whose stack is that
 * function.
 *
 * To add a format: copy this file to NAME/NAME.c, beside a NAME_own.h like that of perf, and add
 * NAME to `list`. Every tool then reads the inputs it bids for. A format of several files has a
 * meson.build like that of rprof. Copy bin/rprof2ndjson.c to bin/NAME2ndjson.c, and add that to
 * bin/tools. A format that is only read has no writer. For one that is written copy
 * bin/ndjson2rprof.c too, and declare the writer in a header (rprof/rprof.h).
 * .github/CONTRIBUTING.md lists the other steps. */
#include "base/arena.h"
#include "base/buf.h"
#include "base/intern.h"
#include "base/mem.h"
#include "formats/formats.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/text.h"

struct reader {
    struct intern functions; /* the names; a location has the number of its function */
    struct buf text;
    uint32_t samples; /* the type of each value */
    int64_t sample_id;
};

static void emit_source(struct in *in, const struct read_request *request, struct sink *sink,
                        struct buf *text)
{
    const char *uri = format_source_uri(request, in);
    struct str uri_text = {NULL, 0};
    if (uri != NULL) {
        text_escape(text, str_of(uri));
        uri_text = buf_str(text);
    }
    sink_row(sink, &(struct row){.table = TABLE_SOURCES,
                                 .source = {1, STR("skeleton"), uri_text, request->timestamp}});
}

/* The number of the function NAME. Writes the rows of a new function. */
static uint32_t function_of(struct reader *r, struct str name, struct sink *sink)
{
    bool is_new;
    uint32_t id = intern_add(&r->functions, name, &is_new);
    if (is_new) {
        r->text.n = 0;
        text_escape(&r->text, name);
        struct str text = buf_str(&r->text);
        sink_row(sink,
                 &(struct row){.table = TABLE_FUNCTIONS, .function = {id, text, text, STR(""), 0}});
        sink_row(sink, &(struct row){.table = TABLE_LOCATIONS, .location = {id, id, ROW_NULL}});
    }
    return id;
}

static void read_line(struct reader *r, struct str line, struct place where, struct sink *sink)
{
    if (line.n == 0)
        die_at(where, "expected the name of a function, found an empty line");
    int64_t location = function_of(r, line, sink); /* before the sample that uses it */
    struct sample_value value = {r->samples, number_of(1), STR("")};
    sink_sample(sink, &(struct sample){.sample_id = ++r->sample_id,
                                       .source_id = 1,
                                       .values = &value,
                                       .value_count = 1,
                                       .locations = &location,
                                       .depth = 1});
}

static void read_skeleton(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct reader r = {.samples =
                           value_types_add(&sink->flow->types, STR("samples"), STR("count"))};
    struct place where = {in_name(in), PLACE_LINE, 0};
    emit_source(in, request, sink, &r.text);
    for (struct str lines; (lines = in_lines(in, 0, where.at + 1)).n > 0; in_consume(in, lines.n)) {
        const char *end = lines.p + lines.n;
        for (const char *p = lines.p, *lf; p < end; p = lf + 1) {
            lf = memchr(p, '\n', (size_t)(end - p));
            where.at++;
            read_line(&r, (struct str){p, (size_t)(lf - p)}, where, sink);
        }
    }
    intern_free(&r.functions);
    buf_free(&r.text);
}

/* --- the writer --- */

struct writer {
    struct sink sink;
    struct out *out;
    struct arena texts;
    uint32_t samples;   /* the type samples/count: the value is the number of lines */
    struct str *names;  /* of functions, bytes, by id - 1: ids are dense after the merge */
    int64_t *functions; /* of locations, by id - 1; ROW_NULL: none */
    size_t name_capacity, function_capacity;
    struct buf text;
};

static void keep_function(struct writer *w, const struct row *row)
{
    size_t id = (size_t)row->function.function_id;
    w->names = mem_array(w->names, &w->name_capacity, id, sizeof *w->names);
    w->text.n = 0;
    text_unescape(&w->text, row->function.name);
    w->names[id - 1] = arena_copy(&w->texts, buf_str(&w->text));
}

static void keep_location(struct writer *w, const struct row *row)
{
    size_t id = (size_t)row->location.location_id;
    w->functions = mem_array(w->functions, &w->function_capacity, id, sizeof *w->functions);
    w->functions[id - 1] = row->location.function_id;
}

/* Dotted columns and rows of dotted tables are not written; they are counted as losses. */
static void take_row(struct sink *to, struct row *row)
{
    struct writer *w = (struct writer *)to;
    switch (row->table) {
    case TABLE_FUNCTIONS: keep_function(w, row); break;
    case TABLE_LOCATIONS: keep_location(w, row); break;
    case TABLE_DOTTED: loss_add_row(row); return;
    default: break;
    }
    loss_add_columns(row);
}

static void take_sample(struct sink *to, struct sample *sample)
{
    struct writer *w = (struct writer *)to;
    int64_t function = sample->depth == 0 ? ROW_NULL : w->functions[sample->locations[0] - 1];
    loss_add_sample(sample, to->flow->where);
    for (size_t i = 0; i < sample->value_count; i++)
        if (sample->values[i].type != w->samples || sample->values[i].value.integer != 1)
            loss_add(LOSS_VALUES, value_types_get(&to->flow->types, sample->values[i].type)->type,
                     1);
    if (sample->depth > 1)
        loss_add(LOSS_COLUMNS, STR("sample_locations"), sample->depth - 1);
    if (function == ROW_NULL) {
        loss_add(LOSS_NO_STACK, STR(""), 1);
        return;
    }
    out_write(w->out, w->names[function - 1]);
    out_write(w->out, STR("\n"));
}

static void open_writer(void *state, struct flow *flow, const void *options, struct out *out)
{
    (void)options;
    *(struct writer *)state = (struct writer){.sink = {flow, take_row, take_sample}, .out = out};
    ((struct writer *)state)->samples = value_types_add(&flow->types, STR("samples"), STR("count"));
}

static void close_writer(void *state)
{
    struct writer *w = state;
    mem_free(w->names);
    mem_free(w->functions);
    arena_free(&w->texts);
    buf_free(&w->text);
}

static const struct stage skeleton_writer = {
    .takes = STAGE_TAKES_MERGED,
    .leaves_rows = true,
    .state_size = sizeof(struct writer),
    .open = open_writer,
    .close = close_writer,
};

/* --- the format --- */

/* This text has no typical start, so the bid is low. A real format checks how its files begin. An
 * input for which it bids nothing is not read, not even by its own converter. */
static enum bid bid_skeleton(struct str head)
{
    (void)head;
    return BID_NONE;
}

const struct format format_skeleton = {
    .name = "a list of functions",
    .bid = bid_skeleton,
    .read = read_skeleton,
    .writer = &skeleton_writer,
};
