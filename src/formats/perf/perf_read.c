/* perf script output to rows. See perf2ndjson(1) for the rules.
 *
 * A sample is a header and frames: one frame on the same line, or one per line up to an empty line.
 * Frames repeat a lot, so the text of a line is looked up before it is parsed. */
#include "base/buf.h"
#include "base/intern.h"
#include "base/mem.h"
#include "base/port.h"
#include "formats/bad_lines.h"
#include "formats/perf/perf.h"
#include "formats/perf/perf_off_cpu.h"
#include "formats/perf/perf_run.h"
#include "formats/perf/perf_text.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/text.h"
#include "stream/growth.h"

#include <inttypes.h>

/* The parsed text of a frame. Its strings point into the text. */
struct perf_item {
    struct perf_frame frame;
    bool is_frame;    /* false: the text is not a frame, and the rest is not set */
    uint32_t mapping; /* of its file; 0: not known */
    /* its location when not inlined and without a source line; 0: not made yet */
    uint32_t location;
};

/* One frame of the sample. */
struct perf_step {
    uint32_t frame;   /* number of its text */
    uint32_t srcline; /* number of the text of its source line; 0: none */
    bool is_inlined;
};

/* An event, with or without a period. */
struct perf_event {
    uint32_t type;    /* number of its type; 0: only counted as a sample */
    bool is_counted;  /* it has samples/count too */
    struct str extra; /* dotted columns of its values */
};

/* What all headers of a file have, since perf prints the same fields of each sample. */
struct perf_fields {
    enum {
        PERF_NO_HEADER, /* so far */
        PERF_EVENTS,    /* a time or an event */
        PERF_PLAIN,     /* neither: perf_take_plain */
    } kind;
    bool has_first, has_thread, is_loose; /* of the first header, as in struct perf_header */
};

struct perf_reader {
    const struct read_request *request;
    struct in *in;
    struct sink *sink;
    struct place where; /* of the line being read */
    struct bad_lines bad;
    bool torn; /* the line has no line feed */

    bool has_source;
    bool has_blank; /* an empty line has been read */
    /* the lines before the first sample, as items of a JSON list of strings */
    struct buf comments;
    struct intern headed;  /* the events named in those lines */
    struct intern built;   /* the files with build ids in those lines */
    struct str *build_ids; /* by number of the file - 1 */
    size_t build_id_capacity;
    enum {
        PERF_UNTOLD,
        PERF_TIMED,
        PERF_COUNTED
    } clocks; /* what the periods of those events are, if they have any */

    struct intern frames; /* text; its number - 1 is the index in items */
    struct perf_item *items;
    size_t item_capacity;
    struct intern srclines;  /* text */
    struct intern files;     /* files with code; the number of one is that of its mapping */
    struct intern functions; /* keys */
    /* keys of parsed texts; their number - 1 is the index in place_locations */
    struct intern places;
    uint32_t *place_locations;
    size_t place_capacity;
    struct intern locations; /* keys: different texts may have the same location */

    /* prefixed with 'p' if there is a period; number - 1 is the index in events */
    struct intern event_names;
    struct perf_event *events;
    size_t event_capacity;
    struct arena extras;

    struct perf_fields fields;

    struct perf_off_cpu *off_cpu; /* NULL: samples are what perf has printed */
    uint32_t wait_type;           /* the number of off_cpu/nanoseconds */
    int64_t waiting;              /* the thread that waits from the sample on; 0: none */
    int64_t wait_start;           /* the time of that sample */

    /* The sample being read. */
    enum {
        PERF_NO_SAMPLE,
        PERF_ONE_LINE, /* its frame is in its header, or it has no header */
        PERF_CHAIN,    /* frames follow */
    } state;
    bool is_weak;             /* only its frames show that it is a sample */
    bool is_whole;            /* it may have no frames */
    struct place began;       /* where its header is */
    bool is_truncated;        /* its last line has no line feed */
    struct perf_event *event; /* NULL: it has no header */
    int64_t period;
    bool is_plain;      /* its header is perf_take_plain's */
    struct buf columns; /* its dotted columns; the list of labels is still open */
    bool has_labels;
    /* the text after the event in a header with a frame, until finish_rest */
    struct buf rest;
    size_t frame_at;         /* index of the frame in it */
    struct buf tail;         /* what perf prints after the frames */
    bool is_tracing;         /* "tracing data:" stands behind the frames */
    struct buf trace;        /* what follows that */
    struct buf untabbed;     /* a frame */
    struct perf_step *steps; /* innermost first */
    size_t depth, step_capacity;
    uint64_t inlined; /* samples whose innermost frame is inlined */
    int64_t *stack;
    size_t stack_capacity;
    int64_t sample_id;
    uint32_t count_type; /* the number of samples/count */

    struct buf name, extra, inexact, key;
};

/* === rows that samples refer to === */

/* --- events --- */

