/* prof1to2 - profiles of version 1 to version 2.0. */
#include "filter.h"
#include "tool.h"

static const char *source_type;

static const struct option_row options[] = {
    OPTIONS_ALL,
    OPTION_ROW_KEEP_GOING,
    OPTION_ROW_ALLOW_EMPTY,
    OPTION_ROW_MAX_SAMPLES,
    {0, "source-type", "TYPE", OPTION_STRING, &source_type,
     "give the source this type, instead of what a hidden table .rprof or .msg tells"},
};

static void check(void)
{
    tool_max_samples();
}

static void run(struct inputs *inputs, struct out *out)
{
    struct filter_request request = {
        .feed = {.allow_empty = common.allow_empty,
                 .upgrade = {.source_type = source_type, .max_samples = tool_max_samples()}},
    };
    filter_run(&filter_1to2, inputs, &request, out);
}

static const struct tool tool = {
    .name = "prof1to2",
    .summary = "Convert profile rows of version 1 to version 2.0",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .check = check,
    .run = run,
};

int main(int argc, char **argv)
{
    return tool_main(&tool, argc, argv);
}
