/* growth.h - limits how much larger than its file an input may become, in one place for all
 * formats.
 *
 * In some formats a few bytes can repeat a whole stack or a long name again and again.  So, for
 * formats that are not lines, everything that the reader pushes is counted.  Each byte of the
 * input pays for some of it; the rest is growth, which is limited.  Frames of samples are added up
 * apart from the rest, since only a stage that holds them needs memory: it counts what it holds
 * (growth_hold).  Lines spell out what they hold: a reader that makes more of one says so
 * (growth_add). */
#ifndef PROFPIPE_GROWTH_H
#define PROFPIPE_GROWTH_H

#include "base/in.h"
#include "base/limits.h"
#include "stream/sink.h"

/* Starts counting for an input that may grow by MAX_SIZE bytes; 0: the limits of limits.h.  Each
 * byte of IN allows LIMITS_BYTE more, and of frames that pass PAYS more.  If IN is NULL only
 * growth_add counts. */
void growth_begin(struct flow *flow, const struct in *in, uint64_t pays, uint64_t max_size);

/* Updates how much is allowed from the bytes read so far.  Ends the tool (STATUS_INPUT) if more
 * was used. */
void growth_check(struct flow *flow);

/* Counts SIZE bytes more. */
static inline void growth_add(struct flow *flow, uint64_t size)
{
    flow->growth.used += size;
    if (__builtin_expect(flow->growth.used > flow->growth.allowed, 0))
        growth_check(flow);
}

/* The same for data that is kept in memory but not pushed; does nothing if growth.in is NULL. */
static inline void growth_hold(struct flow *flow, uint64_t size)
{
    if (flow->growth.in != NULL)
        growth_add(flow, size);
}

/* Takes back SIZE bytes that growth_hold has counted and that turned out not to be needed. */
static inline void growth_drop(struct flow *flow, uint64_t size)
{
    if (flow->growth.in != NULL)
        flow->growth.used -= size;
}

/* Counts COUNT samples of SIZE bytes that repeat the one before and are not kept in memory.
 * PAID bytes of the input pay for some of them. */
void growth_repeat(struct flow *flow, uint64_t count, uint64_t size, uint64_t paid);

/* Ends the tool now if it would end while samples with FRAMES frames in all are pushed, once the whole
 * input is read. For a reader that knows so before: it spares what is in vain. */
void growth_expect(struct flow *flow, uint64_t frames);

/* Ends the tool (STATUS_INPUT) at WHERE if DEPTH is above the maximum number of frames in a
 * sample.  The stage below checks this; a reader checks earlier if it knows a better place or
 * would need memory for the frames. */
void growth_check_depth(uint64_t depth, struct place where);

/* A stage that counts what it pushes to NEXT, unless growth.in is NULL. */
struct growth_stage {
    struct sink sink;
    struct sink *next;
};

struct growth_stage growth_stage_of(struct sink *next);

#endif
