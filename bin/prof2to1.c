/* prof2to1 - profiles to rows of version 1.0. */
#include "filters/filters.h"
#include "tools/tool.h"

const struct tool tool_prof2to1 = {
    .name = "prof2to1",
    .task = TOOL_TASK_ROWS,
    .summary = "Write profiles as rows of version 1.0",
    .operands = "[file ...]",
    .common = COMMON_READ | COMMON_ALLOW_EMPTY,
    .examples = {"prof2to1 Rprof.out > old.ndjson",
                 "prof2to1 rows.ndjson | prof1to2 > again.ndjson"},
    .stage = &filter_2to1,
};
