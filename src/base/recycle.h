/* recycle.h - large buffers that are needed for a moment, file after file: what is let go of serves the next.
 * From the system each would be new pages, and between smaller blocks that stay each would leave a
 * hole.  Any thread may use them; mem.h knows nothing of them. */
#ifndef PROFPIPE_RECYCLE_H
#define PROFPIPE_RECYCLE_H

#include <stddef.h>

/* A buffer of SIZE bytes or more; NULL where memory is refused. */
char *recycle_take(size_t size);

/* Lets go of BUFFER, which may be NULL. */
void recycle_give(char *buffer);

/* Frees what nobody uses. */
void recycle_free(void);

#endif
