/* stacks.h - the distinct stacks of samples, numbered from 0 in order of appearance, and the
 * exact sums of the values of each.
 *
 * A stack is a list of frames, innermost first, with the set of labels of its samples.  Frames
 * and sets are numbers with a meaning chosen by the caller: a writer numbers locations, a
 * summary by function numbers functions.
 *
 * Most samples repeat a stack, and finding it costs a cache miss.  So samples are collected, and
 * the memory for all of them is prefetched before the first is looked up. */
#ifndef PROFPIPE_STACKS_H
#define PROFPIPE_STACKS_H

#include "base/arena.h"
#include "base/sums.h"
#include "stream/sink.h"

#include <stddef.h>
#include <stdint.h>

/* The maximum number of frames in a stack. */
#define STACKS_DEPTH_MAX ((size_t)1 << 29)

struct stacks_chunk;
struct stacks_waiting;

/* What the caller wants to know of the first sample of a stack. */
struct stacks_note {
    uint64_t at;
    uint32_t context, source;
};

/* All zero is an empty table. */
struct stacks {
    uint32_t count;    /* the number of distinct stacks, without those not yet looked up */
    uint32_t last;     /* the number of the stack that was added last: only after stacks_finish */
    struct sums sums;  /* by stack and column: only after stacks_finish */
    struct flow *flow; /* where new stacks count as growth (growth.h); NULL: nowhere */
    uint64_t held;     /* how much they have counted, or would have */

    bool has_notes;            /* set before the first sample: each has one */
    struct stacks_note note;   /* set before each sample: its note */
    struct stacks_note *notes; /* by stack, of its first sample: only after stacks_finish */
    size_t note_capacity;

    struct stacks_chunk **chunks; /* the stacks, in order */
    size_t chunk_count, chunk_capacity;
    uint32_t *slots; /* open addressing, a power of two: the offsets of stacks */
    uint8_t *tags;   /* for each slot: a part of the stack's hash; 0: free */
    size_t slot_count;
    struct stacks_waiting *waiting;
};

/* Adds a sample with LABELS, the DEPTH frames at FRAMES, and the COUNT parts of its values at
 * PARTS; all are copied.  Ends the tool (STATUS_SYSTEM) if there are more stacks, or deeper
 * ones, than can be numbered. */
void stacks_add(struct stacks *t, uint32_t labels, const uint32_t *frames, size_t depth,
                const struct sums_part *parts, size_t count);

/* Looks up all collected samples.  Call this before any query. */
void stacks_finish(struct stacks *t);

/* The offset of a stack in the table. */
typedef uint32_t stacks_offset;

/* A stack in packed form: its frames are as narrow as the largest of them allows. */
struct stacks_stack {
    uint32_t number, labels;
    size_t depth;
    unsigned width; /* bytes per frame */
    const char *packed;
};

/* The stack at OFFSET, valid until stacks_free. */
struct stacks_stack stacks_at(const struct stacks *t, stacks_offset offset);

/* Frame I of STACK, from 0. */
static inline uint32_t stacks_frame(const struct stacks_stack *stack, size_t i)
{
    uint32_t frame = 0;
    memcpy(&frame, stack->packed + i * stack->width, stack->width);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    frame = __builtin_bswap32(frame);
#endif
    return frame;
}

/* Unpacks the frames of STACK into FRAMES, an array of the caller with room for *CAPACITY, which
 * grows if needed.  Returns the array. */
uint32_t *stacks_frames(const struct stacks_stack *stack, uint32_t *frames, size_t *capacity);

/* The state of a pass over all stacks; all zero at the start. */
struct stacks_pass {
    size_t chunk, offset;
};

/* Stores the offset of the next stack, in order of appearance, in *OFFSET; false after the last. */
bool stacks_next(const struct stacks *t, struct stacks_pass *pass, stacks_offset *offset);

/* Frees what T holds and leaves an empty table. */
void stacks_free(struct stacks *t);

#endif
