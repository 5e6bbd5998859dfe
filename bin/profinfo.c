/* profinfo - says what is in a profile. */
#include "info/info.h"
#include "table/sheet.h"
#include "tools/tool.h"

static struct info_options want;

static const struct option_row options[] = {
    {.heading = "Output"},
    {"brief", NULL, "write a table with a row for each file", .letter = 'b', .flag = &want.brief},
    {"format", "FORMAT", "write", .text = &want.format, OPTION_VALUES(sheet_formats),
     .preset = "text", .is_of_output = true},
    {"max-rows", "N", "show at most N rows of a list (text: 10 by default)", .letter = 'n',
     .text = &want.max},
    {"columns", NULL, "describe the columns of the output; read nothing", .flag = &want.columns},
};

static void check(void)
{
    info_check(&want);
}

const struct tool tool_profinfo = {
    .name = "profinfo",
    .task = TOOL_TASK_LOOK,
    .summary = "Say what is in a file: sources, types, stacks, labels",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .common = COMMON_READ | COMMON_ALLOW_EMPTY | COMMON_LABELS,
    .examples = {"profinfo cpu.pb.gz", "profinfo --brief *.pb.gz"},
    .converts = true,
    .about = &want.columns,
    .check = check,
    .stage = &info_stage,
    .stage_options = &want,
};
