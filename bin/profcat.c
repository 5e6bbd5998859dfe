/* profcat - many profiles to one. */
#include "filters/filters.h"
#include "formats/formats.h"
#include "tools/tool.h"

const struct tool tool_profcat = {
    .name = "profcat",
    .task = TOOL_TASK_CHANGE,
    .summary = "Combine profiles into one",
    .operands = "[file ...]",
    .common = COMMON_READ | COMMON_ALLOW_EMPTY | COMMON_LABELS,
    .writes = &format_rows,
    .examples = {"profcat Rprof.out > rows.ndjson", "profcat cpu.pb.gz Rprof.out | profsum"},
    .stage = &filter_cat,
};
