/* profsort - rows in any order to stream order. */
#include "profsort.h"
#include "tool.h"

static const struct option_row options[] = {
    OPTIONS_ALL,
};

static const struct tool tool = {
    .name = "profsort",
    .summary = "Put the rows of a profile, in any order, into the order of a stream",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = profsort,
};

int main(int argc, char **argv)
{
    return tool_main(&tool, argc, argv);
}
