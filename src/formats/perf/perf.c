/* The text that perf script prints. See profstream(5) for the rows, perf2ndjson(1) for the
 * rules. */
#include "formats/perf/perf.h"
#include "formats/formats.h"
#include "formats/perf/perf_run.h"
#include "formats/perf/perf_text.h"
#include "rows/source_kind.h"
#include "rows/text.h"

#include <stdio.h>
#include <stdlib.h>

/* Whether LINE is a frame of a chain, or a sample that is just a frame. */
static bool is_frame(struct str line)
{
    struct perf_frame frame;
    if (line.n == 0 || (*line.p != '\t' && *line.p != ' ') || !perf_take_frame(line, &frame))
        return false;
    bool has_tab = str_take(&line, STR("\t"));
    return frame.has_dso || frame.is_inlined ||
           perf_address_columns(line) + has_tab > PERF_ADDRESS_WIDTH;
}

/* How sure HEADER is of this format. */
static enum bid bid_header(const struct perf_header *header)
{
    struct perf_frame frame = {.has_dso = false};
    size_t at = perf_find_frame(header->rest);
    bool has_frame =
        at < header->rest.n && perf_take_frame(perf_split(header->rest, at).frame, &frame);
    if (perf_is_weak(header))
        return has_frame || perf_is_bare(header) ? BID_ASKED : BID_NONE;
    if (has_frame && (header->seconds.n > 0 || frame.has_dso))
        return BID_SURE;
    if (header->seconds.n == 0 || header->event.n == 0)
        return BID_ASKED;
    return perf_has_usual_time(header) ? BID_SURE : BID_LIKELY;
}

/* Whether LINE may be a header without time and event: text of moderate length.  Other tools take
 * '{' for rows, even if these are not valid. */
static bool is_head(struct str line)
{
    enum { HEAD_MAX = 200 };
    for (size_t i = 0; i < line.n; i++)
        if ((unsigned char)line.p[i] < ' ')
            return false;
    return line.n <= HEAD_MAX && !str_starts(line, STR("{"));
}

/* The bid for LINE, the first one that is not a comment or a message. */
static enum bid bid_line(struct str line)
{
    struct perf_header h;
    if (perf_record(line).n > 0)
        return BID_SURE;
    enum bid bid = perf_take_header(line, &h) ? bid_header(&h) : BID_NONE;
    if (bid == BID_ASKED && *line.p == '{')
        return BID_NONE; /* see is_head */
    if (bid == BID_NONE && perf_take_plain(line, &h) && perf_find_frame(h.rest) < h.rest.n)
        return bid_header(&h);
    return bid == BID_NONE && is_frame(line) ? BID_ASKED : bid;
}

/* The bid for text of which FIRST is the bid for its first line, HEAD, and NEXT is the next
 * line. */
static enum bid bid_second(enum bid first, struct str head, struct str next)
{
    struct perf_frame frame;
    struct perf_header h;
    bool may_begin = first != BID_NONE || (str_starts(next, STR("\t")) && is_head(head));
    bool has_thread = perf_take_plain(head, &h) && !perf_is_weak(&h);
    if (first == BID_NONE && has_thread && str_ends(head, STR(" ")))
        first = BID_ASKED;
    if (!may_begin || !is_frame(next) || !perf_take_frame(next, &frame))
        return first;
    bool has_name = frame.symbol.n > 0 || frame.has_dso;
    return has_name || has_thread || first == BID_LIKELY ? BID_SURE : BID_ASKED;
}

/* A time before an event is typical; so is a frame after a possible header. */
static enum bid bid_perf(struct str text)
{
    enum bid first = BID_NONE;
    struct str head = STR("");
    const bool is_blank = str_starts(text, STR("\n"));
    while (text.n > 0) {
        const char *lf = memchr(text.p, '\n', text.n);
        struct str line = {text.p, lf == NULL ? text.n : (size_t)(lf - text.p)};
        size_t taken = line.n + (lf != NULL);
        text = (struct str){text.p + taken, text.n - taken};
        if (line.n > 0 && line.p[line.n - 1] == '\r')
            line.n--;
        if (head.n > 0)
            return bid_second(first, head, line);
        if (str_starts(line, PERF_BUILD_ID))
            return BID_SURE;
        if (line.n == 0 || *line.p == '#' || perf_is_message(line))
            continue;
        first = bid_line(line);
        head = line;
        if (first == BID_SURE || is_frame(line) || (first == BID_NONE && !is_head(line)))
            return first;
    }
    if (head.n == 0)
        return BID_ASKED;
    /* frames may follow; but a message of pprof may begin with a line feed and text */
    return first == BID_NONE && !is_blank ? BID_ASKED : first;
}

/* Takes the fact NAME, with the value TEXT, of the header. */
static void take_fact(struct source_facts *to, struct str name, const char *text)
{
    struct str time = {text, strcspn(text, " ")};
    if (str_equal(name, STR("hostname")) && to->host.n == 0)
        buf_add(&to->host, str_of(text));
    else if (str_equal(name, STR("cmdline")) && to->command.n == 0)
        buf_add(&to->command, str_of(text));
    else if (str_equal(name, STR("captured on")) && to->date.n == 0)
        source_kind_date(&to->date, str_of(text));
    else if (str_equal(name, STR("nrcpus online")))
        to->cores = strtol(text, NULL, 10);
    else if (str_equal(name, STR("sample duration")))
        to->duration = source_kind_span(STR("0"), time, STR("milliseconds"));
    else if (str_equal(name, STR("perf version")) && to->producer.n == 0) {
        buf_add(&to->producer, STR("perf "));
        buf_add(&to->producer, str_of(text));
    }
}

/* The header says in lines "# NAME : VALUE" what was recorded. */
void perf_facts(const struct members *facts, struct source_facts *to)
{
    struct members walk = *facts;
    struct member m;
    struct str item;
    struct buf text = {0}, value = {0};
    while (members_next(&walk, &m)) {
        struct str lines = m.id == MEMBER_ID_HEADER ? text_inside(m.value) : STR("");
        while (text_next_item(&lines, &item)) {
            text.n = value.n = 0;
            text_inner_bytes(&text, item);
            struct str line = buf_str(&text);
            const char *colon = line.n == 0 ? NULL : memchr(line.p, ':', line.n);
            if (!str_take(&line, STR("# ")) || colon == NULL)
                continue;
            const struct str name = {line.p, (size_t)(colon - line.p)};
            buf_add(&value, perf_trim((struct str){colon + 1, line.n - name.n - 1}));
            buf_add(&value, (struct str){"", 1});
            take_fact(to, perf_trim(name), value.p);
        }
    }
    buf_free(&text);
    buf_free(&value);
}

const struct format format_perf = {
    .name = "a perf script file",
    .converter = "perf2ndjson",
    .bid = bid_perf,
    .read = perf_read,
};
