/* side_lists.h - the files of two sides as lists name them: --base-from and --new-from. */
#ifndef PROFPIPE_SIDE_LISTS_H
#define PROFPIPE_SIDE_LISTS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a side has a list. */
bool side_lists_are_given(void);

/* The first list, and the option that gives it, with dashes. There must be one. */
const char *side_lists_first(void);
const char *side_lists_option(void);

/* Checks the COUNT OPERANDS: the files of the side without a list. BORDER: how many of them are before
 * "--", which may begin or end them; below 0 without one. Ends the tool (STATUS_USAGE) if there are none,
 * or some too many. */
void side_lists_check(char **operands, int count, int border);

/* Returns the files of base and then those of new, and sets *COUNT to their number and *BASE_COUNT to
 * that of base. A side without a list has the *COUNT OPERANDS. Names in lists end in NUL if NUL_ENDED. All
 * stay until the tool ends. Ends it if a list cannot be opened (STATUS_SYSTEM), or names no file
 * (STATUS_INPUT). */
char **side_lists_read(char **operands, int *count, size_t *base_count, bool nul_ended);

#endif
