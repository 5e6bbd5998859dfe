#include "feed/feed.h"

#include "base/ahead.h"
#include "base/buf.h"
#include "feed/attempt.h"
#include "formats/foreign.h"
#include "formats/formats.h"
#include "profile/rename.h"
#include "stream/growth.h"
#include "stream/unite.h"

static struct str head_of(struct in *in)
{
    return str_first(in_peek_start(in, FORMAT_HEAD), FORMAT_HEAD);
}

/* The same, even after the end of the first line of text. */
static struct str whole_head_of(struct in *in)
{
    return str_first(in_peek(in, FORMAT_HEAD), FORMAT_HEAD);
}

/* A longer look at IN, in TO; if the input ends there its last line is complete. */
static struct str long_head_of(struct in *in, struct buf *to)
{
    struct str head = in_peek(in, FORMAT_LONG_HEAD);
    buf_add(to, str_first(head, FORMAT_LONG_HEAD));
    if (head.n < FORMAT_LONG_HEAD)
        buf_add(to, STR("\n"));
    return buf_str(to);
}

/* Whether the first line is too long for a row. */
static bool is_endless(struct in *in)
{
    struct str head = in_peek_start(in, LIMITS_LINE + 1);
    return head.n > LIMITS_LINE && memchr(head.p, '\n', LIMITS_LINE + 1) == NULL;
}

/* Whether IN, of no certain format, may be read as rows: then errors in its lines say more than
 * that it is no profile. */
static bool may_be_rows(struct in *in, struct str head, const struct findings *to)
{
    bool is_marked = to != NULL && str_starts(head, STR("\xef\xbb\xbf"));
    bool is_text = format_rows.bid(head) != BID_NONE || (to != NULL && foreign_is_text(head));
    return (is_marked || (is_text && !foreign_is_known(head))) && !is_endless(in);
}

/* How certain it is that HEAD is of ONLY, or of any format if that is NULL; stores which in
 * *FOUND.  An input that is certainly of another format is not read as ONLY either: it means the
 * same to all tools. */
static enum bid bid_of(struct str head, const struct format *only, const struct format **found)
{
    enum bid bid = formats_detect(head, found);
    if (only == NULL)
        return bid;
    if (bid == BID_SURE)
        return *found == only ? bid : BID_NONE;
    *found = only;
    return only->bid(head);
}

/* Whether HEAD, for which the highest bid is BID, is not of the format FOUND after all. */
static bool is_other(struct str head, enum bid bid, const struct format *found)
{
    const struct format *other;
    bool may_be_other = bid == BID_LAST && formats_detect(head, &other) != BID_LAST;
    return bid != BID_SURE && (may_be_other || foreign_is_known(head) || found == &format_rows);
}

/* The format of IN: ONLY, or any if that is NULL.  NULL if it has none; it may still be rows. */
static const struct format *find_format(struct in *in, const struct format *only)
{
    const struct format *found;
    struct buf longer = {0};
    struct str head = head_of(in);
    if (formats_detect(head, &found) == BID_NONE) /* input that starts as text may be binary */
        head = whole_head_of(in);
    enum bid bid = bid_of(head, only, &found);
    if (bid == BID_LIKELY || bid == BID_ASKED || bid == BID_LAST) {
        head = long_head_of(in, &longer);
        bid = bid_of(head, only, &found);
        if (bid == BID_LIKELY &&
            head.n < FORMAT_LONG_HEAD) /* the whole input, but more was expected */
            bid = BID_ASKED;
    }
    if (is_other(head, bid, found))
        bid = BID_NONE;
    buf_free(&longer);
    /* a format of lines must have a first line that ends */
    bool is_line = (bid != BID_LIKELY && bid != BID_ASKED) || found->is_document || !is_endless(in);
    return bid != BID_NONE && (bid != BID_ASKED || only != NULL) && is_line ? found : NULL;
}

/* Whether the lines of HEAD end in CR alone: to the tools that is one long line. */
static bool ends_in_cr(struct str head)
{
    const char *lf = head.n == 0 ? NULL : memchr(head.p, '\n', head.n);
    const char *end = lf == NULL ? head.p + head.n : lf;
    if (str_starts(head, STR("\xff\xfe")) || str_starts(head, STR("\xfe\xff"))) /* UTF-16 */
        return false;
    if (lf != NULL && lf + 1 < head.p + head.n)
        return false;
    const char *cr = head.n == 0 ? NULL : memchr(head.p, '\r', (size_t)(end - head.p));
    return cr != NULL && (cr + 1 < end || lf == NULL);
}

const struct format *feed_format(struct in *in, const struct feed_request *request,
                                 struct findings *to)
{
    const struct format *only = request->only, *other;
    const struct format *found = find_format(in, only);
    struct buf longer = {0};
    struct str head = head_of(in);
    if (found == NULL && (foreign_is_open(head) || formats_detect(head, &other) == BID_LIKELY))
        head = long_head_of(in, &longer);
    if (found == NULL && only == NULL && may_be_rows(in, head, to))
        found = &format_rows;
    if (found == NULL)
        formats_unexpected(to, (struct place){in_name(in), PLACE_FILE, 0},
                           only != NULL ? only->name : "a profile", head);
    buf_free(&longer);
    bool is_lines = found != NULL && !found->is_document && found != &format_rows;
    if (is_lines && foreign_is_text(head_of(in)) && ends_in_cr(head_of(in)))
        die_at((struct place){in_name(in), PLACE_FILE, 0},
               "expected lines that end in a line feed, found carriage returns alone");
    if (found != NULL && found != &format_rows && in_is_replaced(in))
        die(CODE_SAME_FILE, "%s is input and output at once: only profile rows may be",
            in_name(in));
    return found;
}

