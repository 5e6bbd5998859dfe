/* The events of a trace, one by one. Their members come in any order, so an event is taken when it
 * has been read; of its `args` what may be needed is kept until then. */
#include "base/mem.h"
#include "formats/trace/trace.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Bytes of other members of the file that are kept. */
enum { OTHERS_MAX = 1 << 20 };

enum member {
    PH,
    NAME,
    CAT,
    PID,
    TID,
    TS,
    DUR,
    TDUR,
    ID,
    SF,
    ARGS,
    WEIGHT,
    /* Those that only some kinds of events need, or that say the same in another clock. */
    DETAILS,
    OTHER = 32,
};

static const struct {
    struct str name;
    enum member member;
} members[] = {
    {STR("ph"), PH},
    {STR("ts"), TS},
    {STR("name"), NAME},
    {STR("pid"), PID},
    {STR("tid"), TID},
    {STR("cat"), CAT},
    {STR("args"), ARGS},
    {STR("dur"), DUR},
    {STR("tdur"), TDUR},
    {STR("id"), ID},
    {STR("sf"), SF},
    {STR("weight"), WEIGHT},
    {STR("tts"), DETAILS},
    {STR("s"), DETAILS},
    {STR("bp"), DETAILS},
    {STR("cpu"), DETAILS + 1},
    {STR("esf"), DETAILS + 2},
    {STR("stack"), DETAILS + 3},
    {STR("estack"), DETAILS + 4},
    {STR("tidelta"), DETAILS + 5},
    {STR("ticount"), DETAILS + 6},
    {STR("id2"), DETAILS + 7},
    {STR("scope"), DETAILS + 8},
    {STR("bind_id"), DETAILS + 9},
    {STR("flow_in"), DETAILS + 10},
    {STR("flow_out"), DETAILS + 11},
    {STR("cname"), DETAILS + 12},
};
_Static_assert(DETAILS + 12 < OTHER, "each has a bit");

/* A number in `args`, as spelled, or its name: where it is in the text of all. */
struct part {
    size_t at, n;
};

/* An event that is being read. */
struct event {
    struct tokens_place where;
    unsigned seen; /* members, as bits */
    char ph;       /* 0: none */
    uint32_t name, cat, pid, tid, id, sf;
    int64_t ts, dur, tdur;
    int64_t weight;
    bool has_lost; /* args that nothing of the event holds */
    bool is_total; /* not a span, but a sum of others, as clang adds them */
    /* of args: */
    struct buf *labels;       /* the strings, each as a label behind a comma */
    struct buf *numbers;      /* the text of numbers and their names */
    struct part (*number)[2]; /* name and value of each */
    size_t number_count, number_capacity;
    struct buf *data; /* the object of that name */
    struct tokens_place data_where;
    uint32_t arg_name, arg_labels, file; /* texts */
    const char *file_key;                /* the name of the member that is the file */
    int64_t line, start_line;            /* below 0: not there */
    size_t line_count;                   /* how many of them are among the numbers, too */
};

/* --- values --- */

/* The current token as the number of a text: a string, or a number as spelled. */
static uint32_t read_text(struct trace *t, const char *what)
{
    if (t->json.token == TOKEN_NULL)
        return 0;
    if (t->json.token != TOKEN_STRING && t->json.token != TOKEN_NUMBER)
        tokens_unexpected(&t->json, what);
    if (t->json.text.n == 0 || memchr(t->json.text.p, '\\', t->json.text.n) == NULL)
        return trace_text(t, t->json.text);
    t->text.n = 0;
    text_unescape(&t->text, t->json.text);
    return trace_text(t, buf_str(&t->text));
}

/* Whether TEXT is microseconds with at most three digits behind the point; *TIME gets
 * nanoseconds. */
