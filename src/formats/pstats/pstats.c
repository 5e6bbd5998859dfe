/* Files of pstats, as Python's cProfile and profile write them. See pstats2ndjson(1) for the rules.
 *
 * A file is one object in Python's marshal format: a dict from functions to their numbers, one of
 * which is a dict from callers to the numbers of the calls from there. An object may refer to any
 * before it. So all objects are read first, and then taken for what they must be. */
#include "base/intern.h"
#include "base/mem.h"
#include "formats/bytes_rows.h"
#include "formats/formats.h"
#include "rows/listed.h"
#include "rows/loss.h"
#include "rows/text.h"
#include "stream/growth.h"

#include <inttypes.h>
#include <math.h>

/* An object. Numbers of objects and of references to them count from 0. */
struct marshalled {
    enum { NONE, INTEGER, REAL, STRING, TUPLE, DICT, OPEN } kind; /* OPEN: it has not ended */
    uint32_t number; /* of a string that a function needed, in r->strings; else 0 */
    size_t offset;   /* in the file */
    union {
        int64_t integer;
        double real;
        struct str string;
        struct {
            size_t first, count; /* of r->items; a dict has keys and values in turn */
        };
    };
};

/* An object that has not ended. */
struct container {
    size_t object;
    size_t first;   /* its first item in r->pending */
    uint64_t count; /* how many it must have; of a dict, which ends by itself, UINT64_MAX */
};

/* What a function has, then what it has by callers. The last is shown. */
enum value {
    CALLER_CALLS,
    CALLER_PRIMITIVE,
    CALLER_INCLUSIVE,
    CALLER_TIME,
    CALLS,
    PRIMITIVE,
    INCLUSIVE,
    TIME,
    VALUES
};

static const struct {
    struct str type, unit;
    bool is_inclusive;
} types[VALUES] = {
    [CALLER_CALLS] = {STR("calls_by_caller"), STR("count"), false},
    [CALLER_PRIMITIVE] = {STR("primitive_calls_by_caller"), STR("count"), false},
    [CALLER_INCLUSIVE] = {STR("inclusive_time_by_caller"), STR("nanoseconds"), true},
    [CALLER_TIME] = {STR("time_by_caller"), STR("nanoseconds"), false},
    [CALLS] = {STR("calls"), STR("count"), false},
    [PRIMITIVE] = {STR("primitive_calls"), STR("count"), false},
    [INCLUSIVE] = {STR("inclusive_time"), STR("nanoseconds"), true},
    [TIME] = {STR("time"), STR("nanoseconds"), false},
};

/* How deep objects nest: file, numbers of a function, callers, numbers of one, function. */
enum { DEPTH = 8 };

struct reader {
    struct in *in;
    const struct read_request *request;
    struct sink *sink;
    struct str whole;
    size_t at; /* of the next byte */

    struct marshalled *objects;
    size_t *items;    /* objects in containers */
    size_t *pending;  /* the same in those that have not ended */
    size_t *marked;   /* objects that a reference may name, */
    size_t *interned; /* and, in files of Python 2, strings */
    size_t object_count, object_capacity, item_count, item_capacity;
    size_t pending_count, pending_capacity, marked_count, marked_capacity;
    size_t interned_count, interned_capacity;
    struct container open[DEPTH];
    size_t depth;

    struct intern strings, functions;
    struct bytes_rows rows;
    struct buf text;
    uint32_t types[VALUES];
    int64_t sample_id;
};

static struct place place(const struct reader *r, size_t offset)
{
    return (struct place){in_name(r->in), PLACE_OFFSET, offset};
}

static _Noreturn void die_object(const struct reader *r, const struct marshalled *o,
                                 const char *expected)
{
    die_at(place(r, o->offset), "expected %s", expected);
}

/* --- objects --- */

static struct str take(struct reader *r, size_t n)
{
    if (n > r->whole.n - r->at)
        die_as(CODE_TORN, place(r, r->whole.n), "the file ends in the middle of an object");
    struct str bytes = {r->whole.p + r->at, n};
    r->at += n;
    return bytes;
}

/* The next SIZE bytes as a number, least byte first. */
static uint64_t take_number(struct reader *r, size_t size)
{
    struct str bytes = take(r, size);
    uint64_t n = 0;
    for (size_t i = size; i-- > 0;)
        n = n << 8 | (unsigned char)bytes.p[i];
    return n;
}

/* An integer of any size: how many digits of 15 bits it has, below 0 for a negative one, and those. */
static int64_t take_long(struct reader *r, size_t offset)
{
    int32_t count = (int32_t)take_number(r, 4);
    uint64_t n = 0;
    unsigned bits = 0;
    for (int64_t left = count < 0 ? -(int64_t)count : count; left > 0; left--, bits += 15) {
        uint64_t digit = take_number(r, 2);
        if (digit > 0x7fff || bits > 60 || (bits == 60 && digit > 7))
            die_at(place(r, offset), "expected an integer of 64 bits");
        n |= digit << bits;
    }
    return count < 0 ? -(int64_t)n : (int64_t)n;
}

