/* Profile rows, the text that all tools exchange: see profstream(5). */
#include "formats/foreign.h"
#include "formats/formats.h"
#include "stream/stream.h"

/* Whether the first line of TEXT, an object of JSON, goes on in the next: a row is one line. */
static bool goes_on(struct str text)
{
    struct str line;
    if (memchr(text.p, '\n', text.n) == NULL || !str_next_line(&text, &line))
        return false;
    line = str_trim(line);
    return line.n > 0 && memchr("{[,", line.p[line.n - 1], 3) != NULL;
}

static enum bid bid_rows(struct str head)
{
    size_t blank = 0;
    while (blank < head.n && memchr(" \t\r\n", head.p[blank], 4) != NULL)
        blank++;
    struct str rest = {head.p + blank, head.n - blank};
    if (str_starts(rest, STR("{\"table\":")))
        return BID_SURE;
    if (rest.n > 0 && (*rest.p != '{' || goes_on(rest)))
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
