/* runs.h - the sequence of samples as runs: a run is a series of samples with the same stack. There
 * may be as many runs as samples, so they wait in a spool. */
#ifndef PROFPIPE_RUNS_H
#define PROFPIPE_RUNS_H

#include "base/intern.h"
#include "base/spool.h"
#include "base/wide.h"

struct runs_run {
    uint64_t stack; /* numbered by first appearance, from 1 */
    int64_t samples;
};

struct runs {
    struct intern stacks; /* entries as uint32_t, innermost first */
    size_t count;         /* of runs */
    struct wide all;      /* total of samples */
    size_t *by_depth;     /* number of runs of samples whose outermost 1, 2, ... frames are equal */
    size_t depth;         /* of the deepest stack */

    struct spool *spool; /* all runs except the last */
    struct runs_run last;
    struct runs_run read; /* the last run that was asked for, number AT, from 0 */
    size_t at, capacity;
};

struct runs *runs_open(void);

/* Adds a sample with the DEPTH entries STACK, which stands for SAMPLES samples: extends the last
 * run or begins a new one. */
void runs_add(struct runs *r, const uint32_t *stack, size_t depth, int64_t samples);

/* Run number ROW of R, from 0. Call it after the last runs_add. Fast if rows are asked for in
 * order. */
struct runs_run runs_at(struct runs *r, size_t row);

/* The entries of stack NUMBER, innermost first, valid until runs_free. Stack 0 is empty. */
struct str runs_stack(const struct runs *r, uint64_t number);

/* The number of outermost entries that stacks A and B have in common. */
size_t runs_common(struct str a, struct str b);

void runs_free(struct runs *r);

#endif
