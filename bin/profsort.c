/* profsort - rows in any order to stream order. */
#include "filters/profsort.h"
#include "base/diag.h"
#include "tools/tool.h"

static struct {
    const char *memory;
    uint64_t bytes;
} want = {.memory = "44M"};

static const struct option_row options[] = {
    {"memory", "SIZE", "sort SIZE bytes of rows at a time (default 44M)", .text = &want.memory},
};

static void check(void)
{
    want.bytes = tool_size("--memory", want.memory);
    if (want.bytes == 0)
        die(CODE_BAD_ARGUMENT, "--memory: expected more than 0 bytes");
}

static void run(struct inputs *inputs, struct out *out)
{
    struct feed_request feeds = tool_feeds();
    profsort(inputs, &feeds, want.bytes, out);
}

const struct tool tool_profsort = {
    .name = "profsort",
    .task = TOOL_TASK_ROWS,
    .summary = "Put rows that are in any order into stream order",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .common = COMMON_READ & ~COMMON_EXPECT,
    .examples = {"profsort rows.ndjson > sorted.ndjson", "sort rows.ndjson | profsort | profsum"},
    .check = check,
    .run = run,
};
