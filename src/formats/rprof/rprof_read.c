/* Rprof text to rows.  See rprof2ndjson(1) for the rules. */
#include "formats/rprof/rprof_read.h"
#include "formats/rprof/rprof.h"
#include "rows/emit.h"
#include "rows/listed.h"
#include "rows/text.h"

#include <inttypes.h>

struct reader {
    struct rprof_reader shared;
    struct rprof_header header; /* of the source */
    bool has_previous;
    struct rprof_memory previous; /* of the previous sample of the source */
    uint64_t cut;
    bool header_follows; /* in the current line */
};

/* --- sources --- */

/* Reads the header LINE. If it is not valid, reports that and returns false. The first one must be
 * valid. */
static bool parse_header(struct reader *reader, struct str line)
{
    struct rprof_reader *r = &reader->shared;
    struct rprof_header h;
    const char *wrong = NULL;
    if (!rprof_take_header(&line, &h))
        wrong = "expected \"sample.interval=\" and microseconds after the flags of an Rprof "
                "header, found other text";
    else if (h.crlf = str_take(&line, STR("\r")), line.n > 0)
        wrong = "expected the end of the line after the sampling interval";
    if (wrong != NULL && r->source_id == 0)
        die_at(r->where, "%s", wrong);
    if (wrong != NULL)
        bad_lines_note(&r->bad, r->where, "%s", wrong);
    else
        reader->header = h;
    return wrong == NULL;
}

static void add_flag(struct buf *to, const char *name, bool flag)
{
    if (!flag)
        return;
    buf_add(to, STR("\""));
    buf_add(to, str_of(name));
    buf_add(to, STR("\":true,"));
}

/* The dotted columns of a source: its header, and its value types. */
static void add_source_columns(struct buf *to, const struct rprof_header *h, const char *encoding,
                               bool is_appended)
{
    listed_begin(to);
    rprof_list_value(to, RPROF_VALUE_SAMPLES);
    for (enum rprof_value_type i = RPROF_VALUE_SMALL; h->memory && i <= RPROF_VALUE_DEALLOC; i++)
        rprof_list_value(to, i);
    listed_end(to);
    listed_period(to, STR("cpu"), STR("nanoseconds"), h->interval * 1000);
    buf_add(to, STR(",\".rprof\":{"));
    add_flag(to, "memory", h->memory);
    add_flag(to, "gc", h->gc);
    add_flag(to, "lines", h->lines);
    add_flag(to, "crlf", h->crlf);
    add_flag(to, "appended", is_appended);
    if (encoding != NULL) {
        buf_add(to, STR("\"encoding\":\""));
        text_escape(to, str_of(encoding));
        buf_add(to, STR("\","));
    }
    buf_add(to, STR("\"interval\":"));
    emit_number(to, h->interval);
    buf_add(to, STR("}"));
}

static void read_header(struct reader *reader, struct str line)
{
    struct rprof_reader *r = &reader->shared;
    if (!parse_header(reader, line))
        return;
    reader->has_previous = false;
    r->style.crlf = reader->header.crlf;
    rprof_forget_frames(r);
    rprof_files_clear(&r->files);
    r->extra.n = 0;
    add_source_columns(&r->extra, &reader->header, r->from_code, r->source_id != 0);
    rprof_emit_source(r, STR("rprof"));
}

/* A `#File N: path` line. */
static void read_file(struct rprof_reader *r, struct str line)
{
    int64_t number;
    struct str path = line, end = r->style.crlf ? STR("\r") : STR("");
    if (!rprof_take_file(&path, r->style.crlf, &number)) {
        bad_lines_note(&r->bad, r->where,
                       "expected \"#File\", a number and a colon, found other text");
        return;
    }
    r->name.n = r->spelled.n = 0;
    rprof_check_encoding(r, rprof_decode(&r->style, path, &r->name));
    path = buf_str(&r->name);
    rprof_files_set(&r->files, number, path.n == 0 ? 0 : intern_add(&r->paths, path, NULL));
    rprof_forget_frames(r);

    r->extra.n = 0;
    emit_member(&r->extra, STR("source_id"));
    emit_number(&r->extra, r->source_id);
    emit_member(&r->extra, STR("number"));
    emit_number(&r->extra, number);
    rprof_add_text(r, STR("path"), path);
    rprof_spell_file(&r->style, number, path, &r->spelled);
    buf_add(&r->spelled, end);
    if (!str_equal(line, buf_str(&r->spelled)))
        rprof_add_text(r, STR("text"), line);
    emit_bytes_column(&r->extra, &r->inexact);
    sink_row(r->sink, &(struct row){.table = TABLE_DOTTED,
                                    .dotted = {.name = STR(".rprof_files")},
                                    .extra = buf_str(&r->extra)});
}

/* --- samples --- */

/* Turns the memory numbers into values: the levels, and what was allocated and freed since the
 * previous sample. */