static bool is_short_time(struct str text, int64_t *time)
{
    enum { DIGITS = 15 };
    size_t i = 0;
    int64_t n = 0;
    for (; i < text.n && i < DIGITS && str_is_digit(text.p[i]); i++)
        n = n * 10 + (text.p[i] - '0');
    if (i == 0 || (i < text.n && text.p[i] != '.') || text.n > i + 4)
        return false;
    for (size_t k = i + 1; k < i + 4; k++) {
        if (k < text.n && !str_is_digit(text.p[k]))
            return false;
        n = n * 10 + (k < text.n ? text.p[k] - '0' : 0);
    }
    *time = n;
    return true;
}

/* The current token, a number of microseconds or a string with one, in nanoseconds. */
static int64_t read_time(struct trace *t)
{
    enum { MAX = 62 }; /* bits, so that a sum or a difference of two fits */
    int64_t time;
    bool is_text = t->json.token == TOKEN_STRING || t->json.token == TOKEN_NUMBER;
    if (is_text && is_short_time(t->json.text, &time))
        return time;
    if (t->json.token != TOKEN_NUMBER)
        tokens_unexpected(&t->json, "a number of microseconds");
    struct decimal exact = decimal_multiply(decimal_read(t->json.text), decimal_of(1000));
    if (!decimal_round(exact, &time) || time >= (int64_t)1 << MAX || time <= -((int64_t)1 << MAX))
        tokens_unexpected(&t->json, "a time within 146 years");
    struct decimal more = decimal_of(time);
    decimal_subtract(&more, exact);
    if (decimal_sign(more) != 0)
        loss_add_fraction(STR(".time"), more);
    return time;
}

/* The current token, an integer from 0 or a string with one; -1 if it is neither. */
static int64_t read_integer(struct trace *t)
{
    int64_t n;
    bool is_text = t->json.token == TOKEN_STRING || t->json.token == TOKEN_NUMBER;
    return is_text && text_is_integer(t->json.text, &n) && n >= 0 ? n : -1;
}

/* --- args --- */

/* What must stand in front of a piece of a profile of V8, so that it can be read where it is. */
enum { V8_NEEDS = 1 << PH | 1 << NAME | 1 << PID | 1 << TID | 1 << TS | 1 << ID };

/* Whether E is a profile of V8 or a piece of one. */
static bool is_v8(const struct trace *t, const struct event *e)
{
    struct str name = trace_text_of(t, e->name);
    return e->ph == 'P' ? str_equal(name, STR("Profile")) || str_equal(name, STR("ProfileChunk"))
                        : strchr("iI", e->ph) != NULL && str_equal(name, STR("CpuProfile"));
}

static void add_label(struct trace *t, struct buf *to, struct str key, struct str text)
{
    buf_add(to, STR(",{\"key\":"));
    emit_inner_string(to, &t->scratch, key);
    buf_add(to, STR(",\"str\":"));
    emit_inner_string(to, &t->scratch, text);
    buf_add(to, STR("}"));
}

static void keep_number(struct event *e, struct str key, struct str number)
{
    struct part name = {e->numbers->n, key.n}, value = {e->numbers->n + key.n, number.n};
    buf_add(e->numbers, key);
    buf_add(e->numbers, number);
    e->number = mem_array(e->number, &e->number_capacity, e->number_count + 1, sizeof *e->number);
    e->number[e->number_count][0] = name;
    e->number[e->number_count++][1] = value;
}

/* Takes the member KEY of args, a string. */
static void take_string(struct trace *t, struct event *e, struct str key)
{
    uint32_t text = read_text(t, "");
    bool is_url = str_equal(key, STR("url"));
    if (is_url || str_equal(key, STR("filename"))) {
        e->file = text;
        e->file_key = is_url ? "url" : "filename";
        return;
    }
    if (str_equal(key, STR("name")))
        e->arg_name = text;
    if (str_equal(key, STR("labels")))
        e->arg_labels = text;
    add_label(t, e->labels, key, trace_text_of(t, text));
}

