/* ghc2ndjson - profiles of GHC to profile rows. */
#include "formats/formats.h"
#include "tools/convert.h"

const struct tool tool_ghc2ndjson = {
    .name = "ghc2ndjson",
    .task = TOOL_TASK_READ,
    .summary = "Read profiles of Haskell programs (GHC)",
    .operands = "[file ...]",
    .common = COMMON_CONVERT | COMMON_STRICT,
    .examples = {"ghc2ndjson cpu.prof > rows.ndjson",
                 "ghc2ndjson cpu.prof | profsum"},
    .converts = true,
    .reads = &format_ghc,
};
