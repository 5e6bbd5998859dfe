/* streaks.h - the sequence of samples as streaks: a streak is a series of samples with the same stack. There
 * may be as many streaks as samples, so they wait in a spool. */
#ifndef PROFPIPE_RUNS_H
#define PROFPIPE_RUNS_H

#include "base/intern.h"
#include "base/spool.h"
#include "base/wide.h"

struct streak {
    uint64_t stack; /* numbered by first appearance, from 1 */
    int64_t samples;
};

struct streaks {
    struct intern stacks; /* entries as uint32_t, innermost first */
    size_t count;         /* of streaks */
    struct wide all;      /* total of samples */
    size_t *by_depth; /* number of streaks of samples whose outermost 1, 2, ... frames are equal */
    size_t depth;     /* of the deepest stack */

    struct spool *spool; /* all streaks except the last */
    struct streak last;
    struct streak read; /* the last streak that was asked for, number AT, from 0 */
    size_t at, capacity;
};

struct streaks *streaks_open(void);

/* Adds a sample with the DEPTH entries STACK, which stands for SAMPLES samples: extends the last
 * streak or begins a new one. */
void streaks_add(struct streaks *r, const uint32_t *stack, size_t depth, int64_t samples);

/* Streak number ROW of R, from 0. Call it after the last streaks_add. Fast if rows are asked for in
 * order. */
struct streak streaks_at(struct streaks *r, size_t row);

/* The entries of stack NUMBER, innermost first, valid until streaks_free. Stack 0 is empty. */
struct str streaks_stack(const struct streaks *r, uint64_t number);

/* The number of outermost entries that stacks A and B have in common. */
size_t streaks_common(struct str a, struct str b);

void streaks_free(struct streaks *r);

#endif
