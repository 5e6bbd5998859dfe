/* progress.h - the bar of --progress. */
#ifndef PROFPIPE_PROGRESS_H
#define PROFPIPE_PROGRESS_H

/* Draws how far the reading of PATHS, COUNT of them, has come, on standard error when that is a
 * terminal, and once the work has taken a second. */
void progress_start(char **paths, int count);

/* Wipes the bar away. */
void progress_stop(void);

#endif
