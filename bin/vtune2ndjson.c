/* vtune2ndjson - call trees of VTune to profile rows. */
#include "formats/formats.h"
#include "tools/convert.h"

const struct tool tool_vtune2ndjson = {
    .name = "vtune2ndjson",
    .task = TOOL_TASK_READ,
    .summary = "Read call trees of VTune (CSV)",
    .operands = "[file ...]",
    .common = COMMON_CONVERT | COMMON_STRICT,
    .examples = {"vtune2ndjson cpu.csv > rows.ndjson", "vtune2ndjson cpu.csv | profsum"},
    .converts = true,
    .reads = &format_vtune,
};
