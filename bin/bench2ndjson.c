/* bench2ndjson - results of benchmarks to profile rows. */
#include "formats/formats.h"
#include "tools/convert.h"

const struct tool tool_bench2ndjson = {
    .name = "bench2ndjson",
    .task = TOOL_TASK_READ,
    .summary = "Read results of benchmarks (Go, Google, hyperfine)",
    .operands = "[file ...]",
    .common = COMMON_CONVERT | COMMON_LABELS | COMMON_KEEP_GOING | COMMON_STRICT | COMMON_LOSSLESS |
              COMMON_MAX_SIZE,
    .examples = {"bench2ndjson bench.txt > rows.ndjson", "bench2ndjson bench.txt | profinfo"},
    .converts = true,
    .reads = &format_bench,
};
