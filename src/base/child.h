/* child.h - a program that is given bytes and answers with others, such as dot(1) of GraphViz.
 *
 * It is started before the tool drops the right to start any (confine.h), and waits for its
 * input. */
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

#endif
