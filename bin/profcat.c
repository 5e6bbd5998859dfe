/* profcat - many profiles to one. */
#include "emit.h"
#include "loss.h"
#include "merge.h"
#include "tool.h"

static const struct option_row options[] = {
    OPTIONS_ALL,
    OPTION_ROW_LOSSLESS,
    OPTION_ROW_ALLOW_EMPTY,
};

static void run(struct inputs *inputs, struct out *out)
{
    struct stream stream = {.inputs = inputs, .allow_empty = common.allow_empty};
    struct merge merge = {.stream = &stream};
    struct row row;
    while (merge_next(&merge, &row))
        emit_row(out, &row);
    if (merge.meta_dropped > 0)
        loss_add("columns of further version rows", STR("meta"), merge.meta_dropped);
    loss_report(common.lossless);
    if (!merge.begun)
        emit_begin(out);
    emit_end(out, false);
    merge_free(&merge);
    stream_free(&stream);
}

static const struct tool tool = {
    .name = "profcat",
    .summary = "Combine profiles into one, with one copy of each equal function and location",
    .operands = "[file ...]",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};

int main(int argc, char **argv)
{
    return tool_main(&tool, argc, argv);
}
