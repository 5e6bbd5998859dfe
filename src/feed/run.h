/* run.h - runs a tool: its inputs are read, passed through one stage, and written. */
#ifndef PROFPIPE_RUN_H
#define PROFPIPE_RUN_H

#include "base/out.h"
#include "feed/feed.h"

/* Feeds INPUTS to STAGE, which writes to OUT; OPTIONS are the stage's own, or NULL.  Reports
 * losses (loss.h).  Rows start with a promise of an end, written before anything can fail, and
 * get their end only after everything has succeeded. */
void run_stage(const struct stage *stage, const void *options, struct inputs *inputs,
               const struct feed_request *request, struct out *out);

#endif
