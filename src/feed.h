/* feed.h - the loop that pushes: all inputs of a tool, one after the other, into a stage. */
#ifndef PROFPIPE_FEED_H
#define PROFPIPE_FEED_H

#include "inputs.h"
#include "upgrade.h"

struct feed_request {
    bool allow_empty;               /* no input, and none in one of them, is no error */
    bool as_is;                     /* profiles of version 1.x are not upgraded */
    struct upgrade_request upgrade; /* if they are */
};

/* Pushes the profiles of INPUTS to SINK.  Ends the tool (STATUS_INPUT) where there is none. */
void feed(struct inputs *inputs, const struct feed_request *request, struct sink *sink);

#endif
