/* The files of speedscope, a viewer in the browser: JSON.  See profstream(5) for the rows, speedscope2ndjson(1)
 * and ndjson2speedscope(1) for the rules. */
#include "formats/speedscope/speedscope.h"
#include "formats/formats.h"

static enum bid bid_speedscope(struct str head)
{
    (void)head;
    return BID_NONE;
}

const struct format format_speedscope = {
    .name = "a speedscope file",
    .converter = "speedscope2ndjson",
    .bid = bid_speedscope,
    .writer = &speedscope_writer,
};
