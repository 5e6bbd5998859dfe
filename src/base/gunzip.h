/* gunzip.h - gzip that is there whole, inflated at once: by libdeflate, in half the time that zlib takes.
 * Built without libdeflate there is none of it, and zlib does it piece by piece (origin.h). */
#ifndef PROFPIPE_GUNZIP_H
#define PROFPIPE_GUNZIP_H

#include "base/str.h"

/* Inflates RAW, if it is one member of gzip and nothing else, its checksum fits, and the bytes in it are at
 * most MAX.  (A few codes that no compressor makes, and zlib refuses, are taken here.)
 * They are the caller's to give back (recycle.h), with zeros behind them, PADDING many; {NULL, 0} where
 * RAW is something else, or memory is refused: zlib then tells what.  Uses no memory of mem.h. */
struct str gunzip(struct str raw, size_t max, size_t padding);

#endif
