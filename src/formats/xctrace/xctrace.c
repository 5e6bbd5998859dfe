/* Files of Apple's Instruments: tables that xctrace exports, and trees that people copy. See
 * xctrace2ndjson(1) for the rules. */
#include "formats/xctrace/xctrace.h"

#include "base/port.h"
#include "formats/formats.h"

#define RESULT STR("<trace-query-result")

/* HEAD without the blanks at its start. */
static struct str skip_blanks(struct str head)
{
    while (head.n > 0 && (str_is_blank(*head.p) || *head.p == '\n'))
        head.p++, head.n--;
    return head;
}

static enum bid bid_xctrace(struct str head)
{
    enum { NEAR = 4096 };
    if (xctrace_copy_is(head))
        return BID_SURE;
    head = skip_blanks(head);
    if (str_starts(head, RESULT))
        return BID_SURE;
    if (!str_starts(head, STR("<?xml")))
        return BID_NONE;
    if (port_memmem(head.p, head.n < NEAR ? head.n : NEAR, RESULT.p, RESULT.n) != NULL)
        return BID_SURE;
    const char *end = memchr(head.p, '>', head.n);
    const size_t seen = end == NULL ? head.n : (size_t)(end + 1 - head.p);
    return skip_blanks((struct str){head.p + seen, head.n - seen}).n == 0 ? BID_LIKELY : BID_NONE;
}

static void read_xctrace(struct in *in, const struct read_request *request, struct sink *sink)
{
    const struct str whole = format_whole(in, request);
    if (xctrace_copy_is(whole))
        xctrace_copy_read(in, whole, request, sink);
    else
        xctrace_read(in, whole, request, sink);
}

const struct format format_xctrace = {
    .name = "an Instruments file",
    .converter = "xctrace2ndjson",
    .bid = bid_xctrace,
    .read = read_xctrace,
    .is_document = true,
};
