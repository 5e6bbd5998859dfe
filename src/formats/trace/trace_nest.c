/* Which span is in which. Events of a thread are in any order in the file. */
#include "base/mem.h"
#include "base/order.h"
#include "formats/trace/trace.h"
#include "rows/loss.h"
#include "stream/growth.h"

#include <inttypes.h>

/* Until when an open span lasts, and how much of that is inside others. */
struct reach {
    int64_t end, inside;
    uint32_t same; /* how many spans around it, itself included, begin when it does */
};

/* The state of a thread. */
struct nest {
    struct trace *t;
    struct trace_event *events; /* of all threads */
    uint32_t *stack;            /* open begins, or spans: numbers of events */
    struct reach *reach;        /* of each there */
    size_t depth, capacity, reach_capacity;
    /* By name: how many begins are open; how many of them begin, and how many ends stand, at one
     * time. */
    uint32_t *open, *fresh, *ends;
    uint64_t unclosed;
    uint64_t frames; /* of the stacks of all spans and samples */
};

static int compare_times(const void *a, const void *b)
{
    const struct trace_event *x = a, *y = b;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* The same; at one time spans are in front, the longer ones first. */
static int compare_spans(const void *a, const void *b)
{
    const struct trace_event *x = a, *y = b;
    bool x_is_span = x->kind == TRACE_SPAN, y_is_span = y->kind == TRACE_SPAN;
    int order = compare_times(a, b);
    if (order != 0)
        return order;
    if (x_is_span != y_is_span)
        return x_is_span ? -1 : 1;
    return !x_is_span || x->value == y->value ? 0 : x->value > y->value ? -1 : 1;
}

static void push(struct nest *n, size_t event)
{
    n->stack = mem_array(n->stack, &n->capacity, n->depth + 1, sizeof *n->stack);
    n->stack[n->depth++] = (uint32_t)event;
}

/* --- begins and ends --- */

/* Which ends of one time come in front of the begins, in `outer`. */
enum { PLAIN, EARLY, LATE };

static uint32_t name_of(const struct nest *n, size_t event)
{
    const struct trace_event *e = &n->events[event];
    return e->kind == TRACE_END ? e->what : trace_place_of(n->t, e->what).name;
}

static void open_span(struct nest *n, size_t event)
{
    struct trace_event *e = &n->events[event];
    const struct trace_event *around = n->depth == 0 ? NULL : &n->events[n->stack[n->depth - 1]];
    /* how many it is in that begin when it does: some may end then, too */
    e->outer = around != NULL && around->at == e->at ? around->outer + 1 : 0;
    push(n, event);
    n->open[name_of(n, event)]++;
}

/* Ends the innermost open span AT. */
static void close_span(struct nest *n, int64_t at)
{
    size_t event = n->stack[--n->depth];
    struct trace_event *e = &n->events[event];
    n->open[name_of(n, event)]--;
    e->value = at - e->at;
    e->kind = TRACE_SPAN;
}

/* Takes an end AT of the span NAME, 0: of the innermost; false if none is open. Those inside it end,
 * too. */
static bool take_end(struct nest *n, uint32_t name, int64_t at)
{
    if (n->depth == 0 || (name != 0 && n->open[name] == 0))
        return false;
    while (name != 0 && name_of(n, n->stack[n->depth - 1]) != name) {
        n->unclosed++;
        close_span(n, at);
    }
    close_span(n, at);
    return true;
}

static bool is_begin(const struct nest *n, size_t event)
{
    return n->events[event].kind == TRACE_BEGIN;
}

static bool is_end(const struct nest *n, size_t event)
{
    return n->events[event].kind == TRACE_END;
}

/* Marks the ends among the events FIRST to LAST, all at one time, that close something that began
 * before: those behind a begin of the same name end that one. Returns their number. */
static size_t mark_ends(struct nest *n, size_t first, size_t last)
{
    size_t count = 0;
    for (size_t i = first; i < last; i++) {
        if (!is_begin(n, i) && !is_end(n, i))
            continue;
        uint32_t name = name_of(n, i);
        if (is_begin(n, i)) {
            n->fresh[name]++;
            n->fresh[0] += name != 0;
        } else if (n->fresh[name] > 0) {
            n->fresh[name]--;
            n->fresh[0] -= name != 0;
        } else {
            n->events[i].outer = EARLY;
            n->ends[name]++;
            count++;
        }
    }
    for (size_t i = first; i < last; i++)
        if (is_begin(n, i))
            n->fresh[name_of(n, i)] = 0;
    n->fresh[0] = 0;
    return count;
}

/* Takes the COUNT ends that mark_ends has marked. Which of them comes first the innermost open span
 * says. */
static void take_marked(struct nest *n, size_t first, size_t count)
{
    int64_t at = n->events[first].at;
    for (size_t i = first; count > 0;) {
        uint32_t top = n->depth == 0 ? 0 : name_of(n, n->stack[n->depth - 1]);
        uint32_t name = n->ends[top] > 0 ? top : 0;
        if (n->depth > 0 && n->ends[name] > 0) {
            close_span(n, at);
            n->ends[name]--;
            count--;
            continue;
        }
        while (!is_end(n, i) || n->events[i].outer != EARLY || n->ends[n->events[i].what] == 0)
            i++;
        name = n->events[i++].what;
        n->ends[name]--;
        count--;
        if (!take_end(n, name, at))
            n->events[i - 1].outer = LATE; /* its begin may be behind it in the file */
    }
}

/* Takes the ends among the events FIRST to LAST that have MARK, and IS_OPENING begins. */
static void take_group(struct nest *n, size_t first, size_t last, uint32_t mark, bool is_opening)
{
    for (size_t i = first; i < last; i++)
        if (is_opening && is_begin(n, i))
            open_span(n, i);
        else if (is_end(n, i) && n->events[i].outer == mark &&
                 !take_end(n, n->events[i].what, n->events[i].at))
            loss_add(LOSS_TRACE_ENDS, STR(""), 1);
}

/* Joins begins and ends among the events FIRST to LAST, all at one time. */
static void join_group(struct nest *n, size_t first, size_t last)
{
    take_marked(n, first, mark_ends(n, first, last));
    take_group(n, first, last, PLAIN, true);
    take_group(n, first, last, LATE, false);
}

/* Joins begins and ends among the events FIRST to LAST, of one thread. */
static void join(struct nest *n, size_t first, size_t last)
{
    int64_t end = n->events[first].at;
    size_t group = first;
    for (size_t i = first; i < last; i++) {
        const struct trace_event *e = &n->events[i];
        int64_t until = e->at + (e->kind == TRACE_SPAN ? e->value : 0);
        end = until > end ? until : end;
        if (i + 1 == last || n->events[i + 1].at != e->at) {
            join_group(n, group, i + 1);
            group = i + 1;
        }
    }
    for (; n->depth > 0; n->unclosed++)
        close_span(n, end);
}

/* --- spans --- */

/* Ends the innermost span. What is in it and ends behind it keeps it open, so that no time counts
 * twice. */
static void leave_span(struct nest *n)
{
    struct reach inner = n->reach[--n->depth];
    struct trace_event *e = &n->events[n->stack[n->depth]];
    e->value = inner.end - e->at - inner.inside;
    if (n->depth == 0)
        return;
    struct reach *outer = &n->reach[n->depth - 1];
    outer->inside += inner.end - e->at;
    outer->end = inner.end > outer->end ? inner.end : outer->end;
}

/* Whether the innermost span has ended when E begins. One of no length may have begun, and E in it. */
static bool has_ended(const struct nest *n, const struct trace_event *e)
{
    const struct reach *reach = &n->reach[n->depth - 1];
    const bool is_same = n->events[n->stack[n->depth - 1]].at == e->at;
    return reach->end <= e->at && !(is_same && reach->same <= e->outer);
}

static void enter_span(struct nest *n, size_t event)
{
    struct trace_event *e = &n->events[event];
    struct reach reach = {.end = e->at + e->value, .same = 1};
    while (n->depth > 0 && has_ended(n, e))
        leave_span(n);
    if (n->depth > 0 && n->events[n->stack[n->depth - 1]].at == e->at)
        reach.same += n->reach[n->depth - 1].same;
    e->outer = n->depth == 0 ? 0 : n->stack[n->depth - 1] + 1;
    if (n->depth > 0 && n->reach[n->depth - 1].end < reach.end)
        loss_add(LOSS_TRACE_OVERLAPS, STR(""), 1);
    n->reach = mem_array(n->reach, &n->reach_capacity, n->depth + 1, sizeof *n->reach);
    n->reach[n->depth] = reach;
    push(n, event);
    n->frames += n->depth;
}

/* Nests the events FIRST to LAST, of one thread. A sample lasts until the next one. */
static void nest(struct nest *n, size_t first, size_t last)
{
    struct trace_event *sample = NULL;
    for (size_t i = first; i < last; i++) {
        struct trace_event *e = &n->events[i];
        if (e->kind == TRACE_SPAN)
            enter_span(n, i);
        if (e->kind != TRACE_SAMPLE)
            continue;
        if (sample != NULL)
            sample->value = e->at - sample->at;
        sample = e;
        n->frames += e->outer == 0 ? 0 : n->t->frames[e->outer - 1].depth;
    }
    while (n->depth > 0)
        leave_span(n);
}

/* --- threads --- */

/* Calls EACH for the events of each thread. */
static void for_threads(struct nest *n, void (*each)(struct nest *, size_t first, size_t last))
{
    for (size_t first = 0, last = 0; first < n->t->count; first = last) {
        while (last < n->t->count && n->events[last].thread == n->events[first].thread)
            last++;
        each(n, first, last);
    }
}

static void drop_ends(struct trace *t)
{
    size_t count = 0;
    for (size_t i = 0; i < t->count; i++)
        if (t->events[i].kind != TRACE_END)
            t->events[count++] = t->events[i];
    t->count = count;
}

void trace_nest(struct trace *t)
{
    struct nest n = {.t = t, .events = t->events};
    uint32_t **const tables[] = {&n.open, &n.fresh, &n.ends};
    if (t->has[TRACE_BEGIN] || t->has[TRACE_END]) {
        order_items(t->events, t->count, sizeof *t->events, compare_times);
        for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
            *tables[i] = mem_alloc_zeroed((t->texts.count + 1) * sizeof **tables[i]);
        for_threads(&n, join);
        for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
            mem_free(*tables[i]);
    }
    drop_ends(t);
    order_items(t->events, t->count, sizeof *t->events, compare_spans);
    for_threads(&n, nest);
    growth_expect(t->sink->flow, n.frames);
    if (n.unclosed > 0 && t->request->strict)
        die_as(CODE_CUT, (struct place){in_name(t->json.in), PLACE_FILE, 0},
               "--strict: %" PRIu64 " begins have no end", n.unclosed);
    if (n.unclosed > 0)
        warn_at(CODE_CUT, (struct place){in_name(t->json.in), PLACE_FILE, 0},
                "begins without an end (%" PRIu64 "): each lasts as long as what is around it",
                n.unclosed);
    mem_free(n.stack);
    mem_free(n.reach);
}
