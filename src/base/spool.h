/* spool.h - bytes that wait until what goes before them is known: on disk, if they are
 * many.  All spools of a process share one file, which has no name. */
#ifndef PROFPIPE_SPOOL_H
#define PROFPIPE_SPOOL_H

#include "base/out.h"
#include "base/str.h"

#include <stdint.h>

struct spool;

/* The folder for temporary files: $TMPDIR or /tmp. */
const char *spool_folder(void);

/* Makes the file in spool_folder() now, for who may not be able to make one later (confine.h).  Where it cannot be
 * made, that is said when it is needed. */
void spool_prepare(void);

/* A new spool.  What is more than a little goes to the file.  All functions end the tool
 * (STATUS_SYSTEM) when the system refuses. */
struct spool *spool_open(void);

/* The same, with up to MEMORY bytes of it in memory. */
struct spool *spool_open_in(size_t memory);

/* Appends BYTES, wherever it is read. */
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
