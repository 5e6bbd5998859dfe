/* folded2ndjson - folded stacks to profile rows. */
#include "formats/folded/folded.h"
#include "tools/convert.h"

static struct folded_read_options want;

static const struct option_row options[] = {
    OPTIONS_ALL,
    OPTION_ROW_KEEP_GOING,
    OPTION_ROW_STRICT,
    OPTION_ROW_LOSSLESS,
    OPTIONS_CONVERT,
    {0, "type", "TYPE/UNIT", OPTION_STRING, &want.type,
     "say what the counts are; samples/count by default"},
    {0, "columns", "N", OPTION_STRING, &want.columns,
     "read 1 or 2 counts in each line; by default 2 if all lines end in two"},
};

static void check(void)
{
    folded_check_options(&want);
}

const struct tool tool_folded2ndjson = {
    .name = "folded2ndjson",
    .summary =
        "Read folded stacks, the text that flame graphs are made from, and write profile rows",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .converts = true,
    .check = check,
    .reads = &format_folded,
    .read_options = &want,
};
