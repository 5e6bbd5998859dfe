/* side_lists.h - the files of two sides as lists name them: --base-from and --new-from. */
#ifndef PROFPIPE_SIDE_LISTS_H
#define PROFPIPE_SIDE_LISTS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a side has a list. */
bool side_lists_are_given(void);

/* The option that gives the first list, with dashes; there must be one. */
const char *side_lists_option(void);

/* Checks the COUNT OPERANDS beside lists: the files of the side without a list. HAS_DASHES: "--" is
 * among them. Ends the tool (STATUS_USAGE) if there are none, or one too many. */
void side_lists_check(char **operands, int count, bool has_dashes);

/* Returns the files of base, then those of new, and stores how many they are: of lists, whose names
 * end in NUL if NUL_ENDED, and *COUNT OPERANDS. They stay until the tool ends. Ends it if a list
 * cannot be read (STATUS_SYSTEM), or has no name (STATUS_INPUT). */
char **side_lists_read(char **operands, int *count, size_t *base_count, bool nul_ended);

#endif
