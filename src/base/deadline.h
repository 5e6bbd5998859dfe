/* deadline.h - the time that a tool may take, all in all: --timeout. */
#ifndef PROFPIPE_DEADLINE_H
#define PROFPIPE_DEADLINE_H

/* Ends the tool (STATUS_SYSTEM), whatever it does then, SECONDS from now, which are from 0.000001 to 10^8; SAID, which
 * must stay valid, is what a message calls them.  What a tool has not finished is removed, as where it dies. */
void deadline_start(double seconds, const char *said);

/* What the tool waits for, a file that others have locked, for the message; NULL where it goes on.  NAME must stay valid
 * until then. */
void deadline_waits_for(const char *name);

/* Takes the time limit back: what is done is done. */
void deadline_end(void);

#endif
