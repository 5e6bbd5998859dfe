/* recycle.h - large short-lived buffers: one that is given back serves the next file.  New ones
 * from the system would need fresh pages, and would leave holes between smaller, longer-lived
 * blocks.  Any thread may use these functions; mem.h does not know the buffers. */
#ifndef PROFPIPE_RECYCLE_H
#define PROFPIPE_RECYCLE_H

#include <stddef.h>

/* A buffer of at least SIZE bytes; NULL if memory is refused. */
char *recycle_take(size_t size);

/* Gives BUFFER back; NULL is allowed. */
void recycle_give(char *buffer);

/* Frees all buffers that are not in use. */
void recycle_free(void);

#endif
