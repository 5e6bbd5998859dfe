/* ndjson2folded - profiles to folded stacks. */
#include "formats/folded/folded.h"
#include "formats/formats.h"
#include "tools/tool.h"

static struct folded_write_options want;

static const struct option_row options[] = {
    {"type", "TYPE[/UNIT]", "write values of this type (default: the one pprof would show)",
     .text = &want.type},
    {"no-aggregate", NULL, "write a line for each sample, in order", .flag = &want.each},
};

static void check(void)
{
    folded_check_write_options(&want);
}

const struct tool tool_ndjson2folded = {
    .name = "ndjson2folded",
    .task = TOOL_TASK_WRITE,
    .summary = "Write profiles as folded stacks, the text for flame graphs",
    .operands = "[file ...] [-- file ...]",
    .base_count = &want.base_count,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .common = COMMON_READ | COMMON_ALLOW_EMPTY | COMMON_LABELS,
    .writes = &format_folded,
    .examples = {"ndjson2folded -o cpu.folded cpu.pb.gz", "ndjson2folded --type=samples Rprof.out"},
    .converts = true,
    .check = check,
    .stage = &folded_writer,
    .stage_options = &want,
};