/* Whether EVENT is a kernel clock, whose period is a time. */
static bool is_clock(struct str event)
{
    const char *colon = event.n == 0 ? NULL : memchr(event.p, ':', event.n);
    if (colon != NULL) /* modifiers follow */
        event.n = (size_t)(colon - event.p);
    return str_equal(event, STR("cpu-clock")) || str_equal(event, STR("task-clock"));
}

/* The unit of EVENT, or of its period. */
static struct str unit_of(struct str event, bool has_period)
{
    return has_period && is_clock(event) ? STR("nanoseconds") : STR("count");
}

/* The type of values of an event without a name. */
static struct str type_name(struct str event)
{
    return event.n > 0 ? event : STR("period");
}

/* The event of HEADER. */
static struct perf_event *event_of(struct perf_reader *r, const struct perf_header *header)
{
    bool is_new, has_period = header->period.n > 0;
    r->key.n = 0;
    buf_add(&r->key, has_period ? STR("p") : STR("-"));
    buf_add(&r->key, header->event);
    uint32_t number = intern_add(&r->event_names, buf_str(&r->key), &is_new);
    if (!is_new)
        return &r->events[number - 1];
    r->events = mem_array(r->events, &r->event_capacity, number, sizeof *r->events);
    struct perf_event *e = &r->events[number - 1];
    *e = (struct perf_event){.is_counted = true, .extra = STR("")};
    if (header->event.n == 0 && !has_period)
        return e;
    struct str type = emit_text(&r->name, &r->inexact, STR("type"), type_name(header->event));
    e->type = value_types_add(&r->sink->flow->types, type, unit_of(header->event, has_period));
    e->is_counted = value_types_get(&r->sink->flow->types, e->type)->name !=
                    value_types_get(&r->sink->flow->types, r->count_type)->name;
    r->extra.n = 0;
    emit_bytes_column(&r->extra, &r->inexact);
    e->extra = arena_copy(&r->extras, buf_str(&r->extra));
    return e;
}

/* --- the source --- */

static void add_value_type(struct perf_reader *r, struct str type, struct str unit)
{
    buf_add(&r->extra, STR("{\"type\":"));
    emit_inner_string(&r->extra, &r->name, type);
    buf_add(&r->extra, STR(",\"unit\":\""));
    buf_add(&r->extra, unit);
    buf_add(&r->extra, STR("\"}"));
}

/* The types known so far. People are shown the last one with values; of types that are not listed,
 * the one that most samples have (default_type.h). That is the first event of the header, or the
 * most frequent one. */
static void add_value_types(struct perf_reader *r)
{
    buf_add(&r->extra, STR(",\".value_types\":["));
    add_value_type(r, STR("samples"), STR("count"));
    if (r->off_cpu != NULL) {
        buf_add(&r->extra, STR(","));
        add_value_type(r, STR("off_cpu"), STR("nanoseconds"));
        buf_add(&r->extra, STR("]"));
        return;
    }
    for (uint32_t i = r->headed.count; i > 0; i--) {
        struct str event = intern_get(&r->headed, i);
        bool is_reported = r->clocks != PERF_UNTOLD || !is_clock(event);
        if (!is_reported || str_equal(event, STR("samples")))
            continue;
        buf_add(&r->extra, STR(","));
        add_value_type(r, event, unit_of(event, r->clocks == PERF_TIMED));
    }
    buf_add(&r->extra, STR("]"));
}

/* Writes the row of the source. */
static void emit_source(struct perf_reader *r)
{
    struct row row = {.table = TABLE_SOURCES,
                      .source = {.source_id = 1,
                                 .source_type = STR("perf"),
                                 .source_timestamp = r->request->timestamp}};
    struct buf uri_text = {0};
    const char *uri = format_source_uri(r->request, r->in);
    r->extra.n = 0;
    if (uri != NULL)
        row.source.source_uri = emit_text(&uri_text, &r->inexact, STR("source_uri"), str_of(uri));
    add_value_types(r);
    if (r->comments.n > 0) {
        buf_add(&r->extra, STR(",\".perf\":{\"header\":["));
        buf_add(&r->extra, buf_str(&r->comments));
        buf_add(&r->extra, STR("]}"));
    }
    emit_bytes_column(&r->extra, &r->inexact);
    row.extra = buf_str(&r->extra);
    sink_row(r->sink, &row);
    buf_free(&uri_text);
    r->has_source = true;
}

/* --- mappings and functions --- */

/* The build id of the file DSO; empty if it is not known. */
static struct str build_id_of(const struct perf_reader *r, struct str dso)
{
    const uint32_t number = intern_find(&r->built, dso);
    return number == 0 ? STR("") : r->build_ids[number - 1];
}

