/* Events open and close frames. The time between two events becomes a sample with the open frames
 * as its stack.
 *
 * The writer goes from the stack of each sample to the next: it closes frames that are missing in
 * the new stack and opens new ones. If the original events at one time were different, samples of
 * length 0 record that: for a frame closed again at once, and for one that was closed and opened
 * again. */
#include "base/mem.h"
#include "formats/speedscope/speedscope_read.h"
#include "rows/text.h"

#include <inttypes.h>

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
            if (!speedscope_is_double(r))
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

void speedscope_read_events(struct speedscope_reader *r, struct speedscope_profile *p)
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
