/* sink.h - the interface between stages: readers push rows that define something, and whole
 * samples, into a sink, and each stage pushes its result into the next.
 *
 * A stage starts with a struct sink and pushes into another: reader, upgrade, merge, filter,
 * writer.  A profile arrives as its version row, its definitions and samples in the order of
 * profstream(5), and its .end row if it has one.  What is pushed is borrowed: it is valid until
 * the call returns, and the stage may change it. */
#ifndef PROFPIPE_SINK_H
#define PROFPIPE_SINK_H

#include "base/diag.h"
#include "rows/sample.h"

struct in;
struct provenance_sum;

/* How much the current input has grown so far (growth.h), in bytes. */
struct growth {
    const struct in *in; /* whose bytes pay for what is pushed; NULL: only growth_add counts */
    uint64_t limit;      /* maximum growth */
    uint64_t used, allowed;
    uint64_t passed, may_pass;              /* the same for frames of samples, which are not held */
    uint64_t pays;                          /* how much of these each byte pays for */
    uint64_t repeated_left, repeated_limit; /* for samples that repeat the one before */
};

/* What all stages between an input and the output share. */
struct flow {
    struct place where; /* the place of what is being pushed, for messages */
    struct value_types types;
    struct growth growth;
    /* The number of the current input, from 1, among all that were named, and the word for
     * its format. */
    size_t input;
    struct str format;
    /* The last stage adds up equal samples: a reader may push them separately or as one. */
    bool adds_up;
    /* Set by a last stage that takes samples in two parts (struct sample), which add up to the same
     * bytes, messages and status. */
    bool takes_sums;
    /* Set by a last stage that wants to know the sources of all inputs: the feed adds them here
     * (provenance.h).  NULL: it does not. */
    struct provenance_sum *provenance;
};

struct sink {
    struct flow *flow;

    /* Takes ROW.  Of version 2.0 it is in any table but samples, sample_values and
     * sample_locations. */
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

/* Push the first row of a profile that promises an end, and its last row; MORE promises another
 * profile. */
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
