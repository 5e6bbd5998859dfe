/* admit.h - which runs are compared: those that measured something, each once. */
#ifndef PROFPIPE_ADMIT_H
#define PROFPIPE_ADMIT_H

#include "compare/sides.h"

/* Notes in the run of ROW, a source, what tells its contents from others, and how long it took. */
void admit_source(struct sides_run *run, const struct row *row, struct place where);

/* Adds SAMPLE to the contents of RUN. */
void admit_sample(struct sides_run *run, const struct sample *sample);

/* Says of each run of S, which has all its samples, whether it counts, and gives those that do their places and
 * weights.
 *
 * A run that lacks the type of values that is compared does not count, nor does one without a sample of a type that is
 * sampled, such as cpu: it measured nothing, which is no 0.  One that lists another type, such as the delay of locks, and has none
 * of it is a true 0.  Runs of one side with equal contents are one run: what is copied tells nothing of the spread.
 * Where they say when they were taken that is an error (STATUS_INPUT), unless HOW allows it, and elsewhere a warning. */
void admit_runs(struct sides *s, const struct sides_how *how);

/* Appends what messages call RUN, one of S, to TO. */
void admit_add_name(const struct sides *s, const struct sides_run *run, struct buf *to);

#endif
