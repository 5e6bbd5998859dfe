/* runs.h - the sequence of samples: which stack each run of equal ones had, and how long it was.  Runs are as many as
 * samples at worst, so they wait in a spool. */
#ifndef PROFPIPE_RUNS_H
#define PROFPIPE_RUNS_H

#include "base/intern.h"
#include "base/spool.h"
#include "base/wide.h"

struct runs_run {
    uint64_t stack; /* by first appearance, from 1 */
    int64_t samples;
};

struct runs {
    struct intern stacks; /* entries as uint32_t, innermost first */
    size_t count;         /* of runs */
    struct wide all;      /* samples */
    size_t *by_depth;     /* runs of samples with equal outermost frames: one, two, ... */
    size_t depth;         /* of the deepest stack */

    struct spool *spool; /* of all runs but the last */
    struct runs_run last;
    struct runs_run read; /* the run number AT, from 0, that was asked for last */
    size_t at, capacity;
};

struct runs *runs_open(void);

/* A sample with the DEPTH entries STACK that counts SAMPLES goes on with the last run, or begins one. */
void runs_add(struct runs *r, const uint32_t *stack, size_t depth, int64_t samples);

/* Run number ROW of R, from 0, which no sample may be added to any more: rows are mostly asked for one after the
 * other. */
struct runs_run runs_at(struct runs *r, size_t row);

/* The entries of the stack NUMBER, innermost first, valid until runs_free; there are none in number 0. */
struct str runs_stack(const struct runs *r, uint64_t number);

/* The outermost entries that the stacks A and B, as above, have in common. */
size_t runs_common(struct str a, struct str b);

void runs_free(struct runs *r);

#endif
