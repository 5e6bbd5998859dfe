/* perun2ndjson - profiles of Perun to profile rows. */
#include "formats/perun/perun.h"
#include "tools/convert.h"

const struct tool tool_perun2ndjson = {
    .name = "perun2ndjson",
    .task = TOOL_TASK_READ,
    .summary = "Read Perun profiles",
    .operands = "[file ...]",
    .common = COMMON_CONVERT | COMMON_LABELS | COMMON_KEEP_GOING | COMMON_STRICT | COMMON_LOSSLESS |
              COMMON_MAX_SIZE,
    .examples = {"perun2ndjson cpu.perf > rows.ndjson",
                 "perun2ndjson --timestamp=mtime cpu.perf | profsum"},
    .converts = true,
    .reads = &format_perun,
};
