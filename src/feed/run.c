#include "feed/run.h"

#include "base/buf.h"
#include "base/mem.h"
#include "feed/parts.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/members.h"
#include "stream/merge.h"

/* The stage before a filter that keeps profiles apart: each profile gets a promise of its end,
 * and the end as soon as it is known what follows. */
struct border {
    struct sink sink;
    struct sink *next;
    bool owes_end; /* its .end row waits: losses may still be errors */
};

static void pay_end(struct border *b, bool more)
{
    if (b->owes_end)
        sink_end(b->next, more);
    b->owes_end = false;
}

/* Pushes ROW, unless it is an .end row; adds the promise of an end to a version row without one. */
static void border_row(struct sink *to, struct row *row)
{
    struct border *b = (struct border *)to;
    struct buf extra = {0};
    if (row_is_end(row)) {
        if (members_flag(row, MEMBER_ID_MORE))
            pay_end(b, true);
        return;
    }
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

static void run_merged(const struct stage *stage, struct sink *state, struct inputs *inputs,
                       const struct feed_request *request)
{
    struct merge merge = merge_of(state);
    parts_feed(inputs, request, &merge);
    if (!stage->leaves_rows) {
        if (!merge.begun)
            sink_begin(state);
        if (stage->finish != NULL)
            stage->finish(state);
        loss_report(request->lossless); /* may die: before the .end row */
        sink_end(state, false);
    }
    merge_free(&merge);
}

/* The stage before one that takes inputs: a merge for each input. */
struct per_input {
    struct sink sink;
    struct sink *next;
    struct merge merge;
    size_t input; /* the number of the one that is merged; 0: none yet */
};

static void end_input(struct per_input *g)
{
    if (g->input != 0)
        sink_end(g->next, false);
    merge_free(&g->merge);
}

static void per_input_row(struct sink *to, struct row *row)
{
    struct per_input *g = (struct per_input *)to;
    if (g->input != to->flow->input) {
        end_input(g);
        g->merge = merge_of(g->next);
        g->input = to->flow->input;
    }
    sink_row(&g->merge.sink, row);
}

static void per_input_sample(struct sink *to, struct sample *sample)
{
    sink_sample(&((struct per_input *)to)->merge.sink, sample);
}

static void run_inputs(struct sink *state, struct inputs *inputs,
                       const struct feed_request *request)
{
    struct per_input each = {.sink = {state->flow, per_input_row, per_input_sample}, .next = state};
    feed(inputs, request, &each.sink);
    end_input(&each);
}

static void run_apart(const struct stage *stage, struct sink *state, struct inputs *inputs,
                      const struct feed_request *request)
{
    struct merge merge = merge_each_of(state);
    struct sink *next = stage->takes == STAGE_TAKES_NUMBERED ? &merge.sink : state;
    struct border border = {{state->flow, border_row, border_sample}, next, false};
    struct feed_request wanted = *request;
    wanted.as_is = stage->takes == STAGE_TAKES_ANY;
    feed(inputs, &wanted, &border.sink);
    loss_report(request->lossless); /* may die: before the last .end row */
    pay_end(&border, false);
    merge_free(&merge);
}

void run_stage(const struct stage *stage, const void *options, struct inputs *inputs,
               const struct feed_request *request, struct out *out)
{
    struct flow flow = {0};
    struct sink *state = mem_alloc_zeroed(stage->state_size);
    stage->open(state, &flow, options, out);
    if (!stage->leaves_rows)
        emit_owe(out);
    if (stage->takes == STAGE_TAKES_MERGED)
        run_merged(stage, state, inputs, request);
    else if (stage->takes == STAGE_TAKES_INPUTS)
        run_inputs(state, inputs, request);
    else
        run_apart(stage, state, inputs, request);
    mem_trim();
    if (stage->close != NULL)
        stage->close(state);
    loss_report(request->lossless); /* writers report losses when they have written */
    mem_free(state);
    value_types_free(&flow.types);
}
