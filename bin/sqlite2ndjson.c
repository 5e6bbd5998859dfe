/* sqlite2ndjson - databases of SQLite to profile rows. */
#include "tools/convert.h"

const struct tool tool_sqlite2ndjson = {
    .name = "sqlite2ndjson",
    .task = TOOL_TASK_READ,
    .summary = "Read SQLite databases that hold profiles",
    .operands = "[file ...]",
    .common = COMMON_CONVERT | COMMON_STRICT,
    .examples = {"sqlite2ndjson profiles.db > rows.ndjson", "sqlite2ndjson profiles.db | profsum"},
    .converts = true,
    .reads = &format_sqlite,
};
