/* Files of speedscope to rows.  See speedscope2ndjson(1) for the rules.
 *
 * Members may come in any order, so stacks and weights wait in a spool. Frames become rows at
 * once. */
#include "base/arena.h"
#include "base/decimal.h"
#include "base/intern.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/spools.h"
#include "formats/bytes_rows.h"
#include "formats/speedscope/speedscope.h"
#include "formats/speedscope/speedscope_text.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/text.h"
#include "rows/tokens.h"

#include <inttypes.h>
#include <stdlib.h>

/* Numbers of frames, outermost first. All zero is an empty stack. */
struct speedscope_stack {
    uint32_t *frames;
    size_t depth, capacity;
};

/* A profile of the file. Strings are bytes; a missing one has a null p. */
struct speedscope_profile {
    struct tokens_place where, type_where; /* of the profile, of its type */
    struct str type, name, unit;
    struct str start, end; /* numbers, as spelled */

    bool is_marked; /* the next three are set: */
    int64_t mark;   /* number of its source, */
    struct str mark_type, mark_unit;

    /* Its samples: the strand of stacks, the strand of weights. */
    bool has_samples, has_weights, has_events;
    uint32_t stacks, weights;
    uint64_t stack_count, weight_count;
    struct decimal sum;

    /* The same for samples built from events. */
    uint32_t event_stacks, event_weights;
    struct decimal first, last; /* times of the first and last event */
    struct tokens_place first_where;

    bool is_evented;
    /* same stacks as the profile before, another type of values: both become one source */
    bool joins;
};

struct speedscope_reader {
    const struct read_request *request;
    struct sink *sink;
    struct tokens json;
    struct arena arena;
    struct bytes_rows rows;
    struct buf text, extra;
    struct buf frame_name, frame_file; /* of the frame being read */

    struct str file_name, exporter;
    int64_t active; /* index of a profile; -1: not given */
    struct tokens_place active_where;

    /* Frames are numbered from 0, as in the file; locations from 1. */
    bool has_frames, has_profiles;
    uint32_t frame_count;
    struct intern functions, locations; /* keys of rows */
    uint32_t *copies;                   /* by location - 1: number of equal frames */
    size_t copy_capacity;
    int64_t highest; /* the highest frame used before the list of frames; -1: none */
    struct tokens_place highest_where;

    struct speedscope_stack stack; /* the one being read */
    struct speedscope_stack last;  /* the previous one in its strand */
    struct spools *spools;
    struct speedscope_profile *profiles;
    size_t profile_count, profile_capacity;
};

/* The start time of P. */
static inline struct decimal speedscope_start(const struct speedscope_profile *p)
{
    return p->start.p == NULL ? decimal_of(0) : decimal_read(p->start);
}

/* Starts an entry of a strand of weights that is text; any other 64-bit integer is the weight
 * itself. */
#define SPEEDSCOPE_TEXT INT64_MIN

/* === values in the file === */

/* The current token, a string, as bytes kept until the end; null p for null. Ends the tool if it is
 * neither. */
static struct str read_string(struct speedscope_reader *r)
{
    if (r->json.token == TOKEN_NULL)
        return (struct str){NULL, 0};
    if (r->json.token != TOKEN_STRING)
        tokens_unexpected(&r->json, "a string");
    r->text.n = 0;
    text_unescape(&r->text, r->json.text);
    return arena_copy(&r->arena, buf_str(&r->text));
}

/* The same for a number, as spelled. Also ends the tool if it exceeds the range of a double. */
static struct str read_number(struct speedscope_reader *r)
{
    if (r->json.token == TOKEN_NULL)
        return (struct str){NULL, 0};
    if (r->json.token != TOKEN_NUMBER)
        tokens_unexpected(&r->json, "a number");
    if (!tokens_is_double(&r->json))
        tokens_unexpected(&r->json, "a number that a double can hold");
    return arena_copy(&r->arena, r->json.text);
}

static _Noreturn void die_index(const struct speedscope_reader *r, struct tokens_place where,
                                uint64_t index)
{
    tokens_die(&r->json, where,
               "expected one of the %" PRIu32 " frames, which are numbered from 0, found %" PRIu64,
               r->frame_count, index);
}

/* The frame number in the current token. Ends the tool if there is no such frame. */
static uint32_t read_index(struct speedscope_reader *r)
{
    struct str text = r->json.text;
    uint32_t index = 0;
    if (r->json.token != TOKEN_NUMBER || text.n > TOKENS_INDEX_MAX)
        tokens_unexpected(&r->json, "the number of a frame");
    for (size_t i = 0; i < text.n; i++) {
        if (!str_is_digit(text.p[i]))
            tokens_unexpected(&r->json, "the number of a frame");
        index = index * 10 + (uint32_t)(text.p[i] - '0');
    }
    if (r->has_frames && index >= r->frame_count)
        die_index(r, r->json.where, index);
    if (!r->has_frames && index > r->highest) {
        r->highest = index;
        r->highest_where = r->json.where;
    }
    return index;
}

