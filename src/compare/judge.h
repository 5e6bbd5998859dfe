/* judge.h - a gate (gate.h) between two sides. */
#ifndef PROFPIPE_JUDGE_H
#define PROFPIPE_JUDGE_H

#include "compare/sides.h"
#include "summary/gate.h"

/* Ends the tool (STATUS_USAGE) where G asks for significance and S has too few runs for a test. */
void judge_check(const struct gate *g, const struct sides *s);

/* Says what has grown more than G allows, if anything has; true if there was something.  Functions are judged by
 * their shares, or BY_COST, unless G limits points; those with a share of less than MIN_SHARE are not.
 * Significant is what has p < 0.05 after Holm's correction for all functions that G judges. */
bool judge_finds(struct gate *g, const struct sides *s, bool by_cost, double min_share);

#endif
