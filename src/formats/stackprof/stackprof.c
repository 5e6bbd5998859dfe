/* Files of stackprof, a profiler of Ruby: JSON with frames, and the stacks of samples unless these
 * were only added up. See stackprof2ndjson(1) for the rules.
 *
 * Members come in any order, so stacks and times wait in spools. */
#include "base/idmap.h"
#include "base/mem.h"
#include "base/spools.h"
#include "formats/bytes_rows.h"
#include "formats/formats.h"
#include "formats/json_head.h"
#include "rows/emit.h"
#include "rows/listed.h"
#include "rows/loss.h"
#include "rows/text.h"
#include "rows/tokens.h"
#include "stream/growth.h"

#include <inttypes.h>

struct frame {
    int64_t id;                /* as in the file */
    struct tokens_place where; /* where it is first named */
    uint32_t function;         /* 0: it has not been read so far */
    int64_t self, total;       /* samples */
};

/* How many samples one frame had below another. */
struct edge {
    uint32_t caller, callee; /* frames */
    int64_t samples;
};

/* The lists of numbers. */
enum list { STACKS, LINES, TIMES, DELTAS, LISTS };

/* The values of a sample, in the order in which a source lists their types: the last is shown. The first
 * are inclusive, two of each other: of calls (edges), and of frames (inclusive.h). */
enum value { INCLUSIVE, SAMPLES = INCLUSIVE + 8, WALL, CPU, OBJECTS, VALUES };
enum { OF_CALLS, OF_FRAMES, INCLUSIVES };

/* The inclusive value of V that is KIND. */
static enum value inclusive_value(enum value v, unsigned kind)
{
    return INCLUSIVE + INCLUSIVES * (v - SAMPLES) + kind;
}

static const struct {
    struct str type, unit;
} types[VALUES] = {
#define TYPE(name, unit)                                                                           \
    {                                                                                              \
        STR(name), STR(unit)                                                                       \
    }
#define TYPES(name, unit) TYPE("inclusive_" name "_by_caller", unit), TYPE("inclusive_" name, unit)
    TYPES("samples", "count"),
    TYPES("wall", "nanoseconds"),
    TYPES("cpu", "nanoseconds"),
    TYPES("objects", "count"),
    [SAMPLES] = TYPE("samples", "count"),
    [WALL] = TYPE("wall", "nanoseconds"),
    [CPU] = TYPE("cpu", "nanoseconds"),
    [OBJECTS] = TYPE("objects", "count"),
#undef TYPES
#undef TYPE
};

struct reader {
    struct tokens json;
    const struct read_request *request;
    struct sink *sink;
    struct bytes_rows rows;
    struct buf name, file, extra, facts;
    struct idmap ids; /* of frames, plus 1 */
    struct frame *frames;
    struct edge *edges;
    size_t frame_count, frame_capacity, edge_count, edge_capacity;
    struct intern functions;
    struct intern locations; /* with a line; their numbers follow those of functions */

    struct spools *spools;
    uint32_t lists[LISTS];
    struct spools_walk walks[LISTS];
    bool has_list[LISTS], counts_lines;
    enum value mode;  /* what a sample stands for: WALL, CPU or OBJECTS */
    int64_t interval; /* microseconds or objects; 0: not given */
    int64_t zero;     /* the first time, in microseconds */
    uint32_t types[VALUES];
    int64_t *stack, *kept; /* what is pushed, and a stack that several samples have */
    size_t stack_capacity, kept_capacity;
    int64_t sample_id;
};

/* --- frames --- */

/* The number of the frame ID, named at r->json.where. */
static uint32_t frame_of(struct reader *r, int64_t id)
{
    uint32_t number = idmap_get(&r->ids, (uint64_t)id + 1);
    if (number != 0)
        return number;
    r->frames = mem_array(r->frames, &r->frame_capacity, ++r->frame_count, sizeof *r->frames);
    r->frames[r->frame_count - 1] = (struct frame){.id = id, .where = r->json.where};
    idmap_put(&r->ids, (uint64_t)id + 1, (uint32_t)r->frame_count);
    return (uint32_t)r->frame_count;
}

