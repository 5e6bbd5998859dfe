/* functions.h - which functions of SQLite a statement may call. */
#ifndef PROFPIPE_FUNCTIONS_H
#define PROFPIPE_FUNCTIONS_H

#include <stdbool.h>

/* Whether NAME, in upper or lower case, is one of them. */
bool functions_allow(const char *name);

#endif
