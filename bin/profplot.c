/* profplot - where time and memory went, and when. */
#include "pictures/plot.h"
#include "tools/tool.h"

static struct plot_options want;

static const struct option_row options[] = {
    OPTIONS_ALL,
    OPTIONS_READ,
    OPTION_ROW_ALLOW_EMPTY,
    OPTION_ROW_RULES,
    {0, "kind", "KIND", OPTION_STRING, &want.kind,
     "draw nodes, stacks, stack-nodes, events, depth, memory, or all, which is the default"},
    {0, "format", "FORMAT", OPTION_STRING, &want.format,
     "write svg, which is the default, or html; the FILE of --output may say it by its name"},
    {0, "type", "TYPE[/UNIT]", OPTION_STRING, &want.type,
     "sum up values of this type instead of the one that pprof would show"},
    {0, "by", "WHAT", OPTION_STRING, &want.by,
     "draw each function, which is the default, group, line, file, mapping, source, or label:KEY"},
    {'n', "rows", "N", OPTION_STRING, &want.most, "draw N bars at most"},
    {0, "title", "TEXT", OPTION_STRING, &want.title, "write TEXT above all plots"},
    {0, "width", "PIXELS", OPTION_STRING, &want.width, "make plots this wide; 1200 by default"},
    {0, "height", "PIXELS", OPTION_STRING, &want.height,
     "make each plot this high, without its heading; as high as it needs by default"},
    {0, "colors", "PALETTE", OPTION_STRING, &want.colors,
     "colour functions by hot, r, which is the default, file or type"},
};

static void check(void)
{
    if (want.format == NULL && tool_common.output != NULL &&
        str_ends(str_of(tool_common.output), STR(".html")))
        want.format = "html";
    plot_check(&want);
}

const struct tool tool_profplot = {
    .name = "profplot",
    .summary = "Plot profiles of any known format: functions, stacks, and what happened over time",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .converts = true,
    .check = check,
    .stage = &plot_stage,
    .stage_options = &want,
};
