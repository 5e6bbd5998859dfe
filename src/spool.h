/* spool.h - records that wait on disk until what goes before them is known. */
#ifndef PROFPIPE_SPOOL_H
#define PROFPIPE_SPOOL_H

#include "mem.h"
#include "str.h"

#include <stdint.h>

struct spool;

/* A new spool, in an unlinked file in $TMPDIR or /tmp.  All functions end the tool
 * (STATUS_SYSTEM) when the system refuses. */
struct spool *spool_open(void);

/* Appends a record: BYTES, and NUMBER to go with them. */
void spool_add(struct spool *s, struct str bytes, uint32_t number);

/* Goes back to the first record. */
void spool_rewind(struct spool *s);

/* Reads the next record to RECORD and *NUMBER; false after the last. */
bool spool_next(struct spool *s, struct buf *record, uint32_t *number);

/* Closes S and gives its disk space back. */
void spool_close(struct spool *s);

#endif
