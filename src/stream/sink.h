/* sink.h - where readers push what they read, and each stage what comes of it: rows that define
 * something, and whole samples.
 *
 * A stage begins with a struct sink, and pushes into another: reader, upgrade, merge, filter or writer.
 * A profile comes as its version row, its definitions and samples in the order of profstream(5), and
 * its .end row if it has one.  What is pushed is borrowed: valid until the call returns, and until
 * then the stage may change it. */
#ifndef PROFPIPE_SINK_H
#define PROFPIPE_SINK_H

#include "base/diag.h"
#include "rows/sample.h"

struct in;

/* What the input that is being read has become so far (growth.h), in bytes. */
struct growth {
    const struct in *in; /* whose bytes pay for what is pushed; NULL: only growth is counted */
    uint64_t pays;       /* what each of them pays for */
    uint64_t limit;      /* most growth */
    uint64_t used, allowed;
    uint64_t repeated_left, repeated_limit; /* of samples that repeat the one before */
};

/* What all stages between an input and the output share. */
struct flow {
    struct place where; /* of what is being pushed, for messages */
    struct value_types types;
    struct growth growth;
    size_t
        input; /* the number of the input that is being read, from 1, among those that were named */
    bool
        adds_up; /* the last stage adds equal samples up: whether they come apart is all the same to it */
};

struct sink {
    struct flow *flow;

    /* Takes ROW, of any table but samples, sample_values and sample_locations of version 2.0. */
    void (*row)(struct sink *to, struct row *row);

    /* Takes SAMPLE. */
    void (*sample)(struct sink *to, struct sample *sample);
};

static inline void sink_row(struct sink *to, struct row *row)
{
    to->row(to, row);
}

static inline void sink_sample(struct sink *to, struct sample *sample)
{
    to->sample(to, sample);
}

/* The rows that open a profile with a promised end, and that end it; MORE promises another. */
static inline void sink_begin(struct sink *to)
{
    struct row row = row_begin();
    sink_row(to, &row);
}

static inline void sink_end(struct sink *to, bool more)
{
    struct row row = row_end(more);
    sink_row(to, &row);
}

#endif
