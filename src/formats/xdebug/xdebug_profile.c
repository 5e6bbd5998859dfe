/* Profiles. When a call ends Xdebug writes a block: the function, what it cost itself, and what
 * each call in it cost. So each call in a block is of one before it, the last of its function that
 * no block has claimed; and all calls are known with their callers once the run is read.
 *
 * That needs no nesting: calls in a fiber end between others, and a killed run has no outermost. */
#include "base/mem.h"
#include "formats/xdebug/xdebug.h"
#include "rows/loss.h"
#include "stream/growth.h"

#include <inttypes.h>

/* A call that has ended. Its costs, and what it cost with all that it called as its caller has it,
 * are apart. */
struct block {
    uint32_t leaf;   /* its location while it called nothing; 0: not known so far */
    uint32_t symbol; /* the function, as callers name it */
    uint32_t caller; /* a block, from 1; 0: none so far */
    uint32_t called; /* the location of the call in CALLER */
    uint32_t before; /* the block before that no other has claimed, of the same symbol; 0: none */
};

/* A call in the block that is being read. */
struct call {
    uint32_t symbol, location;
    struct place where;
};

struct profile {
    struct xdebug *x;
    bool is_body;     /* of the run: its head has ended */
    bool has_summary; /* it is whole */
    bool is_by_name;  /* calls do not name the file of the function */
    struct intern symbols;
    uint32_t *newest; /* by symbol: the last block that no other has claimed */
    size_t newest_capacity;
    struct block *blocks;
    int64_t *costs; /* for each block those of itself by event, then the others */
    size_t count, capacity, cost_capacity;

    /* of the block that is being read; it is the last one */
    bool is_open, is_call, is_internal;
    uint32_t file, name, function;
    uint32_t called_file, called_name;
    struct call *calls;
    int64_t *call_costs;
    size_t call_count, call_capacity, call_cost_capacity;
    struct sample_value *values;
    size_t value_capacity;
};

static uint32_t symbol_of(struct profile *p, uint32_t file, uint32_t name)
{
    uint32_t key[] = {p->is_by_name ? 0 : file, name};
    bool is_new;
    uint32_t symbol = intern_add(&p->symbols, (struct str){(const char *)key, sizeof key}, &is_new);
    if (is_new) {
        p->newest = mem_array(p->newest, &p->newest_capacity, symbol, sizeof *p->newest);
        p->newest[symbol - 1] = 0;
    }
    return symbol;
}

/* --- rows --- */

static void add_costs(struct profile *p, size_t *count, const int64_t *costs, bool is_inclusive)
{
    const struct callgrind_text *from = &p->x->from;
    for (size_t i = 0; i < from->event_count; i++)
        if (costs[i] != 0)
            p->values[(*count)++] = (struct sample_value){is_inclusive ? from->events[i].inclusive
                                                                       : from->events[i].self,
                                                          number_of(costs[i]), STR("")};
}

/* Pushes the call NUMBER, a block from 1. */
static void push_call(struct profile *p, uint32_t number)
{
    struct xdebug *x = p->x;
    size_t events = x->from.event_count, count = 1, depth = 0;
    const int64_t *costs = p->costs + (number - 1) * 2 * events;
    int64_t location = p->blocks[number - 1].leaf;
    p->values = mem_array(p->values, &p->value_capacity, 1 + 2 * events, sizeof *p->values);
    p->values[0] = (struct sample_value){x->from.calls, number_of(1), STR("")};
    add_costs(p, &count, costs, false);
    add_costs(p, &count, costs + events, true);
    for (;; number = p->blocks[number - 1].caller) {
        x->stack = mem_array(x->stack, &x->stack_capacity, depth + 1, sizeof *x->stack);
        x->stack[depth++] = location;
        if (p->blocks[number - 1].caller == 0)
            break;
        location = p->blocks[number - 1].called;
    }
    sink_sample(x->sink, &(struct sample){.sample_id = ++x->sample_id,
                                          .source_id = x->source_id,
                                          .values = p->values,
                                          .value_count = count,
                                          .locations = x->stack,
                                          .depth = depth});
}

/* Ends the tool now if the stacks of all calls would be too much later: a call in a call in a call
 * and so on takes many frames. */
static void check_depths(struct profile *p)
{
    uint64_t frames = 0;
    uint32_t *depths = mem_alloc(p->count * sizeof *depths + 1);
    for (size_t i = p->count; i-- > 0;) { /* callers come later */
        uint32_t caller = p->blocks[i].caller;
        depths[i] = caller == 0 ? 1 : depths[caller - 1] + 1;
        growth_check_depth(depths[i], p->x->from.where);
        frames += depths[i];
    }
    mem_free(depths);
    growth_expect(p->x->sink->flow, frames);
}

