/* flame_streaks.h - the sequence of samples in lanes, if they have times or an order: streaks of
 * neighbours in the same cell; with times each sample is one. */
#ifndef PROFPIPE_FLAME_RUNS_H
#define PROFPIPE_FLAME_RUNS_H

#include "pictures/plot_lanes.h"
#include "pictures/plot_times.h"
#include "summary/collect.h"

/* All zero but for what lanes are by is empty. */
struct flame_streaks {
    uint32_t *records; /* of each streak: its stack and set, as a number in the collection */
    uint32_t *lanes;   /* of each streak: its lane, from 1 */
    size_t count, capacity, lane_capacity;
    struct sums sums; /* by streak and number of the type - 1 */

    struct plot_lanes by;
    struct intern names; /* of lanes, by number */
    struct buf name;
    struct clock clock;
    struct plot_times *times; /* of all streaks; NULL: they are in order, and have none */

    /* Set by flame_streaks_finish, with times: when each streak begins, in nanoseconds, and how long
     * it lasts; 0: it is earlier than the one before it in its lane. */
    int64_t *begins, *lengths;
};

/* Adds the next source: OF of the collection C. */
void flame_streaks_source(struct flame_streaks *r, struct collect *c,
                          const struct profile_source *of);

/* Adds SAMPLE, the last that C has taken, if it has a time as the first one has, or if neither has
 * and HAS_ORDER. Ends the tool (STATUS_SYSTEM) if there are too many streaks to number. */
void flame_streaks_add(struct flame_streaks *r, struct collect *c, const struct sample *sample,
                       bool has_order);

/* Finds out how long streaks last. Call it after the last one. */
void flame_streaks_finish(struct flame_streaks *r);

/* Frees what R holds and empties it. */
void flame_streaks_free(struct flame_streaks *r);

#endif
