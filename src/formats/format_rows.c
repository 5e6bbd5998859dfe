/* Profile rows, the text that all tools exchange: see profstream(5). */
#include "formats/foreign.h"
#include "formats/formats.h"
#include "stream/stream.h"

static enum bid bid_rows(struct str head)
{
    size_t blank = 0;
    while (blank < head.n && memchr(" \t\r\n", head.p[blank], 4) != NULL)
        blank++;
    struct str rest = {head.p + blank, head.n - blank};
    if (str_starts(rest, STR("{\"table\":")))
        return BID_SURE;
    if (rest.n > 0 && *rest.p != '{')
        return BID_NONE;
    /* a protobuf message may begin like blank lines, but has control characters */
    return blank > 0 && !foreign_is_text(head) ? BID_NONE : BID_WEAK;
}

static void read_rows(struct in *in, const struct read_request *request, struct sink *sink)
{
    stream_read(in, request->allow_empty, sink);
}

const struct format format_rows = {
    .name = "profile rows",
    .suffixes = ".ndjson",
    .suffixes_are_common = true,
    .bid = bid_rows,
    .read = read_rows,
    .has_borders = true,
};
