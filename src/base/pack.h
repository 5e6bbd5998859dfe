/* pack.h - gzip or zlib, packed in blocks of a fixed size on other threads, if there are any.
 *
 * What comes out depends on the bytes and the level alone: neither on the threads nor on the pieces that the
 * bytes come in.  Each block knows the end of the one before, so little is lost by the borders. */
#ifndef PROFPIPE_PACK_H
#define PROFPIPE_PACK_H

#include <stddef.h>

struct pack;

enum pack_kind { PACK_GZIP, PACK_ZLIB };

/* Begins a member of gzip, without a name or a time, or a stream of zlib, of LEVEL, 1 to 9.  WRITE(WITH, ...) is given its bytes in
 * order, on the thread that calls the functions below.  Ends the tool (STATUS_SYSTEM) where memory is
 * refused. */
struct pack *pack_open(enum pack_kind kind, int level,
                       void (*write)(void *with, const char *p, size_t n), void *with);

/* Adds N bytes from P. */
void pack_add(struct pack *p, const char *bytes, size_t n);

/* Waits for what other threads are packing, and writes it. */
void pack_finish(struct pack *p);

/* Writes what is left, ends the member and frees P. */
void pack_close(struct pack *p);

#endif
