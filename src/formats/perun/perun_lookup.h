/* perun_lookup.h - members of an object of JSON, by name. Rows mostly have them in the order of the
 * requests, so the next one is tried first. If another tool has changed the order of a large
 * object, a table avoids searching it each time. */
#ifndef PROFPIPE_PERUN_LOOKUP_H
#define PROFPIPE_PERUN_LOOKUP_H

#include "base/intern.h"

/* An object that is searched. All zero has no members. */
struct perun_lookup {
    struct str members, rest; /* null p: no members; the part after the last one found */
    bool is_indexed;          /* set at the first request out of order */
    struct intern names;      /* the number is the index in VALUES + 1 */
    struct str *values;
    size_t capacity;
};

/* Opens LOOKUP on the object MEMBERS, which must stay valid while it is used. A null p has no
 * members. */
void perun_look(struct perun_lookup *lookup, struct str members);

/* The value of the member NAME; null p if there is none. The time does not grow with the number of
 * members. */
struct str perun_find(struct perun_lookup *lookup, struct str name);

/* Frees what LOOKUP holds. */
void perun_lookup_free(struct perun_lookup *lookup);

#endif
