/* pstats2ndjson - files of Python's pstats to profile rows. */
#include "formats/formats.h"
#include "tools/convert.h"

const struct tool tool_pstats2ndjson = {
    .name = "pstats2ndjson",
    .task = TOOL_TASK_READ,
    .summary = "Read statistics of cProfile and profile (Python)",
    .operands = "[file ...]",
    .common = COMMON_CONVERT | COMMON_STRICT,
    .examples = {"pstats2ndjson cpu.pstats > rows.ndjson",
                 "pstats2ndjson cpu.pstats | profsum --type=calls"},
    .converts = true,
    .reads = &format_pstats,
};
