/* profcat - many profiles to one. */
#include "filters/filters.h"
#include "tools/tool.h"

static const struct option_row options[] = {
    OPTIONS_ALL,
    OPTIONS_READ,
    OPTION_ROW_ALLOW_EMPTY,
};

const struct tool tool_profcat = {
    .name = "profcat",
    .summary =
        "Combine profiles of any known format into one, with one copy of each equal function and "
        "location",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .stage = &filter_cat,
};
