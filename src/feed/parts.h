/* parts.h - inputs that are read on several threads: runs of inputs that follow each other, one for
 * each thread, come to a part each (part.h).  The main thread reads the first run itself, and the
 * parts of the others are pushed after it, in order.  What a thread meets that the main thread has
 * to report, or cannot keep, ends that thread alone: then the main thread reads the inputs from its
 * run on.  So bytes, messages and statuses are those of one thread.  Of very many inputs some follow in
 * further rounds, so that memory does not grow with them. */
#ifndef PROFPIPE_PARTS_H
#define PROFPIPE_PARTS_H

#include "feed/feed.h"
#include "stream/merge.h"

/* As feed(), with MERGE, which is in front of the last stage, as the sink. */
void parts_feed(struct inputs *inputs, const struct feed_request *request, struct merge *merge);

#endif
