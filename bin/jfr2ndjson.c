/* jfr2ndjson - recordings of Java Flight Recorder to profile rows. */
#include "formats/formats.h"
#include "tools/convert.h"

const struct tool tool_jfr2ndjson = {
    .name = "jfr2ndjson",
    .task = TOOL_TASK_READ,
    .summary = "Read Java Flight Recorder (JDK, async-profiler)",
    .operands = "[file ...]",
    .common = COMMON_CONVERT | COMMON_STRICT,
    .examples = {"jfr2ndjson cpu.jfr > rows.ndjson", "jfr2ndjson cpu.jfr | profsum"},
    .converts = true,
    .reads = &format_jfr,
};
