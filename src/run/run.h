/* run.h - the work of a tool: what its inputs hold goes through one stage to its output. */
#ifndef PROFPIPE_RUN_H
#define PROFPIPE_RUN_H

#include "base/out.h"
#include "run/feed.h"

/* Feeds INPUTS to STAGE, which has OPTIONS of its own or NULL and writes to OUT, and says what was lost
 * on the way (loss.h).  Rows promise an end before anything can fail, and get it when all has gone
 * well. */
void run_stage(const struct stage *stage, const void *options, struct inputs *inputs,
               const struct feed_request *request, struct out *out);

#endif
