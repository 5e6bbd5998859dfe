/* rprofmem2ndjson - Rprofmem text to profile rows. */
#include "formats/rprof/rprof.h"
#include "tools/convert.h"

static struct rprof_read_options want;

static const struct option_row options[] = {
    OPTIONS_ALL,         OPTION_ROW_KEEP_GOING, OPTION_ROW_STRICT,
    OPTION_ROW_LOSSLESS, OPTIONS_CONVERT,       OPTION_ROW_FROM_CODE(&want.from_code),
};

static void check(void)
{
    rprof_check_options(&want);
}

const struct tool tool_rprofmem2ndjson = {
    .name = "rprofmem2ndjson",
    .summary = "Read Rprofmem files, the text of R's memory profiler, and write profile rows",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .converts = true,
    .check = check,
    .reads = &format_rprofmem,
    .read_options = &want,
};
