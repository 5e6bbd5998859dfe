/* buf.h - a growing byte buffer. */
#ifndef PROFPIPE_BUF_H
#define PROFPIPE_BUF_H

#include "base/str.h"

/* All zero is an empty buffer. */
struct buf {
    char *p;
    size_t n;
    size_t capacity;
};

/* Makes room for N more bytes and returns where to write them; n does not change. */
char *buf_reserve(struct buf *b, size_t n);

/* Appends the bytes of S. */
void buf_add(struct buf *b, struct str s);

/* Frees what B holds and leaves an empty buffer. */
void buf_free(struct buf *b);

/* The same for each of the arguments, and for COUNT of BUFS. */
#define BUF_FREE(...)                                                                              \
    buf_free_each((struct buf *[]){__VA_ARGS__},                                                   \
                  sizeof((struct buf *[]){__VA_ARGS__}) / sizeof(struct buf *))
void buf_free_each(struct buf *const bufs[], size_t count);

/* The bytes of B, valid until it grows or is freed. */
static inline struct str buf_str(const struct buf *b)
{
    return (struct str){b->p != NULL ? b->p : "",
                        b->n}; /* p is never null: that means "no string" */
}

#endif
