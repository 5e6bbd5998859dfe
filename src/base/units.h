/* units.h - units of values that convert into each other. */
#ifndef PROFPIPE_UNITS_H
#define PROFPIPE_UNITS_H

#include "base/str.h"

#include <stdint.h>

/* How many of the unit TO make one of the unit FROM (canonical text); 0 where that is no whole
 * number, or they do not convert. */
int64_t units_in(struct str from, struct str to);

/* The finest unit that UNIT converts to, so that units convert into each other if theirs are equal: bytes of text that
 * lives on, or UNIT itself where it converts to no other. */
struct str units_finest(struct str unit);

/* Nanoseconds in one UNIT of time; 0 when it is none. */
int64_t units_nanoseconds(struct str unit);

#endif
