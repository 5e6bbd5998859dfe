/* The text that R's sampling profiler writes: see profstream(5) for the rows, rprof2ndjson(1) and
 * ndjson2rprof(1) for the rules.  Facts about the format: R's eval.c (Rprof) and memory.c. */
#include "formats/rprof/rprof.h"
#include "formats/formats.h"
#include "formats/rprof/rprof_text.h"

/* A run that was killed early leaves an empty file. */
static enum bid bid_rprof(struct str head)
{
    return rprof_is_header(head) ? BID_SURE : head.n == 0 ? BID_WEAK : BID_NONE;
}

const struct format format_rprof = {
    .name = "an Rprof file",
    .converter = "rprof2ndjson",
    .target = "Rprof",
    .suffixes = ".out",
    .suffixes_are_common = true,
    .bid = bid_rprof,
    .read = rprof_read,
    .writer = &rprof_writer,
};
