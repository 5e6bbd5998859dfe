/* xctrace2ndjson - files of Instruments to profile rows. */
#include "formats/formats.h"
#include "tools/convert.h"

const struct tool tool_xctrace2ndjson = {
    .name = "xctrace2ndjson",
    .task = TOOL_TASK_READ,
    .summary = "Read exports of Instruments (macOS, iOS)",
    .operands = "[file ...]",
    .common = COMMON_CONVERT | COMMON_STRICT,
    .examples = {"xctrace2ndjson cpu.xml > rows.ndjson", "xctrace2ndjson cpu.xml | profsum"},
    .converts = true,
    .reads = &format_xctrace,
};
