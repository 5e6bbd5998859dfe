/* ndjson2cpuprofile - profiles to a file of V8. */
#include "formats/cpuprofile/cpuprofile.h"
#include "formats/formats.h"
#include "tools/tool.h"

static struct cpuprofile_write_options want;

static const struct option_row options[] = {
    {"type", "TYPE[/UNIT]", "write values of this type (default: the one pprof would show)",
     .text = &want.type},
};

const struct tool tool_ndjson2cpuprofile = {
    .name = "ndjson2cpuprofile",
    .task = TOOL_TASK_WRITE,
    .summary = "Write profiles as one .cpuprofile, for DevTools and VS Code",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .common = COMMON_READ | COMMON_ALLOW_EMPTY | COMMON_LABELS,
    .writes = &format_cpuprofile,
    .examples = {"ndjson2cpuprofile -o cpu.cpuprofile cpu.pb.gz",
                 "ndjson2cpuprofile --type=samples Rprof.out > Rprof.cpuprofile"},
    .converts = true,
    .stage = &cpuprofile_writer,
    .stage_options = &want,
};
