/* pack.h - gzip or zlib compression, in blocks of a fixed size, on several threads if possible.
 *
 * The output depends only on the bytes and the level, not on the number of threads or the pieces
 * in which the bytes arrive.  Each block starts with the end of the previous one as its
 * dictionary, so blocks cost little compression. */
#ifndef PROFPIPE_PACK_H
#define PROFPIPE_PACK_H

#include <stddef.h>

struct pack;

enum pack_kind { PACK_GZIP, PACK_ZLIB };

/* Starts a gzip member, without name or time, or a zlib stream, of LEVEL 1 to 9.  Its bytes go
 * to WRITE(WITH, ...) in order, on the thread that calls the functions below.  Ends the tool
 * (STATUS_SYSTEM) if memory is refused. */
struct pack *pack_open(enum pack_kind kind, int level,
                       void (*write)(void *with, const char *p, size_t n), void *with);

/* Adds N bytes. */
void pack_add(struct pack *p, const char *bytes, size_t n);

/* Waits until the other threads have compressed what was added, and writes it. */
void pack_finish(struct pack *p);

/* Writes the rest, ends the member and frees P. */
void pack_close(struct pack *p);

#endif
