/* gate.h - what must not be: an expression of --fail-if, such as "total(^json) > 5 points". */
#ifndef PROFPIPE_GATE_H
#define PROFPIPE_GATE_H

#include "profile/match.h"
#include "summary/view.h"

struct gate {
    const char *text; /* as it was given */
    bool is_total;
    double limit; /* a share of all */
    bool has_match;
    struct match match; /* of names, if there is one */
};

/* Makes G, all zero, the expression TEXT: self or total, perhaps an expression for names in parentheses, >, a
 * number, and points.  Ends the tool (STATUS_USAGE) where it is none. */
void gate_open(struct gate *g, const char *text);

/* Says which of the functions of T have more than G allows, if any; true if there was one. */
bool gate_is_passed(struct gate *g, const struct view_totals *t);

void gate_free(struct gate *g);

#endif
