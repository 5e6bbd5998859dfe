/* dhat2ndjson - files of DHAT to profile rows. */
#include "formats/formats.h"
#include "tools/convert.h"

const struct tool tool_dhat2ndjson = {
    .name = "dhat2ndjson",
    .task = TOOL_TASK_READ,
    .summary = "Read heap profiles of DHAT (Valgrind, Rust)",
    .operands = "[file ...]",
    .common = COMMON_CONVERT | COMMON_STRICT,
    .examples = {"dhat2ndjson cpu.dhat.json > rows.ndjson",
                 "dhat2ndjson cpu.dhat.json | profsum --type=peak_space"},
    .converts = true,
    .reads = &format_dhat,
};
