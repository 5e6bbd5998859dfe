/* ndjson2speedscope - profiles to a file for speedscope. */
#include "formats/formats.h"
#include "formats/speedscope/speedscope.h"
#include "tools/tool.h"

static struct speedscope_write_options want;

static const struct option_row options[] = {
    {"aggregate", NULL, "add up samples with equal stacks, and sort them", .flag = &want.aggregate},
};

const struct tool tool_ndjson2speedscope = {
    .name = "ndjson2speedscope",
    .task = TOOL_TASK_WRITE,
    .summary = "Write profiles as one file for speedscope",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .common = COMMON_READ | COMMON_ALLOW_EMPTY | COMMON_LABELS,
    .writes = &format_speedscope,
    .examples = {"ndjson2speedscope -o cpu.speedscope.json cpu.pb.gz",
                 "ndjson2speedscope --aggregate Rprof.out > small.speedscope.json"},
    .converts = true,
    .stage = &speedscope_writer,
    .stage_options = &want,
};