static double take_real(struct reader *r)
{
    uint64_t bits = take_number(r, 8);
    double real;
    memcpy(&real, &bits, sizeof real);
    return real;
}

/* Python 2 could write a double as text. */
static double take_real_text(struct reader *r, size_t offset)
{
    struct str text = take(r, take_number(r, 1));
    char *end;
    r->text.n = 0;
    buf_add(&r->text, text);
    buf_add(&r->text, (struct str){"", 1});
    double real = decimal_parse(r->text.p, &end);
    if (text.n == 0 || end != r->text.p + text.n)
        die_at(place(r, offset), "expected the digits of a number");
    return real;
}

static size_t *add(size_t *list, size_t *count, size_t *capacity, size_t number)
{
    list = mem_array(list, capacity, ++*count, sizeof *list);
    list[*count - 1] = number;
    return list;
}

/* Begins the object NUMBER, which has COUNT items. */
static void open_container(struct reader *r, size_t number, uint64_t count)
{
    if (count > INT32_MAX && count != UINT64_MAX)
        die_at(place(r, r->objects[number].offset), "expected at most %d items", INT32_MAX);
    if (r->depth == DEPTH)
        die_at(place(r, r->objects[number].offset), "objects nest more than %d deep", DEPTH);
    r->objects[number].kind = OPEN;
    r->open[r->depth++] = (struct container){number, r->pending_count, count};
}

/* The innermost open object has all its items. */
static void close_container(struct reader *r, int kind)
{
    struct container c = r->open[--r->depth];
    struct marshalled *o = &r->objects[c.object];
    o->kind = kind;
    o->first = r->item_count;
    o->count = r->pending_count - c.first;
    for (size_t i = c.first; i < r->pending_count; i++)
        r->items = add(r->items, &r->item_count, &r->item_capacity, r->pending[i]);
    r->pending_count = c.first;
    if (kind == DICT && o->count % 2 != 0)
        die_at(place(r, r->at - 1), "expected a value for the last key of a dict");
}

/* The object that a reference names, by its number in LIST. */
static size_t referred(const struct reader *r, const size_t *list, size_t count, uint64_t number,
                       size_t offset)
{
    if (number >= count)
        die_at(place(r, offset), "there is no object %" PRIu64 " so far", number);
    return list[number];
}

/* Reads an object of KIND, at OFFSET, whose first byte has been taken; containers only begin. */
static size_t read_object(struct reader *r, char kind, bool is_marked, size_t offset)
{
    size_t number = r->object_count;
    struct marshalled o = {.kind = NONE, .offset = offset};
    if (kind == 'r')
        return referred(r, r->marked, r->marked_count, take_number(r, 4), offset);
    if (kind == 'R')
        return referred(r, r->interned, r->interned_count, take_number(r, 4), offset);
    r->objects = mem_array(r->objects, &r->object_capacity, ++r->object_count, sizeof *r->objects);
    growth_hold(r->sink->flow, sizeof *r->objects + 2 * sizeof *r->items);
    if (is_marked)
        r->marked = add(r->marked, &r->marked_count, &r->marked_capacity, number);
    if (kind == 't' && !is_marked) /* only Python 2 refers to them by "R" */
        r->interned = add(r->interned, &r->interned_count, &r->interned_capacity, number);
    r->objects[number] = o;
    switch (kind) {
    case 'N': break;
    case 'i': o.kind = INTEGER, o.integer = (int32_t)take_number(r, 4); break;
    case 'I': o.kind = INTEGER, o.integer = (int64_t)take_number(r, 8); break;
    case 'l': o.kind = INTEGER, o.integer = take_long(r, offset); break;
    case 'g': o.kind = REAL, o.real = take_real(r); break;
    case 'f': o.kind = REAL, o.real = take_real_text(r, offset); break;
    case 'z':
    case 'Z': o.kind = STRING, o.string = take(r, take_number(r, 1)); break;
    case 'a':
    case 'A':
    case 'u':
    case 't':
    case 's': o.kind = STRING, o.string = take(r, take_number(r, 4)); break;
    case ')': open_container(r, number, take_number(r, 1)); return number;
    case '(': open_container(r, number, take_number(r, 4)); return number;
    case '{': open_container(r, number, UINT64_MAX); return number;
    case 'c':
        die_at(place(r, offset),
               "expected the name of a function, found code, as \"python -m profile\" "
               "writes" HINT "cProfile, or profile from within a program, "
               "writes names");
    default: die_at(place(r, offset), "expected an object of Python that statistics have");
    }
    r->objects[number] = o;
    return number;
}