/* Takes the value of the member KEY of args, the current token. */
static void read_arg(struct trace *t, struct event *e, struct str key)
{
    bool may_have_data = e->ph == 0 || strchr("PiI", e->ph) != NULL;
    int64_t *line = str_equal(key, STR("line"))       ? &e->line
                    : str_equal(key, STR("funcLine")) ? &e->start_line
                                                      : NULL;
    if (line != NULL && e->ph != 'C' && (*line = read_integer(t)) >= 0) {
        if (e->ph == 0 && t->json.token == TOKEN_NUMBER) { /* it may be that of a counter */
            keep_number(e, key, t->json.text);
            e->line_count++;
        }
        return;
    }
    e->is_total |= str_equal(key, STR("avg ms"));
    if (t->json.token == TOKEN_STRING) {
        take_string(t, e, key);
    } else if (t->json.token == TOKEN_NUMBER && (e->ph == 0 || e->ph == 'C')) {
        keep_number(e, key, t->json.text);
    } else if (t->json.token == TOKEN_OBJECT && may_have_data && str_equal(key, STR("data"))) {
        if ((e->seen & V8_NEEDS) == V8_NEEDS && is_v8(t, e)) {
            trace_read_v8(t, &t->json, trace_text_of(t, e->name), e->id,
                          trace_thread(t, e->pid, e->tid), e->ts);
            return;
        }
        e->data_where = t->json.where;
        e->data->n = 0;
        tokens_copy(&t->json, e->data);
    } else if (t->json.token != TOKEN_NULL) {
        e->has_lost = true;
        tokens_skip(&t->json);
    }
}

static void read_args(struct trace *t, struct event *e)
{
    struct buf key = {0};
    if (t->json.token != TOKEN_OBJECT) {
        e->has_lost = t->json.token != TOKEN_NULL;
        tokens_skip(&t->json);
        return;
    }
    while (tokens_next(&t->json) == TOKEN_NAME) {
        key.n = 0;
        text_unescape(&key, t->json.text);
        tokens_next(&t->json);
        read_arg(t, e, buf_str(&key));
    }
    buf_free(&key);
}

/* --- events --- */

uint32_t trace_place(struct trace *t, const struct trace_place *place)
{
    uint32_t number =
        intern_add(&t->places, (struct str){(const char *)place, sizeof *place}, NULL);
    if (number > TRACE_MAX)
        tokens_die(&t->json, t->json.where, "more than %d names of events", TRACE_MAX);
    return number;
}

uint32_t trace_thread(struct trace *t, uint32_t pid, uint32_t tid)
{
    uint32_t key[] = {pid, tid};
    bool is_new;
    if (t->threads.count > 0 && t->last_thread.pid == pid && t->last_thread.tid == tid)
        return t->last_thread.number;
    uint32_t number = intern_add(&t->threads, (struct str){(const char *)key, sizeof key}, &is_new);
    if (is_new) {
        t->thread = mem_array(t->thread, &t->thread_capacity, number, sizeof *t->thread);
        t->thread[number - 1] = (struct trace_thread){.pid = pid, .tid = tid};
    }
    t->last_thread.pid = pid;
    t->last_thread.tid = tid;
    t->last_thread.number = number - 1;
    return number - 1;
}

/* Whether E, which is no span, has args that say where a function is. */
static bool has_place(const struct event *e)
{
    return e->file != 0 || e->line >= 0 || e->start_line >= 0;
}

/* Adds EVENT, which WHERE is read. */
static void add_event(struct trace *t, const struct trace_event *event)
{
    uint64_t size = (t->count + 1) * sizeof *t->events;
    if (size > format_max_size(t->request))
        die_as(CODE_TOO_LARGE, (struct place){in_name(t->json.in), PLACE_LINE, t->json.where.line},
               "the events need more than %" PRIu64 " bytes" HINT "--max-size sets the limit",
               format_max_size(t->request));
    t->events = mem_array(t->events, &t->capacity, t->count + 1, sizeof *t->events);
    t->events[t->count++] = *event;
    t->has[event->kind] = true;
}

