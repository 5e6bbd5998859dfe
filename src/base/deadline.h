/* deadline.h - the time limit for the whole run: --timeout. */
#ifndef PROFPIPE_DEADLINE_H
#define PROFPIPE_DEADLINE_H

/* Ends the tool (STATUS_SYSTEM) in SECONDS, which are from 0.000001 to 10^8, whatever it is
 * doing then.  Messages call the limit SAID, which must stay valid.  Unfinished output is
 * removed, as after any error. */
void deadline_start(double seconds, const char *said);

/* Sets what the tool is waiting for, such as a file that others have locked, for the message;
 * NULL when it no longer waits.  NAME must stay valid until then. */
void deadline_waits_for(const char *name);

/* Cancels the time limit: the work is done. */
void deadline_end(void);

#endif
