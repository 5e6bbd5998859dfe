/* prof1to2 - profiles to rows of version 2.0. */
#include "feed/run.h"
#include "filters/filters.h"
#include "tools/tool.h"

static const char *source_type;

static const struct option_row options[] = {
    {"source-type", "TYPE", "give the sources of version 1.x rows this type", .text = &source_type},
};

static void run_1to2(struct inputs *inputs, struct out *out)
{
    struct feed_request feeds = tool_feeds();
    feeds.upgrade.source_type = source_type;
    run_stage(&filter_pass, NULL, inputs, &feeds, out);
}

const struct tool tool_prof1to2 = {
    .name = "prof1to2",
    .task = TOOL_TASK_ROWS,
    .summary = "Write profiles as rows of version 2.0",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .common = COMMON_READ | COMMON_ALLOW_EMPTY,
    .examples = {"prof1to2 old.ndjson > rows.ndjson",
                 "prof1to2 --source-type=Rprof old.ndjson | profsum"},
    .run = run_1to2,
};