/* Whether TEXT is an integer in the range of rows; sets *INTEGER. */
static bool is_integer(struct str text, int64_t *integer)
{
    return text_is_integer(text, integer) && *integer != SPEEDSCOPE_TEXT;
}

/* Appends the weight TEXT, a number >= 0, to a strand. */
static void write_weight(struct speedscope_reader *r, uint32_t strand, struct str text)
{
    int64_t head;
    if (is_integer(text, &head)) {
        spools_write(r->spools, strand, (struct str){(const char *)&head, sizeof head});
        return;
    }
    struct str point = decimal_point(text);
    uint64_t size = text.n + point.n;
    head = SPEEDSCOPE_TEXT;
    spools_write(r->spools, strand, (struct str){(const char *)&head, sizeof head});
    spools_write(r->spools, strand, (struct str){(const char *)&size, sizeof size});
    spools_write(r->spools, strand, text);
    spools_write(r->spools, strand, point);
}

/* === stacks === */

/* Stores stacks in a spool: each as the number of outer frames shared with the one before, and the
 * remaining frames. Equal strands of stacks have equal bytes. */

/* Precedes the frames of a stack that are not shared with the one before. */
struct head {
    uint32_t same, more;
};

/* Makes room for COUNT more frames in STACK; returns where they go. */
static uint32_t *speedscope_reserve(struct speedscope_stack *stack, size_t count)
{
    size_t needed = stack->depth + count + 1; /* never NULL, even without frames */
    if (stack->capacity < needed)
        stack->frames = mem_array(stack->frames, &stack->capacity, needed, sizeof *stack->frames);
    return stack->frames + stack->depth;
}

/* Starts a new strand of stacks and returns its number. From now on only this one may be
 * written. */
static uint32_t begin_stacks(struct speedscope_reader *r)
{
    r->stack.depth = r->last.depth = 0;
    return spools_begin(r->spools);
}

/* The number of outer frames that A and B share. */
static size_t count_same(const struct speedscope_stack *a, const struct speedscope_stack *b)
{
    size_t max = a->depth < b->depth ? a->depth : b->depth, same = 0;
    while (same < max && a->frames[same] == b->frames[same])
        same++;
    return same;
}

/* Appends the stack being read to STRAND. */
static void write_stack(struct speedscope_reader *r, uint32_t strand)
{
    struct speedscope_stack *stack = &r->stack, *last = &r->last;
    size_t same = count_same(stack, last), more = stack->depth - same;
    if (stack->depth > LIMITS_FRAMES)
        tokens_die(&r->json, r->json.where, LIMITS_FRAMES_TEXT, LIMITS_FRAMES);
    struct head head = {(uint32_t)same, (uint32_t)more};
    spools_write(r->spools, strand, (struct str){(const char *)&head, sizeof head});
    last->depth = same;
    uint32_t *frames = speedscope_reserve(last, more);
    memcpy(frames, stack->frames + same, more * sizeof *frames);
    spools_write(r->spools, strand, (struct str){(const char *)frames, more * sizeof *frames});
    last->depth = stack->depth;
}

/* Reads the next stack of the strand of WALK into STACK, which holds the previous one (at first an
 * empty one). False after the last. */
static bool next_stack(struct spools *spools, struct spools_walk *walk,
                       struct speedscope_stack *stack)
{
    struct head head;
    if (!spools_read(spools, walk, &head, sizeof head))
        return false;
    stack->depth = head.same;
    uint32_t *frames = speedscope_reserve(stack, head.more);
    spools_read(spools, walk, frames, head.more * sizeof *frames);
    stack->depth += head.more;
    return true;
}

/* Whether strands A and B have the same stacks. */
static bool same_stacks(struct spools *spools, uint32_t a, uint32_t b)
{
    struct spools_walk x = {.strand = a}, y = {.strand = b};
    uint32_t of_x, of_y;
    bool same = spools_size(spools, a) == spools_size(spools, b);
    while (same && spools_read(spools, &x, &of_x, sizeof of_x))
        same = spools_read(spools, &y, &of_y, sizeof of_y) && of_x == of_y;
    spools_leave(&x);
    spools_leave(&y);
    return same;
}

/* === events === */

/* Events open and close frames. The time between two events becomes a sample with the open frames
 * as its stack.
 *
 * The writer goes from the stack of each sample to the next: it closes frames that are missing in
 * the new stack and opens new ones. If the original events at one time were different, samples of
 * length 0 record that: for a frame closed again at once, and for one that was closed and opened
 * again. */

struct event {
    struct tokens_place where, frame_where, at_where;
    bool opens;
    uint32_t frame;
    struct decimal at;
};

/* State since the last sample. */
struct since {
    enum { NOTHING, CLOSED, OPENED } what;
};

static bool is_letter(const struct speedscope_reader *r, struct str letter)
{
    return r->json.token == TOKEN_STRING && str_equal(r->json.text, letter);
}

