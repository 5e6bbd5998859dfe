/* gunzip.h - inflates a whole gzip file in memory at once with libdeflate, in half the time of
 * zlib.  In a build without libdeflate this does nothing, and zlib inflates in pieces
 * (origin.h). */
#ifndef PROFPIPE_GUNZIP_H
#define PROFPIPE_GUNZIP_H

#include "base/str.h"

/* Inflates RAW if it is exactly one gzip member with a correct checksum and at most MAX bytes of
 * content.  (It accepts a few codes that zlib refuses and no compressor makes.)  The result is
 * followed by PADDING zeros, and the caller frees it with recycle_give.  Returns {NULL, 0} if
 * RAW is something else, or memory is refused: zlib then finds out what is wrong.  Uses no
 * memory from mem.h. */
struct str gunzip(struct str raw, size_t max, size_t padding);

#endif
