/* spools.h - many strands of bytes that wait, in one spool: each grows by itself, and is read by itself.  Memory
 * is a small part of a strand, whatever its length. */
#ifndef PROFPIPE_SPOOLS_H
#define PROFPIPE_SPOOLS_H

#include "base/buf.h"
#include "base/out.h"

#include <stdint.h>

struct spools;

/* No strands yet.  All functions end the tool (STATUS_SYSTEM) when the system refuses. */
struct spools *spools_open(void);

/* Begins another strand; returns its number, from 0. */
uint32_t spools_begin(struct spools *s);

/* Appends BYTES to STRAND, which nobody has read. */
void spools_write(struct spools *s, uint32_t strand, struct str bytes);

/* How many bytes STRAND has. */
uint64_t spools_size(const struct spools *s, uint32_t strand);

/* Where somebody reads a strand: begins as {.strand = STRAND}. */
struct spools_walk {
    uint32_t strand;
    size_t block;     /* the next one */
    struct str left;  /* of the one before */
    struct buf bytes; /* which is there */
};

/* Reads N bytes to TO; false at the end of the strand, where fewer are left. */
bool spools_read(struct spools *s, struct spools_walk *walk, void *to, size_t n);

/* Frees what WALK holds. */
void spools_leave(struct spools_walk *walk);

/* Writes all that is in STRAND to OUT. */
void spools_copy(struct spools *s, uint32_t strand, struct out *out);

/* Closes S and gives its space back. */
void spools_close(struct spools *s);

#endif
