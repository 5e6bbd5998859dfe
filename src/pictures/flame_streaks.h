/* flame_streaks.h - the sequence of samples, if they have an order: streaks of neighbours in the same
 * cell. */
#ifndef PROFPIPE_FLAME_RUNS_H
#define PROFPIPE_FLAME_RUNS_H

#include "summary/collect.h"

/* All zero is empty. */
struct flame_streaks {
    uint32_t *records; /* of each streak: its stack and set, as a number in the collection */
    size_t count, capacity;
    struct sums sums; /* by streak and number of the type - 1 */
};

/* Adds the last sample that C has taken. Ends the tool (STATUS_SYSTEM) if there are too many streaks
 * to number. */
void flame_streaks_add(struct flame_streaks *r, struct collect *c);

/* Frees what R holds and empties it. */
void flame_streaks_free(struct flame_streaks *r);

#endif
