/* profmodel - the model of profile rows: its tables, keys and references. */
#include "base/words.h"
#include "model/model.h"
#include "run/run.h"
#include "tools/tool.h"

static struct {
    const char *format;
    bool plain, checks, has_files;
} want;

static const struct option_row options[] = {
    OPTIONS_ALL,
    OPTIONS_READ,
    OPTION_ROW_ALLOW_EMPTY,
    {0, "format", "FORMAT", OPTION_STRING, &want.format,
     "write text, which is the default, dot, mermaid, sql or jsonschema"},
    {0, "plain", NULL, OPTION_FLAG, &want.plain,
     "of sql, show the tables of a database that stores all rows as they are"},
    {0, "checks", NULL, OPTION_FLAG, &want.checks,
     "of sql, show tables whose constraints have the names of profvalidate's rules"},
};

static enum model_format format(void)
{
    if (want.format == NULL)
        return MODEL_TEXT;
    return (enum model_format)words_find("format", want.format, model_formats, MODEL_FORMAT_COUNT);
}

static int take_operands(int count, char **operands)
{
    (void)operands;
    want.has_files = count > 0 || tool_common.files_from != NULL;
    return 0;
}

static void check(void)
{
    if (want.plain && format() != MODEL_SQL)
        die(STATUS_USAGE, "--plain is of --format=sql");
    if (want.checks && (format() != MODEL_SQL || want.plain))
        die(STATUS_USAGE, "--checks is of --format=sql, without --plain");
    if (want.has_files && (format() == MODEL_SQL || format() == MODEL_JSONSCHEMA))
        die(STATUS_USAGE, "--format=%s counts no rows: it takes no files", want.format);
}

static void run_tool(struct inputs *inputs, struct out *out)
{
    struct model_request request = {.format = format(), .plain = want.plain, .checks = want.checks};
    struct feed_request feeds = tool_feeds();
    struct buf text = {0};
    if (want.has_files) {
        run(&model_counter, &request, inputs, &feeds, out);
        return;
    }
    model_add(&text, &request);
    out_write(out, buf_str(&text));
    buf_free(&text);
}

const struct tool tool_profmodel = {
    .name = "profmodel",
    .summary =
        "Write the model of profile rows: its tables with their columns, keys and references",
    .operands = "[file ...]",
    .take_operands = take_operands,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .converts = true,
    .check = check,
    .run = run_tool,
};
