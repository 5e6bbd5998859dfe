/* The text that R's sampling profiler writes: see profstream(5) for the rows, rprof2ndjson(1) and
 * ndjson2rprof(1) for the rules.  Facts about the format: R's eval.c (Rprof) and memory.c. */
#include "rprof.h"
#include "rprof_text.h"

static bool detect_rprof(struct str head)
{
    return rprof_is_header(head);
}

const struct format format_rprof = {
    .name = "an Rprof file",
    .converter = "rprof2ndjson",
    .detect = detect_rprof,
    .read = rprof_read,
    .write = rprof_write,
    .finish = rprof_finish,
};
