/* arena.h - memory that is given back all at once. */
#ifndef PROFPIPE_ARENA_H
#define PROFPIPE_ARENA_H

#include "base/str.h"

#include <stddef.h>

struct arena_chunk;

/* All zero is an empty arena. */
struct arena {
    struct arena_chunk *chunks; /* newest first */
    char *free, *end;           /* what is left of the newest */
};

/* SIZE bytes, aligned to 8, not cleared, valid until arena_clear or arena_free. */
void *arena_alloc(struct arena *a, size_t size);

/* A copy of S in the arena, with a NUL behind it: strtod reads copies of numbers. */
struct str arena_copy(struct arena *a, struct str s);

/* Forgets everything but keeps one chunk for the next use. */
void arena_clear(struct arena *a);

/* Gives all memory back and leaves an empty arena. */
void arena_free(struct arena *a);

#endif
