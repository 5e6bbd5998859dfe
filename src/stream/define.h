/* define.h - sources, functions and locations that wait until something refers to them, for stages that leave samples
 * or frames out: what nothing refers to any more is not written.
 *
 * Rows come with ids as the merge gives them (merge.h), are kept, and are pushed with ids of their own,
 * dense and in order of appearance, in front of what uses them first.  A location is pushed once more, with
 * another id, where it is inlined into something else than it was: what stood between, or all that did, has
 * been left out.  Memory: what is distinct. */
#ifndef PROFPIPE_DEFINE_H
#define PROFPIPE_DEFINE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/idmap.h"
#include "stream/sink.h"

/* The tables whose rows wait. */
enum define_table { DEFINE_SOURCES, DEFINE_FUNCTIONS, DEFINE_LOCATIONS, DEFINE_COUNT };

/* Those of one table, by id - 1. */
struct define_rows {
    struct row *rows; /* their strings live in the arena */
    uint32_t *ids;    /* under which each was pushed as it came, 0: not yet */
    size_t row_capacity, id_capacity;
    uint32_t count;  /* of rows */
    uint32_t pushed; /* the last id that was given */
};

struct define {
    struct sink *next;
    struct arena arena;
    struct define_rows tables[DEFINE_COUNT];
    uint32_t *into; /* by id - 1 of a location: what it is inlined into, 0: nothing */
    size_t into_capacity;
    struct idmap
        inlined;     /* from a location, and the new id of what it is inlined into, to its own */
    uint32_t *chain; /* locations that wait for what they are inlined into */
    int64_t *left;   /* the new ids of a stack */
    size_t chain_capacity, left_capacity;
    struct buf extra;
};

/* All zero but for these is an empty one that pushes to NEXT. */
struct define define_of(struct sink *next);

/* Copies what ROW, of any table but stacks, borrows to ARENA. */
void define_own(struct row *row, struct arena *arena);

/* Keeps ROW, of one of these tables. */
void define_keep(struct define *d, const struct row *row);

/* The row of TABLE, one of these, that came with ID; its strings live until define_clear. */
const struct row *define_row(const struct define *d, enum table table, int64_t id);

/* The new id of that row, which has been pushed, and all that it refers to. */
int64_t define_use(struct define *d, enum table table, int64_t id);

/* Puts the new ids of the COUNT locations at IDS in their place, each as it came. */
void define_use_all(struct define *d, int64_t *ids, size_t count);

/* Leaves of the stack of SAMPLE the COUNT frames at PLACES, from 0 and rising, with their new ids.  A frame
 * whose outer one is gone is inlined into the next that is left of those that it is part of, if any. */
void define_use_left(struct define *d, struct sample *sample, const uint32_t *places, size_t count);

/* Forgets all rows: the next profile begins. */
void define_clear(struct define *d);

/* Frees what D holds. */
void define_free(struct define *d);

#endif
