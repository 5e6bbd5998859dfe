/* units.h - conversion between units of values. */
#ifndef PROFPIPE_UNITS_H
#define PROFPIPE_UNITS_H

#include "base/str.h"

#include <stdint.h>

/* How many TO one FROM is, both units as canonical text; 0 if that is no integer, or they do not
 * convert. */
int64_t units_in(struct str from, struct str to);

/* The finest unit that UNIT converts to: two units convert into each other if theirs are equal.
 * Static text, or UNIT itself if it converts to no other. */
struct str units_finest(struct str unit);

/* Nanoseconds in one UNIT of time; 0 if it is no unit of time. */
int64_t units_nanoseconds(struct str unit);

/* The same for a unit that a user writes: m and h are units, too. */
int64_t units_typed_nanoseconds(struct str unit);

#endif
