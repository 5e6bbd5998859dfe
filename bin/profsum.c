/* profsum - sums of time, memory and samples by function, line and more. */
#include "summary/request.h"
#include "summary/summary.h"
#include "tools/tool.h"

static struct summary_options want;

static void add_gate(const char *text)
{
    gate_texts_add(&want.fail_if, text);
}

static const struct option_row options[] = {
    {.heading = "Views (default: self and total of each function)"},
    {"calls", NULL, "show calls: who called whom", .flag = &want.calls},
    {"peek", "RE", "functions that match RE, with callers and callees", .text = &want.peek},
    {"list", "RE", "source lines of the functions that match RE", .text = &want.list},
    {"hot-paths", NULL, "call paths as a tree, largest branch first", .flag = &want.hot_paths},
    {"stacks", NULL, "each distinct stack, with its number of samples", .flag = &want.stacks},
    {"traces", NULL, "each distinct stack as a block, with its value and labels",
     .flag = &want.traces},
    {"nodes", NULL, "samples of each function; marks outermost and innermost ones",
     .flag = &want.nodes},
    {"profile", NULL, "the sequence of samples, as streaks of equal stacks", .flag = &want.profile},
    {"samples", NULL, "each sample, with its values, labels and extra columns",
     .flag = &want.samples},
    {"models", NULL, "models that Perun has fitted", .flag = &want.models},
    {.heading = "Rows"},
    {"by", "WHAT", "group by %s; several nest", .text = &want.by, OPTION_VALUES(request_by_words),
     .preset = "function"},
    {"sort", "ORDER", "put the largest first, by", .text = &want.sort,
     OPTION_VALUES(request_sort_words), .preset = "self"},
    {"max-rows", "N", "show at most N rows, or of each group if --by has several levels",
     .letter = 'n', .text = &want.max},
    {"min-share", "PERCENT", "hide rows whose total is below this share", .text = &want.min_share},
    {"max-depth", "N", "limit --hot-paths to N frames (default 64)", .text = &want.max_depth},
    {"type", "TYPE[/UNIT]", "sum values of this type, or all (default: as pprof)",
     .text = &want.type},
    {.heading = "Source files of --list"},
    {"source-path", "FOLDERS", "look for them in FOLDERS or zip archives, with : between",
     .text = &want.source_path},
    {"trim-path", "PREFIXES", "first remove PREFIXES, with : between, from their names",
     .text = &want.trim_path},
    {.heading = "Output and checks"},
    {"format", "FORMAT", "write", .text = &want.format, OPTION_VALUES(sheet_formats),
     .preset = "text", .is_of_output = true},
    {"columns", NULL, "describe the columns of the table; read nothing", .flag = &want.columns},
    {"follow", NULL, "wait for more, and redraw the table on a terminal", .flag = &want.follow},
    {"fail-if", "LIMIT",
     "fail if a row exceeds LIMIT, such as 'total(^json) > 5 points'; repeatable",
     .each = add_gate},
    {"absent-ok", NULL, "accept a --fail-if whose name matches nothing", .flag = &want.absent_ok},
    {"rows", "N", "--max-rows", .text = &want.max, .is_old = true},
};

static void check(void)
{
    summary_check(&want);
    if (want.list != NULL)
        tool_read_anywhere();
}

const struct tool tool_profsum = {
    .name = "profsum",
    .task = TOOL_TASK_LOOK,
    .summary = "Show where time, memory or samples went",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .common = COMMON_READ | COMMON_ALLOW_EMPTY | COMMON_RULES | COMMON_LABELS,
    .examples = {"profsum Rprof.out", "profsum --by=line -n 10 cpu.pb.gz"},
    .converts = true,
    .about = &want.columns,
    .follows = &want.follow,
    .check = check,
    .stage = &summary_stage,
    .stage_options = &want,
};