/* The labels of E: its category, and the strings of its args. */
static uint32_t labels_of(struct trace *t, const struct event *e)
{
    if (e->labels->n == 0 && e->cat == t->last_cat.cat)
        return t->last_cat.details;
    t->extra.n = 0;
    if (e->cat != 0)
        add_label(t, &t->extra, STR("cat"), trace_text_of(t, e->cat));
    buf_add(&t->extra, buf_str(e->labels));
    uint32_t details = trace_text(t, buf_str(&t->extra));
    if (e->labels->n == 0) {
        t->last_cat.cat = e->cat;
        t->last_cat.details = details;
    }
    return details;
}

/* The place of the span E. A frame of a program has a file and a line in its args. */
static uint32_t place_of(struct trace *t, struct event *e)
{
    struct trace_place place = {.name = e->name};
    if (e->file != 0 && e->line >= 0) {
        place.file = e->file;
        place.line = e->line;
        place.start_line = e->start_line > 0 ? e->start_line : 0;
    } else if (e->file != 0) {
        add_label(t, e->labels, str_of(e->file_key), trace_text_of(t, e->file));
    }
    e->has_lost |= place.file == 0 && (e->line >= 0 || e->start_line >= 0);
    return trace_place(t, &place);
}

static void check_time(const struct trace *t, const struct event *e)
{
    if ((e->seen & 1u << TS) == 0)
        tokens_die(&t->json, e->where, "the event has no ts");
}

static void take_span(struct trace *t, struct event *e)
{
    enum trace_kind kind = e->ph == 'X' ? TRACE_SPAN : TRACE_BEGIN;
    bool has_dur = (e->seen & 1u << DUR) != 0;
    check_time(t, e);
    if (has_dur && (e->seen & 1u << TDUR) != 0)
        loss_add(LOSS_OWN, STR("tdur"), 1);
    uint32_t place = place_of(t, e); /* may add a label */
    int64_t length = has_dur ? e->dur : e->tdur;
    if (length < 0)
        loss_add(LOSS_OWN, STR("dur"), 1);
    add_event(t, &(struct trace_event){.at = e->ts,
                                       .value = kind == TRACE_BEGIN || length < 0 ? 0 : length,
                                       .thread = trace_thread(t, e->pid, e->tid),
                                       .kind = kind,
                                       .what = place,
                                       .details = labels_of(t, e)});
}

static void take_end(struct trace *t, struct event *e)
{
    check_time(t, e);
    e->has_lost |= e->labels->n > 0 || has_place(e);
    if (e->name > TRACE_MAX)
        tokens_die(&t->json, e->where, "more than %d names of events", TRACE_MAX);
    add_event(t, &(struct trace_event){.at = e->ts,
                                       .thread = trace_thread(t, e->pid, e->tid),
                                       .kind = TRACE_END,
                                       .what = e->name});
}

/* Whether the counter of E can have its own name for the series NAME: it is its only one, or called as
 * it, and rows have no such type besides. */
static bool is_short(const struct event *e, struct str counter, struct str name)
{
    if (trace_has_type(counter))
        return false;
    return str_equal(name, counter) || (e->number_count == 1 && str_equal(name, STR("value")));
}

/* The type of the counter of E for the series NAME. */
static uint32_t type_of(struct trace *t, const struct event *e, struct str name)
{
    struct str counter = trace_text_of(t, e->name);
    t->text.n = 0;
    buf_add(&t->text, counter);
    if (!is_short(e, counter, name)) {
        buf_add(&t->text, STR("."));
        buf_add(&t->text, name);
    }
    return intern_add(&t->types, buf_str(&t->text), NULL);
}