/* The frame whose id is the current token, the name of a member. */
static uint32_t read_key(struct reader *r)
{
    int64_t id;
    if (!text_is_integer(r->json.text, &id) || id < 0 || id == INT64_MAX)
        tokens_unexpected(&r->json, "the id of a frame, an integer in quotes");
    return frame_of(r, id);
}

static void read_object(struct reader *r, const char *what)
{
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, what);
}

static void read_string(struct reader *r, struct buf *to)
{
    to->n = 0;
    if (r->json.token == TOKEN_NULL)
        return;
    if (r->json.token != TOKEN_STRING)
        tokens_unexpected(&r->json, "a string");
    text_unescape(to, r->json.text);
}

/* The current token, an integer from 0, or 0 for null. */
static int64_t read_count(struct reader *r)
{
    return r->json.token == TOKEN_NULL ? 0 : tokens_integer(&r->json, 0, "an integer from 0");
}

static void read_edges(struct reader *r, uint32_t caller)
{
    read_object(r, "an object of edges");
    while (tokens_next(&r->json) == TOKEN_NAME) {
        struct edge edge = {.caller = caller, .callee = read_key(r)};
        tokens_next(&r->json);
        edge.samples = read_count(r);
        r->edges = mem_array(r->edges, &r->edge_capacity, ++r->edge_count, sizeof *r->edges);
        r->edges[r->edge_count - 1] = edge;
    }
}

/* The function r->name in r->file that starts at LINE; pushes the rows of a new one. It has the
 * number of its location without a line. */
static uint32_t function_of(struct reader *r, int64_t line)
{
    bool is_new;
    uint32_t id = bytes_rows_find_function(&r->rows, r->sink, &r->functions, buf_str(&r->name),
                                           buf_str(&r->file), line, &is_new);
    if (is_new)
        sink_row(r->sink, &(struct row){.table = TABLE_LOCATIONS, .location = {id, id, 0}});
    return id;
}

/* Reads the frame NUMBER, whose object is the current token, and pushes its rows. */
static void read_frame(struct reader *r, uint32_t number)
{
    static const char *const names[] = {"name",    "file",  "line", "total_samples",
                                        "samples", "edges", "lines"};
    unsigned seen = 0, member;
    int64_t line = 0;
    if (r->frames[number - 1].function != 0)
        tokens_die(&r->json, r->json.where, "frame %" PRId64 " stands there twice",
                   r->frames[number - 1].id);
    r->name.n = r->file.n = 0;
    read_object(r, "a frame");
    while (tokens_next_member(&r->json, names, 7, &seen, &member))
        switch (member) {
        case 0: read_string(r, &r->name); break;
        case 1: read_string(r, &r->file); break;
        case 2: line = read_count(r); break;
        case 3: r->frames[number - 1].total = read_count(r); break;
        case 4: r->frames[number - 1].self = read_count(r); break;
        case 5: read_edges(r, number); break;
        default: r->counts_lines = true; tokens_skip(&r->json);
        }
    r->frames[number - 1].function = function_of(r, line);
}

static void read_frames(struct reader *r)
{
    read_object(r, "an object of frames");
    while (tokens_next(&r->json) == TOKEN_NAME) {
        uint32_t number = read_key(r);
        tokens_next(&r->json);
        read_frame(r, number);
    }
}

/* --- lists --- */

static void read_list(struct reader *r, enum list list)
{
    tokens_list(&r->json, "a list of integers");
    for (r->has_list[list] = true; tokens_next(&r->json) != TOKEN_ARRAY_END;) {
        int64_t n = tokens_integer(&r->json, list == DELTAS ? INT64_MIN : 0, "an integer");
        spools_write(r->spools, r->lists[list], (struct str){(const char *)&n, sizeof n});
    }
}

/* Takes the next number off LIST; false at its end. */
static bool take(struct reader *r, enum list list, int64_t *n)
{
    return spools_read(r->spools, &r->walks[list], n, sizeof *n);
}

static _Noreturn void die_short(const struct reader *r)
{
    tokens_die(&r->json, r->json.where, "\"raw\" ends in the middle of a stack");
}

