/* progress.h - the bar of --progress. */
#ifndef PROFPIPE_PROGRESS_H
#define PROFPIPE_PROGRESS_H

/* Draws a bar of how much of the COUNT files PATHS has been read, if standard error is a
 * terminal and the work takes more than a second. */
void progress_start(char **paths, int count);

/* Removes the bar. */
void progress_stop(void);

#endif
