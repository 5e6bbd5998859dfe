/* Samples: their header, frames and end. */
#include "base/mem.h"
#include "formats/perf/perf_read.h"
#include "rows/emit.h"
#include "rows/text.h"
#include "stream/growth.h"

/* --- numbers --- */

/* Sets *N to DIGITS; false if the number is too large. */
static bool take_digits(struct str digits, int64_t *n)
{
    *n = 0;
    for (size_t i = 0; i < digits.n; i++)
        if (__builtin_mul_overflow(*n, (int64_t)10, n) ||
            __builtin_add_overflow(*n, (int64_t)(digits.p[i] - '0'), n))
            return false;
    return true;
}

/* Sets *TIME to the time of HEADER in nanoseconds; false if it is too large. */
static bool take_time(const struct perf_header *header, int64_t *time)
{
    static const int64_t powers[] = {1000000000, 100000000, 10000000, 1000000, 100000,
                                     10000,      1000,      100,      10,      1};
    int64_t fraction;
    return take_digits(header->fraction, &fraction) && take_digits(header->seconds, time) &&
           !__builtin_mul_overflow(*time, powers[0], time) &&
           !__builtin_add_overflow(*time, fraction * powers[header->fraction.n], time);
}

/* Stores the period of HEADER in R and its time in *TIME; false if one is too large, which is
 * reported. */
static bool take_numbers(struct perf_reader *r, const struct perf_header *header, int64_t *time)
{
    bool has_time = take_time(header, time);
    r->period = 1;
    if (!has_time)
        bad_lines_note(&r->bad, r->where,
                       "expected a time of 64 bits in nanoseconds, found %.*s.%.*s",
                       STR_ARG(header->seconds), STR_ARG(header->fraction));
    else if (header->period.n > 0 && !take_digits(header->period, &r->period))
        bad_lines_note(&r->bad, r->where, "expected a period of 64 bits, found %.*s",
                       STR_ARG(header->period));
    else
        return true;
    return false;
}

/* --- labels --- */

static void open_label(struct perf_reader *r, struct str key)
{
    buf_add(&r->labels, r->labels.n == 0 ? STR(",\".labels\":[{\"key\":\"") : STR(",{\"key\":\""));
    buf_add(&r->labels, key);
}

/* Blanks around TEXT are padding. */
static void add_text(struct perf_reader *r, struct str key, struct str text)
{
    while (text.n > 0 && *text.p == ' ')
        text.p++, text.n--;
    while (text.n > 0 && text.p[text.n - 1] == ' ')
        text.n--;
    if (text.n == 0)
        return;
    open_label(r, key);
    buf_add(&r->labels, STR("\",\"str\":"));
    emit_inner_string(&r->labels, &r->name, text);
    buf_add(&r->labels, STR("}"));
}

/* DIGITS may begin with '-', or be empty. */
static void add_number(struct perf_reader *r, struct str key, struct str digits)
{
    if (digits.n == 0)
        return;
    bool is_negative = str_take(&digits, STR("-"));
    int64_t n;
    take_digits(digits, &n); /* at most 18 digits */
    open_label(r, key);
    buf_add(&r->labels, STR("\",\"num\":"));
    emit_number(&r->labels, is_negative ? -n : n);
    buf_add(&r->labels, STR("}"));
}

/* Adds the labels from the header H and its TIME, except those after the event. The list stays
 * open. */
static void add_labels(struct perf_reader *r, const struct perf_header *h, int64_t time)
{
    r->labels.n = 0;
    add_text(r, STR("comm"), h->comm);
    add_number(r, STR("pid"), h->pid);
    add_number(r, STR("tid"), h->tid);
    add_number(r, STR("cpu"), h->cpu);
    add_text(r, STR("misc"), h->misc);
    if (h->seconds.n > 0) {
        open_label(r, STR("time"));
        buf_add(&r->labels, STR("\",\"num\":"));
        emit_number(&r->labels, time);
        buf_add(&r->labels, STR(",\"unit\":\"nanoseconds\"}"));
    }
}

