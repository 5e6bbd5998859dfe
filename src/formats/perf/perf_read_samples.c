/* Samples of perf script: headers, frames, and waits. */
#include "base/mem.h"
#include "formats/perf/perf_read.h"
#include "rows/emit.h"
#include "rows/loss.h"
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
    size_t digits = header->is_micros ? 6 : header->fraction.n;
    return take_digits(header->fraction, &fraction) && take_digits(header->seconds, time) &&
           !__builtin_mul_overflow(*time, powers[0], time) &&
           !__builtin_add_overflow(*time, fraction * powers[digits], time);
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
    buf_add(&r->columns, r->has_labels ? STR(",{\"key\":\"") : STR(",\".labels\":[{\"key\":\""));
    r->has_labels = true;
    buf_add(&r->columns, key);
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
    buf_add(&r->columns, STR("\",\"str\":"));
    emit_inner_string(&r->columns, &r->name, text);
    buf_add(&r->columns, STR("}"));
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
    buf_add(&r->columns, STR("\",\"num\":"));
    emit_number(&r->columns, is_negative ? -n : n);
    buf_add(&r->columns, STR("}"));
}

/* Adds the TIME of the header H, if it has one, and its labels, except those after the event. The
 * list stays open. */
static void add_columns(struct perf_reader *r, const struct perf_header *h, int64_t time)
{
    if (h->seconds.n > 0) {
        emit_member(&r->columns, STR(".time"));
        emit_number(&r->columns, time);
    }
    add_text(r, STR("comm"), h->comm);
    add_number(r, STR("pid"), h->pid);
    add_number(r, STR("tid"), h->tid);
    add_number(r, STR("cpu"), h->cpu);
    add_text(r, STR("misc"), h->misc);
    add_text(r, STR("tod"), h->date);
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

/* Adds TEXT, which is between the event and the frames: the address of -F addr, or other text. */
static void add_front(struct perf_reader *r, struct str text)
{
    bool is_address = perf_address_columns(text) >= PERF_ADDRESS_WIDTH;
    add_text(r, is_address ? STR("addr") : STR("trace"), text);
}

void perf_finish_rest(struct perf_reader *r, bool is_chain)
{
    struct str text = buf_str(&r->rest);
    if (text.n == 0)
        return;
    r->rest.n = 0;
    if (is_chain) {
        add_front(r, text);
        return;
    }
    struct perf_rest rest = perf_split(text, r->frame_at);
    add_front(r, rest.front);
    buf_add(&r->tail, perf_trim(rest.behind));
    perf_push_frame(r, rest.frame);
}

/* --- samples --- */

/* Ends the dotted columns of the sample. */
static void close_columns(struct perf_reader *r)
{
    if (r->has_labels)
        buf_add(&r->columns, STR("]"));
    if (r->is_truncated)
        buf_add(&r->columns, STR(",\".truncated\":true"));
    if (r->tail.n > 0) {
        emit_member(&r->columns, STR(".perf_rest"));
        emit_string(&r->columns,
                    emit_text(&r->name, &r->inexact, STR(".perf_rest"), buf_str(&r->tail)));
        emit_bytes_column(&r->columns, &r->inexact);
    }
}

/* Pushes a sample of the stack LOCATIONS with the dotted columns EXTRA. */
static void push_sample(struct perf_reader *r, struct str extra, struct sample_value *values,
                        size_t count, int64_t *locations, size_t depth)
{
    growth_check_depth(depth, r->began);
    sink_sample(r->sink, &(struct sample){.sample_id = ++r->sample_id,
                                          .source_id = 1,
                                          .extra = extra,
                                          .values = values,
                                          .value_count = count,
                                          .locations = locations,
                                          .depth = depth});
}

/* --- waits --- */

/* Keeps the sample being read, with which a thread begins to wait. */
static void begin_wait(struct perf_reader *r)
{
    if (r->waiting == 0)
        return;
    struct perf_wait *wait = perf_off_cpu_begin(r->off_cpu, r->waiting);
    perf_finish_stack(r);
    wait->start = r->wait_start;
    wait->stack = mem_array(wait->stack, &wait->capacity, r->depth, sizeof *wait->stack);
    wait->depth = r->depth;
    if (r->depth > 0)
        memcpy(wait->stack, r->stack, r->depth * sizeof *wait->stack);
    buf_add(&wait->columns, buf_str(&r->columns));
}

/* Pushes WAIT, which ends at TIME. */
static void end_wait(struct perf_reader *r, struct perf_wait *wait, int64_t time)
{
    int64_t length;
    if (__builtin_sub_overflow(time, wait->start, &length) || length < 0)
        return; /* it stays open, and is counted with those that have no end */
    wait->is_open = false;
    if (wait->waker.n > 0) {
        buf_add(&wait->columns, STR(",{\"key\":\"waker\",\"str\":"));
        buf_add(&wait->columns, buf_str(&wait->waker));
        buf_add(&wait->columns, STR("}"));
    }
    buf_add(&wait->columns, STR("]"));
    struct sample_value values[] = {{r->count_type, number_of(1), STR("")},
                                    {r->wait_type, number_of(length), STR("")}};
    push_sample(r, buf_str(&wait->columns), values, 2, wait->stack, wait->depth);
}

/* Takes the event of the scheduler in H, of TIME, with TEXT behind it. */
static void take_switch(struct perf_reader *r, const struct perf_header *h, int64_t time,
                        struct str text)
{
    struct perf_switch s;
    r->waiting = 0;
    if (!perf_take_switch(h->event, text, &s)) {
        loss_add(LOSS_VALUES,
                 emit_text(&r->name, &r->inexact, STR("type"), perf_type_name(h->event)), 1);
        return;
    }
    perf_off_cpu_count(r->off_cpu);
    if (h->seconds.n == 0)
        die_at(r->where, "--off-cpu needs times: perf script -F +time prints them");
    struct perf_wait *wait = perf_off_cpu_find(r->off_cpu, s.to);
    if (wait != NULL && s.is_waking) {
        wait->waker.n = 0;
        emit_inner_string(&wait->waker, &r->name, perf_trim(h->comm));
    } else if (wait != NULL) {
        end_wait(r, wait, time);
    }
    r->waiting = s.is_waking ? 0 : s.from;
    r->wait_start = time;
    add_text(r, STR("prev_state"), s.state);
}

/* --- samples as printed --- */

void perf_end_sample(struct perf_reader *r)
{
    if (r->state == PERF_NO_SAMPLE)
        return;
    perf_finish_rest(r, false);
    add_text(r, STR("trace"), buf_str(&r->trace));
    r->trace.n = 0;
    r->is_tracing = false;
    r->state = PERF_NO_SAMPLE;
    if (r->is_weak && r->depth == 0) {
        bad_lines_note(&r->bad, r->began,
                       "expected a sample, found a line that no frames follow: " PERF_PRINT_FRAMES);
        return;
    }
    if (r->event != NULL && r->fields.kind == PERF_NO_HEADER)
        r->fields.kind = r->is_plain ? PERF_PLAIN : PERF_EVENTS;
    if (r->off_cpu != NULL) {
        begin_wait(r);
        return;
    }
    perf_finish_stack(r);
    r->inlined += r->depth > 0 && r->steps[0].is_inlined;
    close_columns(r);
    struct sample_value values[2];
    size_t count = 0;
    if (r->event == NULL || r->event->is_counted)
        values[count++] = (struct sample_value){r->count_type, number_of(1), STR("")};
    if (r->event != NULL && r->event->type != 0)
        values[count++] =
            (struct sample_value){r->event->type, number_of(r->period), r->event->extra};
    push_sample(r, buf_str(&r->columns), values, count, r->stack, r->depth);
}

/* Whether HEADER, without time and event, is a sample even if no frames follow: those before it
 * have the same fields, and perf prints a blank after the last one. */
static bool is_expected(const struct perf_reader *r, const struct perf_header *header)
{
    return r->fields.kind == PERF_PLAIN && (header->rest.n > 0 || header->rest.p[-1] == ' ');
}

void perf_begin_sample(struct perf_reader *r)
{
    perf_end_sample(r);
    if (!r->has_source)
        perf_push_source(r);
    r->began = r->where;
    r->columns.n = r->rest.n = r->tail.n = r->depth = 0;
    r->waiting = 0;
    r->has_labels = false;
    r->event = NULL;
    r->is_weak = r->is_whole = r->is_truncated = r->is_plain = false;
}

void perf_begin_headed(struct perf_reader *r, const struct perf_header *header, size_t frame_at)
{
    int64_t time;
    perf_end_sample(r);
    if (!take_numbers(r, header, &time))
        return;
    perf_begin_sample(r);
    r->is_plain = header->seconds.n == 0 && header->event.n == 0;
    r->is_weak =
        r->is_plain ? !is_expected(r, header) : header->seconds.n == 0 && perf_is_weak(header);
    r->event = perf_event_of(r, header);
    bool has_frame = frame_at < header->rest.n;
    r->frame_at = frame_at;
    r->state = has_frame ? PERF_ONE_LINE : PERF_CHAIN;
    r->is_whole = !perf_is_bare(header);
    add_columns(r, header, time);
    if (r->off_cpu != NULL) {
        const struct perf_rest rest = perf_split(header->rest, frame_at);
        r->frame_at = 0;
        buf_add(&r->rest, rest.frame);
        take_switch(r, header, time, has_frame ? rest.front : header->rest);
    } else if (has_frame) {
        buf_add(&r->rest, header->rest);
    } else {
        add_front(r, header->rest);
    }
}
