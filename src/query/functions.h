/* functions.h - the SQLite functions that a statement may call: those of SQLite that compute values,
 * and ours. */
#ifndef PROFPIPE_FUNCTIONS_H
#define PROFPIPE_FUNCTIONS_H

#include <sqlite3.h>
#include <stdbool.h>

/* Whether NAME, in any case, is one of them. */
bool functions_allow(const char *name);

struct functions;

/* Adds our own to DB: text REGEXP expression, with the expressions of all tools (base/regex.h);
 * and the aggregates median(X), percentile(X, P) with P from 0 to 100, and stddev(X), of a
 * sample. Null values do not count. Free the result with functions_free when no statement of DB
 * runs any more; NULL if SQLite refuses. */
struct functions *functions_add(sqlite3 *db);

void functions_free(struct functions *f);

#endif
