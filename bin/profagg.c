/* profagg - merges equal samples into one and adds up their values. */
#include "filters/agg.h"
#include "filters/filters.h"
#include "tools/tool.h"

static struct agg_options want;

static void add_keys(const char *text)
{
    agg_add_keys(&want, text);
}

static void add_scale(const char *text)
{
    agg_add_scale(&want, text);
}

static const struct option_row options[] = {
    {"consecutive", NULL, "add up only neighbours, and write them as they come",
     .flag = &want.consecutive},
    {"across-sources", NULL, "make all sources one, and add up across them",
     .flag = &want.across_sources},
    {"ignore-labels", "[=KEY,...]", "remove all labels, or those with these keys",
     .each = add_keys},
    {"by", "WHAT", "reduce frames to their", .text = &want.by, OPTION_VALUES(agg_by_words)},
    {"gauge", "HOW", "keep the %s of levels (default: drop levels)", .text = &want.gauge,
     OPTION_VALUES(agg_gauge_words)},
    {"normalize", NULL, "scale each source to the totals of the first", .flag = &want.normalizes},
    {"scale", "TYPE=FACTOR", "multiply the values of TYPE; repeatable", .each = add_scale},
};

static void check(void)
{
    agg_check(&want);
}

const struct tool tool_profagg = {
    .name = "profagg",
    .task = TOOL_TASK_CHANGE,
    .summary = "Add up equal samples",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .common = COMMON_READ | COMMON_ALLOW_EMPTY | COMMON_RULES,
    .examples = {"profagg cpu.pb.gz > sums.ndjson",
                 "profagg --by=function --across-sources cpu-*.pb.gz | profsum"},
    .check = check,
    .stage = &filter_agg,
    .stage_options = &want,
};
