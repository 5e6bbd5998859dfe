/* pipe.h - wider pipes. */
#ifndef PROFPIPE_PIPE_H
#define PROFPIPE_PIPE_H

/* Asks for 1 MiB between the two ends when FD is a pipe.  A refusal is of no consequence. */
void pipe_enlarge(int fd);

#endif
