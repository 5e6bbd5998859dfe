/* profgraph - the call graph: functions, and who calls whom. */
#include "pictures/graph_draw.h"
#include "summary/request.h"
#include "tools/tool.h"

static struct graph_options want;

static const struct option_row options[] = {
    {.heading = "What is drawn"},
    {"focus", "RE", "only stacks with a frame that matches RE", .text = &want.focus},
    {"by", "WHAT", "make a box of each", .text = &want.by, .values = request_by_words,
     .value_count = GRAPH_DRAW_BYS, .preset = "function"},
    {"type", "TYPE[/UNIT]", "sum values of this type (default: the one pprof would show)",
     .text = &want.type},
    {"nodes", "N", "draw at most N boxes (default 80)", .text = &want.nodes},
    {"min-share", "BOXES[,CALLS]", "leave out what is below so many percent (default 0.5,0.1)",
     .text = &want.min_share},
    {.heading = "Output"},
    {"format", "FORMAT", "write", .text = &want.format, OPTION_VALUES(graph_draw_formats),
     .preset = "dot", .is_of_output = true},
    {"title", "TEXT", "title of the picture (default: name of the source)", .text = &want.title},
};

static void check(void)
{
    graph_draw_check(&want);
}

const struct tool tool_profgraph = {
    .name = "profgraph",
    .task = TOOL_TASK_LOOK,
    .summary = "Draw call graphs, with GraphViz or Mermaid",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .common = COMMON_READ | COMMON_ALLOW_EMPTY | COMMON_RULES | COMMON_LABELS,
    .suffixes = ".dot .mermaid",
    .examples = {"profgraph -o calls.svg cpu.pb.gz",
                 "profgraph --focus=json --format=mermaid cpu.pb.gz"},
    .converts = true,
    .check = check,
    .stage = &graph_draw_stage,
    .stage_options = &want,
};
