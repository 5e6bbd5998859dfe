/* spools.h - many strands of bytes in one spool.  Each strand grows and is read independently.
 * The memory for a strand is a small fraction of its length. */
#ifndef PROFPIPE_SPOOLS_H
#define PROFPIPE_SPOOLS_H

#include "base/buf.h"
#include "base/out.h"

#include <stdint.h>

struct spools;

/* The bytes of memory that an empty strand takes. */
enum { SPOOLS_STRAND = 64 };

/* Opens a set of no strands.  All functions end the tool (STATUS_SYSTEM) if the system refuses. */
struct spools *spools_open(void);

/* Adds a strand; returns its number, from 0. */
uint32_t spools_begin(struct spools *s);

/* Appends BYTES to STRAND, which must not have been read yet. */
void spools_write(struct spools *s, uint32_t strand, struct str bytes);

/* How many bytes STRAND has. */
uint64_t spools_size(const struct spools *s, uint32_t strand);

/* The position of a reader in a strand; start with {.strand = STRAND}. */
struct spools_walk {
    uint32_t strand;
    size_t block;     /* the next one */
    struct str left;  /* the unread part of the one before */
    struct buf bytes; /* which is stored here */
};

/* Reads N bytes to TO; false if fewer are left in the strand. */
bool spools_read(struct spools *s, struct spools_walk *walk, void *to, size_t n);

/* Frees what WALK holds. */
void spools_leave(struct spools_walk *walk);

/* Writes the whole STRAND to OUT. */
void spools_copy(struct spools *s, uint32_t strand, struct out *out);

/* Closes S and frees its space. */
void spools_close(struct spools *s);

#endif
