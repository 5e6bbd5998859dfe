#include "base/gunzip.h"

#if HAVE_LIBDEFLATE

#    include "base/bits.h"
#    include "base/recycle.h"

#    include <libdeflate.h>

/* RFC 1952: the offset of the flags, the size of the header and of the trailer, and the flag for
 * a header with a checksum, which libdeflate does not check. */
enum { FLAGS = 3, HEAD = 10, TAIL = 8, HAS_CHECKSUM = 2 };

/* RFC 1951: the maximum size of the output of one byte. */
enum { RATIO = 1032 };

/* The size that the trailer of RAW declares.  Only inflating shows whether it is true. */
static size_t size_said(struct str raw)
{
    return (size_t)(bits_load(raw.p + raw.n - TAIL) >> 32);
}

struct str gunzip(struct str raw, size_t max, size_t padding)
{
    struct str none = {NULL, 0};
    if (raw.n < HEAD + TAIL || (raw.p[FLAGS] & HAS_CHECKSUM) != 0)
        return none;
    size_t size = size_said(raw), used, n;
    if (size > max || size / RATIO > raw.n)
        return none;
    struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
    char *to = d == NULL ? NULL : recycle_take(size + padding);
    bool good = to != NULL && libdeflate_gzip_decompress_ex(d, raw.p, raw.n, to, size, &used, &n) ==
                                  LIBDEFLATE_SUCCESS;
    libdeflate_free_decompressor(d);
    if (!good || used != raw.n) {
        recycle_give(to);
        return none;
    }
    memset(to + n, 0, padding);
    return (struct str){to, n};
}

#else

struct str gunzip(struct str raw, size_t max, size_t padding)
{
    (void)raw, (void)max, (void)padding;
    return (struct str){NULL, 0};
}

#endif
