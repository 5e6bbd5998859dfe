/* perf2ndjson - output of perf script to profile rows. */
#include "formats/perf/perf.h"
#include "tools/convert.h"

static struct perf_read_options want;

static const struct option_row options[] = {
    {"off-cpu", NULL, "make a sample of each wait of a thread, from sched:sched_switch",
     .flag = &want.off_cpu},
};

const struct tool tool_perf2ndjson = {
    .name = "perf2ndjson",
    .task = TOOL_TASK_READ,
    .summary = "Read what perf script prints",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .common = COMMON_CONVERT | COMMON_STRICT | COMMON_PERF,
    .examples = {"perf2ndjson perf.txt > rows.ndjson", "perf script | perf2ndjson | profsum"},
    .converts = true,
    .reads = &format_perf,
    .read_options = &want,
};
