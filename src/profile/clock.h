/* clock.h - when samples were taken: as their `.time` says, or by the period of their source. */
#ifndef PROFPIPE_CLOCK_H
#define PROFPIPE_CLOCK_H

#include "profile/profile.h"
#include "rows/sample.h"

/* All zero except the number of the type is empty. */
struct clock {
    uint32_t counts; /* the number in the flow of the type samples/count; set by the caller */
    struct clock_source {
        bool has_order;  /* its samples are in the order of their time */
        int64_t period;  /* nanoseconds; 0: unknown */
        bool has_first;  /* a sample with a time was read, or times count from the start */
        int64_t first;   /* the time of the first such sample; 0 for the start */
        int64_t elapsed; /* of the samples read so far, by the period */
    } * sources;
    size_t count, capacity;
};

/* Adds the next source: OF. Returns it, valid until the next one is added. */
const struct clock_source *clock_add(struct clock *c, const struct profile_source *of);

/* Stores in *TIME when SAMPLE, whose source was added, was taken: in nanoseconds since the first
 * sample of its source that was read; since the start of a source whose samples are scattered
 * (profile_is_scattered). Without `.time` a sample begins when those before it end,
 * each of which took its samples/count times the period. False if the time is not known. The largest
 * and the smallest number stand for all beyond. Call it once for each sample. */
bool clock_read(struct clock *c, const struct sample *sample, int64_t *time);

/* Forgets all sources: another profile begins. */
void clock_clear(struct clock *c);

/* Frees what C holds. */
void clock_free(struct clock *c);

#endif
