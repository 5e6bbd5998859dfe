/* pprof2ndjson - pprof files to profile rows. */
#include "formats/pprof/pprof.h"
#include "tools/convert.h"

static struct pprof_read_options want;

static const struct option_row options[] = {
    OPTIONS_ALL,
    OPTION_ROW_KEEP_GOING,
    OPTION_ROW_LOSSLESS,
    OPTION_ROW_MAX_SIZE,
    OPTIONS_CONVERT,
    {0, "expand", NULL, OPTION_FLAG, &want.expand,
     "repeat a sample as often as its samples/count says, with a count of 1 each"},
};

const struct tool tool_pprof2ndjson = {
    .name = "pprof2ndjson",
    .summary = "Read pprof files and write profile rows",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .converts = true,
    .reads = &format_pprof,
    .read_options = &want,
};
