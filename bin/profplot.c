/* profplot - plots of time and memory, and of when they were used. */
#include "page/colour.h"
#include "pictures/plot.h"
#include "pictures/plot_lanes.h"
#include "summary/request.h"
#include "tools/tool.h"

static struct plot_options want;

static const struct option_row options[] = {
    {.heading = "What is drawn"},
    {"kind", "KIND", "draw", .text = &want.kind, OPTION_VALUES(plot_kinds), .preset = "all"},
    {"by", "WHAT", "group bars by", .text = &want.by, .values = request_by_words,
     .value_count = COLLECT_BY_SOURCE + 1, .preset = "function"},
    {"lane", "WHAT", "draw samples with times in a lane for each", .text = &want.lane,
     OPTION_VALUES(plot_lanes_words), .preset = "tid"},
    {"type", "TYPE[/UNIT]", "sum values of this type (default: the one pprof would show)",
     .text = &want.type},
    {"max-rows", "N", "draw at most N bars, or write N rows", .letter = 'n', .text = &want.max},
    {.heading = "Output"},
    {"format", "FORMAT", "write", .text = &want.format, OPTION_VALUES(plot_formats),
     .preset = "svg", .is_of_output = true},
    {"columns", NULL, "describe the columns of the table; read nothing", .flag = &want.columns},
    {"title", "TEXT", "title above all plots", .text = &want.title},
    {"width", "PIXELS", "width of the plots (default 1200; in a page 880 and 368)",
     .text = &want.width},
    {"height", "PIXELS", "height of each plot, without its heading (default: as needed)",
     .text = &want.height},
    {"colors", "PALETTE", "colour functions by (default: package, if names have it)",
     .text = &want.colors, .values = colour_palettes, .value_count = COLOUR_DIFF},
    {"rows", "N", "--max-rows", .text = &want.max, .is_old = true},
};

static void check(void)
{
    plot_check(&want);
}

const struct tool tool_profplot = {
    .name = "profplot",
    .task = TOOL_TASK_LOOK,
    .summary = "Plot functions, stacks, and what happened over time",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .common = COMMON_READ | COMMON_ALLOW_EMPTY | COMMON_RULES | COMMON_LABELS,
    .examples = {"profplot -o plots.svg Rprof.out",
                 "profplot --kind=memory -o memory.svg memory.out"},
    .converts = true,
    .about = &want.columns,
    .check = check,
    .stage = &plot_stage,
    .stage_options = &want,
};
