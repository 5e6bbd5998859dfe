/* heapprofile2ndjson - heap profiles of V8 to profile rows. */
#include "formats/formats.h"
#include "tools/convert.h"

const struct tool tool_heapprofile2ndjson = {
    .name = "heapprofile2ndjson",
    .task = TOOL_TASK_READ,
    .summary = "Read heap profiles of V8 (Node.js, Chrome)",
    .operands = "[file ...]",
    .common = COMMON_CONVERT | COMMON_STRICT,
    .examples = {"heapprofile2ndjson cpu.heapprofile > rows.ndjson",
                 "heapprofile2ndjson cpu.heapprofile | profsum"},
    .converts = true,
    .reads = &format_heapprofile,
};