/* The mapping id of the file DSO, or 0 if that is not known. Writes the row of a new mapping. */
static uint32_t mapping_of(struct perf_reader *r, struct str dso)
{
    bool is_new;
    if (dso.n == 0 || str_equal(dso, PERF_UNKNOWN))
        return 0;
    uint32_t id = intern_add(&r->files, dso, &is_new);
    if (!is_new)
        return id;
    r->extra.n = 0;
    buf_add(&r->extra, STR(",\"memory_start\":\"0x0\",\"memory_limit\":\"0x0\","
                           "\"file_offset\":\"0x0\",\"filename\":"));
    emit_inner_string(&r->extra, &r->name, dso);
    buf_add(&r->extra, STR(",\"build_id\":\""));
    buf_add(&r->extra, build_id_of(r, dso));
    buf_add(&r->extra, STR("\""));
    sink_row(r->sink, &(struct row){.table = TABLE_MAPPINGS,
                                    .mapping = {.mapping_id = id},
                                    .extra = buf_str(&r->extra)});
    return id;
}

/* The id of the function SYMBOL in the file of MAPPING, with source file FILE; ROW_NULL if no
 * symbol was printed, or perf knows only the file. */
static int64_t function_of(struct perf_reader *r, struct str symbol, uint32_t mapping,
                           struct str file)
{
    bool is_new;
    struct buf file_text = {0}, dso_text = {0};
    if (symbol.n == 0 || (mapping != 0 && str_equal(symbol, PERF_UNKNOWN)))
        return ROW_NULL;
    r->key.n = 0;
    buf_add(&r->key, (struct str){(const char *)&mapping, sizeof mapping});
    buf_add(&r->key, file);
    buf_add(&r->key, STR("\n"));
    buf_add(&r->key, symbol);
    uint32_t id = intern_add(&r->functions, buf_str(&r->key), &is_new);
    if (!is_new)
        return id;
    struct row row = {.table = TABLE_FUNCTIONS, .function = {.function_id = id}};
    row.function.name = row.function.system_name =
        emit_text(&r->name, &r->inexact, STR("name"), symbol);
    if (r->inexact.n != 0)
        emit_text(&r->name, &r->inexact, STR("system_name"), symbol);
    row.function.filename = emit_text(&file_text, &r->inexact, STR("filename"), file);
    r->extra.n = 0;
    buf_add(&r->extra, STR(",\".unmangled\":true"));
    if (mapping != 0) {
        emit_member(&r->extra, STR(".perf_dso"));
        emit_string(&r->extra, emit_text(&dso_text, &r->inexact, STR(".perf_dso"),
                                         intern_get(&r->files, mapping)));
    }
    emit_bytes_column(&r->extra, &r->inexact);
    row.extra = buf_str(&r->extra);
    sink_row(r->sink, &row);
    buf_free(&file_text);
    buf_free(&dso_text);
    return id;
}

/* --- locations --- */

/* Identifies a step. */
struct place_key {
    uint32_t frame, srcline, into, mapping;
};

/* Identifies a location. */
struct location_key {
    int64_t function, line;
    uint64_t address, offset, dso_offset;
    uint32_t into, mapping;
    uint32_t has_offset, has_dso_offset, is_lonely, unused;
};

static void add_address(struct perf_reader *r, struct str name, uint64_t address)
{
    emit_member(&r->extra, name);
    buf_add(&r->extra, STR("\""));
    emit_address(&r->extra, address);
    buf_add(&r->extra, STR("\""));
}

static void emit_location(struct perf_reader *r, uint32_t id, const struct location_key *key)
{
    struct row row = {
        .table = TABLE_LOCATIONS,
        .location = {id, key->function, key->line},
        .site = {.mapping_id = key->mapping, .address = key->address, .inlined_into = key->into}};
    r->extra.n = 0;
    if (key->has_offset)
        add_address(r, STR(".perf_offset"), key->offset);
    if (key->has_dso_offset)
        add_address(r, STR(".perf_dso_offset"), key->dso_offset);
    if (key->is_lonely)
        buf_add(&r->extra, STR(",\".perf_inlined\":true"));
    row.extra = buf_str(&r->extra);
    sink_row(r->sink, &row);
}

/* The id of the location at PLACE. LONELY: it is inlined, but into an unknown function. */
static uint32_t make_location(struct perf_reader *r, const struct place_key *place, bool lonely)
{
    const struct perf_frame *f = &r->items[place->frame - 1].frame;
    struct perf_srcline at = {.file = STR("")};
    bool is_new;
    if (place->srcline != 0)
        perf_take_srcline(intern_get(&r->srclines, place->srcline), &at);
    struct location_key key = {
        .function = function_of(r, f->symbol, place->mapping, at.file),
        .line = at.line,
        .address = f->address,
        .offset = f->offset,
        .dso_offset = f->dso_offset,
        .into = place->into,
        .mapping = place->mapping,
        .has_offset = f->has_offset,
        .has_dso_offset = f->has_dso_offset,
        .is_lonely = lonely,
    };
    if (key.function == ROW_NULL)
        key.line = ROW_NULL;
    uint32_t id = intern_add(&r->locations, (struct str){(const char *)&key, sizeof key}, &is_new);
    if (is_new)
        emit_location(r, id, &key);
    return id;
}

