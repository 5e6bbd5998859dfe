/* ndjson2sqlite - profiles to a database of SQLite. */
#include "formats/sqlite/sqlite.h"
#include "tools/tool.h"

static struct sqlite_write_options want;

static const struct option_row options[] = {
    OPTIONS_ALL,
    OPTIONS_READ,
    OPTION_ROW_ALLOW_EMPTY,
    OPTION_ROW_MAX_SAMPLES,
    OPTION_ROW_FORCE,
    {0, "plain", NULL, OPTION_FLAG, &want.plain,
     "store all rows as they are, for programs that write the database, too"},
};

static const struct tool tool = {
    .name = "ndjson2sqlite",
    .summary = "Write profiles of any known format as a database of SQLite",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .converts = true,
    .binary = true,
    .stage = &sqlite_writer,
    .stage_options = &want,
};

int main(int argc, char **argv)
{
    return tool_main(&tool, argc, argv);
}
