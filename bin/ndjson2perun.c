/* ndjson2perun - profiles to a file of Perun. */
#include "base/confine.h"
#include "formats/perun/perun.h"
#include "tools/tool.h"

static struct perun_write_options want;

static void take_store(const char *path)
{
    want.store = true;
    want.store_path = path;
}

static void check(void)
{
    want.lossless = tool_common.lossless;
    perun_check_write_options(&want);
    if (want.store && tool_common.output != NULL)
        die(STATUS_USAGE, "--store and --output exclude each other: the object has its own place");
    if (!want.store)
        return;
    if (want.store_path == NULL)
        want.store_path = PERUN_OBJECTS;
    confine_use(want.store_path);
}

static const struct option_row options[] = {
    OPTIONS_ALL,
    OPTIONS_READ,
    OPTION_ROW_ALLOW_EMPTY,
    {0, "type", "TYPE[/UNIT]", OPTION_STRING, &want.type,
     "write the values of TYPE, in UNIT; by default the type that pprof would show"},
    {0, "layout", "LAYOUT", OPTION_STRING, &want.layout,
     "write the profile anew, as a map, the default, or as snapshots, one for each source"},
    {0, "cmd", "COMMAND", OPTION_STRING, &want.cmd, "say that COMMAND was measured"},
    {0, "args", "ARGUMENTS", OPTION_STRING, &want.args, "say that it had these ARGUMENTS"},
    {0, "workload", "WORKLOAD", OPTION_STRING, &want.workload, "say that it had this WORKLOAD"},
    {0, "origin", "COMMIT", OPTION_STRING, &want.origin,
     "say that it was built of COMMIT; by default 40 zeros, which is none"},
    {0, "store", "[=DIR]", OPTION_EACH, take_store,
     "store an object in DIR, .perun/objects by default, as perun add does, and print its name"},
};

const struct tool tool_ndjson2perun = {
    .name = "ndjson2perun",
    .summary = "Write profiles of any known format as one profile of Perun",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .converts = true,
    .check = check,
    .stage = &perun_writer,
    .stage_options = &want,
};
