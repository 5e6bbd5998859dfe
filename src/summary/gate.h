/* gate.h - what must not be: an expression of --fail-if.  Of one profile it is a budget, such as
 * "total(^json) > 5 points", of two sides a growth, such as "self > 10 % and significant". */
#ifndef PROFPIPE_GATE_H
#define PROFPIPE_GATE_H

#include "profile/match.h"

struct view_totals;

struct gate {
    const char *text; /* as it was given */
    enum { GATE_SELF, GATE_TOTAL, GATE_COST } of;
    bool is_growth; /* LIMIT is of what it was before; else it is a share of all */
    bool is_significant;
    double limit;
    bool has_match;
    struct match match; /* of names, if there is one */
};

/* Makes G, all zero, the expression TEXT: self or total, perhaps an expression for names in parentheses, >, a
 * number, and points.  Where it COMPARES two sides there are cost, and % for points, too, and all may end
 * in "and significant".  Ends the tool (STATUS_USAGE) where it is none. */
void gate_open(struct gate *g, const char *text, bool compares);

/* Whether NAME, bytes, is one that G judges. */
bool gate_has(struct gate *g, struct str name);

/* Warns that G judges none of the names that there are. */
void gate_warn_nobody(const struct gate *g);

/* Says which of the functions of T have more than G allows, if any; true if there was one, or if T, of nothing but
 * zeros, has none that could be judged. */
bool gate_is_passed(struct gate *g, const struct view_totals *t);

void gate_free(struct gate *g);

#endif
