#include "filter.h"

#include "emit.h"
#include "loss.h"
#include "mem.h"
#include "merge.h"

static void run_merged(const struct filter *filter, void *state, struct stream *stream,
                       struct out *out)
{
    struct merge merge = {.stream = stream};
    struct row row;
    while (merge_next(&merge, &row))
        filter->row(state, &row, out);
    if (!merge.begun)
        emit_begin(out);
    if (merge.meta_dropped > 0)
        loss_add("dotted columns", STR("meta"), merge.meta_dropped);
    merge_free(&merge);
}

void filter_run(const struct filter *filter, struct inputs *inputs,
                const struct filter_request *request, struct out *out)
{
    struct stream stream = {.inputs = inputs, .allow_empty = request->allow_empty};
    void *state = mem_alloc_zeroed(filter->state_size + 1);
    struct row row;
    if (filter->merges)
        run_merged(filter, state, &stream, out);
    else
        while (stream_next(&stream, &row))
            filter->row(state, &row, out);
    loss_report(request->lossless); /* may die: before the .end row */
    if (filter->end != NULL)
        filter->end(state, out);
    mem_free(state);
    stream_free(&stream);
}
