/* Traces. Each call and each return is a line with the time and the memory in use. What passes
 * between two lines is a sample, of the calls that are open there.
 *
 * Lines name calls by number, and the lines of a fiber come between others: a call that returns
 * may be one that a switch had left. So open calls are a tree, and one of them is the current. */
#include "base/mem.h"
#include "formats/xdebug/xdebug.h"
#include "rows/emit.h"
#include "rows/listed.h"
#include "rows/loss.h"
#include "rows/text.h"
#include "stream/growth.h"

#include <inttypes.h>

/* The columns of a line, as Xdebug's documentation has them; their order is that of the file. */
enum column {
    LEVEL,
    NUMBER,
    KIND,
    TIME,
    MEMORY,
    NAME,
    IS_USER,
    INCLUDED,
    FILE_NAME,
    LINE,
    COUNT,
    COLUMNS
};

/* A call that has not returned, or that has called one that has not. */
struct frame {
    uint64_t number;
    uint32_t caller; /* a frame, from 1; 0: none is known */
    uint32_t function;
    uint32_t leaf;    /* its location while it calls nothing */
    uint32_t called;  /* the location of the call in CALLER */
    uint32_t callees; /* frames that it is the caller of */
    bool is_open, is_cut;
};

struct open_call {
    uint64_t number;
    uint32_t frame;
};

/* Values of a type. */
enum value { CALLS, TIME_PASSED, MEMORY_CHANGE, VALUES };

/* What rows have no place for. */
enum loss_kind { ARGUMENTS, RETURNED, ASSIGNED, ENDS, STRAY, KINDS };

struct trace {
    struct xdebug *x;
    bool is_body, has_end;
    uint32_t types[VALUES];
    struct frame *frames;
    size_t frame_count, frame_capacity;
    uint32_t free;           /* a frame that is not in use, which names the next one in `caller` */
    uint32_t current;        /* 0: none */
    struct open_call *calls; /* by number, with some that are no longer open */
    size_t call_count, call_capacity, open_count;
    uint64_t next_number;     /* no call so far has this or a higher number */
    struct open_call resumer; /* that was current before a switch */
    int64_t time, memory;     /* at the line before */
    bool is_timed;            /* there was one */
    bool is_called;           /* it was a call */
    uint64_t losses[KINDS];
};

/* --- samples --- */

/* Pushes what passed between the line before and this one, of TIME and MEMORY. */
static void push_passed(struct trace *t, int64_t time, int64_t memory)
{
    struct xdebug *x = t->x;
    struct sample_value values[VALUES];
    size_t count = 0, depth = 0;
    int64_t passed = t->is_timed ? time - t->time : 0;
    int64_t change = t->is_timed ? memory - t->memory : 0;
    bool is_called = t->is_called;
    t->is_called = false;
    if (t->current == 0 || (!is_called && passed == 0 && change == 0))
        return;
    if (is_called)
        values[count++] = (struct sample_value){t->types[CALLS], number_of(1), STR("")};
    if (passed != 0)
        values[count++] = (struct sample_value){t->types[TIME_PASSED], number_of(passed), STR("")};
    if (change != 0)
        values[count++] =
            (struct sample_value){t->types[MEMORY_CHANGE], number_of(change), STR("")};
    x->extra.n = 0;
    emit_member(&x->extra, STR(".time"));
    emit_number(&x->extra, t->time);
    const struct frame *f = &t->frames[t->current - 1];
    if (f->is_cut)
        buf_add(&x->extra, STR(",\".truncated\":true"));
    int64_t location = f->leaf;
    for (;; f = &t->frames[f->caller - 1]) {
        growth_check_depth(depth + 1, x->from.where);
        x->stack = mem_array(x->stack, &x->stack_capacity, depth + 1, sizeof *x->stack);
        x->stack[depth++] = location;
        if (f->caller == 0)
            break;
        location = f->called;
    }
    sink_sample(x->sink, &(struct sample){.sample_id = ++x->sample_id,
                                          .source_id = x->source_id,
                                          .extra = buf_str(&x->extra),
                                          .values = values,
                                          .value_count = count,
                                          .locations = x->stack,
                                          .depth = depth});
}