/* Takes the line of the next frame off its list, or another number that EXPECTED says, unless that
 * is below 0; 0 without such a list. */
static int64_t take_line(struct reader *r, int64_t expected)
{
    int64_t n = 0;
    if (!r->has_list[LINES])
        return 0;
    if (!take(r, LINES, &n) || (expected >= 0 && n != expected))
        tokens_die(&r->json, r->json.where, "\"raw_lines\" has other stacks than \"raw\"");
    return n;
}

/* --- rows --- */

/* The location of the frame NUMBER at LINE; 0: none. */
static int64_t location_of(struct reader *r, uint32_t number, int64_t line)
{
    uint32_t function = r->frames[number - 1].function;
    int64_t key[] = {function, line};
    bool is_new;
    if (line == 0)
        return function;
    uint32_t id = intern_add(&r->locations, (struct str){(const char *)key, sizeof key}, &is_new) +
                  r->functions.count;
    if (is_new)
        sink_row(r->sink,
                 &(struct row){.table = TABLE_LOCATIONS, .location = {id, function, line}});
    return id;
}

static void push_sample(struct reader *r, struct sample_value *values, size_t count, size_t depth)
{
    sink_sample(r->sink, &(struct sample){.sample_id = ++r->sample_id,
                                          .source_id = 1,
                                          .extra = buf_str(&r->extra),
                                          .values = values,
                                          .value_count = count,
                                          .locations = r->stack,
                                          .depth = depth});
}

static void set_value(const struct reader *r, struct sample_value *to, enum value value, int64_t n)
{
    *to = (struct sample_value){r->types[value], number_of(n), STR("")};
}

/* N times FACTOR; ends the tool if that does not fit 64 bits. */
static int64_t times(const struct reader *r, int64_t n, int64_t factor)
{
    int64_t product;
    if (__builtin_mul_overflow(n, factor, &product))
        tokens_die(&r->json, r->json.where, "a value does not fit 64 bits");
    return product;
}

/* What COUNT samples stand for by the interval: nanoseconds, or objects. */
static int64_t weight(const struct reader *r, int64_t count)
{
    return times(r, times(r, count, r->interval), r->mode == OBJECTS ? 1 : 1000);
}

/* Pushes the next sample, whose stack of DEPTH frames is at r->stack. */
static void push_next(struct reader *r, size_t depth)
{
    struct sample_value values[VALUES];
    size_t count = 0;
    int64_t time, delta = 0;
    r->extra.n = 0;
    if (take(r, TIMES, &time)) {
        emit_member(&r->extra, STR(".time"));
        emit_number(&r->extra, times(r, time - r->zero, 1000));
    }
    set_value(r, &values[count++], SAMPLES, 1);
    if (take(r, DELTAS, &delta))
        set_value(r, &values[count++], WALL, times(r, delta, 1000));
    else if (r->mode == WALL && r->interval > 0)
        set_value(r, &values[count++], WALL, weight(r, 1));
    if (r->mode != WALL)
        set_value(r, &values[count++], r->mode, weight(r, 1));
    push_sample(r, values, count, depth);
}

/* Reads the next stack of the file into r->kept, innermost first, and how many samples have it;
 * false at the end. */
static bool next_stack(struct reader *r, size_t *depth, int64_t *count)
{
    int64_t length, id;
    if (!take(r, STACKS, &length))
        return false;
    take_line(r, length);
    growth_check_depth((uint64_t)length > SIZE_MAX ? SIZE_MAX : (size_t)length,
                       r->sink->flow->where);
    *depth = (size_t)length;
    r->kept = mem_array(r->kept, &r->kept_capacity, *depth + 1, sizeof *r->kept);
    for (size_t i = *depth; i-- > 0;) {
        if (!take(r, STACKS, &id))
            die_short(r);
        uint32_t number = idmap_get(&r->ids, (uint64_t)id + 1);
        if (number == 0)
            tokens_die(&r->json, r->json.where, "there is no frame %" PRId64, id);
        r->kept[i] = location_of(r, number, take_line(r, -1));
    }
    if (!take(r, STACKS, count))
        die_short(r);
    take_line(r, *count);
    return true;
}

