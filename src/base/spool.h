/* spool.h - a queue of bytes that must wait for something else to be written first.  Large ones
 * go to disk.  All spools of a process share one temporary file, which has no name. */
#ifndef PROFPIPE_SPOOL_H
#define PROFPIPE_SPOOL_H

#include "base/out.h"
#include "base/str.h"

#include <stdint.h>

struct spool;

/* Creates the file in temporary_folder() now, because confine() may forbid it later.  If that
 * fails, the error is reported when the file is needed. */
void spool_prepare(void);

/* Opens a spool; more than a few bytes of it go to the file.  All functions end the tool
 * (STATUS_SYSTEM) if the system refuses. */
struct spool *spool_open(void);

/* The same, with up to MEMORY bytes of it in memory. */
struct spool *spool_open_in(size_t memory);

/* Appends BYTES, whatever the position for reading. */
void spool_write(struct spool *s, struct str bytes);

/* Sets the position for reading to the start. */
void spool_rewind(struct spool *s);

/* The same, to the byte AT, from 0. */
void spool_seek(struct spool *s, uint64_t at);

/* Reads N bytes to TO; false at the end of the spool. */
bool spool_read(struct spool *s, void *to, size_t n);

/* Reads up to N bytes to TO; returns how many it read, 0 at the end. */
size_t spool_read_some(struct spool *s, void *to, size_t n);

/* Writes all that is in S to OUT. */
void spool_copy(struct spool *s, struct out *out);

/* Closes S and frees its disk space. */
void spool_close(struct spool *s);

#endif
