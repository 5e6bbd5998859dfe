/* judge.h - gates (gate.h) between two sides. */
#ifndef PROFPIPE_JUDGE_H
#define PROFPIPE_JUDGE_H

#include "compare/sides.h"
#include "summary/gate.h"

struct judge_how {
    double min_share; /* functions with a smaller share of both sides are not judged */
    bool untested;    /* with too few runs for a test, judge the plain difference */
    /* gates may name functions that do not occur, or are too small to be judged */
    bool absent_ok;
    bool allow_equal; /* do not report that both sides are equal */
};

/* Ends the tool (STATUS_USAGE) if a gate in G asks for significance and S has too few runs for a
 * test. */
void judge_check(const struct gates *g, const struct sides *s);

/* Reports what grew more than a gate in G allows, and which gates judge nothing. Returns true if
 * anything was reported. Points are points of shares; all else is cost. Significant means p < 0.05
 * after Holm's correction for all items that G judges. The correction is weighted by the square
 * root of the share of both sides: a function that costs a hundred times as much as another gets
 * ten times its part of the 5 % error rate. */
bool judge_finds(struct gates *g, const struct sides *s, const struct judge_how *how);

#endif
