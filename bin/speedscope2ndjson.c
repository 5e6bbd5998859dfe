/* speedscope2ndjson - files of speedscope to profile rows. */
#include "formats/speedscope/speedscope.h"
#include "tools/convert.h"

static const struct option_row options[] = {
    OPTIONS_ALL, OPTION_ROW_KEEP_GOING, OPTION_ROW_STRICT, OPTION_ROW_LOSSLESS, OPTIONS_CONVERT,
};

static const struct tool tool = {
    .name = "speedscope2ndjson",
    .summary = "Read files of speedscope and write profile rows",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .converts = true,
    .reads = &format_speedscope,
};

int main(int argc, char **argv)
{
    return tool_main(&tool, argc, argv);
}