/* Reads the event that begins with the current token. */
static struct event read_event(struct speedscope_reader *r)
{
    static const char *const names[] = {"type", "frame", "at"};
    struct event e = {.where = r->json.where};
    unsigned seen = 0, member;
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "an event");
    while (tokens_next_member(&r->json, names, 3, &seen, &member))
        if (member == 0) {
            e.opens = is_letter(r, STR("O"));
            if (!e.opens && !is_letter(r, STR("C")))
                tokens_unexpected(&r->json, "\"O\" or \"C\"");
        } else if (member == 1) {
            e.frame_where = r->json.where;
            e.frame = read_index(r);
        } else {
            e.at_where = r->json.where;
            if (r->json.token != TOKEN_NUMBER)
                tokens_unexpected(&r->json, "a number");
            if (!tokens_is_double(&r->json))
                tokens_unexpected(&r->json, "a number that a double can hold");
            e.at = decimal_read(r->json.text);
        }
    if (seen != 7)
        tokens_die(&r->json, e.where, "the event has no %s",
                   (seen & 1) == 0   ? "type"
                   : (seen & 2) == 0 ? "frame"
                                     : "at");
    return e;
}

/* Writes a sample of length LENGTH with the open frames. */
static void write_sample(struct speedscope_reader *r, struct speedscope_profile *p,
                         struct decimal length, struct since *since)
{
    r->text.n = 0;
    decimal_write(&r->text, length);
    write_stack(r, p->event_stacks);
    write_weight(r, p->event_weights, buf_str(&r->text));
    decimal_add(&p->sum, length);
    since->what = NOTHING;
}

static void open_frame(struct speedscope_reader *r, struct speedscope_profile *p, uint32_t frame,
                       struct since *since)
{
    /* frames that were closed are still there, after the end of the stack */
    if (since->what == CLOSED && r->stack.frames[r->stack.depth] == frame)
        write_sample(r, p, decimal_of(0), since);
    *speedscope_reserve(&r->stack, 1) = frame;
    r->stack.depth++;
    since->what = OPENED;
}

static void close_frame(struct speedscope_reader *r, struct speedscope_profile *p,
                        const struct event *e, struct since *since)
{
    if (r->stack.depth == 0)
        tokens_die(&r->json, e->where, "frame %" PRIu32 " is closed, but none is open", e->frame);
    uint32_t innermost = r->stack.frames[r->stack.depth - 1];
    if (innermost != e->frame)
        tokens_die(&r->json, e->frame_where,
                   "frame %" PRIu32 " is closed while frame %" PRIu32 " is the innermost", e->frame,
                   innermost);
    if (since->what == OPENED)
        write_sample(r, p, decimal_of(0), since);
    r->stack.depth--;
    since->what = CLOSED;
}

/* Takes E: the time that passed before it, and its effect. */
static void take_event(struct speedscope_reader *r, struct speedscope_profile *p,
                       const struct event *e, struct since *since)
{
    bool is_first = p->first_where.line == 0;
    if (is_first) {
        p->first = p->last = e->at;
        p->first_where = e->at_where;
    }
    struct decimal length = e->at;
    int order = decimal_compare(e->at, p->last);
    if (order < 0)
        tokens_die(&r->json, e->at_where, "the event is before the one in front of it");
    decimal_subtract(&length, p->last);
    if (order > 0)
        write_sample(r, p, length, since);
    p->last = e->at;
    if (e->opens)
        open_frame(r, p, e->frame, since);
    else
        close_frame(r, p, e, since);
}

/* Reads the list of events of P, which begins with the current token. */
static void read_events(struct speedscope_reader *r, struct speedscope_profile *p)
{
    struct since since = {NOTHING};
    if (r->json.token != TOKEN_ARRAY)
        tokens_unexpected(&r->json, "a list of events");
    p->has_events = true;
    p->event_stacks = begin_stacks(r);
    p->event_weights = spools_begin(r->spools);
    while (tokens_next(&r->json) != TOKEN_ARRAY_END) {
        struct event e = read_event(r);
        take_event(r, p, &e, &since);
    }
    if (r->stack.depth > 0)
        tokens_die(&r->json, r->json.where, "the events end, but frame %" PRIu32 " is still open",
                   r->stack.frames[r->stack.depth - 1]);
}

/* === profiles === */

/* --- samples --- */

/* Reads the stack that begins with the current token. Frames that may not exist are checked one by
 * one. */
static void read_stack(struct speedscope_reader *r)
{
    enum { AT_ONCE = 64 };
    if (r->json.token != TOKEN_ARRAY)
        tokens_unexpected(&r->json, "a list of frames");
    for (r->stack.depth = 0;;) {
        uint32_t known = r->has_frames ? r->frame_count : (uint32_t)(r->highest + 1);
        uint32_t *frames = speedscope_reserve(&r->stack, AT_ONCE);
        size_t n = tokens_take_indexes(&r->json, known, frames, AT_ONCE);
        if (n == 0 && tokens_next(&r->json) == TOKEN_ARRAY_END)
            return;
        if (n == 0)
            frames[n++] = read_index(r);
        r->stack.depth += n;
    }
}