/* --- calls --- */

static uint32_t add_frame(struct trace *t)
{
    uint32_t number = t->free;
    if (number != 0) {
        t->free = t->frames[number - 1].caller;
        return number;
    }
    t->frames = mem_array(t->frames, &t->frame_capacity, ++t->frame_count, sizeof *t->frames);
    growth_hold(t->x->sink->flow, sizeof *t->frames);
    return (uint32_t)t->frame_count;
}

/* Whether the frame of CALL is still that: it may have been given up, or used again. */
static bool is_open(const struct trace *t, struct open_call call)
{
    return call.frame != 0 && t->frames[call.frame - 1].is_open &&
           t->frames[call.frame - 1].number == call.number;
}

/* Adds the call FRAME, whose number is the highest so far. */
static void add_call(struct trace *t, uint32_t frame)
{
    if (t->call_count > 2 * t->open_count + 64) {
        size_t kept = 0;
        for (size_t i = 0; i < t->call_count; i++)
            if (is_open(t, t->calls[i]))
                t->calls[kept++] = t->calls[i];
        t->call_count = kept;
    }
    t->calls = mem_array(t->calls, &t->call_capacity, ++t->call_count, sizeof *t->calls);
    t->calls[t->call_count - 1] = (struct open_call){t->frames[frame - 1].number, frame};
    t->open_count++;
}

/* The frame of the open call NUMBER; 0: there is none. */
static uint32_t find_call(const struct trace *t, uint64_t number)
{
    size_t from = 0, to = t->call_count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (t->calls[middle].number < number)
            from = middle + 1;
        else
            to = middle;
    }
    bool found = from < t->call_count && t->calls[from].number == number;
    return found && is_open(t, t->calls[from]) ? t->calls[from].frame : 0;
}

/* The frame NUMBER has returned: it is given up with all callers that only waited for it. */
static void close_frame(struct trace *t, uint32_t number)
{
    t->frames[number - 1].is_open = false;
    t->open_count--;
    while (number != 0 && !t->frames[number - 1].is_open && t->frames[number - 1].callees == 0) {
        uint32_t caller = t->frames[number - 1].caller;
        t->frames[number - 1].caller = t->free;
        t->free = number;
        if (caller != 0)
            t->frames[caller - 1].callees--;
        number = caller;
    }
}

/* The call NUMBER returns. If it is not the current one a fiber was left or goes on, or the calls in
 * it were given up without a line. */
static void read_return(struct trace *t, uint64_t number)
{
    uint32_t frame = find_call(t, number);
    if (frame == 0) { /* it was called before the trace began */
        t->losses[STRAY]++;
        return;
    }
    if (frame != t->current && t->current != 0)
        t->resumer = (struct open_call){t->frames[t->current - 1].number, t->current};
    uint32_t next = t->frames[frame - 1].caller;
    /* a fiber ends after the call that started it: on goes what resumed it */
    if (next != 0 && !t->frames[next - 1].is_open && is_open(t, t->resumer))
        next = t->resumer.frame;
    while (next != 0 && !t->frames[next - 1].is_open)
        next = t->frames[next - 1].caller;
    close_frame(t, frame);
    t->current = next;
}

/* --- lines --- */

