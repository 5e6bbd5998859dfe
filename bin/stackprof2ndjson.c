/* stackprof2ndjson - files of stackprof to profile rows. */
#include "formats/formats.h"
#include "tools/convert.h"

const struct tool tool_stackprof2ndjson = {
    .name = "stackprof2ndjson",
    .task = TOOL_TASK_READ,
    .summary = "Read profiles of stackprof (Ruby)",
    .operands = "[file ...]",
    .common = COMMON_CONVERT | COMMON_STRICT,
    .examples = {"stackprof2ndjson stackprof.json > rows.ndjson",
                 "stackprof2ndjson stackprof.json | profsum"},
    .converts = true,
    .reads = &format_stackprof,
};
