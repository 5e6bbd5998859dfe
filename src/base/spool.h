/* spool.h - bytes that wait until what goes before them is known: on disk, if they are
 * many. */
#ifndef PROFPIPE_SPOOL_H
#define PROFPIPE_SPOOL_H

#include "base/out.h"
#include "base/str.h"

#include <stdint.h>

struct spool;

/* A new spool.  What is more than a little goes to an unlinked file in $TMPDIR or /tmp.  All functions
 * end the tool (STATUS_SYSTEM) when the system refuses. */
struct spool *spool_open(void);

/* The same, with up to MEMORY bytes of it in memory. */
struct spool *spool_open_in(size_t memory);

/* Appends BYTES. */
void spool_write(struct spool *s, struct str bytes);

/* Goes back to the start, to read. */
void spool_rewind(struct spool *s);

/* The same, but to the byte AT, from 0. */
void spool_seek(struct spool *s, uint64_t at);

/* Reads N bytes to TO; false at the end of the spool. */
bool spool_read(struct spool *s, void *to, size_t n);

/* Reads up to N bytes to TO; returns how many there were, 0 at the end. */
size_t spool_read_some(struct spool *s, void *to, size_t n);

/* Writes all that is in S to OUT. */
void spool_copy(struct spool *s, struct out *out);

/* Closes S and gives its disk space back. */
void spool_close(struct spool *s);

#endif
