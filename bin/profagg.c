/* profagg - equal samples become one, with added values. */
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
    OPTIONS_ALL,
    OPTIONS_READ,
    OPTION_ROW_ALLOW_EMPTY,
    OPTION_ROW_RULES,
    {0, "consecutive", NULL, OPTION_FLAG, &want.consecutive,
     "make one only of equal samples that follow each other, and write them as they come"},
    {0, "across-sources", NULL, OPTION_FLAG, &want.across_sources,
     "make one source of all, and one of equal samples whatever source they are of"},
    {0, "ignore-labels", "[=KEY,...]", OPTION_EACH, add_keys,
     "take all labels off, or those with the keys, so that they tell samples apart no more"},
    {0, "by", "WHAT", OPTION_STRING, &want.by,
     "make coarser stacks: of a function, group, line, file, mapping or source each"},
    {0, "gauge", "HOW", OPTION_STRING, &want.gauge,
     "keep of values that must not be added up the last, the max or the mean, instead of leaving "
     "them out"},
    {0, "normalize", NULL, OPTION_FLAG, &want.normalizes,
     "scale each source so that its total of each type is that of the first source"},
    {0, "scale", "TYPE=FACTOR", OPTION_EACH, add_scale,
     "multiply the values of TYPE; may be given several times"},
};

static void check(void)
{
    agg_check(&want);
}

const struct tool tool_profagg = {
    .name = "profagg",
    .summary = "Add up equal samples in profiles of any known format",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .check = check,
    .stage = &filter_agg,
    .stage_options = &want,
};
