/* The text that perf script prints. See profstream(5) for the rows, perf2ndjson(1) for the
 * rules. */
#include "formats/perf/perf.h"
#include "formats/formats.h"
#include "formats/perf/perf_text.h"
#include "rows/source_kind.h"
#include "rows/text.h"

#include <stdio.h>
#include <stdlib.h>

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

/* Reads the date in TEXT, as "Sun Nov 22 02:53:11 2026". */
static void add_date(struct buf *to, const char *text)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    char month[4], date[64];
    unsigned day, hour, minute, second, year;
    if (sscanf(text, "%*3s %3s %2u %2u:%2u:%2u %4u", month, &day, &hour, &minute, &second, &year) !=
        6)
        return;
    const char *found = strstr(months, month);
    if (found == NULL || strlen(month) != 3 || (found - months) % 3 != 0)
        return;
    snprintf(date, sizeof date, "%04u-%02u-%02u %02u:%02u:%02u", year,
             (unsigned)(found - months) / 3 + 1, day, hour, minute, second);
    buf_add(to, str_of(date));
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
        add_date(&to->date, text);
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
