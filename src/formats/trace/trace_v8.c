/* The profiles of V8 in a trace. One that is recorded while the trace is comes in pieces, which
 * have new nodes, and samples since the piece before; an old one is whole. */
#include "base/mem.h"
#include "formats/trace/trace.h"
#include "rows/loss.h"
#include "stream/growth.h"

/* What a profile counts as growth: the least that it takes in memory, 16 KiB, eight times. So one
 * for each 2 KiB of the file is allowed, besides the first 256. */
enum { PROFILE_COUNTS = 128 << 10 };

/* The profile ID of the process of THREAD, or of the thread if it is whole: then it may have no id. Its event
 * is at WHERE and AT. */
static struct trace_profile *profile_of(struct trace *t, uint32_t id, uint32_t thread,
                                        bool is_whole, int64_t at, struct tokens_place where)
{
    uint32_t key[] = {t->thread[thread].pid, id, is_whole ? thread + 1 : 0};
    bool is_new;
    uint32_t number =
        intern_add(&t->profile_ids, (struct str){(const char *)key, sizeof key}, &is_new);
    if (!is_new)
        return &t->profiles[number - 1];
    t->profiles = mem_array(t->profiles, &t->profile_capacity, number, sizeof *t->profiles);
    t->profile_count = number;
    growth_hold(t->sink->flow, PROFILE_COUNTS);
    struct trace_profile *p = &t->profiles[number - 1];
    *p = (struct trace_profile){.where = where, .thread = thread, .last = at};
    v8_profile_begin(&p->v8, &t->json, &t->v8, t->spools, t->request->strict);
    return p;
}

static _Noreturn void die_twice(const struct tokens *j)
{
    tokens_die(j, j->where, "the profile stands there twice");
}

/* Reads the members of a piece of P, or IS_INNER of its profile. Its samples are those from number
 * FIRST on, its times from number TIMES_BEFORE on. */
static void read_piece(struct v8_profile *p, uint64_t first, bool is_inner, uint64_t times_before)
{
    static const char *const names[] = {"nodes",     "samples", "timeDeltas", "lines",
                                        "startTime", "endTime", "cpuProfile"};
    enum { NODES, SAMPLES, DELTAS, LINES, START, END, PROFILE };
    unsigned seen = 0, member;
    if (p->json->token != TOKEN_OBJECT)
        tokens_unexpected(p->json, "an object with a piece of a profile");
    while (tokens_next_member(p->json, names, is_inner ? PROFILE : PROFILE + 1, &seen, &member))
        switch (member) {
        case NODES: v8_profile_tree(p, false); break;
        case SAMPLES: v8_profile_samples(p); break;
        case DELTAS:
            if (times_before == p->time_count) {
                v8_profile_times(p, false);
            } else { /* as Node.js writes them, inside and outside */
                loss_add(LOSS_OWN, STR("timeDeltas"), 1);
                tokens_skip(p->json);
            }
            break;
        case LINES: v8_profile_lines(p, first); break;
        case START:
        case END: v8_profile_end(p, member == END); break;
        default: read_piece(p, first, true, times_before);
        }
}

void trace_read_v8(struct trace *t, struct tokens *json, struct str name, uint32_t id,
                   uint32_t thread, int64_t at)
{
    bool is_whole = str_equal(name, STR("CpuProfile"));
    bool is_begin = str_equal(name, STR("Profile"));
    struct tokens_place where = json->where;
    struct trace_profile *profile = profile_of(t, id, thread, is_whole, at, where);
    struct v8_profile *p = &profile->v8;
    p->json = json;
    if ((is_begin || is_whole) && profile->is_begun)
        die_twice(json);
    if (is_begin || is_whole) {
        profile->is_begun = true;
        profile->thread = thread;
    } else if (at < profile->last) {
        tokens_die(json, where, "the piece of the profile is before the one in front of it");
    }
    p->is_trace = true;
    profile->last = is_begin ? profile->last : at;
    read_piece(p, p->sample_count, false, p->time_count);
    if (p->has_lines && p->line_count > p->sample_count)
        tokens_die(json, where, "the piece of the profile has more lines than samples");
    p->json = &t->json;
}

void trace_read_kept_v8(struct trace *t, struct str data, struct tokens_place where,
                        struct str name, uint32_t id, uint32_t thread, int64_t at)
{
    struct in *in = in_open_bytes(in_name(t->json.in), data, SIZE_MAX);
    struct tokens json;
    tokens_open(&json, in);
    json.line = where.line; /* messages name the place in the trace */
    json.before = where.column - 1;
    tokens_next(&json);
    trace_read_v8(t, &json, name, id, thread, at);
    tokens_close(&json);
    in_close(in);
}

void trace_finish_v8(struct trace *t)
{
    v8_frames_finish(&t->v8, 0);
    for (size_t i = 0; i < t->profile_count; i++)
        if (trace_has_any(&t->profiles[i]))
            v8_profile_finish(&t->profiles[i].v8, t->profiles[i].where, false);
}