/* The function that COLUMNS name, as a profile names it. */
static uint32_t function_of(struct trace *t, const struct str *columns)
{
    static const struct str including[] = {STR("include"), STR("include_once"), STR("require"),
                                           STR("require_once")};
    struct xdebug *x = t->x;
    struct str name = columns[NAME], file = STR("");
    bool is_internal = str_equal(columns[IS_USER], STR("0")), includes = false;
    for (size_t i = 0; i < sizeof including / sizeof *including; i++)
        includes |= str_equal(name, including[i]) && columns[INCLUDED].n > 0;
    x->name.n = 0;
    if (is_internal) {
        buf_add(&x->name, XDEBUG_INTERNAL);
        file = XDEBUG_INTERNAL_FILE;
    } else if (str_equal(name, STR("{main}"))) {
        file = columns[FILE_NAME];
    } else if (includes) {
        file = columns[INCLUDED];
    }
    buf_add(&x->name, name);
    if (includes) {
        buf_add(&x->name, STR("::"));
        buf_add(&x->name, file);
    }
    return xdebug_function(
        x, callgrind_text_number_of(&x->from, CALLGRIND_FUNCTIONS, buf_str(&x->name)),
        callgrind_text_number_of(&x->from, CALLGRIND_FILES, file), 0);
}

static void read_call(struct trace *t, uint64_t level, uint64_t number, const struct str *columns)
{
    struct xdebug *x = t->x;
    struct str line = columns[LINE];
    uint32_t caller = t->current, function = function_of(t, columns);
    struct frame frame = {.number = number,
                          .caller = caller,
                          .function = function,
                          .leaf = xdebug_location(x, function, 0, 0),
                          .is_open = true,
                          .is_cut = level > 1};
    if (caller != 0) {
        struct frame *f = &t->frames[caller - 1];
        f->callees++;
        frame.is_cut = f->is_cut;
        frame.called = xdebug_location(
            x, f->function, xdebug_take_line(x, &line),
            callgrind_text_number_of(&x->from, CALLGRIND_FILES, columns[FILE_NAME]));
    }
    t->current = add_frame(t);
    t->frames[t->current - 1] = frame;
    add_call(t, t->current);
    t->is_called = true;
    struct str count = columns[COUNT];
    uint64_t arguments;
    if (callgrind_text_number(&count, &arguments))
        t->losses[ARGUMENTS] += arguments;
}

/* Nanoseconds of TEXT, seconds with up to nine decimals. */
static int64_t read_time(struct trace *t, struct str text)
{
    struct str rest = text;
    const struct str digits = decimal_take(&rest);
    const struct decimal exact = decimal_multiply(decimal_read(digits), decimal_of(1000000000));
    int64_t time;
    if (digits.n == 0 || digits.n > DECIMAL_EXACT || rest.n > 0 ||
        !decimal_is_integer(exact, &time))
        callgrind_text_die(&t->x->from, "a time in seconds", text);
    return time;
}

static uint64_t read_number(struct trace *t, struct str text, const char *expected)
{
    int64_t number;
    if (!text_is_integer(text, &number) || number < 0)
        callgrind_text_die(&t->x->from, expected, text);
    return (uint64_t)number;
}

/* Splits LINE at tabs; the last column is the rest. Returns how many there are. */
static size_t split(struct str line, struct str columns[COLUMNS])
{
    size_t count = 0;
    for (size_t i = 0; i < COLUMNS; i++)
        columns[i] = STR("");
    while (count < COLUMNS) {
        const char *tab = memchr(line.p, '\t', line.n);
        size_t n = tab == NULL ? line.n : (size_t)(tab - line.p);
        columns[count++] = (struct str){line.p, n};
        if (tab == NULL)
            break;
        line = (struct str){tab + 1, line.n - n - 1};
    }
    return count;
}

/* Begins the source, whose head ends here. */
static void begin_body(struct trace *t)
{
    static const struct {
        struct str type, unit;
    } types[VALUES] = {{STR("calls"), STR("count")},
                       {STR("Time"), STR("nanoseconds")},
                       {STR("Memory"), STR("bytes")}};
    struct buf list = {0};
    for (enum value i = 0; i < VALUES; i++) {
        t->types[i] = value_types_add(&t->x->sink->flow->types, types[i].type, types[i].unit);
        listed_add(&list, types[i].type, types[i].unit, LISTED_SUM);
    }
    xdebug_push_source(t->x, buf_str(&list));
    buf_free(&list);
    t->is_body = true;
}