static void read_samples(struct speedscope_reader *r, struct speedscope_profile *p)
{
    if (r->json.token != TOKEN_ARRAY)
        tokens_unexpected(&r->json, "a list of samples");
    p->has_samples = true;
    p->stacks = begin_stacks(r);
    for (; tokens_next(&r->json) != TOKEN_ARRAY_END; p->stack_count++) {
        read_stack(r);
        write_stack(r, p->stacks);
    }
}

/* --- weights --- */

/* Adds the weight in the current token to the sum of P. */
static void add_weight(struct speedscope_reader *r, struct speedscope_profile *p)
{
    int64_t integer;
    if (r->json.token != TOKEN_NUMBER)
        tokens_unexpected(&r->json, "a weight, which is a number");
    struct str text = r->json.text;
    if (is_integer(text, &integer)) {
        if (integer < 0)
            tokens_unexpected(&r->json, "a weight, which is not below 0");
        decimal_add(&p->sum, decimal_of(integer));
        return;
    }
    struct decimal weight = decimal_read(text);
    if (!tokens_is_double(&r->json))
        tokens_unexpected(&r->json, "a weight that a double can hold");
    if (decimal_sign(weight) < 0)
        tokens_unexpected(&r->json, "a weight, which is not below 0");
    decimal_add(&p->sum, weight);
}

static void read_weights(struct speedscope_reader *r, struct speedscope_profile *p)
{
    if (r->json.token != TOKEN_ARRAY)
        tokens_unexpected(&r->json, "a list of weights");
    p->has_weights = true;
    p->weights = spools_begin(r->spools);
    for (; tokens_next(&r->json) != TOKEN_ARRAY_END; p->weight_count++) {
        add_weight(r, p);
        write_weight(r, p->weights, r->json.text);
    }
}

/* --- the profile --- */

/* Reads the mark of P: its value type. */
static void read_mark(struct speedscope_reader *r, struct speedscope_profile *p)
{
    static const char *const names[] = {"source", "type", "unit"};
    unsigned seen = 0, member;
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "an object with a source, a type and a unit");
    while (tokens_next_member(&r->json, names, 3, &seen, &member))
        if (member == 1)
            p->mark_type = read_string(r);
        else if (member == 2)
            p->mark_unit = read_string(r);
        else if (r->json.token != TOKEN_NUMBER || !text_is_integer(r->json.text, &p->mark) ||
                 p->mark < 1)
            tokens_unexpected(&r->json, "the number of a source");
    p->is_marked = seen == 7 && p->mark_type.p != NULL && p->mark_unit.p != NULL;
    if (!p->is_marked)
        tokens_die(&r->json, r->json.where, "expected a source, a type and a unit");
}

/* Reads the member NAME of P, whose value begins with the current token. */
static void read_member(struct speedscope_reader *r, struct speedscope_profile *p, unsigned name)
{
    switch (name) {
    case 0:
        p->type_where = r->json.where;
        p->type = read_string(r);
        break;
    case 1: p->name = read_string(r); break;
    case 2: p->unit = read_string(r); break;
    case 3: p->start = read_number(r); break;
    case 4: p->end = read_number(r); break;
    case 5: read_samples(r, p); break;
    case 6: read_weights(r, p); break;
    case 7: read_events(r, p); break;
    default: read_mark(r, p);
    }
}

/* At the end of P: checks that its members agree. */
static void check_samples(const struct speedscope_reader *r, const struct speedscope_profile *p)
{
    if (!p->has_samples || !p->has_weights)
        tokens_die(&r->json, p->where, "the profile has no %s",
                   p->has_samples ? "weights" : "samples");
    if (p->stack_count != p->weight_count)
        tokens_die(&r->json, p->where,
                   "expected as many weights as samples, found %" PRIu64 " and %" PRIu64,
                   p->weight_count, p->stack_count);
}

static void check_events(const struct speedscope_reader *r, const struct speedscope_profile *p)
{
    if (!p->has_events)
        tokens_die(&r->json, p->where, "the profile has no events");
    if (p->first_where.line > 0 && decimal_compare(p->first, speedscope_start(p)) < 0)
        tokens_die(&r->json, p->first_where, "the event is before the start of the profile");
}

/* Checks that the values of P, its start and its end are in the range of a double. */
static void check_range(const struct speedscope_reader *r, const struct speedscope_profile *p)
{
    struct decimal length = p->sum, start = speedscope_start(p), end = start;
    if (p->is_evented && p->first_where.line > 0) {
        length = p->last;
        decimal_subtract(&length, start);
    }
    decimal_add(&end, length);
    if (!decimal_is_double(length) || !decimal_is_double(end))
        tokens_die(&r->json, p->where,
                   "the values of the profile add up to more than a double can hold");
}

/* Counts lists in P that belong to the other kind of profile. */
static void count_others(const struct speedscope_profile *p)
{
    if (p->is_evented && p->has_samples)
        loss_add(LOSS_UNKNOWN_FIELDS, STR("samples"), 1);
    if (p->is_evented && p->has_weights)
        loss_add(LOSS_UNKNOWN_FIELDS, STR("weights"), 1);
    if (!p->is_evented && p->has_events)
        loss_add(LOSS_UNKNOWN_FIELDS, STR("events"), 1);
}

