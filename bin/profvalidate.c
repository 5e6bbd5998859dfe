/* profvalidate - every rule of profile rows, to the line. */
#include "tools/report.h"
#include "tools/tool.h"

enum {
    ALL_RULES = (1u << RULE_COUNT) - 1,
    RULES_ALWAYS = 1u << RULE_JSON, /* garbage does not pass, whatever was asked for */
};

static struct {
    bool any_order, pass;
    const char *format, *max_errors;
    unsigned rules, without; /* --rule and --no-rule, as bits */
} want = {.format = "text", .max_errors = "20"};

static unsigned rule_bit(const char *option, const char *name)
{
    for (unsigned rule = 0; rule < RULE_COUNT; rule++)
        if (str_equal(str_of(name), finding_rule((enum rule)rule)))
            return 1u << rule;
    die(STATUS_USAGE, "%s: no rule \"%s\"", option, name);
}

static void add_rule(const char *name)
{
    want.rules |= rule_bit("--rule", name);
}

static void add_no_rule(const char *name)
{
    want.without |= rule_bit("--no-rule", name);
    if ((want.without & RULES_ALWAYS) != 0)
        die(STATUS_USAGE, "--no-rule: what is no row is always an error");
}

static const struct option_row options[] = {
    OPTIONS_ALL,
    OPTION_ROW_STRICT,
    OPTION_ROW_LOSSLESS,
    OPTION_ROW_MAX_SIZE,
    OPTION_ROW_ALLOW_EMPTY,
    {0, "any-order", NULL, OPTION_FLAG, &want.any_order,
     "check what rows say of each other, in whatever order they stand; an .end row is needed only "
     "where it was promised"},
    {0, "pass", NULL, OPTION_FLAG, &want.pass,
     "copy the stream to the output, without its last .end row unless all is well"},
    {0, "format", "FORMAT", OPTION_STRING, &want.format,
     "print findings as text to standard error, the default, or write them as ndjson"},
    {0, "max-errors", "N", OPTION_STRING, &want.max_errors,
     "show the first N findings and count the others; 20 by default, 0 shows none"},
    {0, "rule", "NAME", OPTION_EACH, add_rule,
     "check this rule and json only; may be given several times"},
    {0, "no-rule", "NAME", OPTION_EACH, add_no_rule,
     "do not check this rule, which cannot be json; may be given several times"},
};

static uint64_t max_errors(void)
{
    return tool_number("--max-errors", want.max_errors, 0);
}

static bool wants_rows(void)
{
    bool rows = strcmp(want.format, "ndjson") == 0;
    if (!rows && strcmp(want.format, "text") != 0)
        die(STATUS_USAGE, "--format: expected \"text\" or \"ndjson\", found \"%s\"", want.format);
    return rows;
}

static void check(void)
{
    max_errors();
    if (wants_rows() && want.pass)
        die(STATUS_USAGE, "--pass and --format=ndjson both write to the output: give one of them");
    if (want.pass && want.any_order)
        die(STATUS_USAGE, "--pass copies a stream: it cannot go with --any-order");
    if (!want.pass)
        tool_guard_inputs();
}

static void run(struct inputs *inputs, struct out *out)
{
    struct report report = {
        .findings = {report_found},
        .rules = (want.rules != 0 ? want.rules | RULES_ALWAYS : ALL_RULES) & ~want.without,
    };
    report.rows = wants_rows() ? out : NULL;
    report.max = max_errors();
    struct validate_request request = {
        .feed = tool_feeds(), .any_order = want.any_order, .pass = want.pass ? out : NULL};
    request.feed.read.bad_lines = READ_BAD_LINES_END; /* no option skips them */
    validate(inputs, &request, &report.findings, &report.counts);
    report_end(&report);
}

const struct tool tool_profvalidate = {
    .name = "profvalidate",
    .summary = "Check the rows of profiles by every rule, and say which line breaks which",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .check = check,
    .run = run,
};
