/* folded2ndjson - folded stacks to profile rows. */
#include "formats/folded/folded.h"
#include "tools/convert.h"

static struct folded_read_options want;

static const struct option_row options[] = {
    {"type", "TYPE/UNIT", "what the counts are (default samples/count)", .text = &want.type},
    {"columns", "N", "counts in each line, 1 or 2 (default: found out)", .text = &want.columns},
};

static void check(void)
{
    folded_check_options(&want);
}

const struct tool tool_folded2ndjson = {
    .name = "folded2ndjson",
    .task = TOOL_TASK_READ,
    .summary = "Read folded stacks, the text for flame graphs",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .common = COMMON_CONVERT | COMMON_STRICT,
    .examples = {"folded2ndjson cpu.folded > rows.ndjson",
                 "folded2ndjson --type=cpu/nanoseconds cpu.folded | profsum"},
    .converts = true,
    .check = check,
    .reads = &format_folded,
    .read_options = &want,
};
