/* part.h - what some of a tool's inputs come to, read on a thread of their own and kept so that it
 * can be pushed later, as if they were read then.
 *
 * A part is merged (merge.h), with equal samples added up.  It keeps, in the order in which they
 * came, the rows that define something, the losses, the first of all equal samples, and of each
 * source the first sample with the same types of values.  So a stage that gets a part after what
 * came before it sees everything for the first time in the order in which one thread would have
 * pushed it: strings, value types, stacks and losses are numbered alike. Only sums and counts come
 * at once.
 *
 * Memory is proportional to the distinct rows, stacks and sets of labels. */
#ifndef PROFPIPE_PART_H
#define PROFPIPE_PART_H

#include "stream/merge.h"

struct part;

/* A part without any input. */
struct part *part_open(void);

/* Where to push the inputs of P, each as feed() does. While that is done, and while another part is
 * pushed to P, P must be entered: losses of this thread then belong to it. What a part cannot keep
 * leaves the thread (diag_main_only), as do more bytes than are worth keeping of samples that
 * cannot be added up. */
struct sink *part_sink(struct part *p);
void part_enter(struct part *p);

/* Call this after the last input of P. */
void part_finish(struct part *p);

/* Pushes P to MERGE, which has what came before, or to the part INTO, which has. */
void part_push(struct part *p, struct merge *merge);
void part_push_into(struct part *p, struct part *into);

/* Frees P. */
void part_free(struct part *p);

#endif
