#include "filter.h"

#include "emit.h"
#include "loss.h"
#include "mem.h"
#include "members.h"
#include "merge.h"

/* What stands in front of a filter that keeps profiles apart, and promises each an end. */
struct border {
    struct sink sink;
    struct sink *next;
    bool owes_end; /* it waits: what is left out may be an error */
};

static void pay_end(struct border *b, bool more)
{
    if (b->owes_end)
        sink_end(b->next, more);
    b->owes_end = false;
}

/* Passes ROW, but for an .end row, and promises an end in a version row that does not. */
static void border_row(struct sink *to, struct row *row)
{
    struct border *b = (struct border *)to;
    struct buf extra = {0};
    if (row_is_end(row))
        return;
    if (row->table == TABLE_META) {
        pay_end(b, true);
        b->owes_end = true;
        if (!members_flag(row, MEMBER_ID_ENDS)) {
            emit_promise(&extra, row->extra);
            row->extra = buf_str(&extra);
        }
    }
    sink_row(b->next, row);
    buf_free(&extra);
}

static void border_sample(struct sink *to, struct sample *sample)
{
    sink_sample(((struct border *)to)->next, sample);
}

static void run_merged(struct sink *stage, struct inputs *inputs,
                       const struct filter_request *request)
{
    struct merge merge = merge_of(stage);
    feed(inputs, &request->feed, &merge.sink);
    if (!merge.begun)
        sink_begin(stage);
    merge_free(&merge);
    loss_report(request->lossless); /* may die: before the .end row */
    sink_end(stage, false);
}

static void run_apart(const struct filter *filter, struct sink *stage, struct inputs *inputs,
                      const struct filter_request *request)
{
    struct border border = {{stage->flow, border_row, border_sample}, stage, false};
    struct sink *first = filter->promises ? &border.sink : stage;
    struct feed_request wanted = request->feed;
    wanted.as_is = filter->reads == FILTER_READS_ANY;
    feed(inputs, &wanted, first);
    loss_report(request->lossless); /* may die: before the last .end row */
    pay_end(&border, false);
}

void filter_run(const struct filter *filter, struct inputs *inputs,
                const struct filter_request *request, struct out *out)
{
    struct flow flow = {0};
    struct sink *stage = mem_alloc_zeroed(filter->state_size);
    filter->open(stage, &flow, out);
    emit_owe(out);
    if (filter->reads == FILTER_READS_MERGED)
        run_merged(stage, inputs, request);
    else
        run_apart(filter, stage, inputs, request);
    if (filter->close != NULL)
        filter->close(stage);
    mem_free(stage);
    value_types_free(&flow.types);
}

void filter_open_emitter(void *state, struct flow *flow, struct out *out)
{
    *(struct emitter *)state = emitter_of(flow, out);
}
