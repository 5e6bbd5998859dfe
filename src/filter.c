#include "filter.h"

#include "emit.h"
#include "loss.h"
#include "mem.h"
#include "merge.h"

static void run_merged(const struct filter *filter, void *state, struct stream *stream,
                       const struct filter_request *request, struct out *out)
{
    struct merge merge = {.stream = stream, .upgrade.max_samples = request->max_samples};
    struct row row;
    while (merge_next(&merge, &row)) {
        filter->row(state, &row, out);
        if (__builtin_expect(row.table == TABLE_META, 0))
            out_settle(out);
    }
    if (!merge.begun)
        emit_begin(out);
    merge_free(&merge);
}

/* What stands between the rows of a filter that keeps profiles apart, and its input. */
struct border {
    const struct filter *filter;
    void *state;
    struct out *out;
    bool
        owes_end; /* the profile was promised an end, which waits: what is left out may be an error */
};

static void pay_end(struct border *b, bool more)
{
    struct row row = row_end(more);
    if (b->owes_end)
        b->filter->row(b->state, &row, b->out);
    b->owes_end = false;
}

/* Passes ROW, but for an .end row, and promises an end in a version row that does not. */
static void pass(struct border *b, const struct stream *stream, struct row *row)
{
    struct buf extra = {0};
    if (b->filter->promises && row_is_end(row))
        return;
    if (b->filter->promises && row->table == TABLE_META) {
        pay_end(b, true);
        b->owes_end = true;
        if (!stream->promised_end) {
            emit_promise(&extra, row->extra);
            row->extra = buf_str(&extra);
        }
    }
    b->filter->row(b->state, row, b->out);
    if (__builtin_expect(row->table == TABLE_META, 0))
        out_settle(b->out);
    buf_free(&extra);
}

static void run_apart(const struct filter *filter, void *state, struct stream *stream,
                      const struct filter_request *request, struct out *out)
{
    struct border border = {.filter = filter, .state = state, .out = out};
    struct upgrade upgrade = {.stream = stream, .max_samples = request->max_samples};
    struct row row;
    if (request->source_type != NULL)
        upgrade.source_type = str_of(request->source_type);
    if (filter->reads == FILTER_READS_2)
        while (upgrade_next(&upgrade, &row))
            pass(&border, stream, &row);
    else
        while (stream_next(stream, &row))
            pass(&border, stream, &row);
    loss_report(request->lossless); /* may die: before the last .end row */
    pay_end(&border, false);
}

void filter_run(const struct filter *filter, struct inputs *inputs,
                const struct filter_request *request, struct out *out)
{
    struct stream stream = {.inputs = inputs, .allow_empty = request->allow_empty};
    void *state = mem_alloc_zeroed(filter->state_size + 1);
    emit_owe(out);
    if (filter->reads == FILTER_READS_MERGED) {
        run_merged(filter, state, &stream, request, out);
        loss_report(request->lossless); /* may die: before the .end row */
    } else {
        run_apart(filter, state, &stream, request, out);
    }
    if (filter->end != NULL)
        filter->end(state, out);
    mem_free(state);
    stream_free(&stream);
}
