/* profsort - rows in any order to stream order. */
#include "filters/profsort.h"
#include "base/diag.h"
#include "tools/tool.h"

static struct {
    const char *memory;
    uint64_t bytes;
} want = {.memory = "48M"};

static const struct option_row options[] = {
    OPTIONS_ALL,
    OPTIONS_READ,
    {0, "memory", "SIZE", OPTION_STRING, &want.memory,
     "sort SIZE bytes of rows in memory at a time, with K, M or G for powers of 1024; 48M by "
     "default"},
};

static void check(void)
{
    want.bytes = tool_size("--memory", want.memory);
    if (want.bytes == 0)
        die(STATUS_USAGE, "--memory: expected more than 0 bytes");
}

static void run(struct inputs *inputs, struct out *out)
{
    struct feed_request feeds = tool_feeds();
    profsort(inputs, &feeds, want.bytes, out);
}

const struct tool tool_profsort = {
    .name = "profsort",
    .summary = "Put the rows of a profile, in any order, into the order of a stream",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .check = check,
    .run = run,
};
