/* sums.h - exact sums of 64-bit integers, in a sparse table of rows and columns.
 *
 * The sum in a cell does not depend on the order of the values: it gets more bits when 64 are
 * too few, and only the reader decides whether it fits.  Memory is proportional to the number of
 * cells that are not 0, whatever their rows and columns.
 *
 * The first columns of each row are in pages, found without hashing: most profiles need no
 * others.  Other columns are in blocks, in a hash table by (row, block). */
#ifndef PROFPIPE_SUMS_H
#define PROFPIPE_SUMS_H

#include "base/wide.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Columns in a block, which is also the maximum in a page, a power of two; and rows in a page. */
enum { SUMS_BLOCK = 8, SUMS_PAGE = 1024 };

struct sums_block;

/* All zero is an empty table. */
struct sums {
    int64_t **pages; /* the first WIDTH columns of the rows below ROW_COUNT, SUMS_PAGE rows each */
    size_t row_count, width, page_capacity;

    struct sums_block *blocks;
    size_t block_count, block_capacity;
    uint32_t *slots; /* open addressing, a power of two: indexes into blocks, plus 1; 0: free */
    size_t slot_count;
    uint32_t *newest; /* by row: its newest block, as an index plus 1 */
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

/* A part of a cell: N, or N times 2^64 if HIGH.  A cell is the sum of its parts. */
struct sums_part {
    uint32_t column;
    bool high;
    int64_t n;
};

/* The value of PART. */
static inline struct wide sums_value(const struct sums_part *part)
{
    return part->high ? wide_join(0, part->n) : wide_of(part->n);
}

/* Adds PART to ROW. */
void sums_add_part(struct sums *s, uint32_t row, const struct sums_part *part);

/* Prefetches the first columns of ROW, which will soon be added to. */
static inline void sums_prefetch(const struct sums *s, uint32_t row)
{
    if (row < s->row_count)
        __builtin_prefetch(sums_first(s, row), 1);
}

/* The state of a walk over the parts of a row; start with {.row = ROW}. */
struct sums_walk {
    uint32_t row;
    uint32_t block; /* the current block, as an index plus 1; 0: the pages */
    uint32_t next;  /* the next column in it */
};

/* Stores the next part of the row that is not 0 in *PART; false after the last. */
bool sums_next(const struct sums *s, struct sums_walk *walk, struct sums_part *part);

/* Whether some cell of S has had more than 64 bits. */
bool sums_is_wide(const struct sums *s);

/* Frees what S holds and leaves an empty table. */
void sums_free(struct sums *s);

/* An exact sum of products of parts and factors: HIGH times 2^64, plus LOW.  All zero is 0. */
struct sums_total {
    struct wide high;
    uint64_t low;
};

/* Adds PART times FACTOR to TOTAL. */
void sums_total_add(struct sums_total *total, const struct sums_part *part, int64_t factor);

/* Whether TOTAL fits 64 bits; if so it is stored in *VALUE. */
bool sums_total_fits(const struct sums_total *total, int64_t *value);

#endif