static void finish(struct speedscope_reader *r, struct speedscope_profile *p)
{
    if (p->type.p == NULL)
        tokens_die(&r->json, p->where, "the profile has no type");
    p->is_evented = str_equal(p->type, STR("evented"));
    if (!p->is_evented && !str_equal(p->type, STR("sampled")))
        tokens_die(&r->json, p->type_where, "expected the type \"sampled\" or \"evented\"");
    if (p->is_evented)
        check_events(r, p);
    else
        check_samples(r, p);
    check_range(r, p);
    count_others(p);
    if (p->is_evented) {
        p->stacks = p->event_stacks;
        p->weights = p->event_weights;
    }
}

/* Whether P belongs to the same source as the profiles before it. */
static bool joins(struct speedscope_reader *r, const struct speedscope_profile *p)
{
    size_t first = r->profile_count;
    if (first == 0 || !p->is_marked)
        return false;
    for (bool more = true; more;) {
        const struct speedscope_profile *other = &r->profiles[--first];
        if (!other->is_marked || other->mark != p->mark ||
            str_equal(other->mark_type, p->mark_type) || other->is_evented != p->is_evented)
            return false;
        more = other->joins;
    }
    return same_stacks(r->spools, r->profiles[first].stacks, p->stacks);
}

/* Reads the profile that begins with the current token. */
static void read_profile(struct speedscope_reader *r)
{
    static const char *const names[] = {"type",    "name",    "unit",   "startValue", "endValue",
                                        "samples", "weights", "events", "profpipe"};
    enum { COUNT = sizeof names / sizeof *names };
    struct speedscope_profile p = {.where = r->json.where};
    unsigned seen = 0, member;
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "a profile");
    while (tokens_next_member(&r->json, names, COUNT, &seen, &member))
        read_member(r, &p, member);
    finish(r, &p);
    p.joins = joins(r, &p);
    r->profiles =
        mem_array(r->profiles, &r->profile_capacity, r->profile_count + 1, sizeof *r->profiles);
    r->profiles[r->profile_count++] = p;
}

/* === rows, once all of the file has been read === */

/* A source: profiles FIRST to FIRST + COUNT - 1. */
struct source {
    int64_t id;
    const struct speedscope_profile *first;
    size_t count;
};

/* State for making the samples of a source. */
struct pusher {
    struct speedscope_reader *r;
    struct spools_walk stacks, *weights; /* of each of its profiles */
    uint32_t *types;                     /* of values */
    struct sample_value *values;
    struct buf *texts; /* of values that are not integers */
    struct speedscope_stack stack;
    int64_t *locations; /* not shared */
    size_t capacity;
    int64_t sample_id;
};

/* --- sources --- */

/* Adds the member NAME with the string BYTES, unless p is NULL. Invalid UTF-8 is recorded. */
static void add_string(struct buf *to, struct str name, struct str bytes)
{
    struct buf text = {0};
    if (bytes.p == NULL)
        return;
    emit_member(to, name);
    emit_inner_string(to, &text, bytes);
    buf_free(&text);
}

static void add_flag(struct buf *to, struct str name, bool value)
{
    if (!value)
        return;
    emit_member(to, name);
    buf_add(to, STR("true"));
}

/* Turns the members added to TO from AT on into an object. */
static void make_object(struct buf *to, size_t at)
{
    if (to->n > at)
        to->p[at] = '{'; /* replaces the comma before the first member */
    else
        buf_add(to, STR("{"));
    buf_add(to, STR("}"));
}

/* Sets TYPE and UNIT, canonical text, to those of the values of P. */
static void type_of(const struct speedscope_profile *p, struct buf *type, struct buf *unit)
{
    struct str as;
    type->n = unit->n = 0;
    if (p->is_marked) {
        text_escape(type, p->mark_type);
        text_escape(unit, p->mark_unit);
        return;
    }
    struct buf word = {0};
    text_escape(&word, p->unit.p == NULL ? STR("none") : p->unit);
    buf_add(type, speedscope_type(buf_str(&word), &as));
    buf_add(unit, as);
    buf_free(&word);
}

static void add_types(struct speedscope_reader *r, const struct source *s)
{
    struct buf type = {0}, unit = {0};
    emit_member(&r->extra, STR(".value_types"));
    for (size_t i = 0; i < s->count; i++) {
        buf_add(&r->extra, i == 0 ? STR("[") : STR(","));
        type_of(&s->first[i], &type, &unit);
        size_t at = r->extra.n;
        emit_member(&r->extra, STR("type"));
        emit_string(&r->extra, buf_str(&type));
        emit_member(&r->extra, STR("unit"));
        emit_string(&r->extra, buf_str(&unit));
        make_object(&r->extra, at);
    }
    buf_add(&r->extra, STR("]"));
    buf_free(&type);
    buf_free(&unit);
}

