/* Traces as rows: a source for each profile of V8, and one for all other events. */
#include "base/mem.h"
#include "base/order.h"
#include "formats/trace/trace.h"
#include "rows/emit.h"
#include "rows/listed.h"
#include "rows/loss.h"
#include "rows/text.h"
#include "stream/growth.h"

#include <inttypes.h>

/* The types of spans and samples. */
enum type { SPANS, WALL, SAMPLES, CPU, TYPES };

static const struct {
    struct str type, unit;
    enum trace_kind kind; /* of the events that have it */
} types[TYPES] = {
    [SPANS] = {STR("spans"), STR("count"), TRACE_SPAN},
    [WALL] = {STR("wall"), STR("nanoseconds"), TRACE_SPAN},
    [SAMPLES] = {STR("samples"), STR("count"), TRACE_SAMPLE},
    [CPU] = {STR("cpu"), STR("nanoseconds"), TRACE_SAMPLE},
};

bool trace_has_type(struct str name)
{
    for (size_t i = 0; i < TYPES; i++)
        if (str_equal(name, types[i].type))
            return true;
    return false;
}

struct pusher {
    struct trace *t;
    struct intern functions;
    uint32_t *function_ids; /* by number - 1; V8's come first */
    size_t function_capacity;
    uint32_t function_count; /* with V8's */
    int64_t *locations;      /* by place - 1 */
    uint32_t types[TYPES];
    uint32_t *counters; /* types by number - 1 */
    uint32_t *order;    /* of events */
    int64_t *stack;
    size_t stack_capacity;
    struct buf number;
    int64_t sample_id;
};

/* --- names --- */

/* V8's function of PLACE; 0: it has none. */
static uint32_t find_in_v8(const struct trace *t, const struct trace_place *place)
{
    return v8_frames_find(&t->v8, trace_text_of(t, place->name), trace_text_of(t, place->file),
                          place->start_line);
}

/* The function of PLACE; pushes a new one. */
static int64_t function_of(struct pusher *p, const struct trace_place *place)
{
    struct trace *t = p->t;
    int64_t key[] = {place->name, place->file, place->start_line};
    bool is_new;
    uint32_t number =
        intern_add(&p->functions, (struct str){(const char *)key, sizeof key}, &is_new);
    if (!is_new)
        return p->function_ids[number - 1];
    p->function_ids =
        mem_array(p->function_ids, &p->function_capacity, number, sizeof *p->function_ids);
    uint32_t id = find_in_v8(t, place);
    if (id == 0) {
        id = ++p->function_count;
        bytes_rows_function(&t->v8.rows, t->sink, id, trace_text_of(t, place->name),
                            trace_text_of(t, place->file), place->start_line, STR(""));
    }
    p->function_ids[number - 1] = id;
    return id;
}

/* Takes the locations that V8 has, too: equal rows would be told apart by nothing but their ids. */
static void take_from_v8(struct pusher *p)
{
    struct trace *t = p->t;
    for (uint32_t i = 1; i <= t->places.count; i++) {
        const struct trace_place place = trace_place_of(t, i);
        const uint32_t function = place.category == 0 ? find_in_v8(t, &place) : 0;
        if (function != 0)
            p->locations[i - 1] = v8_frames_line(&t->v8, t->sink, function, place.line);
    }
}

static void push_places(struct pusher *p)
{
    struct trace *t = p->t;
    p->function_count = t->v8.functions.count;
    p->locations = mem_alloc_zeroed((t->places.count + 1) * sizeof *p->locations);
    take_from_v8(p);
    int64_t last = p->function_count + t->v8.lines.count;
    for (uint32_t i = 1; i <= t->places.count; i++) {
        if (p->locations[i - 1] != 0)
            continue;
        struct trace_place place = trace_place_of(t, i);
        p->locations[i - 1] = ++last;
        struct row row = {.table = TABLE_LOCATIONS,
                          .location = {last, function_of(p, &place), place.line}};
        t->extra.n = 0;
        if (place.category != 0) {
            emit_member(&t->extra, STR(".trace_category"));
            emit_inner_string(&t->extra, &t->scratch, trace_text_of(t, place.category));
        }
        row.extra = buf_str(&t->extra);
        sink_row(t->sink, &row);
    }
}

/* --- labels --- */

/* Appends a label to TO: a number if the text is one. */
static void add_label(struct trace *t, struct buf *to, struct str key, uint32_t text)
{
    int64_t number;
    if (text == 0)
        return;
    buf_add(to, STR(",{\"key\":\""));
    buf_add(to, key);
    if (text_is_integer(trace_text_of(t, text), &number)) {
        buf_add(to, STR("\",\"num\":"));
        emit_number(to, number);
    } else {
        buf_add(to, STR("\",\"str\":"));
        emit_inner_string(to, &t->scratch, trace_text_of(t, text));
    }
    buf_add(to, STR("}"));
}

