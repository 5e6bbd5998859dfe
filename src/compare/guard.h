/* guard.h - detects comparisons of different things, whose figures say nothing about the
 * program. */
#ifndef PROFPIPE_GUARD_H
#define PROFPIPE_GUARD_H

#include "compare/sides.h"

/* Reports problems of S: as errors if IS_GATE, else as warnings. Returns true if there is a problem
 * that no gate may pass: a side or run has no values, or none of the compared type; sources differ
 * in kind or period; the share without a name has doubled and grown by MIN_SHARE or more. Problems
 * that the program itself may have caused are always warnings: costs that differ by more than a
 * factor of two, more cut stacks, runs that were not taken alternately. */
bool guard_finds(const struct sides *s, double min_share, bool is_gate);

/* Reports, as errors, sides and runs of S that lack values of the compared type; returns true if
 * there are any. This is what guard_finds says of another type of the same runs. */
bool guard_finds_missing(const struct sides *s);

#endif
