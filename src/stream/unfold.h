/* unfold.h - a sink that turns whole samples back into rows, for code that works on single rows. */
#ifndef PROFPIPE_UNFOLD_H
#define PROFPIPE_UNFOLD_H

#include "stream/sink.h"

struct unfold {
    struct sink sink;
    void (*take)(void *with,
                 /* Called with each row, which is valid until it returns. */
                 const struct row *row);
    void *with;
};

/* A sink of FLOW that calls TAKE(WITH, row). */
struct unfold unfold_of(struct flow *flow, void (*take)(void *with, const struct row *row),
                        void *with);

#endif
