/* judge.h - gates (gate.h) between two sides.
 *
 * Gates may be about several types: each is compared by itself, and all are judged together. */
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

/* Whether G is about the type that S compares: by its unit, or because it names none and IS_SHOWN,
 * the type of the table. */
bool judge_is_about(const struct gate *g, const struct sides *s, bool is_shown);

/* Ends the tool (STATUS_USAGE) if a gate in G about the type of S asks for significance and S has
 * too few runs for a test. */
void judge_check(const struct gates *g, const struct sides *s, bool is_shown);

/* What gates judge. All zero is nothing. */
struct judge {
    struct judge_item *items;
    size_t count, capacity;
    struct buf names;
    bool is_untested; /* there are too few runs, which has been reported */
};

/* Adds what gates in G about the type of S judge. Reports what they cannot judge; returns true if
 * there was anything. */
bool judge_take(struct judge *j, struct gates *g, const struct sides *s, bool is_shown,
                const struct judge_how *how);

/* Reports what grew more than a gate allows, and frees what J holds. Returns true if anything was
 * reported. Points are points of shares; all else is cost. Significant means p < 0.05 after Holm's
 * correction for all that was taken and is not the same in all runs of both sides. The correction
 * is weighted by the square root of the share of both sides: a function that costs a hundred times
 * as much as another gets ten times its part of the 5 % error rate. */
bool judge_decide(struct judge *j);

#endif
