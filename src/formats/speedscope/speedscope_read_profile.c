/* Profiles: common members, and samples with their weights. */
#include "base/mem.h"
#include "formats/speedscope/speedscope_read.h"
#include "rows/loss.h"
#include "rows/text.h"

#include <inttypes.h>

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

/* Whether TEXT is an integer in the range of rows; sets *INTEGER. */
static bool is_integer(struct str text, int64_t *integer)
{
    return text_is_integer(text, integer) && *integer != SPEEDSCOPE_TEXT;
}

void speedscope_write_weight(struct speedscope_reader *r, uint32_t strand, struct str text)
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
    if (!speedscope_is_double(r))
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
    case 7: speedscope_read_events(r, p); break;
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
