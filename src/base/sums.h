/* sums.h - exact sums of 64-bit integers, in a table of rows and columns that is mostly empty.
 *
 * What a cell holds does not depend on the order in which its values came: where 64 bits do not
 * do it has further ones, and only who reads it decides whether it fits.  Memory is what the
 * cells that are not 0 need, times a small constant, whatever their rows and columns.
 *
 * The first columns of each row stand in pages, found without hashing: that is all of most
 * profiles.  Other columns stand in blocks, in a hash table by (row, block). */
#ifndef PROFPIPE_SUMS_H
#define PROFPIPE_SUMS_H

#include "base/wide.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Columns of a block, and the most that stand in pages: a power of two; rows of a page. */
enum { SUMS_BLOCK = 8, SUMS_PAGE = 1024 };

struct sums_block;

/* All zero is an empty table. */
struct sums {
    int64_t **pages; /* WIDTH columns of each row below ROW_COUNT, SUMS_PAGE rows in each */
    size_t row_count, width, page_capacity;

    struct sums_block *blocks;
    size_t block_count, block_capacity;
    uint32_t *slots; /* open addressing, a power of two: places in blocks, plus 1; 0: free */
    size_t slot_count;
    uint32_t *newest; /* by row: its newest block, as a place in blocks plus 1 */
    size_t newest_count;
};

/* For sums_add. */
void sums_add_far(struct sums *s, uint32_t row, uint32_t column, int64_t value);

/* The first columns of ROW, which is below row_count. */
static inline int64_t *sums_first(const struct sums *s, uint32_t row)
{
    return s->pages[row / SUMS_PAGE] + row % SUMS_PAGE * s->width;
}

/* Adds VALUE to the cell of ROW, from 0, and COLUMN, from 0 and below 2^31. */
static inline void sums_add(struct sums *s, uint32_t row, uint32_t column, int64_t value)
{
    int64_t sum;
    if (row < s->row_count && column < s->width) {
        int64_t *cell = sums_first(s, row) + column;
        if (!__builtin_add_overflow(*cell, value, &sum)) {
            *cell = sum;
            return;
        }
    }
    sums_add_far(s, row, column, value);
}

/* A part of a cell: N, or N times 2^64 where it is HIGH.  The parts of a cell add up to it. */
struct sums_part {
    uint32_t column;
    bool high;
    int64_t n;
};

/* What PART is of its cell. */
static inline struct wide sums_value(const struct sums_part *part)
{
    return part->high ? wide_join(0, part->n) : wide_of(part->n);
}

/* Adds PART to the row ROW. */
void sums_add_part(struct sums *s, uint32_t row, const struct sums_part *part);

/* Has memory bring the first columns of ROW nearer, which will soon be added to. */
static inline void sums_prefetch(const struct sums *s, uint32_t row)
{
    if (row < s->row_count)
        __builtin_prefetch(sums_first(s, row), 1);
}

/* Where a walk over the parts of a row stands: begins as {.row = ROW}. */
struct sums_walk {
    uint32_t row;
    uint32_t block; /* the one in hand, as a place in blocks plus 1; 0: the pages */
    uint32_t next;  /* column in that */
};

/* Takes the next part of the row that is not 0 to *PART; false behind the last. */
bool sums_next(const struct sums *s, struct sums_walk *walk, struct sums_part *part);

/* Frees what S holds and leaves an empty table. */
void sums_free(struct sums *s);

/* A sum of parts times factors, exact: HIGH times 2^64, plus LOW, which is below that.  All zero is
 * 0. */
struct sums_total {
    struct wide high;
    uint64_t low;
};

/* Adds PART times FACTOR to TOTAL. */
void sums_total_add(struct sums_total *total, const struct sums_part *part, int64_t factor);

/* Whether TOTAL fits 64 bits; if so *VALUE is that. */
bool sums_total_fits(const struct sums_total *total, int64_t *value);

#endif
