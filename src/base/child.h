/* child.h - a program that is given bytes and answers with others, such as dot(1) of GraphViz, or
 * that only writes.
 *
 * Its process is made before the tool drops the right to make any (confine.h), and waits for its
 * input, or until its output is wanted. */
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

/* Whether there is a PROGRAM, searched for in $PATH, that may be started; else sets errno. */
bool child_can_start(const char *program);

/* Makes a process that waits until its output is taken and then calls RUN(WITH), a copy of what they
 * are now. It ends when the tool ends, however that does. It has no input; its messages are kept in a
 * temporary file. RUN must end in another program or in _exit(), and never in diag.h or mem.h, which
 * would clean up for the tool. Call it before any thread is started. Returns NULL, with errno set, if
 * the process cannot be made. */
struct child *child_open(void (*run)(const void *with), const void *with);

/* Lets C, from child_open, run, and takes the descriptor of its output, which the caller then
 * owns. */
int child_take_output(struct child *c);

/* Waits until C, from child_open, has ended, and frees it. False if it did not end with status 0:
 * then appends the last line of its messages to SAID. */
bool child_end(struct child *c, struct buf *said);

#endif
