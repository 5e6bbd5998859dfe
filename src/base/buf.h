/* buf.h - a run of bytes that grows. */
#ifndef PROFPIPE_BUF_H
#define PROFPIPE_BUF_H

#include "base/str.h"

/* All zero is an empty one. */
struct buf {
    char *p;
    size_t n;
    size_t capacity;
};

/* Room for N more bytes behind the end; returns where they go (n does not change). */
char *buf_reserve(struct buf *b, size_t n);

/* Appends the bytes of S. */
void buf_add(struct buf *b, struct str s);

/* Frees what B holds and makes it an empty one. */
void buf_free(struct buf *b);

/* What B holds, until it grows or is freed. */
static inline struct str buf_str(const struct buf *b)
{
    return (struct str){b->p != NULL ? b->p : "", b->n}; /* never "no string" */
}

#endif