/* --- frames --- */

/* The number of the frame TEXT. */
static uint32_t number_frame(struct perf_reader *r, struct str text)
{
    bool is_new;
    while (text.n > 0 && (*text.p == ' ' || *text.p == '\t'))
        text.p++, text.n--;
    uint32_t id = intern_add(&r->frames, text, &is_new);
    if (!is_new)
        return id;
    r->items = mem_array(r->items, &r->item_capacity, id, sizeof *r->items);
    struct perf_item *item = &r->items[id - 1];
    *item = (struct perf_item){.location = 0};
    item->is_frame = perf_take_frame(intern_get(&r->frames, id), &item->frame);
    if (item->is_frame)
        item->mapping = perf_mapping_of(r, item->frame.dso);
    return id;
}

bool perf_push_frame(struct perf_reader *r, struct str text)
{
    uint32_t id = number_frame(r, text);
    const struct perf_item *item = &r->items[id - 1];
    if (!item->is_frame)
        return false;
    if (r->depth == r->step_capacity)
        r->steps = mem_array(r->steps, &r->step_capacity, r->depth + 1, sizeof *r->steps);
    r->steps[r->depth++] = (struct perf_step){.frame = id, .is_inlined = item->frame.is_inlined};
    return true;
}

void perf_finish_rest(struct perf_reader *r, bool is_chain)
{
    struct perf_rest rest;
    struct str text = buf_str(&r->rest);
    if (text.n == 0)
        return;
    r->rest.n = 0;
    if (is_chain || !perf_find_frame(text, &rest)) {
        add_text(r, STR("trace"), text);
        return;
    }
    add_text(r, STR("trace"), rest.front);
    add_text(r, STR("brstack"), rest.behind);
    perf_push_frame(r, rest.frame);
}

/* --- samples --- */

void perf_end_sample(struct perf_reader *r)
{
    if (r->state == PERF_NO_SAMPLE)
        return;
    perf_finish_rest(r, false);
    r->state = PERF_NO_SAMPLE;
    if (r->is_weak && r->depth == 0) {
        bad_lines_note(&r->bad, r->began, "expected a sample, found a line that no frames follow");
        return;
    }
    perf_finish_stack(r);
    if (r->labels.n > 0)
        buf_add(&r->labels, STR("]"));
    if (r->is_truncated)
        buf_add(&r->labels, STR(",\".truncated\":true"));
    struct sample_value values[2];
    size_t count = 0;
    if (r->event == NULL || r->event->is_counted)
        values[count++] = (struct sample_value){r->count_type, number_of(1), STR("")};
    if (r->event != NULL && r->event->type != 0)
        values[count++] =
            (struct sample_value){r->event->type, number_of(r->period), r->event->extra};
    growth_check_depth(r->depth, r->began);
    sink_sample(r->sink, &(struct sample){.sample_id = ++r->sample_id,
                                          .source_id = 1,
                                          .extra = buf_str(&r->labels),
                                          .values = values,
                                          .value_count = count,
                                          .locations = r->stack,
                                          .depth = r->depth});
}

void perf_begin_sample(struct perf_reader *r)
{
    perf_end_sample(r);
    if (!r->has_source)
        perf_emit_source(r);
    r->began = r->where;
    r->labels.n = r->rest.n = r->depth = 0;
    r->event = NULL;
    r->is_weak = r->is_whole = r->is_truncated = false;
}

void perf_begin_headed(struct perf_reader *r, const struct perf_header *header, bool has_frame)
{
    int64_t time;
    perf_end_sample(r);
    if (!take_numbers(r, header, &time))
        return;
    perf_begin_sample(r);
    r->is_weak = header->seconds.n == 0 && perf_is_weak(header);
    r->event = perf_event_of(r, header);
    r->state = has_frame ? PERF_ONE_LINE : PERF_CHAIN;
    r->is_whole = !perf_is_bare(header);
    add_labels(r, header, time);
    if (has_frame)
        buf_add(&r->rest, header->rest);
    else
        add_text(r, STR("trace"), header->rest);
}
