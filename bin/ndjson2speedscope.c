/* ndjson2speedscope - profiles to a file for speedscope. */
#include "formats/speedscope/speedscope.h"
#include "tools/tool.h"

static struct speedscope_write_options want;

static const struct option_row options[] = {
    OPTIONS_ALL,
    OPTIONS_READ,
    OPTION_ROW_ALLOW_EMPTY,
    {0, "aggregate", NULL, OPTION_FLAG, &want.aggregate,
     "add up samples with equal stacks, and sort these, instead of keeping the order of samples"},
};

const struct tool tool_ndjson2speedscope = {
    .name = "ndjson2speedscope",
    .summary = "Write profiles of any known format as one file for speedscope, with all types",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .converts = true,
    .stage = &speedscope_writer,
    .stage_options = &want,
};