/* Appends a label that is a name. */
static void add_name(struct trace *t, struct buf *to, struct str key, uint32_t text)
{
    if (text == 0)
        return;
    buf_add(to, STR(",{\"key\":\""));
    buf_add(to, key);
    buf_add(to, STR("\",\"str\":"));
    emit_inner_string(to, &t->scratch, trace_text_of(t, text));
    buf_add(to, STR("}"));
}

/* Sets the labels of all threads. */
static void set_labels(struct trace *t)
{
    for (uint32_t i = 0; i < t->threads.count; i++) {
        struct trace_thread *thread = &t->thread[i];
        bool has_process = thread->pid < t->process_capacity;
        t->extra.n = 0;
        add_label(t, &t->extra, STR("pid"), thread->pid);
        add_label(t, &t->extra, STR("tid"), thread->tid);
        if (has_process)
            add_name(t, &t->extra, STR("process"), t->process[thread->pid]);
        add_name(t, &t->extra, STR("thread"), thread->name);
        if (thread->pid < t->process_labels_capacity)
            add_name(t, &t->extra, STR("process_labels"), t->process_labels[thread->pid]);
        thread->label = trace_text(t, buf_str(&t->extra));
    }
}

/* Counts TEXT, the name of something that has no sample. */
static void count_name(uint32_t text, const char *what)
{
    if (text != 0)
        loss_add(LOSS_OWN, str_of(what), 1);
}

/* Counts the names of threads and processes that are no label of a sample. */
static void count_unused_names(const struct trace *t)
{
    size_t threads = t->threads.count, processes = t->process_capacity;
    bool *has_thread = mem_alloc_zeroed((threads + 1) * sizeof *has_thread);
    bool *has_process = mem_alloc_zeroed((processes + 1) * sizeof *has_process);
    for (size_t i = 0; i < t->count; i++)
        has_thread[t->events[i].thread] = true;
    for (size_t i = 0; i < t->profile_count; i++)
        has_thread[t->profiles[i].thread] |= trace_has_any(&t->profiles[i]);
    for (size_t i = 0; i < threads; i++)
        if (!has_thread[i])
            count_name(t->thread[i].name, "thread_name");
        else if (t->thread[i].pid < processes)
            has_process[t->thread[i].pid] = true;
    for (size_t i = 0; i < processes; i++) {
        count_name(has_process[i] ? 0 : t->process[i], "process_name");
        count_name(has_process[i] || i >= t->process_labels_capacity ? 0 : t->process_labels[i],
                   "process_labels");
    }
    mem_free(has_thread);
    mem_free(has_process);
}

/* Appends the column of labels to TO: those of THREAD, and DETAILS. */
static void add_labels(const struct trace *t, struct buf *to, uint32_t thread, uint32_t details)
{
    struct str of_thread = trace_text_of(t, t->thread[thread].label);
    struct str others = trace_text_of(t, details);
    if (of_thread.n + others.n == 0)
        return;
    buf_add(to, STR(",\".labels\":["));
    size_t at = to->n;
    buf_add(to, of_thread);
    buf_add(to, others);
    memmove(to->p + at, to->p + at + 1, to->n - at - 1); /* without the first comma */
    to->p[to->n - 1] = ']';
}

/* --- the source of events --- */

/* Adds the types of values, in the order in which a source lists them: the last is shown. */
static void add_types(struct pusher *p)
{
    struct trace *t = p->t;
    struct value_types *table = &t->sink->flow->types;
    p->counters = mem_alloc((t->types.count + 1) * sizeof *p->counters);
    listed_begin(&t->extra);
    for (uint32_t i = 1; i <= t->types.count; i++) {
        struct str text = intern_get(&t->types, i);
        p->counters[i - 1] = value_types_add_bytes(table, text, STR("count"));
        listed_add_bytes(&t->extra, &t->scratch, text, STR("count"), LISTED_GAUGE);
        emit_check_length(STR("sources"), t->extra.n);
    }
    for (enum type i = 0; i < TYPES; i++) {
        if (!t->has[types[i].kind] && !(types[i].kind == TRACE_SPAN && t->has[TRACE_BEGIN]))
            continue;
        p->types[i] = value_types_add(table, types[i].type, types[i].unit);
        listed_add(&t->extra, types[i].type, types[i].unit, LISTED_SUM);
    }
    listed_end(&t->extra);
}

static void push_source(struct pusher *p, int64_t id, const char *uri)
{
    struct trace *t = p->t;
    t->extra.n = 0;
    add_types(p);
    buf_add(&t->extra, STR(",\".trace\":{\"zero\":"));
    emit_number(&t->extra, t->zero);
    if (t->others.n > 0) {
        buf_add(&t->extra, STR(",\"others\":\"{"));
        text_escape(&t->extra, (struct str){t->others.p + 1, t->others.n - 1});
        buf_add(&t->extra, STR("}\""));
    }
    buf_add(&t->extra, STR("}"));
    bytes_rows_source(&t->v8.rows, t->sink, id, STR("trace"), uri, t->request->timestamp,
                      &t->extra);
}

