/* sort.h - sorts the rows of one profile into the order of a stream (profstream(5), ORDER).
 *
 * Each row keeps its line number. Definitions come first, by id, with a location after the one it
 * is inlined into. Then comes each sample with its values, and its locations by depth. What does
 * not fit in memory goes to temporary files. */
#ifndef PROFPIPE_SORT_H
#define PROFPIPE_SORT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/idmap.h"
#include "base/out.h"
#include "base/spool.h"
#include "rows/row.h"

/* Max number of files merged at once. */
enum { SORT_WAYS = 32 };

/* A sorted file being read. */
struct sort_piece {
    struct spool *spool;
    struct buf record; /* its next record */
    unsigned level;    /* number of merges behind it, one after the other */
};

/* All zero except MEMORY is empty. */
struct sort {
    uint64_t memory; /* bytes of text sorted in memory at a time; 0: 44 MiB */

    struct buf records;
    size_t *offsets; /* start of each record */
    size_t count, capacity;
    size_t next;                         /* next record to return from memory */
    struct sort_piece pieces[SORT_WAYS]; /* levels decrease */
    size_t piece_count;
    struct buf taken; /* the record returned last, with padding */

    struct buf line; /* the row being added */
    struct out *line_out;

    struct spool *inlined;  /* inlined locations, until all are known */
    struct idmap positions; /* their ids -> index in CHAINS, from 1 */
    struct sort_inlined *chains;
    size_t chain_count, chain_capacity;
};

/* Adds ROW from line LINE of its input. The caller handles version and .end rows. */
void sort_add(struct sort *s, const struct row *row, uint64_t line);

/* A location that is inlined into itself, perhaps through others. Location 0: none. */
struct sort_circle {
    uint64_t line;
    int64_t location_id;
};

/* Call after the last sort_add. Returns the first circle found: its locations cannot be sorted
 * after those they are inlined into. */
struct sort_circle sort_finish(struct sort *s);

/* Returns the next row in order. *TEXT is its canonical line with LF, followed by INPUT_PADDING
 * bytes, valid until the next call. *LINE is its line in the input. False after the last. */
bool sort_next(struct sort *s, struct str *text, uint64_t *line);

/* Frees what S holds and empties it. */
void sort_free(struct sort *s);

#endif
