#include "base/arena.h"

#include "base/mem.h"

struct arena_chunk {
    struct arena_chunk *older;
    size_t size;
    char bytes[];
};

/* Small at first, to keep short streams cheap; later large enough that the cost of malloc
 * vanishes. */
enum { CHUNK_FIRST = 4 << 10, CHUNK_MAX = 1 << 20 };

static void start_chunk(struct arena *a, struct arena_chunk *c)
{
    a->free = c->bytes;
    a->end = c->bytes + c->size;
}

void *arena_alloc(struct arena *a, size_t size)
{
    size_t rounded = (size + 7) & ~(size_t)7;
    if ((size_t)(a->end - a->free) < rounded || a->chunks == NULL) {
        size_t chunk = a->chunks == NULL ? CHUNK_FIRST : a->chunks->size * 2;
        if (chunk > CHUNK_MAX)
            chunk = CHUNK_MAX;
        if (chunk < rounded)
            chunk = rounded;
        struct arena_chunk *c = mem_alloc(sizeof *c + chunk);
        *c = (struct arena_chunk){.older = a->chunks, .size = chunk};
        a->chunks = c;
        start_chunk(a, c);
    }
    void *p = a->free;
    a->free += rounded;
    return p;
}

struct str arena_copy(struct arena *a, struct str s)
{
    char *copy = arena_alloc(a, s.n + 1);
    if (s.n != 0)
        memcpy(copy, s.p, s.n);
    copy[s.n] = '\0';
    return (struct str){copy, s.n};
}

void arena_clear(struct arena *a)
{
    if (a->chunks == NULL)
        return;
    while (a->chunks->older != NULL) {
        struct arena_chunk *older = a->chunks->older;
        a->chunks->older = older->older;
        mem_free(older);
    }
    start_chunk(a, a->chunks);
}

void arena_free(struct arena *a)
{
    arena_clear(a);
    mem_free(a->chunks);
    *a = (struct arena){0};
}
