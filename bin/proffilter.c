/* proffilter - some of the samples, and some of what their stacks have. */
#include "filters/filters.h"
#include "filters/select.h"
#include "tools/tool.h"

static struct select_options want;

/* Each option is a step, in the order in which they are given. */
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
STEP(samples, SELECT_SAMPLES)
STEP(type, SELECT_TYPE)
STEP(thin, SELECT_THIN)
#undef STEP

static const struct option_row options[] = {
    OPTIONS_ALL,
    OPTIONS_READ,
    OPTION_ROW_ALLOW_EMPTY,
    OPTION_ROW_RULES,
    {0, "focus", "RE", OPTION_EACH, add_focus, "keep samples with a frame that matches RE"},
    {0, "ignore", "RE", OPTION_EACH, add_ignore, "leave out samples with a frame that matches RE"},
    {0, "hide", "RE", OPTION_EACH, add_hide, "take frames that match RE out of stacks"},
    {0, "show", "RE", OPTION_EACH, add_show, "take all other frames out of stacks"},
    {0, "trim-root", "N|RE", OPTION_EACH, add_trim_root,
     "cut the N outermost frames off stacks, or what is outside of the outermost one that matches "
     "RE; samples without one are left out"},
    {0, "trim-leaf", "N|RE", OPTION_EACH, add_trim_leaf,
     "cut the N innermost frames off stacks, or what is inside of the innermost one that matches "
     "RE; stacks without one stay as they are"},
    {0, "max-depth", "N", OPTION_EACH, add_max_depth, "leave the N outermost frames of stacks"},
    {0, "drop-gc", NULL, OPTION_EACH, add_drop_gc,
     "take R's <GC> out of stacks, which says that the garbage collector was running"},
    {0, "source", "GLOB", OPTION_EACH, add_source,
     "keep samples of sources whose URI, or its last part, matches GLOB"},
    {0, "label", "KEY=RE", OPTION_EACH, add_label,
     "keep samples with a label KEY that matches RE; if RE is a number, or a range as in 4kb:1mb, "
     "those whose number it is"},
    {0, "samples", "FROM:TO", OPTION_EACH, add_samples,
     "keep samples FROM to TO of each source, counted from 1, or those between two times, as in "
     "2s:5s"},
    {0, "type", "TYPE[/UNIT]", OPTION_EACH, add_type, "keep values of this type, and no others"},
    {0, "thin", "1/N", OPTION_EACH, add_thin,
     "keep one of each N samples of a source, with N times its values"},
    {0, "keep-sources", NULL, OPTION_FLAG, &want.keeps_sources,
     "keep sources of which no sample is left"},
    {'i', "ignore-case", NULL, OPTION_FLAG, &want.how.ignores_case,
     "take upper and lower case as the same in all RE"},
    {'F', "fixed-strings", NULL, OPTION_FLAG, &want.how.is_fixed, "take all RE as plain text"},
};

static void check(void)
{
    select_check(&want);
}

const struct tool tool_proffilter = {
    .name = "proffilter",
    .summary = "Leave samples out of profiles of any known format, and frames out of their stacks",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .check = check,
    .stage = &filter_select,
    .stage_options = &want,
};