/* The end of P if none is given. */
static struct decimal usual_end(const struct speedscope_profile *p)
{
    struct decimal end = speedscope_start(p);
    if (p->is_evented)
        return p->first_where.line > 0 ? p->last : end;
    decimal_add(&end, p->sum);
    return end;
}

/* Adds the members kept of P. ACTIVE: it is shown first. */
static void add_profile(struct speedscope_reader *r, const struct speedscope_profile *p,
                        bool active)
{
    size_t at = r->extra.n;
    add_string(&r->extra, STR("name"), p->name);
    add_string(&r->extra, STR("unit"), p->unit);
    if (p->start.p != NULL && decimal_sign(decimal_read(p->start)) != 0)
        add_string(&r->extra, STR("start"), p->start);
    if (p->end.p != NULL && decimal_compare(decimal_read(p->end), usual_end(p)) != 0)
        add_string(&r->extra, STR("end"), p->end);
    add_flag(&r->extra, STR("active"), active);
    add_flag(&r->extra, STR("evented"), p->is_evented);
    if (p->is_marked) {
        emit_member(&r->extra, STR("marked"));
        emit_number(&r->extra, p->mark);
    }
    make_object(&r->extra, at);
}

static void push_source(struct speedscope_reader *r, const struct source *s, const char *uri)
{
    struct row row = {.table = TABLE_SOURCES,
                      .source = {.source_id = s->id,
                                 .source_type = STR("speedscope"),
                                 .source_timestamp = r->request->timestamp}};
    r->extra.n = 0;
    add_types(r, s);
    emit_member(&r->extra, STR(".speedscope"));
    size_t at = r->extra.n;
    add_string(&r->extra, STR("name"), r->file_name);
    add_string(&r->extra, STR("exporter"), r->exporter);
    emit_member(&r->extra, STR("profiles"));
    for (size_t i = 0; i < s->count; i++) {
        buf_add(&r->extra, i == 0 ? STR("[") : STR(","));
        add_profile(r, &s->first[i], &s->first[i] - r->profiles == r->active);
    }
    buf_add(&r->extra, STR("]"));
    make_object(&r->extra, at);
    row.source.source_uri = bytes_rows_uri(&r->rows, uri, &r->extra);
    row.extra = buf_str(&r->extra);
    sink_row(r->sink, &row);
}

/* --- samples --- */

/* Sets the locations to those of the stack, innermost first. */
static void turn_stack(struct pusher *p)
{
    const uint32_t *frames = p->stack.frames;
    size_t depth = p->stack.depth;
    if (depth > p->capacity)
        p->locations = mem_array(p->locations, &p->capacity, depth, sizeof *p->locations);
    int64_t *locations = p->locations;
    for (size_t i = 0; i < depth; i++)
        locations[i] = (int64_t)frames[depth - 1 - i] + 1;
}

/* Reads the next weight of profile number I of the source. */
static void read_weight(struct pusher *p, size_t i)
{
    struct spools *spools = p->r->spools;
    int64_t head;
    uint64_t size;
    struct number *to = &p->values[i].value;
    spools_read(spools, &p->weights[i], &head, sizeof head);
    if (head != SPEEDSCOPE_TEXT) {
        *to = number_of(head);
        return;
    }
    struct buf *text = &p->texts[i];
    text->n = 0;
    spools_read(spools, &p->weights[i], &size, sizeof size);
    char *bytes = buf_reserve(text, size + 1);
    spools_read(spools, &p->weights[i], bytes, size);
    bytes[size] = '\0';
    *to = (struct number){.kind = NUMBER_REAL, .real = {bytes, size}};
}

/* The receiver may change what a sample points to, so everything is set again for each sample. */
static void push_sample(struct pusher *p, const struct source *s)
{
    for (size_t i = 0; i < s->count; i++)
        p->values[i].type = p->types[i];
    sink_sample(p->r->sink, &(struct sample){.sample_id = ++p->sample_id,
                                             .source_id = s->id,
                                             .values = p->values,
                                             .value_count = s->count,
                                             .locations = p->locations,
                                             .depth = p->stack.depth});
}

/* The time between the start of P and its first event. */
static struct decimal gap_of(const struct speedscope_profile *p)
{
    struct decimal length = p->first;
    if (!p->is_evented || p->first_where.line == 0)
        return decimal_of(0);
    decimal_subtract(&length, speedscope_start(p));
    return length;
}

/* The number LENGTH; if it is not an integer its text is in TO. */
static struct number number_of_decimal(struct decimal length, struct buf *to)
{
    int64_t integer;
    if (decimal_is_integer(length, &integer))
        return number_of(integer);
    to->n = 0;
    decimal_write_real(to, length);
    return (struct number){.kind = NUMBER_REAL, .real = {to->p, to->n - 1}};
}

/* The time before the first event becomes a sample with an empty stack. */
static void push_start(struct pusher *p, const struct source *s)
{
    bool is_there = false;
    for (size_t i = 0; i < s->count; i++) {
        struct decimal length = gap_of(&s->first[i]);
        is_there |= decimal_sign(length) > 0;
        p->values[i].value = number_of_decimal(length, &p->texts[i]);
    }
    if (!is_there)
        return;
    push_sample(p, s);
}