static void push_stacks(struct reader *r)
{
    size_t depth;
    int64_t count;
    while (next_stack(r, &depth, &count)) {
        r->stack = mem_array(r->stack, &r->stack_capacity, depth + 1, sizeof *r->stack);
        for (int64_t i = 0; i < count; i++) {
            memcpy(r->stack, r->kept, depth * sizeof *r->stack); /* a sink may change it */
            push_next(r, depth);
        }
    }
}

/* Sets VALUES to the inclusive ones that are KIND, of COUNT samples; returns how many these are. */
static size_t add_inclusive(const struct reader *r, struct sample_value *values, unsigned kind,
                            int64_t count)
{
    set_value(r, &values[0], inclusive_value(SAMPLES, kind), count);
    if (r->interval == 0)
        return 1;
    set_value(r, &values[1], inclusive_value(r->mode, kind), weight(r, count));
    return 2;
}

/* Where there are no stacks: each frame alone with its own samples, and pairs of frames. What is
 * not its own is inclusive. */
static void push_sums(struct reader *r)
{
    struct sample_value values[VALUES];
    r->extra.n = 0;
    r->stack = mem_array(r->stack, &r->stack_capacity, 2, sizeof *r->stack);
    for (uint32_t number = 1; number <= r->frame_count; number++) {
        const struct frame *f = &r->frames[number - 1];
        size_t count = add_inclusive(r, values, OF_FRAMES, f->total);
        if (f->self > 0) {
            set_value(r, &values[count++], SAMPLES, f->self);
            if (r->interval > 0)
                set_value(r, &values[count++], r->mode, weight(r, f->self));
        }
        r->stack[0] = f->function;
        push_sample(r, values, count, 1);
    }
    for (size_t i = 0; i < r->edge_count; i++) {
        const size_t count = add_inclusive(r, values, OF_CALLS, r->edges[i].samples);
        r->stack[0] = r->frames[r->edges[i].callee - 1].function;
        r->stack[1] = r->frames[r->edges[i].caller - 1].function;
        push_sample(r, values, count, 2);
    }
}

/* Whether the source has values of the type I. */
static bool has_type(const struct reader *r, enum value i)
{
    if (i < SAMPLES)
        return !r->has_list[STACKS] && has_type(r, SAMPLES + i / INCLUSIVES);
    switch (i) {
    case SAMPLES: return true;
    case WALL: return r->has_list[DELTAS] || (r->mode == WALL && r->interval > 0);
    default: return r->mode == i;
    }
}

static void push_source(struct reader *r, const char *uri)
{
    r->extra.n = 0;
    listed_begin(&r->extra);
    for (enum value i = 0; i < VALUES; i++)
        if (has_type(r, i))
            listed_add(&r->extra, types[i].type, types[i].unit,
                       i < SAMPLES ? LISTED_INCLUSIVE : LISTED_SUM);
    listed_end(&r->extra);
    if (r->has_list[TIMES]) {
        emit_member(&r->facts, STR("zero"));
        emit_number(&r->facts, r->zero);
    }
    emit_object(&r->extra, STR(".stackprof"), buf_str(&r->facts));
    bytes_rows_source(&r->rows, r->sink, 1, STR("stackprof"), uri, r->request->timestamp,
                      &r->extra);
}

/* --- the file --- */

/* Keeps the current token as the member NAME of what the source says: an integer, or as text. */
static void keep(struct reader *r, const char *name, bool is_integer)
{
    emit_member(&r->facts, str_of(name));
    if (is_integer) {
        emit_number(&r->facts, read_count(r));
        return;
    }
    r->name.n = 0;
    if (r->json.token == TOKEN_STRING)
        text_unescape(&r->name, r->json.text);
    else
        tokens_copy(&r->json, &r->name);
    buf_add(&r->facts, STR("\""));
    text_escape(&r->facts, buf_str(&r->name));
    buf_add(&r->facts, STR("\""));
}

static void read_mode(struct reader *r)
{
    keep(r, "mode", false);
    struct str mode = buf_str(&r->name);
    r->mode = str_equal(mode, STR("cpu")) ? CPU : str_equal(mode, STR("object")) ? OBJECTS : WALL;
}