/* --- events --- */

/* The stack of the event E, innermost first; returns its depth. */
static size_t stack_of(struct pusher *p, const struct trace_event *e)
{
    struct trace *t = p->t;
    size_t depth = 0;
    bool is_span = e->kind == TRACE_SPAN;
    uint32_t frame = e->kind == TRACE_SAMPLE ? e->outer : 0;
    while (is_span || frame != 0) {
        growth_check_depth(depth + 1, t->sink->flow->where);
        p->stack = mem_array(p->stack, &p->stack_capacity, depth + 1, sizeof *p->stack);
        p->stack[depth++] = p->locations[(is_span ? e->what : t->frames[frame - 1].place) - 1];
        frame = is_span ? 0 : t->frames[frame - 1].parent;
        is_span = is_span && e->outer != 0;
        if (is_span)
            e = &t->events[e->outer - 1];
    }
    return depth;
}

/* The number whose text is TEXT; a text that it needs goes to p->number. */
static struct number number_of_text(struct pusher *p, struct str text)
{
    int64_t integer;
    if (text_is_integer(text, &integer))
        return number_of(integer);
    p->number.n = 0;
    decimal_write_real(&p->number, decimal_read(text));
    return (struct number){.kind = NUMBER_REAL, .real = {p->number.p, p->number.n - 1}};
}

static void push_event(struct pusher *p, const struct trace_event *e, int64_t source_id)
{
    struct trace *t = p->t;
    struct sample_value values[2];
    size_t count = 0;
    if (e->kind == TRACE_LEVEL) {
        struct number level = number_of_text(p, trace_text_of(t, e->outer));
        values[count++] = (struct sample_value){p->counters[e->what - 1], level, STR("")};
    } else {
        bool is_span = e->kind == TRACE_SPAN;
        struct number number = number_of(is_span ? 1 : (int64_t)e->what);
        values[count++] =
            (struct sample_value){p->types[is_span ? SPANS : SAMPLES], number, STR("")};
        values[count++] =
            (struct sample_value){p->types[is_span ? WALL : CPU], number_of(e->value), STR("")};
    }
    t->extra.n = 0;
    emit_member(&t->extra, STR(".time"));
    emit_number(&t->extra, e->at - t->zero);
    add_labels(t, &t->extra, e->thread, e->details);
    size_t depth = stack_of(p, e);
    sink_sample(t->sink, &(struct sample){.sample_id = ++p->sample_id,
                                          .source_id = source_id,
                                          .extra = buf_str(&t->extra),
                                          .values = values,
                                          .value_count = count,
                                          .locations = p->stack,
                                          .depth = depth});
}

static int compare_times(const void *a, const void *b, void *with)
{
    const struct trace_event *events = with;
    int64_t x = events[*(const uint32_t *)a].at, y = events[*(const uint32_t *)b].at;
    return x < y ? -1 : x > y;
}

static void order_events(struct pusher *p)
{
    struct trace *t = p->t;
    p->order = mem_alloc((t->count + 1) * sizeof *p->order);
    for (size_t i = 0; i < t->count; i++)
        p->order[i] = (uint32_t)i;
    order_items_with(p->order, t->count, sizeof *p->order, compare_times, t->events);
    t->zero = t->count > 0 ? t->events[p->order[0]].at : 0;
}

void trace_push(struct trace *t, const char *uri)
{
    struct pusher p = {.t = t};
    struct v8_target target = {.sink = t->sink, .sample_id = &p.sample_id};
    int64_t source_id = 0;
    set_labels(t);
    count_unused_names(t);
    order_events(&p);
    v8_frames_push(&t->v8, t->sink);
    for (size_t i = 0; i < t->profile_count; i++)
        if (trace_has_any(&t->profiles[i]))
            v8_profile_push_locations(&t->profiles[i].v8, t->sink);
    push_places(&p);
    for (size_t i = 0; i < t->profile_count; i++) {
        struct v8_profile *v8 = &t->profiles[i].v8;
        struct buf labels = {0};
        if (!trace_has_any(&t->profiles[i]))
            continue;
        target.source_id = ++source_id;
        add_labels(t, &labels, t->profiles[i].thread, 0);
        target.labels = buf_str(&labels);
        v8_profile_push_source(v8, &target, uri, t->request->timestamp);
        v8_profile_push(v8, &target);
        buf_free(&labels);
    }
    if (t->count > 0 || source_id == 0)
        push_source(&p, ++source_id, uri);
    for (size_t i = 0; i < t->count; i++)
        push_event(&p, &t->events[p.order[i]], source_id);
    intern_free(&p.functions);
    mem_free(p.function_ids);
    mem_free(p.locations);
    mem_free(p.counters);
    mem_free(p.order);
    mem_free(p.stack);
    buf_free(&p.number);
}
