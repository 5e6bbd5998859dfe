/* massif2ndjson - files of Massif to profile rows. */
#include "formats/formats.h"
#include "tools/convert.h"

const struct tool tool_massif2ndjson = {
    .name = "massif2ndjson",
    .task = TOOL_TASK_READ,
    .summary = "Read heap snapshots of Massif (Valgrind, heaptrack)",
    .operands = "[file ...]",
    .common = COMMON_CONVERT | COMMON_STRICT,
    .examples = {"massif2ndjson cpu.massif > rows.ndjson",
                 "massif2ndjson cpu.massif | profplot --kind=memory -o memory.svg"},
    .converts = true,
    .reads = &format_massif,
};
