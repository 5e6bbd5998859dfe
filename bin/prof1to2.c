/* prof1to2 - profiles to rows of version 2.0. */
#include "filters/filters.h"
#include "run/run.h"
#include "tools/tool.h"

static const char *source_type;

static const struct option_row options[] = {
    OPTIONS_ALL,
    OPTIONS_READ,
    OPTION_ROW_ALLOW_EMPTY,
    {0, "source-type", "TYPE", OPTION_STRING, &source_type,
     "give the source of rows of version 1.x this type, instead of what a hidden table .rprof or "
     ".msg tells"},
};

static void run_1to2(struct inputs *inputs, struct out *out)
{
    struct feed_request feeds = tool_feeds();
    feeds.upgrade.source_type = source_type;
    run(&filter_pass, NULL, inputs, &feeds, out);
}

const struct tool tool_prof1to2 = {
    .name = "prof1to2",
    .summary = "Write profiles of any known format as rows of version 2.0",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run_1to2,
};
