#include "base/buf.h"

#include "base/diag.h"
#include "base/mem.h"

#include <stdint.h>

char *buf_reserve(struct buf *b, size_t n)
{
    if (b->capacity - b->n <= n) { /* never NULL, even for no bytes */
        if (n > SIZE_MAX / 2 - b->n)
            die(CODE_MEMORY, "out of memory: %zu bytes were refused", n);
        b->p = mem_array(b->p, &b->capacity, b->n + n + 1, 1);
    }
    return b->p + b->n;
}

void buf_add(struct buf *b, struct str s)
{
    if (s.n != 0)
        memcpy(buf_reserve(b, s.n), s.p, s.n);
    b->n += s.n;
}

void buf_free(struct buf *b)
{
    mem_free(b->p);
    *b = (struct buf){0};
}

void buf_free_each(struct buf *const bufs[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        buf_free(bufs[i]);
}
