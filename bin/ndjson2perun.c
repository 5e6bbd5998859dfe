/* ndjson2perun - profiles to a file of Perun. */
#include "base/confine.h"
#include "formats/formats.h"
#include "formats/perun/perun.h"
#include "tools/tool.h"

static struct perun_write_options want;

static void take_store(const char *path)
{
    want.store = true;
    want.store_path = path != NULL ? path : PERUN_OBJECTS;
}

static void check(void)
{
    want.lossless = tool_common.lossless;
    perun_check_write_options(&want);
    if (want.store && tool_common.output != NULL)
        die(CODE_OPTIONS_CLASH,
            "--store and --output exclude each other: the object has its own place");
    if (want.store)
        confine_use(want.store_path);
}

static const struct option_row options[] = {
    {"type", "TYPE[/UNIT]", "write values of this type (default: the one pprof would show)",
     .text = &want.type},
    {"store", "[=DIR]",
     "store an object like perun add, and print its name (default .perun/objects)",
     .each = take_store},
    {.heading = "What was measured"},
    {"cmd", "COMMAND", "the command", .text = &want.cmd},
    {"args", "ARGUMENTS", "its arguments", .text = &want.args},
    {"workload", "WORKLOAD", "its workload", .text = &want.workload},
    {"origin", "COMMIT", "the commit it was built from (default: 40 zeros)", .text = &want.origin},
};

const struct tool tool_ndjson2perun = {
    .name = "ndjson2perun",
    .task = TOOL_TASK_WRITE,
    .summary = "Write profiles as one Perun profile",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .common = COMMON_READ | COMMON_ALLOW_EMPTY | COMMON_LABELS,
    .writes = &format_perun,
    .examples = {"ndjson2perun -o cpu.perf cpu.pb.gz",
                 "ndjson2perun --cmd=report --workload=small -o report.perf Rprof.out"},
    .converts = true,
    .check = check,
    .stage = &perun_writer,
    .stage_options = &want,
};
