/* speedscope2ndjson - files of speedscope to profile rows. */
#include "formats/speedscope/speedscope.h"
#include "tools/convert.h"

const struct tool tool_speedscope2ndjson = {
    .name = "speedscope2ndjson",
    .task = TOOL_TASK_READ,
    .summary = "Read speedscope files",
    .operands = "[file ...]",
    .common = COMMON_CONVERT | COMMON_STRICT,
    .examples = {"speedscope2ndjson cpu.speedscope.json > rows.ndjson",
                 "speedscope2ndjson cpu.speedscope.json | profsum"},
    .converts = true,
    .reads = &format_speedscope,
};