static void emit_memory(struct reader *reader, struct rprof_memory m)
{
    struct rprof_reader *r = &reader->shared;
    struct rprof_memory p = reader->has_previous ? reader->previous : m;
    rprof_add_value(r, RPROF_VALUE_SMALL, 8 * m.small);
    rprof_add_value(r, RPROF_VALUE_LARGE, 8 * m.large);
    rprof_add_value(r, RPROF_VALUE_NODES, m.nodes);
    rprof_add_value(r, RPROF_VALUE_DUPLICATIONS, m.duplications);
    rprof_add_value(r, RPROF_VALUE_ALLOC, rprof_rise(&p, &m));
    rprof_add_value(r, RPROF_VALUE_DEALLOC, rprof_rise(&m, &p));
    reader->previous = m;
    reader->has_previous = true;
}

/* Writes the sample whose frames are on the stack. TAIL is the text after the last frame. */
static void push_sample(struct reader *reader, const struct rprof_memory *m, bool cut,
                        struct str tail)
{
    struct rprof_reader *r = &reader->shared;
    r->extra.n = 0;
    if (cut)
        buf_add(&r->extra, STR(",\".truncated\":true"));
    if (!str_equal(tail, rprof_usual_tail(r->depth, reader->header.crlf))) {
        rprof_add_text(r, STR(".rprof_tail"), tail);
        emit_bytes_column(&r->extra, &r->inexact);
    }
    rprof_add_value(r, RPROF_VALUE_SAMPLES, 1);
    if (m != NULL)
        emit_memory(reader, *m);
    rprof_emit_sample(r);
}

/* If a run was appended to one that was killed, its header is at the end of the torn line *TEXT.
 * Cuts *TEXT there and skips it. False if there is no header in it. */
static bool end_at_header(struct reader *reader, struct str *text)
{
    size_t header;
    if (!rprof_ends_in_header(*text, &header) || header == 0)
        return false;
    rprof_skip_torn(&reader->shared, "the line is torn (another header begins in it)");
    text->n = header;
    reader->header_follows = true;
    return true;
}

/* Reads the sample that begins with the line *TEXT, which grows if the sample has more lines. */
static void read_sample(struct reader *reader, struct str *text)
{
    struct rprof_reader *r = &reader->shared;
    bool has_memory = reader->header.memory;
    struct rprof_memory memory;
    struct str rest = *text;
    if (has_memory && !rprof_take_memory(&rest, &memory)) {
        bad_lines_note(&r->bad, r->where,
                       "expected \":small:large:nodes:duplications:\" in front of a sample, as the "
                       "header announces");
        return;
    }
    enum rprof_frames frames = rprof_read_frames(r, text, &rest);
    if (frames == RPROF_FRAMES_TORN) {
        if (!end_at_header(reader, text))
            rprof_skip_torn(r, NULL);
        return;
    }
    bool is_garbage = frames == RPROF_FRAMES_GARBAGE || (text->n == 0 && !has_memory);
    if (is_garbage)
        rprof_bad_garbage(r, "a frame (\"name\" or FILE#LINE)", rest);
    if (is_garbage || frames == RPROF_FRAMES_NO_FILE) {
        rprof_take_first(r, text);
        return;
    }
    bool cut =
        frames != RPROF_FRAMES_WHOLE || text->n >= (size_t)RPROF_CUT_AT + reader->header.crlf;
    if (cut && r->request->strict)
        die_as(CODE_CUT, r->where, "--strict: the sample is cut: its outer frames are missing");
    reader->cut += cut;
    push_sample(reader, has_memory ? &memory : NULL, cut, rest);
}

static void read_line(struct reader *reader, struct str *text)
{
    struct rprof_reader *r = &reader->shared;
    if (rprof_is_torn(r, *text)) {
        if (r->source_id == 0)
            die_as(CODE_TORN, r->where,
                   "the Rprof header is torn: expected a line feed, found the end");
        rprof_skip_torn(r, NULL);
    } else if (r->source_id != 0 && end_at_header(reader, text)) {
        return;
    } else if (rprof_is_header(*text) || r->source_id == 0) {
        read_header(reader, *text);
    } else if (str_starts(*text, rprof_file)) {
        read_file(r, *text);
    } else {
        read_sample(reader, text);
    }
}

/* An R process killed before its first flush leaves an empty file. */
static void skip_empty(struct place where, const struct read_request *request)
{
    static const char what[] = "the file is empty (R wrote nothing before it ended)";
    if (request->strict)
        die_at(where, "--strict: %s", what);
    warn_at(CODE_BAD_LINE, where, "%s: skipped", what);
}

void rprof_read(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct reader reader = {.shared = {.has_positions = true, .begins_line = rprof_begins_line}};
    struct str text;
    rprof_open_reader(&reader.shared, in, request, sink);
    if (in_peek(in, 1).n == 0)
        skip_empty((struct place){in_name(in), PLACE_FILE, 0}, request);
    while (rprof_next_line(&reader.shared, &text)) {
        read_line(&reader, &text);
        /* the LF then belongs to the header */
        rprof_consume(&reader.shared, text, !reader.header_follows);
        reader.header_follows = false;
    }
    bad_lines_end(&reader.shared.bad, reader.shared.sample_id > 0);
    rprof_close_reader(&reader.shared);
    if (reader.cut > 0)
        warn_at(CODE_CUT, (struct place){in_name(in), PLACE_FILE, 0},
                "samples cut, their outer frames missing: %" PRIu64, reader.cut);
}
