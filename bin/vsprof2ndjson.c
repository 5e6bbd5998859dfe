/* vsprof2ndjson - call trees of Visual Studio to profile rows. */
#include "formats/formats.h"
#include "tools/convert.h"

const struct tool tool_vsprof2ndjson = {
    .name = "vsprof2ndjson",
    .task = TOOL_TASK_READ,
    .summary = "Read call trees of Visual Studio (CSV)",
    .operands = "[file ...]",
    .common = COMMON_CONVERT | COMMON_STRICT,
    .examples = {"vsprof2ndjson CallTreeSummary.csv > rows.ndjson",
                 "vsprof2ndjson CallTreeSummary.csv | profsum"},
    .converts = true,
    .reads = &format_vsprof,
};
