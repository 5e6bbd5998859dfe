/* growth.h - what an input becomes beyond what it spells out, counted in one place for all formats.
 *
 * A few bytes can stand for a whole stack, or for a long name, again and again.  So where a format is no lines, all that its
 * reader pushes is counted, and the bytes of the input are what pays for it; what remains is growth, which is
 * limited.  Lines spell out what they are: who makes more of one says so (growth_add). */
#ifndef PROFPIPE_GROWTH_H
#define PROFPIPE_GROWTH_H

#include "base/in.h"
#include "base/limits.h"
#include "stream/sink.h"

/* Begins to count for an input that may grow by MAX_SIZE bytes, or 0: as limits.h says.  Its bytes, IN, each pay for PAYS
 * more; NULL: they do not. */
void growth_begin(struct flow *flow, const struct in *in, uint64_t pays, uint64_t max_size);

/* Looks whether the bytes of the input pay for what has been counted; ends the tool (STATUS_INPUT) if not. */
void growth_check(struct flow *flow);

/* Counts SIZE bytes more. */
static inline void growth_add(struct flow *flow, uint64_t size)
{
    flow->growth.used += size;
    if (__builtin_expect(flow->growth.used > flow->growth.allowed, 0))
        growth_check(flow);
}

/* The same of what nothing is pushed for, but what comes of it is held. */
static inline void growth_hold(struct flow *flow, uint64_t size)
{
    if (flow->growth.in != NULL)
        growth_add(flow, size);
}

/* Takes back SIZE bytes that growth_hold has counted, as is known now, without need. */
static inline void growth_drop(struct flow *flow, uint64_t size)
{
    if (flow->growth.in != NULL)
        flow->growth.used -= size;
}

/* Counts COUNT samples of SIZE bytes that repeat the one before, which nobody holds; PAID bytes of the input pay for
 * them. */
void growth_repeat(struct flow *flow, uint64_t count, uint64_t size, uint64_t paid);

/* Ends the tool (STATUS_INPUT) at WHERE, where DEPTH is more frames than a sample may have.  The stage below asks, and before
 * it who knows a better place, or would need memory for them. */
void growth_check_depth(size_t depth, struct place where);

/* Counts what is pushed to NEXT, where the bytes of the input pay. */
struct growth_stage {
    struct sink sink;
    struct sink *next;
};

struct growth_stage growth_stage_of(struct sink *next);

#endif
