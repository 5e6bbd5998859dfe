/* stage.h - what a tool does with profiles: a filter of rows, or the writer of a format. */
#ifndef PROFPIPE_STAGE_H
#define PROFPIPE_STAGE_H

#include "base/out.h"
#include "stream/sink.h"

/* One stage.  Each is a file of its own, filter_NAME.c, or belongs to the format that it writes. */
struct stage {
    /* What is pushed to it: all profiles merged into one (merge.h); those of each input merged
     * into one, which gets an .end row; each profile separately, upgraded to version 2.0
     * (upgrade.h); the same with ids renumbered as in the merge; or each profile as it is. */
    enum {
        STAGE_TAKES_MERGED,
        STAGE_TAKES_INPUTS,
        STAGE_TAKES_EACH,
        STAGE_TAKES_NUMBERED,
        STAGE_TAKES_ANY,
    } takes;

    /* The output is not profile rows.  No .end row is pushed to it, and it writes its output in
     * `close`. */
    bool leaves_rows;

    /* The size in bytes of STATE below, which starts with a struct sink; it is all zero at
     * first. */
    size_t state_size;

    /* Sets STATE up as a stage of FLOW that writes to OUT.  OPTIONS are described in the stage's
     * header; NULL: none. */
    void (*open)(void *state, struct flow *flow, const void *options, struct out *out);

    /* For stages of merged profiles that write rows: writes the samples that STATE still holds,
     * before the .end row and before losses are reported.  May be NULL. */
    void (*finish)(void *state);

    /* Writes what STATE still holds and frees it; may be NULL. */
    void (*close)(void *state);
};

#endif