/* --- the run --- */

/* The last block is whole: its calls are found. Of the same function the later call is the later
 * block. */
static void close_block(struct profile *p)
{
    size_t events = p->x->from.event_count;
    if (!p->is_open)
        return;
    uint32_t number = (uint32_t)p->count;
    struct block *block = &p->blocks[number - 1];
    for (size_t i = p->call_count; i-- > 0;) {
        const struct call *call = &p->calls[i];
        uint32_t found = p->newest[call->symbol - 1];
        if (found == 0)
            die_at(call->where, "expected a call that has ended before, found none");
        struct block *callee = &p->blocks[found - 1];
        callee->caller = number;
        callee->called = call->location;
        p->newest[call->symbol - 1] = callee->before;
        memcpy(p->costs + (found - 1) * 2 * events + events, p->call_costs + i * events,
               events * sizeof *p->costs);
    }
    block->before = p->newest[block->symbol - 1];
    p->newest[block->symbol - 1] = number;
    p->call_count = 0;
    p->is_open = false;
}

/* The file or another run follows. */
static void close_run(struct profile *p)
{
    struct xdebug *x = p->x;
    if (x->from.event_count == 0)
        die_as(CODE_TORN, x->from.where, "expected \"events:\", found the end of the run");
    if (p->is_open && p->blocks[p->count - 1].leaf == 0) { /* it is cut: its costs are missing */
        p->is_open = false;
        p->count--;
    }
    close_block(p);
    if (!p->has_summary && x->from.request->strict)
        die_as(CODE_TORN, x->from.where, "--strict: the run ends without \"summary:\"");
    if (!p->has_summary)
        warn_at(CODE_TORN, x->from.where,
                "the run ends without \"summary:\": its end may be missing");
    check_depths(p);
    xdebug_push_source(x, buf_str(&x->from.types));
    for (uint32_t number = 1; number <= p->count; number++)
        push_call(p, number);
    p->is_body = p->has_summary = p->is_call = false;
    for (size_t i = 0; i < p->count; i++) /* not all symbols: runs may be many, and small */
        p->newest[p->blocks[i].symbol - 1] = 0;
    p->count = 0;
}

/* Xdebug gives this name no number where it wrote it to an earlier file. */
static void begin_run(struct profile *p)
{
    callgrind_text_define(&p->x->from, CALLGRIND_FILES, 1, XDEBUG_INTERNAL_FILE);
    p->x->from.event_count = 0;
}

static void begin_block(struct profile *p, struct str name)
{
    struct callgrind_text *from = &p->x->from;
    size_t events = from->event_count;
    if (events == 0)
        die_at(from->where, "expected \"events:\" before the first function");
    if (p->is_open && p->blocks[p->count - 1].leaf == 0)
        callgrind_text_die(from, "the cost of the function before", name);
    close_block(p);
    p->is_body = true;
    p->name = callgrind_text_name(from, CALLGRIND_FUNCTIONS, name);
    p->is_internal =
        str_equal(callgrind_text_name_at(from, CALLGRIND_FILES, p->file), XDEBUG_INTERNAL_FILE);
    if (p->count == UINT32_MAX - 1)
        die_as(CODE_TOO_LARGE, from->where, "there are too many calls");
    p->blocks = mem_array(p->blocks, &p->capacity, ++p->count, sizeof *p->blocks);
    p->costs = mem_array(p->costs, &p->cost_capacity, p->count * 2 * events, sizeof *p->costs);
    growth_hold(p->x->sink->flow, sizeof *p->blocks + 2 * events * sizeof *p->costs);
    p->blocks[p->count - 1] = (struct block){.symbol = symbol_of(p, p->file, p->name)};
    memset(p->costs + (p->count - 1) * 2 * events, 0, 2 * events * sizeof *p->costs);
    p->is_open = true;
}

/* What the function costs itself. Its line is where it starts; functions of PHP itself start
 * nowhere, and there it is the line of the call, which the caller has too. */
static void read_self(struct profile *p, struct str line)
{
    struct xdebug *x = p->x;
    int64_t start = xdebug_take_line(x, &line);
    p->function = xdebug_function(x, p->name, p->file, p->is_internal ? 0 : start);
    callgrind_text_costs(&x->from, line, p->costs + (p->count - 1) * 2 * x->from.event_count);
    p->blocks[p->count - 1].leaf = xdebug_location(x, p->function, 0, 0);
}

