/* pprof2ndjson - pprof files to profile rows. */
#include "formats/pprof/pprof.h"
#include "tools/convert.h"

static struct pprof_read_options want;

static const struct option_row options[] = {
    {"expand", NULL, "repeat each sample as often as its samples/count says", .flag = &want.expand},
};

const struct tool tool_pprof2ndjson = {
    .name = "pprof2ndjson",
    .task = TOOL_TASK_READ,
    .summary = "Read pprof files",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .common = COMMON_CONVERT,
    .examples = {"pprof2ndjson cpu.pb.gz > rows.ndjson",
                 "pprof2ndjson --expand cpu.pb.gz | profsum"},
    .converts = true,
    .reads = &format_pprof,
    .read_options = &want,
};