/* Pushes the samples of S. */
static void push_samples(struct pusher *p, const struct source *s)
{
    struct buf type = {0}, unit = {0};
    p->stacks = (struct spools_walk){.strand = s->first->stacks};
    p->stack.depth = 0;
    p->weights = mem_alloc_zeroed(s->count * sizeof *p->weights);
    p->types = mem_alloc_zeroed(s->count * sizeof *p->types);
    p->values = mem_alloc_zeroed(s->count * sizeof *p->values);
    p->texts = mem_alloc_zeroed(s->count * sizeof *p->texts);
    for (size_t i = 0; i < s->count; i++) {
        type_of(&s->first[i], &type, &unit);
        p->weights[i].strand = s->first[i].weights;
        p->types[i] = value_types_add(&p->r->sink->flow->types, buf_str(&type), buf_str(&unit));
    }
    push_start(p, s);
    while (next_stack(p->r->spools, &p->stacks, &p->stack)) {
        for (size_t i = 0; i < s->count; i++)
            read_weight(p, i);
        turn_stack(p);
        push_sample(p, s);
    }
    spools_leave(&p->stacks);
    for (size_t i = 0; i < s->count; i++) {
        spools_leave(&p->weights[i]);
        buf_free(&p->texts[i]);
    }
    mem_free(p->weights);
    mem_free(p->types);
    mem_free(p->values);
    mem_free(p->texts);
    buf_free(&type);
    buf_free(&unit);
}

/* The source that begins with the profile at index PLACE. */
static struct source source_at(const struct speedscope_reader *r, size_t place, int64_t id)
{
    struct source s = {id, &r->profiles[place], 1};
    while (place + s.count < r->profile_count && s.first[s.count].joins)
        s.count++;
    return s;
}

/* Pushes sources and samples. */
static void push_rows(struct speedscope_reader *r, const char *uri)
{
    struct pusher p = {.r = r};
    int64_t id = 0;
    if (r->profile_count == 0 && r->file_name.p != NULL) /* no source can hold it */
        loss_add(LOSS_OWN, STR("name"), 1);
    if (r->profile_count == 0 && r->exporter.p != NULL)
        loss_add(LOSS_OWN, STR("exporter"), 1);
    for (size_t i = 0; i < r->profile_count;) {
        struct source s = source_at(r, i, ++id);
        push_source(r, &s, uri);
        i += s.count;
    }
    id = 0;
    for (size_t i = 0; i < r->profile_count;) {
        struct source s = source_at(r, i, ++id);
        push_samples(&p, &s);
        i += s.count;
    }
    mem_free(p.stack.frames);
    mem_free(p.locations);
}

/* === the file === */

/* --- frames --- */

/* A frame as in the file. */
struct frame {
    struct str name, file;
    int64_t line, col;
    bool has_line, has_col;
};

/* The id of the function of F. Writes the row of a new one. */
static uint32_t function_of(struct speedscope_reader *r, const struct frame *f)
{
    bool is_new;
    r->text.n = 0;
    buf_add(&r->text, (struct str){(const char *)&f->name.n, sizeof f->name.n});
    buf_add(&r->text, f->name);
    buf_add(&r->text, f->file);
    uint32_t id = intern_add(&r->functions, buf_str(&r->text), &is_new);
    if (!is_new)
        return id;
    bytes_rows_function(&r->rows, r->sink, id, f->name, f->file, 0, STR(""));
    return id;
}

/* The number of earlier frames that are equal to F. FUNCTION is its function. */
static uint32_t copy_of(struct speedscope_reader *r, const struct frame *f, uint32_t function)
{
    int64_t key[4] = {function, f->line, f->col,
                      f->has_line | f->has_col << 1 | (f->file.p != NULL) << 2};
    bool is_new;
    uint32_t id = intern_add(&r->locations, (struct str){(const char *)key, sizeof key}, &is_new);
    r->copies = mem_array(r->copies, &r->copy_capacity, id, sizeof *r->copies);
    r->copies[id - 1] = is_new ? 1 : r->copies[id - 1] + 1;
    return r->copies[id - 1];
}

static void add_number(struct buf *extra, struct str name, int64_t number)
{
    emit_member(extra, name);
    emit_number(extra, number);
}

/* Writes the rows of F, the next frame. */
static void push_frame(struct speedscope_reader *r, const struct frame *f)
{
    uint32_t function = function_of(r, f);
    struct row row = {.table = TABLE_LOCATIONS,
                      .location = {++r->frame_count, function, f->line > 0 ? f->line : 0}};
    row.site.column = f->col;
    r->extra.n = 0;
    add_number(&r->extra, STR(".speedscope_frame"), copy_of(r, f, function));
    if (f->file.p != NULL && f->file.n == 0)
        buf_add(&r->extra, STR(",\".speedscope_file\":true"));
    if (f->has_line && f->line <= 0)
        add_number(&r->extra, STR(".speedscope_line"), f->line);
    if (f->has_col && f->col == 0)
        add_number(&r->extra, STR(".speedscope_col"), f->col);
    row.extra = buf_str(&r->extra);
    sink_row(r->sink, &row);
}

