/* otlp2ndjson - profiles of OpenTelemetry to profile rows. */
#include "formats/formats.h"
#include "tools/convert.h"

const struct tool tool_otlp2ndjson = {
    .name = "otlp2ndjson",
    .task = TOOL_TASK_READ,
    .summary = "Read OpenTelemetry profiles (OTLP, its JSON)",
    .operands = "[file ...]",
    .common = COMMON_CONVERT | COMMON_STRICT,
    .examples = {"otlp2ndjson cpu.otlp > rows.ndjson", "otlp2ndjson cpu.otlp | profsum"},
    .converts = true,
    .reads = &format_otlp,
};