/* The id of the location of STEP, which is inlined into INTO of MAPPING (0: not inlined). */
static uint32_t location_of(struct perf_reader *r, const struct perf_step *step, uint32_t into,
                            uint32_t mapping)
{
    struct perf_item *item = &r->items[step->frame - 1];
    bool is_plain = step->srcline == 0 && !step->is_inlined;
    bool is_new;
    if (is_plain && item->location != 0)
        return item->location;
    struct place_key key = {step->frame, step->srcline, into, mapping};
    uint32_t place = intern_add(&r->places, (struct str){(const char *)&key, sizeof key}, &is_new);
    if (is_new) {
        r->place_locations =
            mem_array(r->place_locations, &r->place_capacity, place, sizeof *r->place_locations);
        r->place_locations[place - 1] = make_location(r, &key, step->is_inlined && into == 0);
    }
    uint32_t id = r->place_locations[place - 1];
    if (is_plain)
        item->location = id;
    return id;
}

/* Frames are printed innermost first. A location can be made only when the one it is inlined into
 * is known: the next one, if it has the same address. */
static void finish_stack(struct perf_reader *r)
{
    uint32_t outer = 0, mapping = 0;
    uint64_t address = 0;
    r->stack = mem_array(r->stack, &r->stack_capacity, r->depth, sizeof *r->stack);
    for (size_t i = r->depth; i-- > 0;) {
        const struct perf_step *step = &r->steps[i];
        const struct perf_item *item = &r->items[step->frame - 1];
        uint32_t into = 0;
        if (step->is_inlined && outer != 0 && item->frame.address == address)
            into = outer;
        else
            mapping = item->mapping;
        outer = location_of(r, step, into, mapping);
        address = item->frame.address;
        r->stack[i] = outer;
    }
}

/* === samples === */

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
        item->mapping = mapping_of(r, item->frame.dso);
    return id;
}

/* Adds the frame in TEXT to the sample; false if TEXT has none. */
static bool push_frame(struct perf_reader *r, struct str text)
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

/* Decides what the text after the event is, in a header with a frame: that frame, or plain text if
 * a chain of frames follows (IS_CHAIN). Further calls for the same sample do nothing. */
static void finish_rest(struct perf_reader *r, bool is_chain)
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
    push_frame(r, rest.frame);
}

/* --- samples --- */

/* What to do about text that lacks what a sample needs. */
#define PRINT_FRAMES "perf script -F comm,tid,time,event,ip,sym,dso prints them"

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
    finish_stack(r);
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
        loss_add(LOSS_VALUES, emit_text(&r->name, &r->inexact, STR("type"), type_name(h->event)),
                 1);
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

