/* unfold.h - a sink for who looks at rows one by one: whole samples become their rows again. */
#ifndef PROFPIPE_UNFOLD_H
#define PROFPIPE_UNFOLD_H

#include "stream/sink.h"

struct unfold {
    struct sink sink;
    void (*take)(void *with, const struct row *row); /* gets each row, valid until it returns */
    void *with;
};

/* A sink of FLOW that calls TAKE(WITH, row). */
struct unfold unfold_of(struct flow *flow, void (*take)(void *with, const struct row *row),
                        void *with);

#endif
