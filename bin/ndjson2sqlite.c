/* ndjson2sqlite - profiles to a database of SQLite. */
#include "feed/run.h"
#include "formats/formats.h"
#include "formats/sqlite/sqlite.h"
#include "formats/sqlite/sqlite_append.h"
#include "tools/tool.h"

static struct sqlite_write_options want;
static bool appends;

static const struct option_row options[] = {
    {"plain", NULL, "store all rows as they are, for programs that write, too",
     .flag = &want.plain},
    {"append", NULL, "add the profiles to the database that -o names", .letter = 'a',
     .flag = &appends},
};

static void check(void)
{
    const char *output = tool_common.output;
    if (appends && (output == NULL || strcmp(output, "-") == 0))
        die(CODE_OPTIONS_CLASH, "--append needs the database: -o FILE");
    if (appends && tool_common.keep_going)
        die(CODE_OPTIONS_CLASH, "--append cannot be used with --keep-going");
    if (appends)
        out_use_beside(output); /* SQLite creates its journal there */
    sqlite_keep_sorting();
}

/* The existing database is read first. */
static void append(struct inputs *inputs, struct out *out)
{
    struct sqlite_write_options write = want;
    struct feed_request feeds = tool_feeds();
    struct sqlite_append to = {0};
    sqlite_append_begin(&to, tool_common.output, out);
    write.encoding = to.encoding;
    if (!to.is_new) {
        write.plain = to.is_plain;
        inputs_put_first(inputs, tool_common.output);
    }
    run_stage(&sqlite_writer, &write, inputs, &feeds, out);
    sqlite_append_end(&to, write.plain, out);
}

static void run_tool(struct inputs *inputs, struct out *out)
{
    struct feed_request feeds = tool_feeds();
    if (appends && out_unfinished(out) != NULL) { /* a device holds no profiles */
        append(inputs, out);
        return;
    }
    if (tool_common.output != NULL)
        sqlite_check_beside(tool_common.output, false);
    run_stage(&sqlite_writer, &want, inputs, &feeds, out);
}

const struct tool tool_ndjson2sqlite = {
    .name = "ndjson2sqlite",
    .task = TOOL_TASK_WRITE,
    .summary = "Write profiles as an SQLite database",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .common = COMMON_READ | COMMON_ALLOW_EMPTY | COMMON_LABELS | COMMON_FORCE,
    .writes = &format_sqlite,
    .examples = {"ndjson2sqlite -o profiles.db cpu.pb.gz",
                 "ndjson2sqlite --append -o profiles.db Rprof.out"},
    .converts = true,
    .binary = true,
    .check = check,
    .run = run_tool,
};