static void take_counter(struct trace *t, struct event *e)
{
    check_time(t, e);
    size_t lines = (e->line >= 0) + (e->start_line >= 0);
    e->has_lost |= e->labels->n > 0 || e->file != 0 || lines > e->line_count;
    e->labels->n = 0;
    if (e->id != 0)
        add_label(t, e->labels, STR("id"), trace_text_of(t, e->id));
    for (size_t i = 0; i < e->number_count; i++) {
        const struct part *name = &e->number[i][0], *value = &e->number[i][1];
        uint32_t type = type_of(t, e, (struct str){e->numbers->p + name->at, name->n});
        uint32_t text = trace_text(t, (struct str){e->numbers->p + value->at, value->n});
        if (!isfinite(strtod(trace_text_of(t, text).p, NULL))) /* texts end in NUL */
            tokens_die(&t->json, e->where,
                       "a number of the counter is not one that a double can hold");
        if (type > TRACE_MAX)
            tokens_die(&t->json, e->where, "more than %d counters", TRACE_MAX);
        add_event(t, &(struct trace_event){.at = e->ts,
                                           .thread = trace_thread(t, e->pid, e->tid),
                                           .kind = TRACE_LEVEL,
                                           .what = type,
                                           .details = labels_of(t, e),
                                           .outer = text});
    }
    e->number_count = e->line_count = 0;
}

/* The frame whose id is the text ID, named at t->json.where. */
static uint32_t frame_of(struct trace *t, uint32_t id)
{
    bool is_new;
    uint32_t number =
        intern_add(&t->frame_ids, (struct str){(const char *)&id, sizeof id}, &is_new);
    if (is_new) {
        t->frames = mem_array(t->frames, &t->frame_capacity, number, sizeof *t->frames);
        t->frames[number - 1] = (struct trace_frame){.where = t->json.where};
    }
    return number;
}

/* The frame whose id is the current token; 0 for null. */
static uint32_t read_frame_id(struct trace *t)
{
    uint32_t id = read_text(t, "the id of a frame");
    return id == 0 ? 0 : frame_of(t, id);
}

/* What only samples have. */
enum { SAMPLE_USES = 1 << SF | 1 << WEIGHT };

static void take_sample(struct trace *t, struct event *e)
{
    check_time(t, e);
    e->has_lost |= has_place(e);
    if (e->name != 0)
        add_label(t, e->labels, STR("name"), trace_text_of(t, e->name));
    add_event(t, &(struct trace_event){.at = e->ts,
                                       .thread = trace_thread(t, e->pid, e->tid),
                                       .kind = TRACE_SAMPLE,
                                       .what = (uint32_t)e->weight & TRACE_MAX,
                                       .details = labels_of(t, e),
                                       .outer = e->sf});
}

/* Replaces the text *TO by BY; another one there is lost. */
static void replace(uint32_t *to, uint32_t by, struct str name)
{
    if (*to != 0 && *to != by)
        loss_add(LOSS_OWN, name, 1);
    *to = by;
}

/* Takes facts about a process or a thread. */
static void take_fact(struct trace *t, const struct event *e)
{
    struct str name = trace_text_of(t, e->name);
    uint32_t thread = trace_thread(t, e->pid, e->tid);
    t->process = mem_array_zeroed(t->process, &t->process_capacity, e->pid + 1, sizeof *t->process);
    t->process_labels = mem_array_zeroed(t->process_labels, &t->process_labels_capacity, e->pid + 1,
                                         sizeof *t->process_labels);
    if (str_equal(name, STR("thread_name")))
        replace(&t->thread[thread].name, e->arg_name, name);
    else if (str_equal(name, STR("process_name")))
        replace(&t->process[e->pid], e->arg_name, name);
    else if (str_equal(name, STR("process_labels")))
        replace(&t->process_labels[e->pid], e->arg_labels, name);
    else
        loss_add(LOSS_OWN, name, 1);
}

