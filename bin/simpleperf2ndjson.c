/* simpleperf2ndjson - samples of simpleperf to profile rows. */
#include "formats/formats.h"
#include "tools/convert.h"

const struct tool tool_simpleperf2ndjson = {
    .name = "simpleperf2ndjson",
    .task = TOOL_TASK_READ,
    .summary = "Read samples of simpleperf (Android)",
    .operands = "[file ...]",
    .common = COMMON_CONVERT | COMMON_STRICT,
    .examples = {"simpleperf2ndjson cpu.trace > rows.ndjson",
                 "simpleperf2ndjson cpu.trace | profsum"},
    .converts = true,
    .reads = &format_simpleperf,
};
