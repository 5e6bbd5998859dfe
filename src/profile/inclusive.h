/* inclusive.h - which types hold values that include what was called.
 *
 * Profilers that count functions and calls instead of stacks give the cost of a function twice: its own,
 * as values of a type X, and with all that it called. The latter are values of an inclusive type,
 * which cannot be added up a stack (profile v2, `.value_types`), with one of these names:
 *
 *     inclusive_X            of a stack of one frame: what the function cost, with all that it called;
 *                            of a callee and its caller: what the calls from there cost
 *     inclusive_X_by_caller  the same of calls, where inclusive_X is of functions
 *
 * What a function or call costs itself is a value of the same sample. */
#ifndef PROFPIPE_INCLUSIVE_H
#define PROFPIPE_INCLUSIVE_H

#include "base/str.h"

/* What an inclusive type is about: names of other types, canonical text; empty: none. */
struct inclusive {
    struct str type;      /* X of inclusive_X, whatever X is */
    struct str by_caller; /* X of inclusive_X_by_caller */
};

/* What the type NAME is about; parts of NAME. */
struct inclusive inclusive_of(struct str name);

/* Whether NAME is X_by_caller, and X is TYPE. */
bool inclusive_is_by_caller(struct str name, struct str type);

#endif
