/* flame_runs.h - the sequence of samples, if they have an order: runs of neighbours in the same
 * cell. */
#ifndef PROFPIPE_FLAME_RUNS_H
#define PROFPIPE_FLAME_RUNS_H

#include "summary/collect.h"

/* All zero is empty. */
struct flame_runs {
    uint32_t *records; /* of each run: its stack and set, as a number in the collection */
    size_t count, capacity;
    struct sums sums; /* by run and number of the type - 1 */
};

/* Adds the last sample that C has taken. Ends the tool (STATUS_SYSTEM) if there are too many runs
 * to number. */
void flame_runs_add(struct flame_runs *r, struct collect *c);

/* Frees what R holds and empties it. */
void flame_runs_free(struct flame_runs *r);

#endif
