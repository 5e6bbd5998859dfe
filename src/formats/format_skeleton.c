/* A format to copy: text with the name of a function on each line, which stands for a sample whose
 * stack is that one function.
 *
 * To add a format: copy this file to format_NAME.c, or to a folder NAME of several files with a
 * meson.build like that of rprof, and add NAME to `list`: every tool then reads what it bids for.
 * Copy bin/rprof2ndjson.c to bin/NAME2ndjson.c, and add that to bin/tools.  A format that is also
 * written has a writer, which its header declares (pprof/pprof.h, pprof/pprof_write.c), and for that
 * bin/ndjson2rprof.c is copied.  .github/CONTRIBUTING.md says what else there is to do. */
#include "base/buf.h"
#include "base/intern.h"
#include "formats/formats.h"
#include "rows/emit.h"
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

/* The number of the function NAME, whose rows are written when it is new. */
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

/* Nothing in such text is typical of it.  A format says here how its files begin; what bids nothing
 * is not read, not even by its own converter. */
static enum bid bid_skeleton(struct str head)
{
    (void)head;
    return BID_NONE;
}

const struct format format_skeleton = {
    .name = "a list of functions",
    .bid = bid_skeleton,
    .read = read_skeleton,
};
