/* Profiles: samples with weights, or events. */
#include "base/mem.h"
#include "formats/speedscope/speedscope_read.h"
#include "formats/speedscope/speedscope_text.h"
#include "rows/loss.h"
#include "rows/text.h"

#include <inttypes.h>

/* --- events --- */

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
            e.frame = speedscope_read_index(r);
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
    speedscope_write_stack(r, p->event_stacks);
    speedscope_write_weight(r, p->event_weights, buf_str(&r->text));
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
    p->event_stacks = speedscope_begin_stacks(r);
    p->event_weights = spools_begin(r->spools);
    while (tokens_next(&r->json) != TOKEN_ARRAY_END) {
        struct event e = read_event(r);
        take_event(r, p, &e, &since);
    }
    if (r->stack.depth > 0)
        tokens_die(&r->json, r->json.where, "the events end, but frame %" PRIu32 " is still open",
                   r->stack.frames[r->stack.depth - 1]);
}

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
            frames[n++] = speedscope_read_index(r);
        r->stack.depth += n;
    }
}

static void read_samples(struct speedscope_reader *r, struct speedscope_profile *p)
{
    if (r->json.token != TOKEN_ARRAY)
        tokens_unexpected(&r->json, "a list of samples");
    p->has_samples = true;
    p->stacks = speedscope_begin_stacks(r);
    for (; tokens_next(&r->json) != TOKEN_ARRAY_END; p->stack_count++) {
        read_stack(r);
        speedscope_write_stack(r, p->stacks);
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
    if (speedscope_is_integer(text, &integer)) {
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
        speedscope_write_weight(r, p->weights, r->json.text);
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
            p->mark_type = speedscope_read_string(r);
        else if (member == 2)
            p->mark_unit = speedscope_read_string(r);
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
        p->type = speedscope_read_string(r);
        break;
    case 1: p->name = speedscope_read_string(r); break;
    case 2: p->unit = speedscope_read_string(r); break;
    case 3: p->start = speedscope_read_number(r); break;
    case 4: p->end = speedscope_read_number(r); break;
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
    return speedscope_same_stacks(r->spools, r->profiles[first].stacks, p->stacks);
}

void speedscope_read_profile(struct speedscope_reader *r)
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
