/* perun2ndjson - profiles of Perun to profile rows. */
#include "formats/perun/perun.h"
#include "tools/convert.h"

const struct tool tool_perun2ndjson = {
    .name = "perun2ndjson",
    .task = TOOL_TASK_READ,
    .summary = "Read Perun profiles",
    .operands = "[file ...]",
    .common = COMMON_CONVERT | COMMON_STRICT,
    .examples = {"perun2ndjson cpu.perf > rows.ndjson",
                 "perun2ndjson --timestamp=mtime cpu.perf | profsum"},
    .converts = true,
    .reads = &format_perun,
};
