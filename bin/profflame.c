/* profflame - a flame graph: which functions call which, each as wide as what it had. */
#include "pictures/flame_draw.h"
#include "tools/tool.h"

static struct flame_options want;

static const struct option_row options[] = {
    OPTIONS_ALL,
    OPTIONS_READ,
    OPTION_ROW_ALLOW_EMPTY,
    OPTION_ROW_RULES,
    {0, "format", "FORMAT", OPTION_STRING, &want.format,
     "write html, a page to look around in, svg, a still picture, or text; the default is what the "
     "name of the output ends in, text on a terminal, and html elsewhere"},
    {0, "type", "TYPE[/UNIT]", OPTION_STRING, &want.type,
     "show values of this type first instead of the one that pprof would show"},
    {0, "lines", NULL, OPTION_FLAG, &want.lines,
     "tell frames apart by the lines that were running, not by functions alone"},
    {0, "inverted", NULL, OPTION_FLAG, &want.is_inverted,
     "begin with what ran itself, and go on with its callers"},
    {0, "icicle", NULL, OPTION_FLAG, &want.is_icicle, "begin at the top and grow downwards"},
    {0, "title", "TEXT", OPTION_STRING, &want.title,
     "write this above the picture instead of the name of the source"},
    {0, "width", "N", OPTION_STRING, &want.width,
     "make a still picture N pixels wide, 1200 by default, or text N columns"},
    {0, "min-width", "N", OPTION_STRING, &want.min_width,
     "draw neighbours that are less than N pixels wide as one, 0.1 by default"},
    {0, "prune", "SHARE", OPTION_STRING, &want.prune,
     "put what has less than this share of all, such as 0.001, together as (other)"},
    {0, "colors", "PALETTE", OPTION_STRING, &want.colors,
     "choose colours by hot, the name, which is the default, r, the package, file, type, its "
     "suffix, or diff, what has changed"},
};

static void check(void)
{
    want.output = tool_common.output;
    flame_draw_check(&want);
}

const struct tool tool_profflame = {
    .name = "profflame",
    .summary = "Draw a flame graph of profiles of any known format, or of what has changed",
    .operands = "[file ...] [-- file ...]",
    .base_count = &want.base_count,
    .has_other_side = true,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .converts = true,
    .check = check,
    .stage = &flame_draw_stage,
    .stage_options = &want,
};