/* Counts E, which rows have no place for. */
static void drop(struct event *e)
{
    enum loss loss = LOSS_TRACE_EVENTS;
    if (strchr("bneSTpF", e->ph) != NULL)
        loss = LOSS_TRACE_ASYNC;
    else if (strchr("stf", e->ph) != NULL)
        loss = LOSS_TRACE_FLOWS;
    else if (strchr("iIR", e->ph) != NULL)
        loss = LOSS_TRACE_INSTANTS;
    else if (strchr("NOD", e->ph) != NULL)
        loss = LOSS_TRACE_OBJECTS;
    loss_add(loss, STR(""), 1);
    e->has_lost = false; /* they are part of it */
    e->number_count = 0;
}

/* Counts what E has not been made of: members that only other kinds of events need, besides those
 * that are USED, bits, and args. */
static void count_rest(const struct event *e, unsigned used)
{
    unsigned said = (unsigned)(e->dur != 0) << DUR | (unsigned)(e->tdur != 0) << TDUR |
                    (unsigned)(e->id != 0) << ID | (unsigned)(e->sf != 0) << SF |
                    (unsigned)(e->weight != 1) << WEIGHT;
    unsigned lost = said & ~used;
    for (size_t i = 0; lost != 0 && i < sizeof members / sizeof *members; i++)
        if ((lost & 1u << members[i].member) != 0)
            loss_add(LOSS_OWN, members[i].name, 1);
    if (e->has_lost || e->number_count > e->line_count || e->data->n > 0)
        loss_add(LOSS_OWN, STR("args"), 1);
}

static void take_event(struct trace *t, struct event *e)
{
    unsigned used = 0;
    if (e->ph == 0)
        tokens_die(&t->json, e->where, "the event has no ph");
    if (is_v8(t, e)) {
        if (e->data->n > 0)
            trace_read_kept_v8(t, buf_str(e->data), e->data_where, trace_text_of(t, e->name), e->id,
                               trace_thread(t, e->pid, e->tid), e->ts);
        e->data->n = 0;
        used = 1u << ID;
    } else if (e->ph == 'X' && e->is_total) {
        loss_add(LOSS_TRACE_TOTALS, STR(""), 1);
        return;
    } else if (e->ph == 'X' || e->ph == 'B') {
        take_span(t, e);
        used = e->ph == 'X' ? 1u << DUR | 1u << TDUR : 0;
    } else if (e->ph == 'E') {
        take_end(t, e);
    } else if (e->ph == 'C') {
        take_counter(t, e);
        used = 1u << ID;
    } else if (e->ph == 'M') {
        take_fact(t, e);
        e->number_count = 0;
    } else if (e->ph == 'P' && e->sf != 0) {
        take_sample(t, e);
        used = SAMPLE_USES;
    } else {
        drop(e);
        return;
    }
    count_rest(e, used);
}

/* The member whose name is the current token. */
static enum member find_member(const struct trace *t, size_t *index)
{
    struct str name = t->json.text;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (name.n == members[i].name.n && memcmp(name.p, members[i].name.p, name.n) == 0) {
            *index = i;
            return members[i].member;
        }
    return OTHER;
}

static void read_member(struct trace *t, struct event *e, enum member member)
{
    switch (member) {
    case PH:
        if (t->json.token != TOKEN_STRING || t->json.text.n != 1)
            tokens_unexpected(&t->json, "a letter");
        e->ph = *t->json.text.p;
        break;
    case NAME: e->name = read_text(t, "a string"); break;
    case CAT: e->cat = read_text(t, "a string"); break;
    case PID: e->pid = read_text(t, "the number of a process"); break;
    case TID: e->tid = read_text(t, "the number of a thread"); break;
    case TS: e->ts = read_time(t); break;
    case DUR: e->dur = read_time(t); break;
    case TDUR: e->tdur = read_time(t); break;
    case ID: e->id = read_text(t, "an id"); break;
    case SF: e->sf = read_frame_id(t); break;
    case ARGS: read_args(t, e); break;
    case WEIGHT:
        e->weight = read_integer(t);
        if (e->weight < 0 || e->weight > TRACE_MAX)
            tokens_unexpected(&t->json, "an integer from 0 to 2^29-1");
        break;
    default: break;
    }
}

