/* child.h - a program that is given bytes and answers with others, such as dot(1) of GraphViz, or
 * that only writes.
 *
 * It is started before the tool drops the right to start any (confine.h), and waits for its input,
 * or until its output is read. */
#ifndef PROFPIPE_CHILD_H
#define PROFPIPE_CHILD_H

#include "base/buf.h"

struct child;

/* Starts the program WORDS[0], searched for in $PATH, with the arguments after it up to a NULL.
 * Returns NULL, with errno set, if it cannot be started. */
struct child *child_start(const char *const *words);

/* Gives BYTES, all of its input, to C, appends all that it answers to TO, waits until it has ended,
 * and frees C. False if it did not end with status 0, or could not be spoken to. */
bool child_ask(struct child *c, struct str bytes, struct buf *to);

/* The same as child_start for a program that is given nothing; its messages are kept in a temporary
 * file. */
struct child *child_open(const char *const *words);

/* Takes the descriptor of the output of C, which the caller then owns. */
int child_take_output(struct child *c);

/* Waits until C, from child_open, has ended, and frees it. False if it did not end with status 0:
 * then appends the last line of its messages to SAID. */
bool child_end(struct child *c, struct buf *said);

#endif
