/* profmodel - the model of profile rows: its tables, keys and references. */
#include "base/words.h"
#include "feed/run.h"
#include "model/model.h"
#include "tools/tool.h"

static struct {
    const char *format;
    bool plain, checks, has_files;
} want;

static const struct option_row options[] = {
    {"format", "FORMAT", "write", .text = &want.format, OPTION_VALUES(model_formats),
     .preset = "text", .is_of_output = true},
    {"plain", NULL, "of sql: tables that store all rows as they are", .flag = &want.plain},
    {"checks", NULL, "of sql: tables with constraints named after profvalidate's rules",
     .flag = &want.checks},
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
        die(CODE_OPTIONS_CLASH, "--plain needs --format=sql");
    if (want.checks && (format() != MODEL_SQL || want.plain))
        die(CODE_OPTIONS_CLASH, "--checks needs --format=sql, without --plain");
    if (want.has_files && (format() == MODEL_SQL || format() == MODEL_JSONSCHEMA))
        die(CODE_OPTIONS_CLASH, "--format=%s counts no rows: it takes no files", want.format);
}

static void run_tool(struct inputs *inputs, struct out *out)
{
    struct model_request request = {.format = format(), .plain = want.plain, .checks = want.checks};
    struct feed_request feeds = tool_feeds();
    struct buf text = {0};
    if (want.has_files) {
        run_stage(&model_counter, &request, inputs, &feeds, out);
        return;
    }
    model_add(&text, &request);
    out_write(out, buf_str(&text));
    buf_free(&text);
}

const struct tool tool_profmodel = {
    .name = "profmodel",
    .task = TOOL_TASK_ROWS,
    .summary = "Show the tables of profile rows, their columns and keys",
    .operands = "[file ...]",
    .take_operands = take_operands,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .common = COMMON_READ | COMMON_ALLOW_EMPTY,
    .examples = {"profmodel", "profmodel --format=sql > schema.sql"},
    .converts = true,
    .check = check,
    .run = run_tool,
};
