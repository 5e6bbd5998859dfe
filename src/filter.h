/* filter.h - what a filter is: rows in, rows out. */
#ifndef PROFPIPE_FILTER_H
#define PROFPIPE_FILTER_H

#include "inputs.h"
#include "out.h"
#include "row.h"

/* One filter.  Each lives in a file of its own, filter_NAME.c, that ends in one of these. */
struct filter {
    /* What it gets: all profiles merged into one (merge.h); or the rows of each, with its version
     * and .end rows, which it passes on, as version 2.0 whatever they were (upgrade.h), or as they
     * stand. */
    enum { FILTER_READS_MERGED, FILTER_READS_2, FILTER_READS_ANY } reads;

    /* Unless it reads what is merged: whether each profile is promised an end, and gets it when all
     * has gone well, whatever the input has. */
    bool promises;

    size_t state_size; /* bytes for STATE below, all zero at first */

    /* Takes ROW, which it may change and which is valid until it returns, and writes what comes
     * of it to OUT. */
    void (*row)(void *state, struct row *row, struct out *out);

    /* Called after the last row; may be NULL.  OUT still needs its .end row where the filter
     * reads what is merged.  Frees what STATE holds. */
    void (*end)(void *state, struct out *out);
};

struct filter_request {
    bool allow_empty; /* an input without a profile is no error; a merge of none is an empty one */
    bool lossless;    /* what has no place in the output is an error */
    const char *source_type; /* of profiles of version 1.x; NULL: see upgrade.h */
    uint64_t max_samples;    /* that come of those; 0: as many as by default */
};

/* Sends the rows of INPUTS through FILTER to OUT, and reports what was lost on the way. */
void filter_run(const struct filter *filter, struct inputs *inputs,
                const struct filter_request *request, struct out *out);

extern const struct filter filter_cat, filter_1to2, filter_2to1, filter_skeleton;

#endif
