/* profagg - merges equal samples into one and adds up their values. */
#include "filters/agg.h"
#include "filters/filters.h"
#include "tools/tool.h"

static struct agg_options want;

static void drop_labels(const char *text)
{
    agg_drop_labels(&want, text);
}

static void keep_labels(const char *text)
{
    agg_keep_labels(&want, text);
}

static void add_roots(const char *text)
{
    agg_add_roots(&want, text);
}

static void add_leaves(const char *text)
{
    agg_add_leaves(&want, text);
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
     .each = drop_labels},
    {"keep-labels", "KEY,...", "remove all labels but those with these keys", .each = keep_labels},
    {"label-root", "KEY,...", "put labels, source or type at the root of stacks, as frames",
     .each = add_roots},
    {"label-leaf", "KEY,...", "put them at the leaf", .each = add_leaves},
    {"by", "WHAT", "reduce frames to their", .text = &want.by, OPTION_VALUES(agg_by_words)},
    {"no-inlines", NULL, "count inlined frames as the function that they are inlined into",
     .flag = &want.drops_inlined},
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
    .common = COMMON_READ | COMMON_ALLOW_EMPTY | COMMON_RULES | COMMON_LABELS,
    .examples = {"profagg cpu.pb.gz > sums.ndjson",
                 "profagg --by=function --across-sources cpu-*.pb.gz | profsum"},
    .check = check,
    .stage = &filter_agg,
    .stage_options = &want,
};