/* Closes the open tuples that are full. */
static void close_full(struct reader *r)
{
    while (r->depth > 0) {
        const struct container *c = &r->open[r->depth - 1];
        if (c->count == UINT64_MAX || r->pending_count - c->first < c->count)
            return;
        size_t number = c->object;
        close_container(r, TUPLE);
        if (r->depth > 0)
            r->pending = add(r->pending, &r->pending_count, &r->pending_capacity, number);
    }
}

/* Reads the file, which is one object. */
static void read_objects(struct reader *r)
{
    do {
        size_t offset = r->at;
        unsigned char byte = (unsigned char)take(r, 1).p[0];
        char kind = (char)(byte & 0x7f); /* the highest bit: a reference may name it */
        size_t number;
        r->sink->flow->where = place(r, offset);
        if (kind == '0' && r->depth > 0 && r->open[r->depth - 1].count == UINT64_MAX) {
            number = r->open[r->depth - 1].object;
            close_container(r, DICT);
        } else {
            size_t depth = r->depth;
            number = read_object(r, kind, byte > 0x7f, offset);
            if (r->depth > depth) {
                close_full(r); /* it may be empty */
                continue;
            }
        }
        if (r->depth > 0)
            r->pending = add(r->pending, &r->pending_count, &r->pending_capacity, number);
        close_full(r);
    } while (r->depth > 0);
    if (r->at < r->whole.n)
        die_at(place(r, r->at), "expected the end of the file");
}

/* --- what they stand for --- */

/* The items of the object NUMBER, which must be of KIND and, unless COUNT is 0, as many. */
static const size_t *items_of(const struct reader *r, size_t number, int kind, size_t count,
                              const char *expected)
{
    const struct marshalled *o = &r->objects[number];
    if ((int)o->kind != kind || (count != 0 && o->count != count))
        die_object(r, o, expected);
    return r->items == NULL ? NULL : r->items + o->first; /* no object has any */
}

static int64_t integer_of(const struct reader *r, size_t number)
{
    const struct marshalled *o = &r->objects[number];
    if (o->kind != INTEGER || o->integer < 0)
        die_object(r, o, "an integer from 0");
    return o->integer;
}

/* The nanoseconds of an object, seconds. Clocks have no less than nanoseconds; a double nearly is
 * such a number. */
static int64_t nanoseconds_of(const struct reader *r, size_t number)
{
    const struct marshalled *o = &r->objects[number];
    double seconds = o->kind == INTEGER ? (double)o->integer : o->real;
    if (o->kind != INTEGER && o->kind != REAL)
        die_object(r, o, "a number of seconds");
    double exact = seconds * 1e9, rounded = round(exact);
    if (!(fabs(rounded) < 9.2e18)) /* or NaN */
        die_object(r, o, "a time whose nanoseconds fit 64 bits");
    if (fabs(exact - rounded) > 1e-3 && fabs(exact) < 1e12)
        loss_add(LOSS_OWN, STR("times between two nanoseconds"), 1);
    return (int64_t)rounded;
}

/* The number of the bytes of O, a string. It is kept: references to a long one may be many. */
static uint32_t string_of(struct reader *r, struct marshalled *o)
{
    if (o->number == 0)
        o->number = intern_add(&r->strings, o->string, NULL);
    return o->number;
}

/* The function that the object NUMBER names, which is also the number of its location; pushes the
 * rows of a new one. */
static uint32_t function_of(struct reader *r, size_t number)
{
    const size_t *items = items_of(r, number, TUPLE, 3, "a file, a line and a name");
    struct marshalled *file = &r->objects[items[0]], *name = &r->objects[items[2]];
    int64_t line = integer_of(r, items[1]);
    bool is_new;
    if (file->kind != STRING || name->kind != STRING)
        die_object(r, &r->objects[number], "a file and a name that are strings");
    int64_t key[] = {(int64_t)((uint64_t)string_of(r, name) << 32 | string_of(r, file)), line};
    uint32_t id = intern_add(&r->functions, (struct str){(const char *)key, sizeof key}, &is_new);
    if (!is_new)
        return id;
    bytes_rows_function(&r->rows, r->sink, id, name->string, file->string, line, STR(""));
    sink_row(r->sink,
             &(struct row){.table = TABLE_LOCATIONS, .location = {id, id, line > 0 ? line : 0}});
    return id;
}

static void push_sample(struct reader *r, struct sample_value *values, size_t count, int64_t *stack,
                        size_t depth)
{
    sink_sample(r->sink, &(struct sample){.sample_id = ++r->sample_id,
                                          .source_id = 1,
                                          .values = values,
                                          .value_count = count,
                                          .locations = stack,
                                          .depth = depth});
}