/* Reads a line or column, which may be null. */
static void read_position(struct speedscope_reader *r, int64_t *to, bool *has)
{
    if (r->json.token == TOKEN_NULL)
        return;
    if (!tokens_is_integer(&r->json, to))
        tokens_unexpected(&r->json, "an integer");
    *has = true;
}

/* The same for a string; its bytes go to TO. */
static struct str read_text(struct speedscope_reader *r, struct buf *to)
{
    if (r->json.token == TOKEN_NULL)
        return (struct str){NULL, 0};
    if (r->json.token != TOKEN_STRING)
        tokens_unexpected(&r->json, "a string");
    to->n = 0;
    text_unescape(to, r->json.text);
    return buf_str(to);
}

/* Reads the frame that begins with the current token. */
static void read_frame(struct speedscope_reader *r)
{
    static const char *const names[] = {"name", "file", "line", "col"};
    struct frame f = {.name = {NULL, 0}, .file = {NULL, 0}};
    struct tokens_place where = r->json.where;
    unsigned seen = 0, member;
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "a frame");
    while (tokens_next_member(&r->json, names, 4, &seen, &member))
        switch (member) {
        case 0: f.name = read_text(r, &r->frame_name); break;
        case 1: f.file = read_text(r, &r->frame_file); break;
        case 2: read_position(r, &f.line, &f.has_line); break;
        default: read_position(r, &f.col, &f.has_col);
        }
    if (f.name.p == NULL)
        tokens_die(&r->json, where, "the frame has no name");
    push_frame(r, &f);
}

static void read_frames(struct speedscope_reader *r)
{
    if (r->json.token != TOKEN_ARRAY)
        tokens_unexpected(&r->json, "a list of frames");
    while (tokens_next(&r->json) != TOKEN_ARRAY_END)
        read_frame(r);
    r->has_frames = true;
    if (r->highest >= r->frame_count)
        die_index(r, r->highest_where, (uint64_t)r->highest);
}

/* --- the file --- */

static void read_shared(struct speedscope_reader *r)
{
    static const char *const names[] = {"frames"};
    unsigned seen = 0, member;
    if (r->json.token != TOKEN_OBJECT)
        tokens_unexpected(&r->json, "an object with frames");
    while (tokens_next_member(&r->json, names, 1, &seen, &member))
        read_frames(r);
}

static void read_profiles(struct speedscope_reader *r)
{
    if (r->json.token != TOKEN_ARRAY)
        tokens_unexpected(&r->json, "a list of profiles");
    while (tokens_next(&r->json) != TOKEN_ARRAY_END)
        read_profile(r);
    r->has_profiles = true;
}

static void read_active(struct speedscope_reader *r)
{
    r->active_where = r->json.where;
    if (r->json.token != TOKEN_NULL && (!tokens_is_integer(&r->json, &r->active) || r->active < 0))
        tokens_unexpected(&r->json, "the number of a profile");
}

static void read_file(struct speedscope_reader *r)
{
    static const char *const names[] = {"$schema", "shared",   "profiles",
                                        "name",    "exporter", "activeProfileIndex"};
    enum { COUNT = sizeof names / sizeof *names };
    unsigned seen = 0, member;
    tokens_expect(&r->json, TOKEN_OBJECT, "an object");
    while (tokens_next_member(&r->json, names, COUNT, &seen, &member))
        switch (member) {
        case 0: read_string(r); break;
        case 1: read_shared(r); break;
        case 2: read_profiles(r); break;
        case 3: r->file_name = read_string(r); break;
        case 4: r->exporter = read_string(r); break;
        default: read_active(r);
        }
    struct tokens_place end = r->json.where;
    tokens_next(&r->json); /* nothing may follow */
    if (!r->has_frames || !r->has_profiles)
        tokens_die(&r->json, end, "the file has no %s", r->has_frames ? "profiles" : "frames");
    if (r->active >= 0 && (size_t)r->active >= r->profile_count)
        tokens_die(&r->json, r->active_where,
                   "expected one of the %zu profiles, which are numbered from 0, found %" PRId64,
                   r->profile_count, r->active);
}

void speedscope_read(struct in *in, const struct read_request *request, struct sink *sink)
{
    struct speedscope_reader r = {
        .request = request, .sink = sink, .active = -1, .highest = -1, .spools = spools_open()};
    tokens_open(&r.json, in);
    read_file(&r);
    push_rows(&r, format_source_uri(request, in));
    tokens_close(&r.json);
    spools_close(r.spools);
    intern_free(&r.functions);
    intern_free(&r.locations);
    mem_free(r.copies);
    mem_free(r.stack.frames);
    mem_free(r.last.frames);
    mem_free(r.profiles);
    bytes_rows_free(&r.rows);
    struct buf *bufs[] = {&r.text, &r.extra, &r.frame_name, &r.frame_file};
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        buf_free(bufs[i]);
    arena_free(&r.arena);
}