void feed_check(struct inputs *inputs, const struct feed_request *request)
{
    if (!inputs_more(inputs) && !request->read.allow_empty)
        die(CODE_NO_INPUT, "expected an input, found none");
}

/* The request for the reader of IN. */
static struct read_request read_request(const struct in *in, const struct feed_request *request)
{
    struct read_request read = request->read;
    int64_t seconds;
    if (request->dated_by_file && in_mtime(in, &seconds))
        read.timestamp = number_of(seconds);
    return read;
}

/* Notes what is read from now on. */
static void enter(struct flow *flow, const struct in *in, const struct format *format)
{
    flow->where = (struct place){in_name(in), PLACE_FILE, 0};
    flow->format = format_word(format);
}

/* Reads the profile of IN, of FORMAT, whose first row was pushed already; MORE inputs follow. */
static void read_opened(struct in *in, const struct format *format,
                        const struct feed_request *request, struct inputs *more, struct sink *sink)
{
    struct read_request read = read_request(in, request);
    growth_begin(sink->flow, format->is_document ? in : NULL,
                 format->byte_pays > 0 ? format->byte_pays : LIMITS_BYTE, read.max_size);
    format->read(in, &read, sink);
    sink->flow->growth.in = NULL;
    if (!format->has_borders)
        sink_end(sink, more != NULL && inputs_more(more));
}

void feed_input(struct in *in, const struct format *format, const struct feed_request *request,
                struct sink *sink)
{
    struct growth_stage growth = growth_stage_of(sink);
    enter(sink->flow, in, format);
    if (!format->has_borders)
        sink_begin(sink);
    read_opened(in, format, request, NULL, &growth.sink);
}

/* Pushes the profiles of INPUTS to SINK, with unchanged version and names. ARRIVALS learns of each
 * input; it may be NULL. */
static void feed_all(struct inputs *inputs, const struct feed_request *request,
                     struct arrivals *arrivals, struct sink *sink)
{
    struct growth_stage growth = growth_stage_of(sink);
    struct upgrade upgrade = upgrade_of(&growth.sink, &request->upgrade);
    struct sink *first = request->as_is ? &growth.sink : &upgrade.sink;
    bool is_open = request->only != NULL && !request->only->has_borders;
    if (is_open)
        sink_begin(first); /* promise the end before anything can fail */
    feed_check(inputs, request);
    for (struct in *in; (in = inputs_next(inputs)) != NULL; in_close(in)) {
        sink->flow->input = inputs_number(inputs);
        if (arrivals != NULL)
            arrivals_begin(arrivals, in);
        const struct format *format = feed_format(in, request, NULL);
        enter(sink->flow, in, format);
        if (!format->is_document && !attempt_is_on() && inputs_go_on(inputs))
            in_go_on(in);
        if (!format->has_borders && !is_open)
            sink_begin(first);
        read_opened(in, format, request, inputs, first);
        if (arrivals != NULL)
            arrivals_end(arrivals, in, format);
        is_open = false;
    }
    upgrade_free(&upgrade);
    ahead_stop(); /* what follows needs its memory */
}

/* The same with names as the rules of REQUEST have them. */
static void feed_renamed(struct inputs *inputs, const struct feed_request *request,
                         struct arrivals *arrivals, struct sink *sink)
{
    if (request->rules == NULL) {
        feed_all(inputs, request, arrivals, sink);
        return;
    }
    struct rename rename = rename_of(sink, request->rules);
    feed_all(inputs, request, arrivals, &rename.sink);
    rename_free(&rename);
}

/* The same with the labels that REQUEST adds. */
static void feed_labelled(struct inputs *inputs, const struct feed_request *request,
                          struct arrivals *arrivals, struct sink *sink)
{
    if (request->labels == NULL) {
        feed_renamed(inputs, request, arrivals, sink);
        return;
    }
    struct label_add labels = label_add_of(sink, request->labels);
    feed_renamed(inputs, request, arrivals, &labels.sink);
    label_add_free(&labels);
}

/* The same with addresses where REQUEST wants them. */
static void feed_united(struct inputs *inputs, const struct feed_request *request,
                        struct arrivals *arrivals, struct sink *sink)
{
    if (!request->unites_addresses) {
        feed_labelled(inputs, request, arrivals, sink);
        return;
    }
    struct unite unite = unite_of(sink);
    feed_labelled(inputs, request, arrivals, &unite.sink);
    unite_free(&unite);
}

/* Whether somebody wants to know what comes. */
static bool wants_arrivals(const struct feed_request *request, const struct sink *sink)
{
    return !attempt_is_on() &&
           (request->expect != NULL || request->manifest != NULL || sink->flow->provenance != NULL);
}

void feed(struct inputs *inputs, const struct feed_request *request, struct sink *sink)
{
    struct expect expect = {0};
    if (!wants_arrivals(request, sink)) {
        feed_united(inputs, request, NULL, sink);
        return;
    }
    if (request->expect != NULL)
        expect = expect_of(request->expect);
    struct arrivals arrivals = arrivals_of(sink, request->expect != NULL ? &expect : NULL,
                                           sink->flow->provenance, request->manifest);
    feed_united(inputs, request, &arrivals, &arrivals.sink);
    if (request->expect != NULL)
        expect_check(&expect);
    expect_free(&expect);
    arrivals_free(&arrivals);
}
