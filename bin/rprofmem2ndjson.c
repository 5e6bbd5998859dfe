/* rprofmem2ndjson - Rprofmem text to profile rows. */
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

const struct tool tool_rprofmem2ndjson = {
    .name = "rprofmem2ndjson",
    .task = TOOL_TASK_READ,
    .summary = "Read Rprofmem files, from R's memory profiler",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .common = COMMON_CONVERT | COMMON_STRICT,
    .examples = {"rprofmem2ndjson Rprofmem.out > rows.ndjson",
                 "rprofmem2ndjson --from-code=latin1 Rprofmem.out | profsum"},
    .converts = true,
    .check = check,
    .reads = &format_rprofmem,
    .read_options = &want,
};
