/* stacks.h - distinct stacks of samples, numbered from 0 in order of appearance, and exact sums of
 * what the samples had that share one.
 *
 * A stack is a list of frames, innermost first, and the set of labels that its samples have.  Frames
 * and sets are numbers whose meaning is up to the caller: a writer numbers locations, a summary by
 * function numbers functions.
 *
 * Most samples repeat a stack, and finding it costs what memory takes to answer.  So samples wait
 * until there are some, and memory is asked for all of them before the first answer is needed. */
#ifndef PROFPIPE_STACKS_H
#define PROFPIPE_STACKS_H

#include "base/arena.h"
#include "base/sums.h"

#include <stddef.h>
#include <stdint.h>

/* The most frames that a stack has. */
#define STACKS_DEPTH_MAX ((size_t)1 << 29)

struct stacks_chunk;
struct stacks_waiting;

/* All zero is an empty table. */
struct stacks {
    uint32_t count;   /* of distinct ones, without those that wait */
    uint32_t last;    /* the number of the stack added last: only after stacks_finish */
    struct sums sums; /* by number of the stack and column: only after stacks_finish */

    struct stacks_chunk **chunks; /* the stacks themselves, in their order */
    size_t chunk_count, chunk_capacity;
    uint32_t *slots; /* open addressing, a power of two: places of stacks */
    uint8_t *tags;   /* of each slot: a part of the stack's hash, 0: free */
    size_t slot_count;
    struct stacks_waiting *waiting;
};

/* Adds a sample: LABELS, DEPTH frames at FRAMES, and the COUNT parts of its values at PARTS, all of
 * which is copied.  Ends the tool (STATUS_SYSTEM) at more stacks, or deeper ones, than can be
 * numbered. */
void stacks_add(struct stacks *t, uint32_t labels, const uint32_t *frames, size_t depth,
                const struct sums_part *parts, size_t count);

/* Sees to it that no sample waits any more: to be called before anything is asked. */
void stacks_finish(struct stacks *t);

/* Where a stack stands in the table. */
typedef uint32_t stacks_place;

/* A stack as it stands: its frames are as narrow as the largest of them. */
struct stacks_stack {
    uint32_t number, labels;
    size_t depth;
    unsigned width; /* bytes of a frame */
    const char *packed;
};

/* The stack at PLACE, valid until stacks_free. */
struct stacks_stack stacks_at(const struct stacks *t, stacks_place place);

/* Frame number I, from 0, of STACK. */
static inline uint32_t stacks_frame(const struct stacks_stack *stack, size_t i)
{
    uint32_t frame = 0;
    memcpy(&frame, stack->packed + i * stack->width, stack->width);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    frame = __builtin_bswap32(frame);
#endif
    return frame;
}

/* Makes FRAMES, an array of the caller with room for *CAPACITY, the frames of STACK, and returns it. */
uint32_t *stacks_frames(const struct stacks_stack *stack, uint32_t *frames, size_t *capacity);

/* Where a pass over all stacks stands: all zero before the first. */
struct stacks_pass {
    size_t chunk, offset;
};

/* Takes the next stack, in order of appearance, to *PLACE; false behind the last. */
bool stacks_next(const struct stacks *t, struct stacks_pass *pass, stacks_place *place);

/* Frees what T holds and leaves an empty table. */
void stacks_free(struct stacks *t);

#endif
