/* proffilter - selects samples, and frames of their stacks. */
#include "filters/filters.h"
#include "filters/select.h"
#include "tools/tool.h"

static struct select_options want;

/* Each option is a step; steps run in the order of the options. */
#define STEP(name, kind)                                                                           \
    static void add_##name(const char *argument)                                                   \
    {                                                                                              \
        select_add(&want, kind, argument);                                                         \
    }
STEP(focus, SELECT_FOCUS)
STEP(ignore, SELECT_IGNORE)
STEP(hide, SELECT_HIDE)
STEP(show, SELECT_SHOW)
STEP(trim_root, SELECT_TRIM_ROOT)
STEP(trim_leaf, SELECT_TRIM_LEAF)
STEP(max_depth, SELECT_MAX_DEPTH)
STEP(drop_gc, SELECT_DROP_GC)
STEP(source, SELECT_SOURCE)
STEP(label, SELECT_LABEL)
STEP(no_label, SELECT_NO_LABEL)
STEP(samples, SELECT_SAMPLES)
STEP(type, SELECT_TYPE)
STEP(thin, SELECT_THIN)
#undef STEP

static const struct option_row options[] = {
    {.heading = "Samples (steps are applied in the order given)"},
    {"focus", "RE", "keep samples with a frame that matches RE", .each = add_focus},
    {"ignore", "RE", "drop samples with a frame that matches RE", .each = add_ignore},
    {"label", "KEY=RE", "keep samples whose label KEY matches RE, a number or a range like 4kb:1mb",
     .each = add_label},
    {"no-label", "KEY=RE", "drop samples whose label KEY matches RE, or is in a range",
     .each = add_no_label},
    {"samples", "FROM:TO", "keep samples of each source, by number (1:500) or time (2s:5s)",
     .each = add_samples},
    {"source", "GLOB", "keep samples of sources whose URI or file name matches GLOB",
     .each = add_source},
    {"thin", "1/N", "keep one sample of N, with N times its values", .each = add_thin},
    {.heading = "Frames and values"},
    {"hide", "RE", "remove frames that match RE", .each = add_hide},
    {"show", "RE", "remove frames that do not match RE", .each = add_show},
    {"trim-root", "N|RE", "cut N outermost frames, or all outside the outermost match",
     .each = add_trim_root},
    {"trim-leaf", "N|RE", "cut N innermost frames, or all inside the innermost match",
     .each = add_trim_leaf},
    {"max-depth", "N", "keep only the N outermost frames", .each = add_max_depth},
    {"drop-gc", NULL, "remove R's <GC>, which marks garbage collection", .each = add_drop_gc},
    {"type", "TYPE[/UNIT]", "keep only values of this type", .each = add_type},
    {.heading = "How"},
    {"ignore-case", NULL, "ignore case in every RE", .letter = 'i', .flag = &want.how.ignores_case},
    {"fixed-strings", NULL, "read every RE as plain text", .letter = 'F',
     .flag = &want.how.is_fixed},
    {"keep-sources", NULL, "keep sources that have no samples left", .flag = &want.keeps_sources},
};

static void check(void)
{
    select_check(&want);
}

const struct tool tool_proffilter = {
    .name = "proffilter",
    .task = TOOL_TASK_CHANGE,
    .summary = "Keep some of the samples, and some of their frames",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .common = COMMON_READ | COMMON_ALLOW_EMPTY | COMMON_RULES | COMMON_LABELS,
    .examples = {"proffilter --focus=lm Rprof.out | profsum",
                 "proffilter --label=tenant=acme cpu.pb.gz | ndjson2pprof -o acme.pb.gz"},
    .check = check,
    .stage = &filter_select,
    .stage_options = &want,
};
