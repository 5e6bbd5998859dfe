/* rprof2ndjson - Rprof text to profile rows. */
#include "formats/rprof/rprof.h"
#include "tools/convert.h"

static struct rprof_read_options want;

static const struct option_row options[] = {
    {"from-code", "ENCODING", "convert names from ENCODING (as iconv calls it) to UTF-8",
     .text = &want.from_code},
};

static void check(void)
{
    rprof_check_options(&want);
}

const struct tool tool_rprof2ndjson = {
    .name = "rprof2ndjson",
    .task = TOOL_TASK_READ,
    .summary = "Read Rprof files, from R's sampling profiler",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .common = COMMON_CONVERT | COMMON_STRICT,
    .examples = {"rprof2ndjson Rprof.out > rows.ndjson",
                 "rprof2ndjson --from-code=latin1 Rprof.out | profsum"},
    .converts = true,
    .check = check,
    .reads = &format_rprof,
    .read_options = &want,
};
