/* flame_runs.h - the sequence of samples, where they have an order: runs of neighbours that are of one cell. */
#ifndef PROFPIPE_FLAME_RUNS_H
#define PROFPIPE_FLAME_RUNS_H

#include "summary/collect.h"

/* All zero is no sequence. */
struct flame_runs {
    uint32_t *records; /* of each run: its stack, with its set, in the collection */
    size_t count, capacity;
    struct sums sums; /* by run and number of the type - 1 */
};

/* Adds the sample that C has taken last.  Ends the tool (STATUS_SYSTEM) where there are more runs than can be
 * numbered. */
void flame_runs_add(struct flame_runs *r, struct collect *c);

/* Frees what R holds, and leaves no sequence. */
void flame_runs_free(struct flame_runs *r);

#endif
