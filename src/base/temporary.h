/* temporary.h - files for what does not fit in memory.  No error and no signal that can be caught
 * leaves a name behind. */
#ifndef PROFPIPE_TEMPORARY_H
#define PROFPIPE_TEMPORARY_H

/* The folder for temporary files: $TMPDIR or /tmp. */
const char *temporary_folder(void);

/* Makes a file without a name in temporary_folder(), for reading and writing.  Returns its
 * descriptor, which the caller closes; -1 with errno if that fails. */
int temporary_make(void);

/* The same for who can open a file only by name: calls USE, unless NULL, with its path and TO.  When
 * USE has returned the name is gone.  Until then all signals wait, and USE must not end the tool. */
int temporary_make_named(void (*use)(const char *path, void *to), void *to);

#endif
