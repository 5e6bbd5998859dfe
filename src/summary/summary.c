/* The stage that collects the data of a table, and has a view write it. */
#include "summary/summary.h"

#include "base/origin.h"
#include "feed/attempt.h"
#include "summary/heading.h"
#include "summary/streaks.h"
#include "summary/view.h"

#include <time.h>

void summary_check(struct summary_options *o)
{
    o->plan = plan_open(o);
}

/* --- the stage --- */

static void take_row(struct sink *to, struct row *row)
{
    struct summary *s = (struct summary *)to;
    collect_row(&s->collect, row);
    if (s->samples != NULL)
        view_note_row(s->samples, row, to->flow->where);
    if (s->models != NULL)
        view_add_model(s->models, &s->collect, row);
}

static void take_sample(struct sink *to, struct sample *sample)
{
    struct summary *s = (struct summary *)to;
    if (s->samples != NULL)
        view_add_sample(s->samples, &s->collect, sample);
    else if (collect_sample(&s->collect, sample) && s->streaks != NULL)
        streaks_add(s->streaks, s->collect.stack, s->collect.depth, s->collect.count);
}

static struct summary *followed; /* if on a terminal; else NULL */

static void write_summary(struct summary *s)
{
    collect_finish(&s->collect);
    view_forget_totals(s); /* they may be those of the previous table */
    if (followed != NULL)
        out_write(s->out, STR("\33[H\33[J")); /* to the top left, and clear the screen */
    s->plan->write(s);
}

/* --follow: draws what is new when the input pauses, at most twice a second. */
static void redraw(void)
{
    enum { PAUSE = 500 }; /* milliseconds */
    static struct timespec last;
    static uint64_t drawn; /* how many records the last table shows */
    struct timespec now, rest = {0};
    struct summary *s = followed;
    if (s->collect.all.records == drawn)
        return;
    drawn = s->collect.all.records;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t passed = (now.tv_sec - last.tv_sec) * 1000 + (now.tv_nsec - last.tv_nsec) / 1000000;
    rest.tv_nsec = passed < PAUSE ? (PAUSE - passed) * 1000000 : 0;
    nanosleep(&rest, NULL); /* input arriving meanwhile is drawn next time */
    clock_gettime(CLOCK_MONOTONIC, &last);
    write_summary(s);
    out_flush(s->out);
}

static void open_summary(void *to, struct flow *flow, const void *with, struct out *out)
{
    static const struct summary_options none;
    const struct summary_options *options = with == NULL ? &none : with;
    struct summary *s = to;
    s->sink = (struct sink){flow, take_row, take_sample};
    s->out = out;
    s->options = options;
    /* an attempt's memory may be freed again; the parsed options are for the real run */
    s->plan = options->plan != NULL && !attempt_is_on() ? options->plan : plan_open(options);
    request_set_rows(&s->plan->rows, &s->collect);
    s->collect.counts_samples = options->type == NULL && (options->nodes || options->stacks ||
                                                          options->profile || options->samples);
    s->collect.keeps_counts = options->profile;
    s->collect.keeps_labels = options->traces;
    s->collect.choice.is_judged = options->fail_if.count > 0 && !attempt_is_on();
    s->collect.names_sources = options->samples || options->models;
    s->streaks = options->profile ? streaks_open() : NULL;
    s->samples = options->samples ? view_open_samples() : NULL;
    s->models = options->models ? view_open_models() : NULL;
    flow->adds_up = !options->profile && !options->samples;
    collect_open(&s->collect, flow, s->plan->type);
    flow->takes_sums = flow->adds_up && collect_takes_sums(&s->collect);
    if (options->follow && out_is_terminal(out)) {
        followed = s;
        origin_on_pause = redraw;
    }
}

/* --fail-if: reports what exceeds a gate. */
static void judge(struct summary *s)
{
    if (gates_find(&s->plan->gates, view_totals_of(s), s->options->absent_ok))
        diag_fail(STATUS_CHECK);
}

static void close_summary(void *to)
{
    struct summary *s = to;
    write_summary(s);
    if (s->samples == NULL && s->models == NULL && !s->plan->all_types)
        heading_warn(&s->collect);
    if (s->plan->gates.count > 0 && !attempt_is_on())
        judge(s);
    if (followed == s) {
        origin_on_pause = NULL;
        followed = NULL;
    }
    if (s->streaks != NULL)
        streaks_free(s->streaks);
    if (s->samples != NULL)
        view_free_samples(s->samples);
    if (s->models != NULL)
        view_free_models(s->models);
    view_forget_totals(s);
    collect_free(&s->collect);
    plan_free(s->plan);
}

const struct stage summary_stage = {
    .takes = STAGE_TAKES_MERGED,
    .leaves_rows = true,
    .state_size = sizeof(struct summary),
    .open = open_summary,
    .close = close_summary,
};
