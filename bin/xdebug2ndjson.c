/* xdebug2ndjson - files of Xdebug to profile rows. */
#include "formats/formats.h"
#include "tools/convert.h"

const struct tool tool_xdebug2ndjson = {
    .name = "xdebug2ndjson",
    .task = TOOL_TASK_READ,
    .summary = "Read profiles and traces of Xdebug (PHP)",
    .operands = "[file ...]",
    .common = COMMON_CONVERT | COMMON_STRICT,
    .examples = {"xdebug2ndjson cpu.cachegrind > rows.ndjson",
                 "xdebug2ndjson cpu.xt | profsum"},
    .converts = true,
    .reads = &format_xdebug,
};
