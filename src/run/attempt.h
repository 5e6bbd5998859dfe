/* attempt.h - work on one input of many, which may turn out to be bad. */
#ifndef PROFPIPE_ATTEMPT_H
#define PROFPIPE_ATTEMPT_H

#include <stdbool.h>

/* Calls WHAT(WITH).  False where that ended in an error of the input, which has been reported: all
 * that it allocated, and what hangs on that (mem_alloc_holder), has then been given back, and what
 * it counted as lost is forgotten.  Wrong usage and failures of the system still end the tool. */
bool attempt(void (*what)(void *), void *with);

/* Whether that is going on: what comes of it is for nobody. */
bool attempt_is_on(void);

#endif
