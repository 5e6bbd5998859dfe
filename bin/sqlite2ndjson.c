/* sqlite2ndjson - databases of SQLite to profile rows. */
#include "tools/convert.h"

static const struct option_row options[] = {
    OPTIONS_ALL,         OPTION_ROW_KEEP_GOING, OPTION_ROW_STRICT,
    OPTION_ROW_LOSSLESS, OPTION_ROW_MAX_SIZE,   OPTIONS_CONVERT,
};

const struct tool tool_sqlite2ndjson = {
    .name = "sqlite2ndjson",
    .summary = "Read databases of SQLite that hold profiles, and write profile rows",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .converts = true,
    .reads = &format_sqlite,
};
