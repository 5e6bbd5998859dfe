/* callgrind2ndjson - files of Callgrind to profile rows. */
#include "formats/formats.h"
#include "tools/convert.h"

const struct tool tool_callgrind2ndjson = {
    .name = "callgrind2ndjson",
    .task = TOOL_TASK_READ,
    .summary = "Read costs and calls of Callgrind (Valgrind)",
    .operands = "[file ...]",
    .common = COMMON_CONVERT | COMMON_STRICT,
    .examples = {"callgrind2ndjson cpu.callgrind > rows.ndjson",
                 "callgrind2ndjson cpu.callgrind | profsum --by=line"},
    .converts = true,
    .reads = &format_callgrind,
};
