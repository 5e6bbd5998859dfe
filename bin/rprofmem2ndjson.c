/* rprofmem2ndjson - Rprofmem text to profile rows. */
#include "convert.h"

static const char *from_code;

static const struct option_row options[] = {
    OPTIONS_ALL,
    OPTION_ROW_STRICT,
    OPTION_ROW_LOSSLESS,
    OPTIONS_CONVERT,
    {0, "from-code", "ENCODING", OPTION_STRING, &from_code,
     "convert names from ENCODING, as iconv calls it, to UTF-8"},
};

static void run(struct inputs *inputs, struct out *out)
{
    struct read_request wanted = {.from_code = from_code};
    convert(&format_rprofmem, &wanted, inputs, out);
}

static const struct tool tool = {
    .name = "rprofmem2ndjson",
    .summary = "Read Rprofmem files, the text of R's memory profiler, and write profile rows",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .check = convert_check,
    .run = run,
};

int main(int argc, char **argv)
{
    return tool_main(&tool, argc, argv);
}
