/* Profile rows, the text that all tools exchange: see profstream(5). */
#include "formats/formats.h"
#include "stream/stream.h"

static enum bid bid_rows(struct str head)
{
    size_t blank = 0;
    if (str_starts(head, STR("{\"table\":")))
        return BID_SURE;
    while (blank < head.n && memchr(" \t\r\n", head.p[blank], 4) != NULL)
        blank++;
    return blank == head.n || head.p[blank] == '{' ? BID_WEAK : BID_NONE;
}

static void read_rows(struct in *in, const struct read_request *request, struct sink *sink)
{
    stream_read(in, request->allow_empty, sink);
}

const struct format format_rows = {
    .name = "profile rows",
    .bid = bid_rows,
    .read = read_rows,
    .has_borders = true,
};
