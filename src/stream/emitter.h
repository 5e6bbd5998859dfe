/* emitter.h - the last stage of what stays rows: all that is pushed becomes text. */
#ifndef PROFPIPE_EMITTER_H
#define PROFPIPE_EMITTER_H

#include "base/out.h"
#include "stream/sink.h"

/* A sink that writes all it is pushed. */
struct emitter {
    struct sink sink;
    struct out *out; /* not owned */
};

struct emitter emitter_of(struct flow *flow, struct out *out);

/* The `open` of a stage whose work is done in front of it: STATE, a struct emitter, writes all. */
void emitter_open(void *state, struct flow *flow, const void *options, struct out *out);

#endif
