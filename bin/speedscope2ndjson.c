/* speedscope2ndjson - files of speedscope to profile rows. */
#include "formats/speedscope/speedscope.h"
#include "tools/convert.h"

static const struct option_row options[] = {
    OPTIONS_ALL, OPTION_ROW_KEEP_GOING, OPTION_ROW_STRICT, OPTION_ROW_LOSSLESS, OPTIONS_CONVERT,
};

const struct tool tool_speedscope2ndjson = {
    .name = "speedscope2ndjson",
    .summary = "Read files of speedscope and write profile rows",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .converts = true,
    .reads = &format_speedscope,
};
