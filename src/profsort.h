/* profsort.h - rows in any order become a stream (profsort(1)). */
#ifndef PROFPIPE_PROFSORT_H
#define PROFPIPE_PROFSORT_H

#include "inputs.h"
#include "out.h"

/* Writes the one profile of each of INPUTS to OUT in stream order, with an end row of its own.  Ends
 * the tool (STATUS_INPUT) at what is no row, at a second version row, and where there is none. */
void profsort(struct inputs *inputs, struct out *out);

#endif
