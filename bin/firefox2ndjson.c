/* firefox2ndjson - profiles of the Firefox Profiler to profile rows. */
#include "formats/formats.h"
#include "tools/convert.h"

const struct tool tool_firefox2ndjson = {
    .name = "firefox2ndjson",
    .task = TOOL_TASK_READ,
    .summary = "Read profiles of the Firefox Profiler, samply and vernier",
    .operands = "[file ...]",
    .common = COMMON_CONVERT | COMMON_STRICT,
    .examples = {"firefox2ndjson cpu.firefox.json > rows.ndjson",
                 "firefox2ndjson cpu.firefox.json | profsum"},
    .converts = true,
    .reads = &format_firefox,
};