/* Reads the event, or IS_SAMPLE one of the list of samples, that begins with the current token. */
static void read_event(struct trace *t, struct event *e, bool is_sample)
{
    struct buf *labels = e->labels, *numbers = e->numbers, *data = e->data;
    struct part(*number)[2] = e->number;
    size_t capacity = e->number_capacity, index = 0;
    labels->n = numbers->n = data->n = 0;
    *e = (struct event){.where = t->json.where,
                        .labels = labels,
                        .numbers = numbers,
                        .data = data,
                        .number = number,
                        .number_capacity = capacity,
                        .weight = 1,
                        .line = -1,
                        .start_line = -1};
    if (t->json.token != TOKEN_OBJECT)
        tokens_unexpected(&t->json, "an event");
    while (tokens_next(&t->json) == TOKEN_NAME) {
        enum member member = find_member(t, &index);
        if (member == OTHER) {
            tokens_other_member(&t->json);
            continue;
        }
        if ((e->seen & 1u << member) != 0 && member != DETAILS)
            tokens_die(&t->json, t->json.where, "\"%.*s\" stands there twice",
                       STR_ARG(members[index].name));
        e->seen |= 1u << member;
        tokens_next(&t->json);
        /* JavaScript writes null for a number that it does not know */
        if (t->json.token == TOKEN_NULL && (member == TS || member == DUR || member == TDUR)) {
            e->seen &= ~(1u << member);
        } else if (member < DETAILS) {
            read_member(t, e, member);
        } else {
            loss_add(LOSS_OWN, members[index].name, 1);
            tokens_skip(&t->json);
        }
    }
    if (!is_sample) {
        take_event(t, e);
        return;
    }
    take_sample(t, e);
    count_rest(e, SAMPLE_USES);
}

/* --- frames --- */

static void read_frame(struct trace *t, uint32_t number)
{
    static const char *const names[] = {"name", "category", "parent", "line", "funcLine"};
    struct trace_place place = {0};
    struct tokens_place where = t->json.where;
    unsigned seen = 0, member;
    uint32_t parent = 0;
    if (t->frames[number - 1].place != 0)
        tokens_die(&t->json, where, "the frame stands there twice");
    if (t->json.token != TOKEN_OBJECT)
        tokens_unexpected(&t->json, "a frame");
    while (tokens_next_member(&t->json, names, sizeof names / sizeof *names, &seen, &member))
        switch (member) {
        case 0: place.name = read_text(t, "a string"); break;
        case 1: place.category = read_text(t, "a string"); break;
        case 2: parent = read_frame_id(t); break;
        default: {
            int64_t line = read_integer(t);
            *(member == 3 ? &place.line : &place.start_line) = line > 0 ? line : 0;
        }
        }
    t->frames[number - 1].place = trace_place(t, &place);
    t->frames[number - 1].parent = parent;
    t->frames[number - 1].where = where;
}

/* The text of the current token, the name of a member. */
static uint32_t read_key(struct trace *t)
{
    t->text.n = 0;
    text_unescape(&t->text, t->json.text);
    return trace_text(t, buf_str(&t->text));
}

static void read_frames(struct trace *t)
{
    if (t->json.token != TOKEN_OBJECT)
        tokens_unexpected(&t->json, "an object of frames");
    while (tokens_next(&t->json) == TOKEN_NAME) {
        uint32_t number = frame_of(t, read_key(t));
        tokens_next(&t->json);
        read_frame(t, number);
    }
}

static _Noreturn void die_missing(const struct trace *t, uint32_t number)
{
    uint32_t text;
    memcpy(&text, intern_get(&t->frame_ids, number).p, sizeof text);
    tokens_die(&t->json, t->frames[number - 1].where, "there is no frame %.*s",
               STR_ARG(trace_text_of(t, text)));
}

