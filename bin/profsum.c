/* profsum - where time, memory and samples went. */
#include "summary/summary.h"
#include "tools/tool.h"

static struct summary_options want = {.fail = tool_fail};

static void add_gate(const char *text)
{
    gate_texts_add(&want.fail_if, text);
}

static const struct option_row options[] = {
    OPTIONS_ALL,
    OPTIONS_READ,
    OPTION_ROW_ALLOW_EMPTY,
    OPTION_ROW_RULES,
    {0, "by", "WHAT", OPTION_STRING, &want.by,
     "say it of each function, which is the default, group, line, file, mapping, source, or "
     "label:KEY"},
    {0, "sort", "ORDER", OPTION_STRING, &want.sort,
     "put rows with the largest self first, which is the default, or total"},
    {0, "type", "TYPE[/UNIT]", OPTION_STRING, &want.type,
     "sum up values of this type instead of the one that pprof would show"},
    {0, "format", "FORMAT", OPTION_STRING, &want.format,
     "write text, which is the default, tsv, csv, json, ndjson, markdown or html"},
    {0, "nodes", NULL, OPTION_FLAG, &want.nodes,
     "count samples, and mark what stands outermost or innermost; totals are shares of all totals"},
    {0, "stacks", NULL, OPTION_FLAG, &want.stacks, "count the samples of each distinct stack"},
    {0, "profile", NULL, OPTION_FLAG, &want.profile,
     "write the sequence of samples: runs of equal stacks, and how many samples each has"},
    {0, "samples", NULL, OPTION_FLAG, &want.samples,
     "write each sample by itself, with its values, labels and dotted columns"},
    {0, "models", NULL, OPTION_FLAG, &want.models, "write each model that Perun has fitted"},
    {0, "calls", NULL, OPTION_FLAG, &want.calls, "say it of each call of one by another"},
    {0, "peek", "RE", OPTION_STRING, &want.peek,
     "say it of the functions in whose names RE is, with what calls them and what they call"},
    {0, "list", "RE", OPTION_STRING, &want.list,
     "say it of each line of the functions in whose names RE is, with its text"},
    {0, "source-path", "FOLDERS", OPTION_STRING, &want.source_path,
     "look for the files of --list in these folders, with : between, and in those around them"},
    {0, "trim-path", "PREFIXES", OPTION_STRING, &want.trim_path,
     "take one of these, with : between, off the names of files before they are looked for"},
    {0, "hot-paths", NULL, OPTION_FLAG, &want.hot_paths,
     "say it of what stacks begin with, as a tree with the largest branch first"},
    {0, "max-depth", "N", OPTION_STRING, &want.max_depth,
     "let the paths of --hot-paths end N frames from the outermost; 64 by default"},
    {0, "fail-if", "WHAT", OPTION_EACH, add_gate,
     "end with status 1 if a function has more than WHAT says, such as 'total(^json) > 5 points'; "
     "may be repeated"},
    {0, "absent-ok", NULL, OPTION_FLAG, &want.absent_ok,
     "let the expression of a --fail-if be in no name"},
    {0, "follow", NULL, OPTION_FLAG, &want.follow,
     "on a terminal, write the table of what there is so far whenever the input pauses"},
    {'n', "rows", "N", OPTION_STRING, &want.most, "write N rows at most"},
    {0, "min-share", "PERCENT", OPTION_STRING, &want.min_share,
     "leave out rows whose total is less than this share of all"},
};

static void check(void)
{
    summary_check(&want);
    if (want.list != NULL)
        tool_read_anywhere();
}

const struct tool tool_profsum = {
    .name = "profsum",
    .summary = "Sum up profiles of any known format: what each function had itself and in all",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .converts = true,
    .check = check,
    .stage = &summary_stage,
    .stage_options = &want,
};
