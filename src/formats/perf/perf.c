/* What perf script prints.  See profstream(5) for the rows, perf2ndjson(1) for the rules. */
#include "formats/perf/perf.h"
#include "formats/formats.h"
#include "formats/perf/perf_text.h"

/* Whether LINE is a frame of a chain, or a sample that is no more than that. */
static bool is_frame(struct str line)
{
    struct perf_frame frame;
    if (line.n == 0 || (*line.p != '\t' && *line.p != ' '))
        return false;
    bool is_wide = perf_take_frame_behind((struct str){line.p + 1, line.n - 1}, &frame);
    return is_wide || (perf_take_frame(line, &frame) && (frame.has_dso || frame.is_inlined));
}

/* How sure LINE, the first that is no comment, is of this format. */
static enum bid bid_line(struct str line)
{
    struct perf_header h;
    struct perf_frame frame;
    if (is_frame(line))
        return BID_ASKED;
    if (!perf_take_header(line, &h))
        return BID_NONE;
    bool has_frame = perf_take_frame_behind(h.rest, &frame);
    if (perf_is_weak(&h))
        return has_frame || perf_is_bare(&h) ? BID_ASKED : BID_NONE;
    if (has_frame && (h.seconds.n > 0 || frame.has_dso))
        return BID_SURE;
    if (h.seconds.n == 0 || h.event.n == 0)
        return perf_record(&h).n > 0 ? BID_SURE : BID_ASKED;
    return perf_has_usual_time(&h) ? BID_SURE : BID_LIKELY;
}

/* A time in front of an event is typical; so is a frame behind what may be a header. */
static enum bid bid_perf(struct str head)
{
    enum bid first = BID_NONE;
    for (const char *lf; head.n > 0; head.p = lf + 1) {
        lf = memchr(head.p, '\n', head.n);
        struct str line = {head.p, lf == NULL ? head.n : (size_t)(lf - head.p)};
        head.n -= line.n + (lf != NULL);
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

const struct format format_perf = {
    .name = "a perf script file",
    .converter = "perf2ndjson",
    .bid = bid_perf,
    .read = perf_read,
};