static void read_member(struct reader *r, unsigned member)
{
    switch (member) {
    case 0: keep(r, "version", false); break;
    case 1: read_mode(r); break;
    case 2:
        r->interval = read_count(r);
        if (r->json.token != TOKEN_NULL)
            keep(r, "interval", true);
        break;
    case 3: read_count(r); break; /* how many samples: the stacks say it */
    case 4: keep(r, "gc_samples", true); break;
    case 5: keep(r, "missed_samples", true); break;
    case 6: keep(r, "metadata", false); break;
    case 7: read_frames(r); break;
    default: read_list(r, (enum list)(member - 8));
    }
}

static void read_file(struct reader *r)
{
    static const char *const names[] = {"version",
                                        "mode",
                                        "interval",
                                        "samples",
                                        "gc_samples",
                                        "missed_samples",
                                        "metadata",
                                        "frames",
                                        "raw",
                                        "raw_lines",
                                        "raw_sample_timestamps",
                                        "raw_timestamp_deltas"};
    unsigned seen = 0, member;
    tokens_expect(&r->json, TOKEN_OBJECT, "an object");
    while (tokens_next_member(&r->json, names, sizeof names / sizeof *names, &seen, &member))
        read_member(r, member);
    struct tokens_place end = r->json.where;
    tokens_next(&r->json); /* nothing may follow */
    if ((seen & 1u << 1) == 0 || (seen & 1u << 7) == 0)
        tokens_die(&r->json, end, "the file has no %s", (seen & 2) == 0 ? "mode" : "frames");
    for (size_t i = 0; i < r->frame_count; i++)
        if (r->frames[i].function == 0)
            tokens_die(&r->json, r->frames[i].where, "there is no frame %" PRId64, r->frames[i].id);
    if (r->counts_lines && !r->has_list[LINES])
        loss_add(LOSS_OWN, STR("lines"), 1);
}

static void push_file(struct reader *r, const char *uri)
{
    for (size_t i = 0; i < LISTS; i++)
        r->walks[i] = (struct spools_walk){.strand = r->lists[i]};
    if (take(r, TIMES, &r->zero)) {
        spools_leave(&r->walks[TIMES]);
        r->walks[TIMES] = (struct spools_walk){.strand = r->lists[TIMES]};
    }
    for (enum value i = 0; i < VALUES; i++)
        if (has_type(r, i))
            r->types[i] = value_types_add(&r->sink->flow->types, types[i].type, types[i].unit);
    push_source(r, uri);
    if (r->has_list[STACKS])
        push_stacks(r);
    else
        push_sums(r);
    for (size_t i = 0; i < LISTS; i++)
        spools_leave(&r->walks[i]);
}

static void read_stackprof(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct reader r = {.request = request, .sink = sink, .mode = WALL, .spools = spools_open()};
    for (size_t i = 0; i < LISTS; i++)
        r.lists[i] = spools_begin(r.spools);
    tokens_open(&r.json, in);
    read_file(&r);
    push_file(&r, format_source_uri(request, in));
    tokens_close(&r.json);
    spools_close(r.spools);
    idmap_free(&r.ids);
    intern_free(&r.functions);
    intern_free(&r.locations);
    bytes_rows_free(&r.rows);
    MEM_FREE(r.frames, r.edges, r.stack, r.kept);
    BUF_FREE(&r.name, &r.file, &r.extra, &r.facts);
}

static enum bid bid_stackprof(struct str head)
{
    bool is_open;
    if (!json_head_is_object(&head, &is_open))
        return BID_NONE;
    if (json_head_has(head, STR("\"gc_samples\"")))
        return BID_SURE;
    return is_open ? BID_LIKELY : BID_NONE;
}

const struct format format_stackprof = {
    .name = "a stackprof file",
    .converter = "stackprof2ndjson",
    .bid = bid_stackprof,
    .read = read_stackprof,
    .is_document = true,
    .byte_pays = LIMITS_BYTE_OF_DATABASE, /* a number of samples stands for as many stacks */
};
