/* trace2ndjson - traces of Chrome to profile rows. */
#include "formats/formats.h"
#include "tools/convert.h"

const struct tool tool_trace2ndjson = {
    .name = "trace2ndjson",
    .task = TOOL_TASK_READ,
    .summary = "Read Chrome traces (JSON)",
    .operands = "[file ...]",
    .common = COMMON_CONVERT | COMMON_STRICT,
    .examples = {"trace2ndjson trace.json > rows.ndjson", "trace2ndjson trace.json | profsum"},
    .converts = true,
    .reads = &format_trace,
};