/* What the call costs with all that it calls. */
static void read_called(struct profile *p, struct str line)
{
    struct xdebug *x = p->x;
    size_t events = x->from.event_count;
    int64_t at = xdebug_take_line(x, &line);
    p->calls = mem_array(p->calls, &p->call_capacity, ++p->call_count, sizeof *p->calls);
    p->call_costs = mem_array(p->call_costs, &p->call_cost_capacity, p->call_count * events,
                              sizeof *p->call_costs);
    p->calls[p->call_count - 1] =
        (struct call){symbol_of(p, p->called_file, p->called_name),
                      xdebug_location(x, p->function, at, 0), x->from.where};
    int64_t *costs = p->call_costs + (p->call_count - 1) * events;
    memset(costs, 0, events * sizeof *costs);
    callgrind_text_costs(&x->from, line, costs);
    p->is_call = false;
}

static void read_cost(struct profile *p, struct str line)
{
    if (!p->is_open)
        callgrind_text_die(&p->x->from, "\"fn=\" before a cost", line);
    if (p->is_call)
        read_called(p, line);
    else if (p->blocks[p->count - 1].leaf == 0)
        read_self(p, line);
    else
        callgrind_text_die(&p->x->from, "\"calls=\" before another cost", line);
}

/* `calls=1 0 0`: the rest are positions, of which Xdebug has none. */
static void read_calls(struct profile *p, struct str text)
{
    struct str start = text;
    uint64_t calls;
    if (!callgrind_text_number(&text, &calls) || calls != 1 ||
        (text.n > 0 && !str_is_blank(*text.p)))
        callgrind_text_die(&p->x->from, "a single call", start);
    if (!p->is_open || p->blocks[p->count - 1].leaf == 0 || p->called_name == 0)
        callgrind_text_die(&p->x->from, "a cost and \"cfn=\" before \"calls=\"", start);
    p->is_call = true;
}

/* `KEY:TEXT` of the head, or the summary. */
static void read_head(struct profile *p, struct str key, struct str text, struct str line)
{
    struct callgrind_text *from = &p->x->from;
    bool is_summary = str_equal(key, STR("summary"));
    if (p->is_body && !is_summary) {
        close_run(p);
        begin_run(p);
    }
    p->has_summary |= is_summary;
    xdebug_keep_line(p->x, line);
    if (str_equal(key, STR("version"))) /* the first has no "cfl=" */
        p->is_by_name = str_equal(str_trim(text), STR("0.9.6"));
    if (str_equal(key, STR("events")))
        callgrind_text_events(from, text);
}

static void read_line(struct profile *p, struct str line)
{
    struct callgrind_text *from = &p->x->from;
    struct str key = {0}, text = {0};
    if (line.n == 0 || str_starts(line, STR("==== NEW PROFILING FILE")))
        return;
    if (str_is_digit(*line.p)) {
        read_cost(p, line);
        return;
    }
    char mark = callgrind_text_split(line, &key, &text);
    if (p->is_call)
        callgrind_text_die(from, "the cost of the call", line);
    if (mark == ':')
        read_head(p, key, text, line);
    else if (mark == '=' && str_equal(key, STR("fn")))
        begin_block(p, text);
    else if (mark == '=' && str_equal(key, STR("fl")))
        p->file = callgrind_text_name(from, CALLGRIND_FILES, text);
    else if (mark == '=' && str_equal(key, STR("cfn")))
        p->called_name = callgrind_text_name(from, CALLGRIND_FUNCTIONS, text);
    else if (mark == '=' && (str_equal(key, STR("cfl")) || str_equal(key, STR("cfi"))))
        p->called_file = callgrind_text_name(from, CALLGRIND_FILES, text);
    else if (mark == '=' && str_equal(key, STR("calls")))
        read_calls(p, text);
    else
        callgrind_text_die(from, "a line of an Xdebug profile", line);
}

void xdebug_read_profile(struct xdebug *x)
{
    struct profile p = {.x = x};
    struct str line;
    /* before version 3 these had no units */
    callgrind_text_describe(&x->from, STR("Time"), "microseconds");
    callgrind_text_describe(&x->from, STR("Memory"), "bytes");
    begin_run(&p);
    while (callgrind_text_next(&x->from, &line))
        read_line(&p, str_trim(line));
    close_run(&p);
    intern_free(&p.symbols);
    void *blocks[] = {p.newest, p.blocks, p.costs, p.calls, p.call_costs, p.values};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        mem_free(blocks[i]);
}
