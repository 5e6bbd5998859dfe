/* stacks2ndjson - stacks as programs print them to profile rows. */
#include "formats/formats.h"
#include "tools/convert.h"

const struct tool tool_stacks2ndjson = {
    .name = "stacks2ndjson",
    .task = TOOL_TASK_READ,
    .summary = "Read printed stacks: bpftrace, DTrace, sample, jstack, gdb",
    .operands = "[file ...]",
    .common = COMMON_CONVERT | COMMON_STRICT,
    .examples = {"stacks2ndjson threads.txt > rows.ndjson", "stacks2ndjson threads.txt | profsum"},
    .converts = true,
    .reads = &format_stacks,
};
