/* cpuprofile2ndjson - profiles of V8 to profile rows. */
#include "formats/formats.h"
#include "tools/convert.h"

const struct tool tool_cpuprofile2ndjson = {
    .name = "cpuprofile2ndjson",
    .task = TOOL_TASK_READ,
    .summary = "Read profiles of V8 (Node.js, Chrome)",
    .operands = "[file ...]",
    .common = COMMON_CONVERT | COMMON_STRICT,
    .examples = {"cpuprofile2ndjson cpu.cpuprofile > rows.ndjson",
                 "cpuprofile2ndjson cpu.cpuprofile | profsum"},
    .converts = true,
    .reads = &format_cpuprofile,
};
