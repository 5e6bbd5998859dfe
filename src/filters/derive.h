/* derive.h - adds the time that samples/count stands for as a value of its own. Other tools compute
 * it from the period of the source. Tools that filter, scale or merge values must write it. */
#ifndef PROFPIPE_DERIVE_H
#define PROFPIPE_DERIVE_H

#include "profile/profile.h"
#include "stream/sink.h"

/* The time of a sample of one source. */
struct derive_time {
    /* number in the flow; 0: there is no such time, or the source has the type already */
    uint32_t type;
    int64_t period;      /* time per sample */
    struct decimal each; /* time that is added per sample: the period, unless changed */
    bool is_listed;      /* the time is added */
};

/* All zero except the flow is empty. */
struct derive {
    struct flow *flow;
    struct profile profile;    /* has the sources */
    struct derive_time *times; /* by source - 1 */
    size_t time_capacity;
    uint32_t counts;      /* the type samples/count */
    struct sample sample; /* the last sample with an added time */
    struct sample_value *values;
    size_t value_capacity;
    struct buf extra, text;
};

/* Forgets all sources: another profile begins. */
void derive_begin(struct derive *d);

/* Takes ROW, the next source. Returns the time of its samples, valid until the next source. */
struct derive_time *derive_source(struct derive *d, const struct row *row);

/* Adds the time of the last source, which must have one, to the types in its ROW. The new dotted
 * columns are valid until the next call. From now on its samples get that time. */
void derive_list(struct derive *d, struct row *row);

/* Returns SAMPLE, or a copy with its time added if that is listed; valid until the next call. */
struct sample *derive_sample(struct derive *d, struct sample *sample);

/* Frees what D holds. */
void derive_free(struct derive *d);

#endif
