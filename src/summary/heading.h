/* heading.h - what tables and pictures say above themselves: what they show, and of how much. */
#ifndef PROFPIPE_HEADING_H
#define PROFPIPE_HEADING_H

#include "base/wide.h"
#include "summary/collect.h"

/* Appends to TO the type that C, which is settled, has chosen, and how many samples had ALL of it, as people read
 * it: samples are what the type samples/count comes to; where not all have that, rows are counted as records. */
void heading_add(struct buf *to, const struct collect *c, struct wide all);

/* The end of that: appends to TO how many samples of C have no stack, if some have none. */
void heading_add_stackless(struct buf *to, const struct collect *c);

/* Warns of sources that have no values of the type that is shown, and of such a type that would be shown first. */
void heading_warn(const struct collect *c);

#endif
