/* profsort.h - rows in any order become a stream (profsort(1)). */
#ifndef PROFPIPE_PROFSORT_H
#define PROFPIPE_PROFSORT_H

#include "base/out.h"
#include "run/feed.h"

/* Writes the one profile of each of INPUTS, which are opened as REQUEST says, to OUT in stream order, with an
 * end row of its own; MEMORY bytes of rows are sorted at a time (0: as many as by default).  Ends the
 * tool (STATUS_INPUT) at what is no row, at a second version row, where there is none, and where a
 * promised end is missing. */
void profsort(struct inputs *inputs, const struct feed_request *request, uint64_t memory,
              struct out *out);

#endif