/* Finds the depth of the frame NUMBER and of those around it, outermost first. */
static void place_frame(struct trace *t, uint32_t number, uint32_t *above)
{
    size_t count = 0;
    for (uint32_t n = number; n != 0 && t->frames[n - 1].depth == 0; n = t->frames[n - 1].parent) {
        if (t->frames[n - 1].place == 0)
            die_missing(t, n);
        if (count == t->frame_ids.count)
            tokens_die(&t->json, t->frames[number - 1].where, "the frame stands below itself");
        above[count++] = n;
    }
    while (count > 0) {
        struct trace_frame *f = &t->frames[above[--count] - 1];
        f->depth = f->parent == 0 ? 1 : t->frames[f->parent - 1].depth + 1;
    }
}

static void place_frames(struct trace *t)
{
    uint32_t *above = mem_alloc((t->frame_ids.count + 1) * sizeof *above);
    for (uint32_t n = 1; n <= t->frame_ids.count; n++)
        place_frame(t, n, above);
    mem_free(above);
}

/* --- the file --- */

static void read_list(struct trace *t, struct event *e, bool is_samples)
{
    tokens_list(&t->json, is_samples ? "a list of samples" : "a list of events");
    while (tokens_next(&t->json) != TOKEN_ARRAY_END)
        read_event(t, e, is_samples);
}

/* Keeps the member whose name is the current token, unless it is long. */
static void keep_other(struct trace *t)
{
    size_t start = t->others.n;
    struct buf name = {0};
    buf_add(&name, t->json.text);
    buf_add(&t->others, STR(",\""));
    buf_add(&t->others, buf_str(&name));
    buf_add(&t->others, STR("\":"));
    tokens_next(&t->json);
    tokens_copy(&t->json, &t->others);
    if (t->others.n > OTHERS_MAX) {
        t->others.n = start;
        loss_add(LOSS_UNKNOWN_FIELDS, buf_str(&name), 1);
    }
    buf_free(&name);
}

static void read_object(struct trace *t, struct event *e)
{
    enum { EVENTS, SAMPLES, FRAMES, COUNT };
    static const char *const names[COUNT] = {"traceEvents", "samples", "stackFrames"};
    bool has[COUNT] = {false};
    while (tokens_next(&t->json) == TOKEN_NAME) {
        size_t member = 0;
        while (member < COUNT && !str_equal(t->json.text, str_of(names[member])))
            member++;
        if (member == COUNT) {
            keep_other(t);
            continue;
        }
        if (has[member])
            tokens_die(&t->json, t->json.where, "\"%s\" stands there twice", names[member]);
        has[member] = true;
        tokens_next(&t->json);
        t->json.loose = member == EVENTS ? 2 : 0;
        if (member == FRAMES)
            read_frames(t);
        else
            read_list(t, e, member == SAMPLES);
        t->json.loose = t->json.is_torn ? 2 : 0;
    }
    if (!has[EVENTS])
        tokens_die(&t->json, t->json.where, "the file has no traceEvents");
}

void trace_read_events(struct trace *t)
{
    struct buf labels = {0}, numbers = {0}, data = {0};
    struct event e = {.labels = &labels, .numbers = &numbers, .data = &data};
    bool is_object = tokens_next(&t->json) == TOKEN_OBJECT;
    if (is_object) {
        read_object(t, &e);
    } else {
        t->json.loose = 1; /* the end of the list is optional, says the format */
        read_list(t, &e, false);
    }
    t->end = t->json.where;
    tokens_next(&t->json); /* nothing may follow */
    if (is_object && t->json.is_torn && t->request->strict)
        die_at_column(CODE_TORN, (struct place){in_name(t->json.in), PLACE_LINE, t->end.line},
                      t->end.column, "--strict: the end of the file is missing");
    if (is_object && t->json.is_torn)
        warn_at_column(CODE_TORN, (struct place){in_name(t->json.in), PLACE_LINE, t->end.line},
                       t->end.column, "the end of the file is missing: read as far as it goes");
    place_frames(t);
    buf_free(&labels);
    buf_free(&numbers);
    buf_free(&data);
    mem_free(e.number);
}
