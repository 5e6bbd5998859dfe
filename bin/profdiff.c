/* profdiff - what became of a program: runs of one side beside those of another. */
#include "compare/compare.h"
#include "run/run.h"
#include "tools/tool.h"

static struct compare_options want = {.fail = tool_fail};

static const struct option_row options[] = {
    OPTIONS_ALL,
    OPTIONS_READ,
    OPTION_ROW_ALLOW_EMPTY,
    OPTION_ROW_MAX_SAMPLES,
    OPTION_ROW_RULES,
    {0, "by", "WHAT", OPTION_STRING, &want.by,
     "say it of each function, which is the default, group, line, file, mapping, or label:KEY"},
    {0, "sort", "ORDER", OPTION_STRING, &want.sort,
     "compare what each had itself, self, which is the default, or in all, total"},
    {0, "measure", "MEASURE", OPTION_STRING, &want.measure,
     "compare shares of a run, share, which is the default, or cost"},
    {0, "type", "TYPE[/UNIT]", OPTION_STRING, &want.type,
     "compare values of this type instead of the one that pprof would show"},
    {0, "normalize", NULL, OPTION_FLAG, &want.normalize, "scale new to cost as much as base"},
    {0, "per-op", "N", OPTION_STRING, &want.per_op,
     "say costs of one operation, of which each run has N"},
    {0, "own", "RE", OPTION_STRING, &want.own,
     "show functions whose file this expression is in, no others"},
    {0, "fail-if", "WHAT", OPTION_STRING, &want.fail_if,
     "end with status 1 if something has grown more than WHAT says, such as 'self > 5 %'"},
    {0, "rows", NULL, OPTION_FLAG, &want.rows,
     "write profile rows in which base is subtracted from new"},
    {0, "format", "FORMAT", OPTION_STRING, &want.format,
     "write text, which is the default, tsv, csv, json, ndjson, markdown or html"},
    {'n', "most", "N", OPTION_STRING, &want.most, "write N rows of the table at most"},
    {0, "min-share", "PERCENT", OPTION_STRING, &want.min_share,
     "test and show what has at least this share of both sides; without it 0.5 is tested, and all "
     "shown"},
};

static void check(void)
{
    compare_check(&want);
}

static void compare(struct inputs *inputs, struct out *out)
{
    struct feed_request feeds = tool_feeds();
    run(want.rows ? &compare_rows_stage : &compare_stage, &want, inputs, &feeds, out);
}

const struct tool tool_profdiff = {
    .name = "profdiff",
    .summary = "Compare profiles of any known format: what became of each function, and whether "
               "that is more than noise",
    .operands = "base new | base ... -- new ...",
    .base_count = &want.base_count,
    .has_two_sides = true,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .converts = true,
    .check = check,
    .run = compare,
};
