/* profcat - many profiles to one. */
#include "filters/filters.h"
#include "tools/tool.h"

const struct tool tool_profcat = {
    .name = "profcat",
    .summary =
        "Combine profiles of any known format into one, with one copy of each equal function and "
        "location",
    .operands = "[file ...]",
    .common = COMMON_READ | COMMON_ALLOW_EMPTY,
    .examples = {"profcat Rprof.out > rows.ndjson", "profcat cpu.pb.gz Rprof.out | profsum"},
    .stage = &filter_cat,
};
