/* admit.h - decides which runs are compared: those that measured something, each once. */
#ifndef PROFPIPE_ADMIT_H
#define PROFPIPE_ADMIT_H

#include "compare/sides.h"

/* What the source ROW says: a digest of its content, when it was taken, and how long it took. */
struct sides_facts admit_facts(const struct row *row, struct place where);

/* Adds the content and duration of a source to RUN, which it is, or is part of. */
void admit_join(struct sides_run *run, const struct sides_facts *facts);

/* Adds SAMPLE to the content of RUN, but for its labels: they may be all that tells copies of
 * one file apart. */
void admit_sample(struct sides_run *run, const struct sample *sample, struct place where);

/* Decides for each run of S whether it counts, after all samples have come. Runs that count get
 * their places and weights.
 *
 * A run without values of the compared type does not count. A run without samples of a sampled
 * type, such as cpu, measured nothing and does not count either; that is not a 0. A run that lists
 * another type, such as the delay of locks, and has no value of it is a true 0. Runs of one side
 * with equal content count as one: a copy says nothing about the spread. If such runs have
 * timestamps that is an error (STATUS_INPUT) unless HOW allows it; else it is a warning. */
void admit_runs(struct sides *s, const struct sides_how *how);

/* Appends to TO the name of RUN, one of S, for messages. */
void admit_add_name(const struct sides *s, const struct sides_run *run, struct buf *to);

#endif
