/* The text that perf script prints. See profstream(5) for the rows, perf2ndjson(1) for the
 * rules. */
#include "formats/perf/perf.h"
#include "formats/formats.h"
#include "formats/perf/perf_text.h"
#include "rows/source_kind.h"
#include "rows/text.h"

/* Whether LINE is a frame of a chain, or a sample that is just a frame. */
static bool is_frame(struct str line)
{
    struct perf_frame frame;
    struct perf_rest rest;
    if (line.n == 0 || (*line.p != '\t' && *line.p != ' ') || !perf_take_frame(line, &frame))
        return false;
    str_take(&line, STR("\t"));
    return frame.has_dso || frame.is_inlined || perf_find_frame(line, &rest);
}

/* How sure HEADER is of this format. */
static enum bid bid_header(const struct perf_header *header)
{
    struct perf_frame frame = {.has_dso = false};
    struct perf_rest rest;
    bool has_frame = perf_find_frame(header->rest, &rest) && perf_take_frame(rest.frame, &frame);
    if (perf_is_weak(header))
        return has_frame || perf_is_bare(header) ? BID_ASKED : BID_NONE;
    if ((has_frame && (header->seconds.n > 0 || frame.has_dso)) || perf_record(header).n > 0)
        return BID_SURE;
    if (header->seconds.n == 0 || header->event.n == 0)
        return BID_ASKED;
    return perf_has_usual_time(header) ? BID_SURE : BID_LIKELY;
}

/* The bid for LINE, the first one that is not a comment. */
static enum bid bid_line(struct str line)
{
    struct perf_header h;
    enum bid bid = perf_take_header(line, &h) ? bid_header(&h) : BID_NONE;
    if (bid == BID_ASKED && *line.p == '{')
        return BID_NONE; /* other tools take it for rows, even if these are not valid */
    return bid == BID_NONE && is_frame(line) ? BID_ASKED : bid;
}

/* A time before an event is typical; so is a frame after a possible header. */
static enum bid bid_perf(struct str head)
{
    enum bid first = BID_NONE;
    while (head.n > 0) {
        const char *lf = memchr(head.p, '\n', head.n);
        struct str line = {head.p, lf == NULL ? head.n : (size_t)(lf - head.p)};
        size_t taken = line.n + (lf != NULL);
        head = (struct str){head.p + taken, head.n - taken};
        if (line.n > 0 && line.p[line.n - 1] == '\r')
            line.n--;
        if (first != BID_NONE)
            return is_frame(line) ? BID_SURE : first;
        if (line.n == 0 || *line.p == '#')
            continue;
        first = bid_line(line);
        if (first == BID_NONE || first == BID_SURE || is_frame(line))
            return first;
    }
    return first == BID_NONE ? BID_ASKED : first;
}

/* The header has the name of the host. */
void perf_facts(const struct members *facts, struct source_facts *to)
{
    struct members walk = *facts;
    struct member m;
    struct str line, bytes;
    struct buf text = {0};
    while (members_next(&walk, &m)) {
        struct str lines = text_inside(m.value);
        while (m.id == MEMBER_ID_HEADER && to->host.n == 0 && text_next_item(&lines, &line)) {
            text.n = 0;
            text_inner_bytes(&text, line);
            bytes = buf_str(&text);
            if (str_take(&bytes, STR("# hostname : ")))
                buf_add(&to->host, bytes);
        }
    }
    buf_free(&text);
}

const struct format format_perf = {
    .name = "a perf script file",
    .converter = "perf2ndjson",
    .bid = bid_perf,
    .read = perf_read,
};
