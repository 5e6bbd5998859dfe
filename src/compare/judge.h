/* judge.h - gates (gate.h) between two sides. */
#ifndef PROFPIPE_JUDGE_H
#define PROFPIPE_JUDGE_H

#include "compare/sides.h"
#include "summary/gate.h"

struct judge_how {
    double min_share; /* functions with less of both sides together are not judged */
    bool untested; /* differences are judged as they stand where there are too few runs for tests */
    bool absent_ok;   /* what a gate names may not be there, or too little to be judged */
    bool allow_equal; /* that both sides are equal is not spoken of */
};

/* Ends the tool (STATUS_USAGE) where one of G asks for significance and S has too few runs for a test. */
void judge_check(const struct gates *g, const struct sides *s);

/* Says what has grown more than G allow, and which of them judge nothing; true if there was something.  Points are
 * of shares, and all else is of cost.  Significant is what has p < 0.05 after Holm's correction for all that G
 * judge together, weighed by the root of the share of both sides: a function that costs a hundred times what another does
 * gets ten times the part of the 5 % that may fail by chance. */
bool judge_finds(struct gates *g, const struct sides *s, const struct judge_how *how);

#endif
