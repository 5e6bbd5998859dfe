/* filter.h - what a filter is: a stage between the reader of rows and the output. */
#ifndef PROFPIPE_FILTER_H
#define PROFPIPE_FILTER_H

#include "feed.h"
#include "out.h"

/* One filter.  Each lives in a file of its own, filter_NAME.c, that ends in one of these. */
struct filter {
    /* What it is pushed: all profiles merged into one (merge.h); or each by itself, with its version
     * and .end rows, which it passes on, as version 2.0 whatever it was (upgrade.h), or as it
     * stands. */
    enum { FILTER_READS_MERGED, FILTER_READS_2, FILTER_READS_ANY } reads;

    /* Unless it reads what is merged: whether each profile is promised an end, and gets it when all
     * has gone well, whatever the input has. */
    bool promises;

    size_t
        state_size; /* bytes for STATE below, which begins with a struct sink; all zero at first */

    /* Makes STATE a stage of FLOW that writes to OUT. */
    void (*open)(void *state, struct flow *flow, struct out *out);

    /* Writes what STATE still holds, and frees it; may be NULL. */
    void (*close)(void *state);
};

struct filter_request {
    bool lossless;            /* what has no place in the output is an error */
    struct feed_request feed; /* a merge of no profile is an empty one */
};

/* Sends the rows of INPUTS through FILTER to OUT, and reports what was lost on the way. */
void filter_run(const struct filter *filter, struct inputs *inputs,
                const struct filter_request *request, struct out *out);

/* An `open` for filters whose work is done in front of them: STATE, a struct emitter, writes all. */
void filter_open_emitter(void *state, struct flow *flow, struct out *out);

extern const struct filter filter_cat, filter_1to2, filter_2to1, filter_skeleton;

#endif