/* Writes the sample being read, if there is one. */
static void end_sample(struct perf_reader *r)
{
    if (r->state == PERF_NO_SAMPLE)
        return;
    finish_rest(r, false);
    add_text(r, STR("trace"), buf_str(&r->trace));
    r->trace.n = 0;
    r->is_tracing = false;
    r->state = PERF_NO_SAMPLE;
    if (r->is_weak && r->depth == 0) {
        bad_lines_note(&r->bad, r->began,
                       "expected a sample, found a line that no frames follow: " PRINT_FRAMES);
        return;
    }
    if (r->event != NULL && r->fields.kind == PERF_NO_HEADER)
        r->fields.kind = r->is_plain ? PERF_PLAIN : PERF_EVENTS;
    if (r->off_cpu != NULL) {
        begin_wait(r);
        return;
    }
    finish_stack(r);
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

/* Begin a sample and end the one before. The first is for a sample without a header; the caller
 * sets the state. The second is for one with HEADER, whose rest has a frame at the index FRAME_AT.
 * If a number in HEADER is too large, the line is a bad line (bad_lines_note) and no sample
 * begins. */
static void begin_sample(struct perf_reader *r)
{
    end_sample(r);
    if (!r->has_source)
        emit_source(r);
    r->began = r->where;
    r->columns.n = r->rest.n = r->tail.n = r->depth = 0;
    r->waiting = 0;
    r->has_labels = false;
    r->event = NULL;
    r->is_weak = r->is_whole = r->is_truncated = r->is_plain = false;
}

static void begin_headed(struct perf_reader *r, const struct perf_header *header, size_t frame_at)
{
    int64_t time;
    end_sample(r);
    if (!take_numbers(r, header, &time))
        return;
    begin_sample(r);
    r->is_plain = header->seconds.n == 0 && header->event.n == 0;
    r->is_weak =
        r->is_plain ? !is_expected(r, header) : header->seconds.n == 0 && perf_is_weak(header);
    r->event = event_of(r, header);
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

/* === lines === */

/* --- messages --- */

/* Reports the bad line LINE: EXPECTED was required. */
static void note_bad(struct perf_reader *r, const char *expected, struct str line)
{
    enum { SHOWN = 60 };
    struct buf shown = {0};
    text_escape(&shown, str_first(line, SHOWN));
    bad_lines_note(&r->bad, r->where, "expected %s, found \"%.*s%s\"", expected,
                   STR_ARG(buf_str(&shown)), line.n > SHOWN ? "..." : "");
    buf_free(&shown);
}

static void leave_out(const char *what)
{
    loss_add(LOSS_PERF_LINES, str_of(what), 1);
}

/* --- lines --- */

/* Parses LINE as a header with a time or an event; false if it is not certainly one. */
static bool take_event_header(const struct perf_reader *r, struct str line, struct perf_header *h)
{
    if (!perf_take_header(line, h))
        return false;
    if (r->fields.kind == PERF_PLAIN && !(perf_has_usual_time(h) && h->tid.n > 0))
        return false;
    return h->seconds.n > 0 || !perf_is_weak(h) ||
           (!perf_is_message(line) && (perf_ends_event(h) || perf_find_frame(h->rest) < h->rest.n));
}

/* Parses LINE as a header without time and event, if the file may have such; it has a frame, or
 * frames follow. False if it is none. */
static bool take_plain_header(const struct perf_reader *r, struct str line, struct perf_header *h)
{
    bool may_begin = r->state == PERF_NO_SAMPLE || *line.p != ' ';
    return r->fields.kind != PERF_EVENTS && !perf_is_message(line) && perf_take_plain(line, h) &&
           (may_begin || perf_find_frame(h->rest) < h->rest.n);
}

/* Names of threads may end in a number. That of H is a thread id if the first header has one. False
 * if the first header's may not have been one: that is reported. */
static bool settle_thread(struct perf_reader *r, struct perf_header *h)
{
    struct perf_fields *f = &r->fields;
    if (!f->has_first) {
        f->has_first = true;
        f->has_thread = h->tid.n > 0;
        f->is_loose = h->is_loose;
    }
    if (h->tid.n > 0 && !f->has_thread && h->is_loose)
        perf_join_thread(h);
    if (h->tid.n > 0 || !f->is_loose || h->comm.n == 0)
        return true;
    bad_lines_note(&r->bad, r->where,
                   "expected a thread id, as in the first sample, where it may be the end of a "
                   "name: perf script -F comm,pid,tid,time,event,ip,sym,dso tells them apart");
    return false;
}

/* Counts what TEXT of a line names as lost if that is a record other than a sample; false if it is
 * not. */
static bool take_record(struct perf_reader *r, struct str text)
{
    struct str record = perf_record(text);
    if (record.n == 0)
        return false;
    end_sample(r);
    loss_add(LOSS_PERF_LINES, record, 1);
    return true;
}

/* Begins the sample of the header H, unless that is not sure. */
static void begin_sure(struct perf_reader *r, struct perf_header *h)
{
    if (settle_thread(r, h))
        begin_headed(r, h, perf_find_frame(h->rest));
    else
        end_sample(r);
}

/* Begins a sample if LINE is a header with a time or an event; false if it is not. */
static bool take_header(struct perf_reader *r, struct str line)
{
    struct perf_header h;
    if (!take_event_header(r, line, &h))
        return false;
    if (!take_record(r, h.event.n > 0 ? h.event : h.rest))
        begin_sure(r, &h);
    return true;
}

/* The same for a header without time and event. */
static bool take_plain(struct perf_reader *r, struct str line)
{
    struct perf_header h;
    if (take_record(r, line))
        return true;
    if (!take_plain_header(r, line, &h))
        return false;
    begin_sure(r, &h);
    return true;
}

/* Adds the source line in LINE to the last frame; false if LINE has none, or there is no frame. */
static bool take_srcline(struct perf_reader *r, struct str line)
{
    struct perf_srcline at;
    if (r->state == PERF_NO_SAMPLE || !perf_take_srcline(line, &at) ||
        perf_find_address(line) < line.n)
        return false;
    finish_rest(r, false);
    if (r->depth == 0)
        return false;
    struct perf_step *step = &r->steps[r->depth - 1];
    if (step->srcline != 0)
        return false;
    step->srcline = intern_add(&r->srclines, line, NULL);
    step->is_inlined |= at.is_inlined;
    return true;
}

/* Frames follow, so the end of the header is not a frame. */
static void begin_chain(struct perf_reader *r)
{
    if (r->rest.n == 0)
        return;
    finish_rest(r, true);
    r->state = PERF_CHAIN;
}

/* Takes LINE if it is one of those that report_sample.py prints behind the frames of a tracepoint:
 * "tracing data:", and then lines "KEY : VALUE". They are kept as perf prints them, "KEY=VALUE". */
static bool take_tracing(struct perf_reader *r, struct str line)
{
    static const struct str colon = STR(" : ");
    if (r->state != PERF_CHAIN || r->depth == 0)
        return false;
    if (str_equal(line, STR("\ttracing data:")))
        return r->is_tracing = true;
    if (!r->is_tracing || !str_take(&line, STR("\t\t")))
        return false;
    const char *found = line.n == 0 ? NULL : port_memmem(line.p, line.n, colon.p, colon.n);
    if (found == NULL)
        return false;
    buf_add(&r->trace, r->trace.n > 0 ? STR(" ") : STR(""));
    buf_add(&r->trace, (struct str){line.p, (size_t)(found - line.p)});
    buf_add(&r->trace, STR("="));
    buf_add(&r->trace, (struct str){found + colon.n, (size_t)(line.p + line.n - found) - colon.n});
    return true;
}

/* A line that begins with a tab: a frame. */
static void take_frame(struct perf_reader *r, struct str line)
{
    if (take_tracing(r, line))
        return;
    begin_chain(r);
    if (r->state != PERF_CHAIN) {
        begin_sample(r);
        r->state = PERF_CHAIN;
    }
    if (!push_frame(r, line))
        note_bad(r, "a frame (an address and what is there)", line);
}

/* A line that begins with a blank, after frames of a chain: a frame, if tabs were converted to
 * blanks, or text that belongs to a frame. */
static void take_indented(struct perf_reader *r, struct str line)
{
    struct perf_frame frame;
    if (take_srcline(r, line))
        return;
    if (perf_take_frame(line, &frame))
        push_frame(r, line);
    else
        leave_out("lines inside of samples");
}

/* What perf prints after the frames of a chain, in place of an empty line. False if LINE is not
 * that. */
static bool take_tail(struct perf_reader *r, struct str line)
{
    if (r->state != PERF_CHAIN || !perf_is_tail(line))
        return false;
    buf_add(&r->tail, perf_trim(line));
    end_sample(r);
    return true;
}

/* A frame that begins its line: perf prints one blank before it where it has neither a header nor a
 * chain. In a chain there are more blanks if tabs were converted to blanks. */
static bool take_lone_frame(struct perf_reader *r, struct str line)
{
    size_t columns = *line.p == ' ' ? perf_address_columns(line) : 0;
    if (columns != 1 + PERF_ADDRESS_WIDTH &&
        !(r->state == PERF_CHAIN && columns > PERF_ADDRESS_WIDTH))
        return false;
    if (r->state != PERF_CHAIN) {
        begin_sample(r);
        r->state = PERF_ONE_LINE;
    }
    size_t n = perf_find_tail(line);
    push_frame(r, (struct str){line.p, n});
    buf_add(&r->tail, perf_trim((struct str){line.p + n, line.n - n}));
    return true;
}

/* A frame without the blanks before it. */
static bool take_bare_frame(struct perf_reader *r, struct str line)
{
    struct perf_frame frame;
    struct perf_header h;
    if (r->state != PERF_CHAIN || *line.p == ' ' || !perf_take_frame(line, &frame) ||
        frame.symbol.n == 0 || (perf_take_header(line, &h) && perf_has_usual_time(&h)))
        return false;
    if (!frame.has_dso && !frame.is_inlined && take_event_header(r, line, &h))
        return false;
    begin_chain(r);
    return push_frame(r, line);
}

/* Whether LINE is a line of source code, as -F srccode prints it. */
static bool is_source(struct str line)
{
    return line.n > 1 && line.p[0] == '|' && str_is_digit(line.p[1]);
}

/* Any line other than a frame that begins with a tab. */
static void take_other(struct perf_reader *r, struct str line)
{
    if (take_tail(r, line) || take_bare_frame(r, line))
        return;
    if (r->state == PERF_CHAIN && r->depth > 0 && *line.p == ' ')
        take_indented(r, line);
    else if (is_source(line))
        leave_out("source code");
    else if (take_lone_frame(r, line) || take_header(r, line) || take_srcline(r, line) ||
             take_plain(r, line))
        return;
    else if (perf_is_message(line))
        leave_out("messages of perf");
    else if (r->state != PERF_NO_SAMPLE && *line.p == ' ')
        leave_out("lines inside of samples");
    else
        note_bad(r, "a sample, its frames, or a comment", line);
}

/* Takes the event named by LINE of the header; false if it names none, or one that counts
 * nothing. */
static bool take_event_name(struct str line, struct str *event)
{
    static const struct str start = STR("# event : name = ");
    if (!str_starts(line, start))
        return false;
    *event = (struct str){line.p + start.n, line.n - start.n};
    const char *end = port_memmem(event->p, event->n, ", ", 2);
    if (end != NULL)
        event->n = (size_t)(end - event->p);
    return !str_starts(*event, STR("dummy"));
}

/* Takes the build id in LINE, a comment: hexadecimal digits and the name of a file. False if it has
 * none. */
static bool take_build_id(struct perf_reader *r, struct str line)
{
    bool is_new;
    size_t n = 0;
    if (!str_take(&line, PERF_BUILD_ID))
        return false;
    while (n < line.n && text_hex_value(line.p[n]) < 16)
        n++;
    const struct str id = {line.p, n}, file = perf_trim((struct str){line.p + n, line.n - n});
    if (n == 0 || file.n == 0)
        return false;
    intern_add(&r->built, file, &is_new);
    if (is_new) {
        r->build_ids =
            mem_array(r->build_ids, &r->build_id_capacity, r->built.count, sizeof *r->build_ids);
        r->build_ids[r->built.count - 1] = arena_copy(&r->extras, id);
    }
    return true;
}

/* A line that begins with '#'. Before the samples such lines describe the recording. */
static void take_comment(struct perf_reader *r, struct str line)
{
    struct str event;
    if (r->has_source) {
        loss_add(LOSS_OWN, STR("comment lines"), 1);
        return;
    }
    if (take_build_id(r, line))
        return;
    buf_add(&r->comments, r->comments.n > 0 ? STR(",") : STR(""));
    emit_inner_string(&r->comments, &r->name, line);
    if (take_event_name(line, &event))
        intern_add(&r->headed, event, NULL);
}

/* Whether LINE is a comment. The name of a thread may also be '#'. */
static bool is_comment(struct str line)
{
    struct perf_header h;
    return *line.p == '#' && !(perf_take_header(line, &h) && h.seconds.n > 0 && !perf_is_weak(&h));
}

/* LINE; a frame of older versions of report_sample.py as newer ones print it, which have the tab in
 * front of the address and not behind it. */
static struct str untab(struct perf_reader *r, struct str line)
{
    if (r->state == PERF_NO_SAMPLE || !perf_is_tabbed_frame(line))
        return line;
    r->untabbed.n = 0;
    buf_add(&r->untabbed, STR("\t"));
    buf_add(&r->untabbed, line);
    r->untabbed.p[1 + PERF_ADDRESS_WIDTH] = ' ';
    return buf_str(&r->untabbed);
}

/* Whether LINE, which begins with a tab, is a header: the thread has no name. */
static bool is_nameless(struct str line)
{
    struct perf_header h;
    return perf_take_report(line, &h);
}

static void take_line(struct perf_reader *r, struct str line)
{
    if (line.n == 0) {
        end_sample(r);
        r->has_blank = true;
    } else if (*line.p == '\t' && !is_nameless(line))
        take_frame(r, line);
    else if (is_comment(line))
        take_comment(r, line);
    else
        take_other(r, line);
}

/* --- the end --- */

/* Whether FRAME may be complete: it has its last parenthesis. */
static bool is_whole(const struct perf_frame *frame)
{
    size_t depth = 0;
    for (size_t i = 0; i < frame->dso.n; i++)
        depth += (frame->dso.p[i] == '(') - (frame->dso.p[i] == ')');
    return (frame->has_dso || frame->is_inlined) && depth == 0;
}

/* Whether LINE, which has no line feed, can be used. */
static bool is_readable(const struct perf_reader *r, struct str line)
{
    struct perf_frame frame;
    struct perf_header h;
    if (*line.p == '#')
        return true;
    if (*line.p == '\t')
        return perf_take_frame(line, &frame) && is_whole(&frame);
    if (r->fields.kind == PERF_PLAIN
            ? !perf_take_plain(line, &h)
            : !perf_take_header(line, &h) || (h.seconds.n == 0 && perf_is_weak(&h)))
        return false;
    size_t at = perf_find_frame(h.rest);
    if (at == h.rest.n)
        return h.event.n > 0;
    return perf_take_frame(perf_split(h.rest, at).frame, &frame) && is_whole(&frame);
}

/* Takes LINE, the last one, without a line feed. */
static void take_torn(struct perf_reader *r, struct str line)
{
    line = untab(r, line);
    if (r->request->strict)
        die_as(CODE_TORN, r->where, "--strict: the last line is torn (no line feed)");
    if (is_readable(r, line)) {
        warn_at(CODE_CUT, r->where, "the last line has no line feed: its sample may be cut");
        take_line(r, line);
    } else {
        warn_at(CODE_TORN, r->where, "the last line is torn (no line feed): skipped");
        if (*line.p == '\t')
            begin_chain(r);
        r->is_truncated = r->state == PERF_CHAIN;
    }
    end_sample(r);
}

/* Says why self of functions is not that of perf report. */
static void explain_inlined(const struct perf_reader *r)
{
    if (r->inlined > 0)
        note("%s: perf report counts samples in inlined functions (%" PRIu64 ") for the function "
             "around these, as profagg --no-inlines does",
             in_name(r->in), r->inlined);
}

/* Ends the last sample of the input. Frames may be missing if no empty line follows. */
static void end_input(struct perf_reader *r)
{
    if (r->state == PERF_CHAIN && !(r->is_whole && r->depth == 0)) {
        if (r->request->strict)
            die_as(CODE_CUT, r->where, "--strict: expected an empty line behind the last sample");
        warn_at(CODE_CUT, r->where,
                "no empty line behind the last sample: its outer frames may be missing");
    }
    end_sample(r);
    if (!r->has_source && r->has_blank && r->comments.n == 0)
        die_at((struct place){in_name(r->in), PLACE_FILE, 0},
               "expected samples, found only empty lines: " PRINT_FRAMES);
    if (!r->has_source)
        emit_source(r);
}

/* --- looking ahead --- */

/* Finds from LINE whether clocks have periods: they do if another event has, and the first sample
 * of a clock decides. *IS_OVER is set once no more lines are needed: if no comment before the first
 * sample names a clock (*HAS_CLOCK). */
static void look_at(struct perf_reader *r, struct str line, bool *has_clock, bool *is_over)
{
    struct perf_header h;
    struct str event;
    if (line.n == 0 || *line.p == '\t')
        return;
    if (is_comment(line)) {
        *has_clock |= take_event_name(line, &event) && is_clock(event);
        return;
    }
    if (*has_clock && perf_take_header(line, &h) && (h.period.n > 0 || is_clock(h.event)))
        r->clocks = h.period.n > 0 ? PERF_TIMED : PERF_COUNTED;
    *is_over = !*has_clock || r->clocks != PERF_UNTOLD;
}

/* Finds the unit of the clocks named in the header. It is needed for the row of the source, which
 * comes before all samples. Reads no further ahead than necessary. */
static void look_ahead(struct perf_reader *r)
{
    enum { MAX = 1 << 20 };
    bool has_clock = false, is_over = false;
    for (size_t at = 0, want = 1; !is_over && at < MAX;) {
        struct str text = in_peek(r->in, want);
        const char *lf = text.n == at ? NULL : memchr(text.p + at, '\n', text.n - at);
        if (lf == NULL && (text.n < want || text.n >= MAX))
            return;
        if (lf == NULL) {
            want = text.n + 1;
            continue;
        }
        struct str line = {text.p + at, (size_t)(lf - text.p) - at};
        look_at(r, line, &has_clock, &is_over);
        at += line.n + 1;
    }
}

static void read_lines(struct perf_reader *r)
{
    struct str lines;
    while ((lines = in_lines(r->in, 0, r->where.at + 1)).n > 0) {
        const char *p = lines.p, *end = p + lines.n, *lf;
        for (; p < end; p = lf + 1) {
            lf = memchr(p, '\n', (size_t)(end - p));
            struct str line = {p, (size_t)(lf - p)};
            if (line.n > 0 && p[line.n - 1] == '\r')
                line.n--;
            r->where.at++;
            if (lf + 1 == end && in_torn(r->in) && line.n > 0)
                take_torn(r, line);
            else
                take_line(r, untab(r, line));
        }
        in_consume(r->in, lines.n);
    }
}

static void close_reader(struct perf_reader *r)
{
    struct intern *interns[] = {&r->built,     &r->frames,      &r->srclines,
                                &r->files,     &r->places,      &r->functions,
                                &r->locations, &r->event_names, &r->headed};
    struct buf *bufs[] = {&r->comments, &r->columns, &r->rest,  &r->tail,    &r->trace,
                          &r->untabbed, &r->name,    &r->extra, &r->inexact, &r->key};
    for (size_t i = 0; i < sizeof interns / sizeof *interns; i++)
        intern_free(interns[i]);
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        buf_free(bufs[i]);
    mem_free(r->items);
    mem_free(r->build_ids);
    mem_free(r->place_locations);
    mem_free(r->events);
    mem_free(r->steps);
    mem_free(r->stack);
    arena_free(&r->extras);
}

void perf_read(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct perf_reader r = {
        .request = request,
        .in = in,
        .sink = sink,
        .bad = {.request = request},
        .where = {in_name(in), PLACE_LINE, 0},
        .count_type = value_types_add(&sink->flow->types, STR("samples"), STR("count")),
    };
    const struct perf_read_options *options = request->options;
    if (options != NULL && options->off_cpu) {
        r.off_cpu = perf_off_cpu_open();
        r.wait_type = value_types_add(&sink->flow->types, STR("off_cpu"), STR("nanoseconds"));
    }
    look_ahead(&r);
    read_lines(&r);
    end_input(&r);
    if (r.off_cpu != NULL)
        perf_off_cpu_close(r.off_cpu, in, r.event_names.count > 0);
    explain_inlined(&r);
    bad_lines_end(&r.bad, r.sample_id > 0);
    close_reader(&r);
}
