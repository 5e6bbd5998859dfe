/* prof2to1 - profiles of version 2.0 to version 1.0. */
#include "filter.h"
#include "tool.h"

static const struct option_row options[] = {
    OPTIONS_ALL,
    OPTION_ROW_KEEP_GOING,
    OPTION_ROW_LOSSLESS,
    OPTION_ROW_ALLOW_EMPTY,
};

static void run(struct inputs *inputs, struct out *out)
{
    struct filter_request request = {
        .lossless = common.lossless,
        .feed = {.allow_empty = common.allow_empty},
    };
    filter_run(&filter_2to1, inputs, &request, out);
}

static const struct tool tool = {
    .name = "prof2to1",
    .summary = "Convert profile rows of version 2.0 to version 1.0",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};

int main(int argc, char **argv)
{
    return tool_main(&tool, argc, argv);
}
