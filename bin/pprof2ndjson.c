/* pprof2ndjson - pprof files to profile rows. */
#include "convert.h"

static struct {
    bool expand;
    const char *max_size;
    uint64_t max_bytes; /* what that says */
} want = {.max_size = "4G"};

static const struct option_row options[] = {
    OPTIONS_ALL,
    OPTION_ROW_KEEP_GOING,
    OPTION_ROW_LOSSLESS,
    OPTIONS_CONVERT,
    {0, "expand", NULL, OPTION_FLAG, &want.expand,
     "repeat a sample as often as its samples/count says, with a count of 1 each"},
    {0, "max-size", "SIZE", OPTION_STRING, &want.max_size,
     "refuse files of more than SIZE bytes, decompressed; K, M or G may follow; 4G by default"},
};

static void check(void)
{
    want.max_bytes = tool_size("--max-size", want.max_size);
    convert_check();
}

static void run(struct inputs *inputs, struct out *out)
{
    struct read_request wanted = {.expand = want.expand, .max_size = want.max_bytes};
    convert(&format_pprof, &wanted, inputs, out);
}

static const struct tool tool = {
    .name = "pprof2ndjson",
    .summary = "Read pprof files and write profile rows",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .converts = true,
    .check = check,
    .run = run,
};

int main(int argc, char **argv)
{
    return tool_main(&tool, argc, argv);
}
