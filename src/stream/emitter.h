/* emitter.h - the last stage of tools that write rows: writes all that is pushed as text. */
#ifndef PROFPIPE_EMITTER_H
#define PROFPIPE_EMITTER_H

#include "base/out.h"
#include "stream/sink.h"

/* A sink that writes everything pushed to it. */
struct emitter {
    struct sink sink;
    struct out *out; /* not owned */
};

struct emitter emitter_of(struct flow *flow, struct out *out);

/* The `open` of a stage that only writes: earlier stages do its work.  STATE is a struct
 * emitter. */
void emitter_open(void *state, struct flow *flow, const void *options, struct out *out);

#endif
