/* functions.h - the SQLite functions that a statement may call. */
#ifndef PROFPIPE_FUNCTIONS_H
#define PROFPIPE_FUNCTIONS_H

#include <stdbool.h>

/* Whether NAME, in any case, is one of them. */
bool functions_allow(const char *name);

#endif
