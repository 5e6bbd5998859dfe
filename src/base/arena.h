/* arena.h - memory that is freed all at once. */
#ifndef PROFPIPE_ARENA_H
#define PROFPIPE_ARENA_H

#include "base/str.h"

#include <stddef.h>

struct arena_chunk;

/* All zero is an empty arena. */
struct arena {
    struct arena_chunk *chunks; /* newest first */
    char *free, *end;           /* the unused part of the newest */
};

/* SIZE bytes, aligned to 8, not cleared, valid until arena_clear or arena_free. */
void *arena_alloc(struct arena *a, size_t size);

/* A copy of S in the arena, followed by a NUL: strtod reads copies of numbers. */
struct str arena_copy(struct arena *a, struct str s);

/* Forgets everything but keeps one chunk for the next use. */
void arena_clear(struct arena *a);

/* Frees all memory and leaves an empty arena. */
void arena_free(struct arena *a);

#endif
