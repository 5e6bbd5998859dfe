/* stage.h - what a tool does with profiles: a filter between rows and rows, or the writer of a
 * format. */
#ifndef PROFPIPE_STAGE_H
#define PROFPIPE_STAGE_H

#include "base/out.h"
#include "stream/sink.h"

/* One stage.  Each lives in a file of its own, filter_NAME.c, or with the format that it writes. */
struct stage {
    /* What it is pushed: all profiles merged into one (merge.h), or each by itself, as version 2.0
     * whatever it was (upgrade.h), and perhaps with its ids given anew as the merge does it, or as it
     * stands. */
    enum { STAGE_TAKES_MERGED, STAGE_TAKES_EACH, STAGE_TAKES_NUMBERED, STAGE_TAKES_ANY } takes;

    /* Its output is no profile rows.  It is pushed no .end row, and writes its file when it is closed. */
    bool leaves_rows;

    /* Bytes for STATE below, which begins with a struct sink; all zero at first. */
    size_t state_size;

    /* Makes STATE a stage of FLOW that writes to OUT.  OPTIONS are its own, as its header says; NULL:
     * none. */
    void (*open)(void *state, struct flow *flow, const void *options, struct out *out);

    /* Of what takes all profiles merged and stays rows: writes what STATE holds of samples, before the .end
     * row, and before what was lost is told.  May be NULL. */
    void (*finish)(void *state);

    /* Writes what STATE still holds, and frees it; may be NULL. */
    void (*close)(void *state);
};

#endif
