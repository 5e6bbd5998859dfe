/* ndjson2folded - profiles to folded stacks. */
#include "formats/folded/folded.h"
#include "tools/tool.h"

static struct folded_write_options want;

static const struct option_row options[] = {
    OPTIONS_ALL,
    OPTIONS_READ,
    OPTION_ROW_ALLOW_EMPTY,
    {0, "no-aggregate", NULL, OPTION_FLAG, &want.each,
     "write one line per sample, in order, instead of adding up those with equal stacks"},
    {0, "type", "TYPE[/UNIT]", OPTION_STRING, &want.type,
     "write the values of this type instead of the one that pprof would show"},
};

static void check(void)
{
    folded_check_write_options(&want);
}

const struct tool tool_ndjson2folded = {
    .name = "ndjson2folded",
    .summary =
        "Write profiles of any known format as folded stacks, which flame graphs are made from",
    .operands = "[file ...] [-- file ...]",
    .base_count = &want.base_count,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .converts = true,
    .check = check,
    .stage = &folded_writer,
    .stage_options = &want,
};
