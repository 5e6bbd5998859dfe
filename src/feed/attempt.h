/* attempt.h - processes one of many inputs, so that an invalid one does not end the tool
 * (--keep-going). */
#ifndef PROFPIPE_ATTEMPT_H
#define PROFPIPE_ATTEMPT_H

#include <stdbool.h>

/* Calls WHAT(WITH).  Returns false if that met an error in the input; the error has then been
 * printed, all memory allocated meanwhile is freed (with what mem_alloc_holder blocks own), and
 * losses counted meanwhile are dropped.  Usage errors and failures of the system still end the
 * tool. */
bool attempt(void (*what)(void *), void *with);

/* Whether attempt() is running: its output is not for the user. */
bool attempt_is_on(void);

#endif