/* The numbers of a function, or of its calls from a caller: CALLS and PRIMITIVE calls, and what
 * follows in ITEMS, times. The types are those from FIRST on. */
static void push_numbers(struct reader *r, const size_t *items, int64_t calls, int64_t primitive,
                         enum value first, int64_t *stack, size_t depth)
{
    struct sample_value values[] = {
        {r->types[first + CALLER_CALLS], number_of(calls), STR("")},
        {r->types[first + CALLER_PRIMITIVE], number_of(primitive), STR("")},
        {r->types[first + CALLER_INCLUSIVE], number_of(nanoseconds_of(r, items[3])), STR("")},
        {r->types[first + CALLER_TIME], number_of(nanoseconds_of(r, items[2])), STR("")},
    };
    push_sample(r, values, sizeof values / sizeof *values, stack, depth);
}

/* Pushes the calls of FUNCTION from the callers in the object NUMBER, a dict. */
static void push_callers(struct reader *r, uint32_t function, size_t number)
{
    const size_t *items = items_of(r, number, DICT, 0, "a dict of callers");
    for (size_t i = 0; i < r->objects[number].count; i += 2) {
        int64_t stack[] = {function, function_of(r, items[i])};
        r->sink->flow->where = place(r, r->objects[items[i]].offset);
        if (r->objects[items[i + 1]].kind == INTEGER) { /* of `profile` */
            struct sample_value value = {r->types[CALLER_CALLS],
                                         number_of(integer_of(r, items[i + 1])), STR("")};
            push_sample(r, &value, 1, stack, 2);
            continue;
        }
        const size_t *numbers = items_of(r, items[i + 1], TUPLE, 4, "the four numbers of a caller");
        push_numbers(r, numbers, integer_of(r, numbers[0]), integer_of(r, numbers[1]), CALLER_CALLS,
                     stack, 2);
    }
}

static void push_source(struct reader *r)
{
    struct buf extra = {0};
    listed_begin(&extra);
    for (enum value i = 0; i < VALUES; i++) {
        r->types[i] = value_types_add(&r->sink->flow->types, types[i].type, types[i].unit);
        listed_add(&extra, types[i].type, types[i].unit,
                   types[i].is_inclusive ? LISTED_INCLUSIVE : LISTED_SUM);
    }
    listed_end(&extra);
    bytes_rows_source(&r->rows, r->sink, 1, STR("pstats"), format_source_uri(r->request, r->in),
                      r->request->timestamp, &extra);
    buf_free(&extra);
}

/* In the numbers of a function those of primitive calls come first, in those of a caller last. */
static void push_functions(struct reader *r)
{
    const size_t *items = items_of(r, 0, DICT, 0, "a dict of functions");
    for (size_t i = 0; i < r->objects[0].count; i += 2) {
        int64_t stack[] = {function_of(r, items[i])};
        uint32_t function = (uint32_t)stack[0];
        const size_t *numbers =
            items_of(r, items[i + 1], TUPLE, 5, "four numbers of a function and its callers");
        r->sink->flow->where = place(r, r->objects[items[i]].offset);
        push_numbers(r, numbers, integer_of(r, numbers[1]), integer_of(r, numbers[0]), CALLS, stack,
                     1);
        push_callers(r, function, numbers[4]);
    }
}

static void read_pstats(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct reader r = {
        .in = in, .request = request, .sink = sink, .whole = format_whole(in, request)};
    read_objects(&r);
    push_source(&r);
    push_functions(&r);
    in_consume(in, r.whole.n);
    intern_free(&r.strings);
    intern_free(&r.functions);
    bytes_rows_free(&r.rows);
    buf_free(&r.text);
    void *blocks[] = {r.objects, r.items, r.pending, r.marked, r.interned};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        mem_free(blocks[i]);
}

/* A dict whose first key is a tuple of three, the first of which is a string; or an empty one. */
static enum bid bid_pstats(struct str head)
{
    if (head.n < 2 || (head.p[0] & 0x7f) != '{')
        return BID_NONE;
    if (head.p[1] == '0')
        return head.n == 2 || (head.n == 3 && head.p[2] == '\n') ? BID_ASKED : BID_NONE;
    bool is_small = (head.p[1] & 0x7f) == ')';
    size_t size = is_small ? 3 : 6;
    if (head.n <= size || (!is_small && (head.p[1] & 0x7f) != '(') ||
        memcmp(head.p + 2, "\3\0\0", size - 2 < 4 ? 1 : 3) != 0)
        return BID_NONE;
    return memchr("zZaAuts", head.p[size] & 0x7f, 7) != NULL ? BID_SURE : BID_NONE;
}

const struct format format_pstats = {
    .name = "a pstats file",
    .converter = "pstats2ndjson",
    .bid = bid_pstats,
    .read = read_pstats,
    .is_document = true,
};
