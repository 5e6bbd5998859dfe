/* define.h - sources, functions and locations that wait until something refers to them.  For
 * stages that drop samples or frames: rows that nothing refers to any more are not written.
 *
 * Rows arrive with ids from the merge (merge.h) and are stored.  Before the first row that
 * refers to them they are pushed with new ids, dense and in order of appearance.  A location is
 * pushed again, under another id, if it is now inlined into another location because frames
 * between were dropped.  Memory is proportional to the distinct rows. */
#ifndef PROFPIPE_DEFINE_H
#define PROFPIPE_DEFINE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/idmap.h"
#include "stream/sink.h"

/* The tables whose rows are stored. */
enum define_table { DEFINE_SOURCES, DEFINE_FUNCTIONS, DEFINE_LOCATIONS, DEFINE_COUNT };

/* The rows of one table, by id - 1. */
struct define_rows {
    struct row *rows; /* their strings live in the arena */
    uint32_t *ids;    /* the new id of each that was pushed unchanged; 0: not yet */
    size_t row_capacity, id_capacity;
    uint32_t count;  /* of rows */
    uint32_t pushed; /* the last new id */
};

struct define {
    struct sink *next;
    struct arena arena;
    struct define_rows tables[DEFINE_COUNT];
    uint32_t *into; /* by id - 1 of a location: what it is inlined into; 0: nothing */
    size_t into_capacity;
    /* From a location and the new id of what it is inlined into, to the new id of that location. */
    struct idmap inlined;
    uint32_t *chain; /* locations to push after those that they are inlined into */
    int64_t *left;   /* the new ids of a stack */
    size_t chain_capacity, left_capacity;
    struct buf extra;
};

/* Starts with no rows; pushes to NEXT. */
struct define define_of(struct sink *next);

/* Copies everything that ROW, of any table but those with stacks, borrows to ARENA. */
void define_own(struct row *row, struct arena *arena);

/* Stores ROW, of one of these tables. */
void define_keep(struct define *d, const struct row *row);

/* The row of TABLE, one of these, that arrived with ID; its strings live until define_clear. */
const struct row *define_row(const struct define *d, enum table table, int64_t id);

/* The new id of that row.  Pushes the row first, and all rows that it refers to, if that is
 * still to do. */
int64_t define_use(struct define *d, enum table table, int64_t id);

/* Replaces the ids of the COUNT locations at IDS by the new ones; no frame was dropped. */
void define_use_all(struct define *d, int64_t *ids, size_t count);

/* Keeps only the COUNT frames of SAMPLE's stack at the indexes PLACES, from 0 and rising, and
 * gives them new ids.  If the frame that one is inlined into is gone, it becomes inlined into
 * the next outer one that is left of the same inlined call, if any. */
void define_use_left(struct define *d, struct sample *sample, const uint32_t *positions,
                     size_t count);

/* Removes all rows, for the next profile. */
void define_clear(struct define *d);

/* Frees what D holds. */
void define_free(struct define *d);

#endif
