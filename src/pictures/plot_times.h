/* plot_times.h - the samples of a plot by the time at which they were taken, each in a lane: that
 * of its thread, its processor, or what else was asked for. There may be many, so they wait in a
 * spool. */
#ifndef PROFPIPE_PLOT_TIMES_H
#define PROFPIPE_PLOT_TIMES_H

#include "base/intern.h"
#include "base/spool.h"
#include "info/spread.h"
#include "rows/sample.h"

/* A sample. No padding: it is written as bytes. */
struct plot_moment {
    int64_t time;  /* nanoseconds since the first sample of its source */
    int64_t takes; /* nanoseconds that it stands for; 0: not known */
    int64_t samples;
    uint32_t lane;  /* from 1 */
    uint32_t stack; /* its number in the streaks */
};

struct plot_lane {
    uint64_t samples;
    size_t depth; /* of its deepest stack */
    int64_t last; /* the time of the last sample */
};

struct plot_times {
    struct intern names;     /* of lanes, by number */
    struct plot_lane *lanes; /* by number - 1 */
    size_t lane_capacity;
    struct spool *spool;
    uint64_t count;        /* of moments */
    int64_t first, end;    /* when the first sample begins, and the last one ends */
    struct spread between; /* nanoseconds between neighbours of a lane */
    int64_t typical;       /* half of these are no longer; set by plot_times_finish */
    bool is_scattered;     /* a sample came behind a later one of its lane */
};

struct plot_times *plot_times_open(void);

/* The nanoseconds that SAMPLE stands for: its first value that is a time; 0: it has none. */
int64_t plot_times_taken(const struct value_types *types, const struct sample *sample);

/* Adds M, whose stack has DEPTH frames, to the lane NAME, which sets M->lane. */
void plot_times_add(struct plot_times *t, struct str name, struct plot_moment *m, size_t depth);

/* Finds out how long each sample takes, and puts samples that are scattered into the order of
 * time, for which it holds all of them in memory. Call it after the last one, before what
 * follows. */
void plot_times_finish(struct plot_times *t);

/* Reads the samples again, in the order in which they were added, or sorted. */
void plot_times_rewind(struct plot_times *t);
bool plot_times_next(struct plot_times *t, struct plot_moment *m);

/* Calls DRAW(TO, moment, length) for each sample, of one lane in the order of time; LENGTH is how
 * long its stack lasted: to the next sample of its lane, or as long as it takes if that comes much
 * later. */
void plot_times_each(struct plot_times *t,
                     void (*draw)(void *to, const struct plot_moment *m, int64_t length), void *to);

void plot_times_free(struct plot_times *t);

#endif
