/* survive.h - how tests and fuzzers outlive die(), see what was said, and refuse memory.
 *
 * The linker's --wrap gives calls out of the library to this file: of the allocator, and of what
 * allocates inside the C library, so that any allocation can be made to fail; of reads and writes at
 * a place of a file, which do less than they are asked to, as they may; and of the messages, which
 * are kept. */
#ifndef PROFPIPE_SURVIVE_H
#define PROFPIPE_SURVIVE_H

#include "base/diag.h"

/* What the code under test has said since survive() was called. */
struct said {
    unsigned warnings;
    char message[512]; /* the last warning or error, without the place in front */
    struct place where;
};
extern struct said said;

/* Calls WHAT(WITH) and returns how it ended: STATUS_OK where it returned, else the status that it
 * died with.  What it allocated stays until tidy(). */
enum status survive(void (*what)(void *), void *with);

/* For tests that read a hundred thousand times: windows and buffers that are freed are kept from the system, and from
 * meson's MALLOC_PERTURB_. */
void survive_quickly(void);

/* Gives everything back that the code under test holds. */
void tidy(void);

/* The number of the allocation that the next survive() refuses, from 1; 0 for none. */
extern uint64_t survive_refuse;

/* The number of allocations in the last survive(). */
extern uint64_t survive_allocations;

/* Counts an allocation that the linker does not give to this file; true if it is refused. */
bool survive_refuses(void);

#endif
