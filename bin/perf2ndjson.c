/* perf2ndjson - what perf script prints to profile rows. */
#include "tools/convert.h"

static const struct option_row options[] = {
    OPTIONS_ALL, OPTION_ROW_KEEP_GOING, OPTION_ROW_STRICT, OPTION_ROW_LOSSLESS, OPTIONS_CONVERT,
};

const struct tool tool_perf2ndjson = {
    .name = "perf2ndjson",
    .summary = "Read what perf script prints, and write profile rows",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .converts = true,
    .reads = &format_perf,
};
