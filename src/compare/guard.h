/* guard.h - what makes a comparison one of different things, so that its figures say nothing of the program. */
#ifndef PROFPIPE_GUARD_H
#define PROFPIPE_GUARD_H

#include "compare/sides.h"

/* Says what is wrong with S: as warnings, or as errors where IS_GATE.  True where it is such that no gate may be
 * passed: a side or a run has nothing, or nothing of the type of values that is compared, sources differ in
 * what they are or in their period, or what has no name has doubled its share, by MIN_SHARE or more.  What may
 * as well be the program's own doing is a warning always: costs that are more than twice apart, more cut
 * stacks, and runs that were not taken alternately. */
bool guard_finds(const struct sides *s, double min_share, bool is_gate);

#endif
