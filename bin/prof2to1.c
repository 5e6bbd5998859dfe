/* prof2to1 - profiles to rows of version 1.0. */
#include "filters/filters.h"
#include "tools/tool.h"

static const struct option_row options[] = {
    OPTIONS_ALL,
    OPTIONS_READ,
    OPTION_ROW_ALLOW_EMPTY,
};

const struct tool tool_prof2to1 = {
    .name = "prof2to1",
    .summary = "Write profiles of any known format as rows of version 1.0",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .stage = &filter_2to1,
};
