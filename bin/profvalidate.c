/* profvalidate - checks every rule of profile rows. */
#include "base/words.h"
#include "table/about.h"
#include "tools/report.h"
#include "tools/tool.h"

enum {
    ALL_RULES = (1u << RULE_COUNT) - 1,
    RULES_ALWAYS = 1u << RULE_JSON, /* garbage must not pass, whatever was asked for */
};

static struct {
    bool any_order, pass, columns;
    const char *format, *max_errors;
    unsigned rules, without; /* --rule and --no-rule, as bits */
} want = {.format = "text", .max_errors = "20"};

static unsigned rule_bit(const char *option, const char *name)
{
    for (unsigned rule = 0; rule < RULE_COUNT; rule++)
        if (str_equal(str_of(name), finding_rule((enum rule)rule)))
            return 1u << rule;
    die(CODE_BAD_ARGUMENT, "%s: no rule \"%s\"", option, name);
}

static void add_rule(const char *name)
{
    want.rules |= rule_bit("--rule", name);
}

static void add_no_rule(const char *name)
{
    want.without |= rule_bit("--no-rule", name);
    if ((want.without & RULES_ALWAYS) != 0)
        die(CODE_BAD_ARGUMENT, "--no-rule: what is no row is always an error");
}

static const char *const formats[] = {"text", "ndjson"};

static const struct option_row options[] = {
    {.heading = "Checks"},
    {"any-order", NULL, "check rows in whatever order they stand", .flag = &want.any_order},
    {"rule", "NAME", "check only this rule, and json; repeatable", .each = add_rule},
    {"no-rule", "NAME", "skip this rule; repeatable", .each = add_no_rule},
    {.heading = "Output"},
    {"format", "FORMAT", "report as %s", .text = &want.format, OPTION_VALUES(formats),
     .preset = "text"},
    {"columns", NULL, "describe the columns of ndjson; read nothing", .flag = &want.columns},
    {"max-errors", "N", "show N findings and count the rest (default 20)",
     .text = &want.max_errors},
    {"pass", NULL, "copy the rows; leave out the end if something is wrong", .flag = &want.pass},
};

static uint64_t max_errors(void)
{
    return tool_number("--max-errors", want.max_errors, 0);
}

static bool wants_rows(void)
{
    return words_find("format", want.format, formats, 2) == 1;
}

static void check(void)
{
    max_errors();
    if (wants_rows() && want.pass)
        die(CODE_OPTIONS_CLASH,
            "--pass and --format=ndjson both write to the output: give one of them");
    if (want.pass && want.any_order)
        die(CODE_OPTIONS_CLASH, "--pass cannot be used with --any-order");
    if (!want.pass)
        tool_guard_inputs();
}

/* Describes the columns of findings. */
static void write_columns(struct out *out)
{
    enum column_id ids[] = {COLUMN_FILE,   COLUMN_LINE,    COLUMN_RULE, COLUMN_IN_TABLE,
                            COLUMN_COLUMN, COLUMN_MESSAGE, COLUMN_COUNT};
    const struct sheet_request request = {.format = wants_rows() ? SHEET_FORMAT_NDJSON
                                                                 : SHEET_FORMAT_TEXT};
    about_write_ids(ids, sizeof ids / sizeof *ids, &request, out);
}

static void run(struct inputs *inputs, struct out *out)
{
    if (want.columns) {
        write_columns(out);
        return;
    }
    struct report report = {
        .findings = {report_found},
        .rules = (want.rules != 0 ? want.rules | RULES_ALWAYS : ALL_RULES) & ~want.without,
    };
    report.rows = wants_rows() ? out : NULL;
    report.max = max_errors();
    struct validate_request request = {
        .feed = tool_feeds(), .any_order = want.any_order, .pass = want.pass ? out : NULL};
    request.feed.read.bad_lines = READ_BAD_LINES_END; /* no option skips bad lines */
    validate(inputs, &request, &report.findings, &report.counts);
    report_end(&report);
}

const struct tool tool_profvalidate = {
    .name = "profvalidate",
    .task = TOOL_TASK_ROWS,
    .summary = "Check that profile rows are valid",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .common = COMMON_STRICT | COMMON_LOSSLESS | COMMON_MAX_SIZE | COMMON_PERF | COMMON_ALLOW_EMPTY,
    .examples = {"profvalidate rows.ndjson",
                 "rprof2ndjson Rprof.out | profvalidate --pass > rows.ndjson"},
    .about = &want.columns,
    .check = check,
    .run = run,
};
