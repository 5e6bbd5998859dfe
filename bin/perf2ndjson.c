/* perf2ndjson - output of perf script to profile rows. */
#include "tools/convert.h"

const struct tool tool_perf2ndjson = {
    .name = "perf2ndjson",
    .task = TOOL_TASK_READ,
    .summary = "Read what perf script prints",
    .operands = "[file ...]",
    .common = COMMON_CONVERT | COMMON_LABELS | COMMON_KEEP_GOING | COMMON_STRICT | COMMON_LOSSLESS,
    .examples = {"perf2ndjson perf.txt > rows.ndjson", "perf script | perf2ndjson | profsum"},
    .converts = true,
    .reads = &format_perf,
};
