/* derive.h - the time that samples/count of a source stand for, as values of their own: other tools make it of their
 * period, but what filters, scales or merges values must have them. */
#ifndef PROFPIPE_DERIVE_H
#define PROFPIPE_DERIVE_H

#include "profile/profile.h"
#include "stream/sink.h"

/* What samples of a source stand for. */
struct derive_time {
    uint32_t type;       /* a number in the flow; 0: nothing, or it is a type already */
    int64_t period;      /* how much of it */
    struct decimal each; /* how much of it they are given: this, too, unless it is changed */
    bool is_listed;      /* they are given it */
};

/* All zero but for the flow is none. */
struct derive {
    struct flow *flow;
    struct profile profile;    /* its sources */
    struct derive_time *times; /* by source - 1 */
    size_t time_capacity;
    uint32_t counts;      /* the type samples/count */
    struct sample sample; /* the last one that was given a time */
    struct sample_value *values;
    size_t value_capacity;
    struct buf extra, text;
};

/* Forgets all sources, as another profile begins. */
void derive_begin(struct derive *d);

/* Takes the next source, ROW: returns the time that its samples stand for, valid until the next. */
struct derive_time *derive_source(struct derive *d, const struct row *row);

/* Appends TYPE to TO as an item of `.value_types`. */
void derive_add_item(struct buf *to, const struct value_type *type);

/* Lists the time of the last source, which has one, among the types of ROW, its row, with dotted columns that are valid
 * until the next; from now on its samples are given that time. */
void derive_list(struct derive *d, struct row *row);

/* Returns SAMPLE, or one like it, valid until the next, that has the time that it stands for, if that is listed. */
struct sample *derive_sample(struct derive *d, struct sample *sample);

/* Frees what D holds. */
void derive_free(struct derive *d);

#endif
