/* bench2ndjson - results of benchmarks to profile rows. */
#include "formats/formats.h"
#include "tools/convert.h"

const struct tool tool_bench2ndjson = {
    .name = "bench2ndjson",
    .task = TOOL_TASK_READ,
    .summary = "Read results of benchmarks (Go, Google, hyperfine)",
    .operands = "[file ...]",
    .common = COMMON_CONVERT | COMMON_STRICT,
    .examples = {"bench2ndjson bench.txt > rows.ndjson", "bench2ndjson bench.txt | profinfo"},
    .converts = true,
    .reads = &format_bench,
};
