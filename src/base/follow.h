/* follow.h - --follow: more input is waited for, until the user interrupts the tool. */
#ifndef PROFPIPE_FOLLOW_H
#define PROFPIPE_FOLLOW_H

#include <stdbool.h>

/* How long a wait is at most, in milliseconds. */
enum { FOLLOW_MOMENT = 250 };

/* From now on an interrupt (SIGINT or SIGTERM) does not end the process, but what waits for input; a second
 * one does end it. */
void follow_start(void);

/* Whether follow_start was called. */
bool follow_is_on(void);

/* Whether there was an interrupt since. */
bool follow_is_over(void);

/* Waits a moment, in which input may come, or an interrupt. Returns false if there was one, or if
 * nothing is followed. */
bool follow_wait(void);

#endif
