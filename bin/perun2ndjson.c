/* perun2ndjson - profiles of Perun to profile rows. */
#include "formats/perun/perun.h"
#include "tools/convert.h"

static const struct option_row options[] = {
    OPTIONS_ALL, OPTION_ROW_KEEP_GOING, OPTION_ROW_STRICT, OPTION_ROW_LOSSLESS, OPTIONS_CONVERT,
};

const struct tool tool_perun2ndjson = {
    .name = "perun2ndjson",
    .summary = "Read profiles of Perun and write profile rows",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .converts = true,
    .reads = &format_perun,
};
