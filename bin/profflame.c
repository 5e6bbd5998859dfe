/* profflame - a flame graph: which functions call which, and how much each costs. */
#include "pictures/flame_draw.h"
#include "pictures/plot_lanes.h"
#include "tools/tool.h"

static struct flame_options want;

static const struct option_row options[] = {
    {.heading = "Output"},
    {"format", "FORMAT", "write %s (default: by the output's name)", .text = &want.format,
     OPTION_VALUES(flame_draw_formats), .is_of_output = true},
    {"title", "TEXT", "title of the picture (default: name of the source)", .text = &want.title},
    {"width", "N", "width in pixels (default 880), or in columns of text", .text = &want.width},
    {"font-size", "N", "size of text in SVG, in pixels (default 12)", .text = &want.font_size},
    {"theme", "THEME", "colours around boxes: %s (default: as the system)", .text = &want.theme,
     OPTION_VALUES(svg_themes)},
    {"script", "ANSWER", "let SVG zoom and search", .text = &want.script,
     OPTION_VALUES(flame_draw_answers), .preset = "yes"},
    {"standalone", "ANSWER", "write SVG as a file of its own", .text = &want.standalone,
     OPTION_VALUES(flame_draw_answers), .preset = "yes"},
    {.heading = "Frames"},
    {"type", "TYPE[/UNIT]", "first show values of this type (default: as pprof)",
     .text = &want.type},
    {"lines", NULL, "separate frames by line, not only by function", .flag = &want.lines},
    {"inverted", NULL, "start with the innermost frames; callers follow",
     .flag = &want.is_inverted},
    {"icicle", NULL, "grow downwards", .flag = &want.is_icicle},
    {"lane", "WHAT", "in order of time, a lane for each", .text = &want.lane,
     OPTION_VALUES(plot_lanes_words), .preset = "tid"},
    {"min-width", "N", "merge neighbours below N pixels (default 0.1)", .text = &want.min_width},
    {"prune", "SHARE", "merge frames below SHARE, such as 0.001, into (other)",
     .text = &want.prune},
    {"colors", "PALETTE", "colour by (default: package, if names have it)", .text = &want.colors,
     OPTION_VALUES(colour_palettes)},
    {.heading = "Source files in a page"},
    {"source", NULL, "show their lines beside the picture; implies --lines", .flag = &want.source},
    {"source-path", "FOLDERS", "look for them in FOLDERS or zip archives, with : between",
     .text = &want.source_path},
    {"trim-path", "PREFIXES", "first remove PREFIXES, with : between, from their names",
     .text = &want.trim_path},
};

static void check(void)
{
    flame_draw_check(&want);
    if (want.source)
        tool_read_anywhere();
}

const struct tool tool_profflame = {
    .name = "profflame",
    .task = TOOL_TASK_LOOK,
    .summary = "Draw flame graphs, also of what changed",
    .operands = "[file ...] [-- file ...]",
    .base_count = &want.base_count,
    .has_other_side = true,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .common = COMMON_READ | COMMON_ALLOW_EMPTY | COMMON_RULES | COMMON_LABELS | COMMON_SIDES,
    .suffixes = ".html .svg",
    .examples = {"profflame -o flame.svg Rprof.out",
                 "profflame -o diff.html old.pb.gz -- new.pb.gz"},
    .converts = true,
    .check = check,
    .stage = &flame_draw_stage,
    .stage_options = &want,
};