/* The file or another trace follows. */
static void end_trace(struct trace *t)
{
    struct callgrind_text *from = &t->x->from;
    if (!t->is_body)
        begin_body(t);
    push_passed(t, t->time, t->memory);
    if (!t->has_end && from->request->strict)
        die_as(CODE_TORN, from->where, "--strict: the trace ends without \"TRACE END\"");
    if (!t->has_end)
        warn_at(CODE_TORN, from->where,
                "the trace ends without \"TRACE END\": its end may be missing");
    t->frame_count = 0;
    t->free = t->current = 0;
    t->resumer = (struct open_call){0};
    t->call_count = t->open_count = 0;
    t->next_number = 0;
    t->is_body = t->has_end = t->is_timed = false;
}

/* A line with a time: of a call, of a return, or the last one. */
static void read_timed(struct trace *t, const struct str *columns)
{
    int64_t time = read_time(t, columns[TIME]);
    int64_t memory = (int64_t)read_number(t, columns[MEMORY], "bytes of memory");
    push_passed(t, time, memory);
    t->time = time;
    t->memory = memory;
    t->is_timed = true;
}

static void read_row(struct trace *t, struct str line)
{
    struct callgrind_text *from = &t->x->from;
    struct str columns[COLUMNS];
    size_t count = split(line, columns);
    struct str kind = columns[KIND];
    if (!t->is_body)
        begin_body(t);
    if (columns[LEVEL].n == 0 && columns[NUMBER].n == 0 && kind.n == 0) {
        read_timed(t, columns);
        return;
    }
    uint64_t level = read_number(t, columns[LEVEL], "a level");
    if (str_equal(kind, STR("A"))) { /* it has no number */
        t->losses[ASSIGNED]++;
        return;
    }
    uint64_t number = read_number(t, columns[NUMBER], "the number of a call");
    if (str_equal(kind, STR("0"))) {
        if (count <= LINE || columns[NAME].n == 0)
            callgrind_text_die(from, "a function and its place", line);
        if (number < t->next_number)
            callgrind_text_die(from, "a number above those of earlier calls", columns[NUMBER]);
        t->next_number = number + 1;
        read_timed(t, columns);
        read_call(t, level, number, columns);
    } else if (str_equal(kind, STR("1"))) {
        read_timed(t, columns);
        read_return(t, number);
    } else if (str_equal(kind, STR("R"))) {
        t->losses[RETURNED]++;
    } else {
        callgrind_text_die(from, "\"0\", \"1\", \"A\" or \"R\" in the third column", line);
    }
}

static void read_line(struct trace *t, struct str line)
{
    if (line.n == 0)
        return;
    if (str_is_digit(*line.p) || *line.p == '\t') {
        read_row(t, line);
    } else if (str_starts(line, STR("TRACE END"))) {
        t->has_end = true;
        t->losses[ENDS]++;
    } else if (str_starts(line, STR("Version: ")) || str_starts(line, STR("File format: ")) ||
               str_starts(line, STR("TRACE START"))) {
        if (t->is_body)
            end_trace(t);
        xdebug_keep_line(t->x, line);
    } else {
        callgrind_text_die(&t->x->from, "a line of an Xdebug trace", line);
    }
}

void xdebug_read_trace(struct xdebug *x)
{
    static const struct str names[KINDS] = {
        [ARGUMENTS] = STR("arguments of calls"),
        [RETURNED] = STR("values that calls return"),
        [ASSIGNED] = STR("assignments"),
        [ENDS] = STR("ends of traces"),
        [STRAY] = STR("ends of calls from before a trace"),
    };
    struct trace t = {.x = x};
    struct str line;
    while (callgrind_text_next(&x->from, &line))
        read_line(&t, line.n > 0 && line.p[line.n - 1] == '\r' ? (struct str){line.p, line.n - 1}
                                                               : line);
    end_trace(&t);
    for (enum loss_kind i = 0; i < KINDS; i++)
        if (t.losses[i] > 0)
            loss_add(LOSS_OWN, names[i], t.losses[i]);
    mem_free(t.calls);
    mem_free(t.frames);
}
