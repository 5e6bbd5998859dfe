/* profcat - many profiles to one. */
#include "filter.h"
#include "tool.h"

static const struct option_row options[] = {
    OPTIONS_ALL,
    OPTION_ROW_KEEP_GOING,
    OPTION_ROW_LOSSLESS,
    OPTION_ROW_ALLOW_EMPTY,
    OPTION_ROW_MAX_SAMPLES,
};

static void check(void)
{
    tool_max_samples();
}

static void run(struct inputs *inputs, struct out *out)
{
    struct filter_request request = {
        .lossless = common.lossless,
        .feed = {.allow_empty = common.allow_empty, .upgrade.max_samples = tool_max_samples()},
    };
    filter_run(&filter_cat, inputs, &request, out);
}

static const struct tool tool = {
    .name = "profcat",
    .summary = "Combine profiles into one, with one copy of each equal function and location",
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
