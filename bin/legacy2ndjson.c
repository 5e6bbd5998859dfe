/* legacy2ndjson - the formats that pprof had before its own to profile rows. */
#include "formats/formats.h"
#include "tools/convert.h"

const struct tool tool_legacy2ndjson = {
    .name = "legacy2ndjson",
    .task = TOOL_TASK_READ,
    .summary = "Read Go's debug=1 text, gperftools and jemalloc",
    .operands = "[file ...]",
    .common = COMMON_CONVERT | COMMON_STRICT,
    .examples = {"legacy2ndjson cpu.heap > rows.ndjson", "legacy2ndjson cpu.heap | profsum"},
    .converts = true,
    .reads = &format_legacy,
};
