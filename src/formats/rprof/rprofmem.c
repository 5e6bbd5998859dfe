/* The text that R's memory profiler, Rprofmem, writes: see profstream(5) for the rows,
 * rprofmem2ndjson(1) for the rules.  Facts about the format: R's memory.c. */
#include "base/buf.h"
#include "formats/formats.h"
#include "formats/rprof/rprof_read.h"
#include "rows/emit.h"
#include "rows/listed.h"
#include "rows/text.h"

#include <inttypes.h>

static const struct str new_page = STR("new page:");

/* The start of a record, before its stack: a number of bytes, or a new page. */
struct record {
    bool is_page;
    int64_t bytes;
};

/* Takes a record up to its stack off *S. If there is none, *S does not change. */
static bool take_record(struct str *s, struct record *record)
{
    struct str rest = *s;
    record->is_page = str_take(&rest, new_page);
    if (!record->is_page &&
        !(rprof_take_number(&rest, &record->bytes) && str_take(&rest, STR(" :"))))
        return false;
    *s = rest;
    return true;
}

static bool begins_record(struct str line)
{
    struct record record;
    return take_record(&line, &record);
}

static void read_source(struct rprof_reader *r)
{
    const char *encoding = r->from_code;
    r->extra.n = 0;
    /* bytes last: pprof shows the last type first */
    listed_begin(&r->extra);
    rprof_list_value(&r->extra, RPROF_VALUE_NEW_PAGES);
    rprof_list_value(&r->extra, RPROF_VALUE_ALLOC_OBJECTS);
    rprof_list_value(&r->extra, RPROF_VALUE_ALLOC_SPACE);
    listed_end(&r->extra);
    if (r->style.crlf || encoding != NULL) {
        buf_add(&r->extra, STR(",\".rprofmem\":{"));
        buf_add(&r->extra, r->style.crlf ? STR("\"crlf\":true") : STR(""));
        if (encoding != NULL) {
            buf_add(&r->extra, r->style.crlf ? STR(",") : STR(""));
            buf_add(&r->extra, STR("\"encoding\":\""));
            text_escape(&r->extra, str_of(encoding));
            buf_add(&r->extra, STR("\""));
        }
        buf_add(&r->extra, STR("}"));
    }
    rprof_emit_source(r, STR("rprofmem"));
}

static void emit_record(struct rprof_reader *r, const struct record *record)
{
    r->extra.n = 0;
    if (record->is_page) {
        rprof_add_value(r, RPROF_VALUE_NEW_PAGES, 1);
    } else {
        rprof_add_value(r, RPROF_VALUE_ALLOC_OBJECTS, 1);
        rprof_add_value(r, RPROF_VALUE_ALLOC_SPACE, record->bytes);
    }
    rprof_emit_sample(r);
}

/* Reads the line *TEXT, which grows if a name continues on further lines. Old versions of R write
 * no line end after a record without a stack, so another record may follow in the line. */
static void read_line(struct rprof_reader *r, struct str *text)
{
    struct record record;
    struct str rest = *text;
    if (rprof_is_torn(r, *text)) {
        rprof_skip_torn(r, NULL);
        return;
    }
    for (;;) {
        if (!take_record(&rest, &record)) {
            rprof_bad_garbage(r, "a record (bytes and \" :\", or \"new page:\")", rest);
            return;
        }
        if (begins_record(rest)) {
            r->depth = 0;
            emit_record(r, &record);
            continue;
        }
        enum rprof_frames frames = rprof_read_frames(r, text, &rest);
        if (frames == RPROF_FRAMES_TORN) {
            rprof_skip_torn(r, NULL);
            return;
        }
        if (frames == RPROF_FRAMES_ENDED) {
            rprof_skip_torn(r, "the last record is torn (it ends inside a name)");
            return;
        }
        if (frames != RPROF_FRAMES_WHOLE) {
            rprof_bad_garbage(r, "a frame (\"name\")", rest);
            rprof_take_first(r, text);
            return;
        }
        emit_record(r, &record);
        return;
    }
}

/* If nothing was allocated the file is empty. */
static enum bid bid_rprofmem(struct str head)
{
    return begins_record(head) ? BID_SURE : head.n == 0 ? BID_WEAK : BID_NONE;
}

static void read_rprofmem(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct rprof_reader r = {.begins_line = begins_record};
    struct str text;
    rprof_open_reader(&r, in, request, sink);
    if (rprof_next_line(&r, &text))
        r.style.crlf = text.n > 0 && text.p[text.n - 1] == '\r';
    read_source(&r);
    while (rprof_next_line(&r, &text)) {
        read_line(&r, &text);
        rprof_consume(&r, text, true);
    }
    bad_lines_end(&r.bad, r.sample_id > 0);
    rprof_close_reader(&r);
}

const struct format format_rprofmem = {
    .name = "an Rprofmem file",
    .converter = "rprofmem2ndjson",
    .bid = bid_rprofmem,
    .read = read_rprofmem,
};
