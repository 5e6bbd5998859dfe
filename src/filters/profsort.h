/* profsort.h - sorts rows in any order into a stream (profsort(1)). */
#ifndef PROFPIPE_PROFSORT_H
#define PROFPIPE_PROFSORT_H

#include "base/out.h"
#include "feed/feed.h"

/* Reads one profile from each of INPUTS, opened as REQUEST says, and writes it to OUT in stream
 * order, with an end row. Sorts MEMORY bytes of rows at a time (0: the default). Ends the tool
 * (STATUS_INPUT) if a line is not a row, if the version row is missing or occurs twice, or if a
 * promised end is missing. */
void profsort(struct inputs *inputs, const struct feed_request *request, uint64_t memory,
              struct out *out);

#endif
