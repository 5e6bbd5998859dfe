/* sort.h - the rows of one profile, from any order to that of a stream (profstream(5), ORDER).
 *
 * Rows go in with their line numbers and come out with them: definitions by their ids, a location
 * behind the one it is inlined into; then each sample with its values and locations by depth.
 * What does not fit in memory waits in temporary files. */
#ifndef PROFPIPE_SORT_H
#define PROFPIPE_SORT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/idmap.h"
#include "base/out.h"
#include "base/spool.h"
#include "rows/row.h"

/* As many files are merged at once. */
enum { SORT_WAYS = 32 };

/* One sorted file being read back. */
struct sort_run {
    struct spool *spool;
    struct buf record; /* the next of its records */
    unsigned level;    /* how many merges it comes from, one after the other */
};

/* All zero, but for the first, is an empty one. */
struct sort {
    uint64_t memory; /* bytes of text that are sorted in memory at a time; 0: 48 MiB */

    struct buf records;
    size_t *offsets; /* where each starts */
    size_t count, capacity;
    size_t next;                     /* to be taken from memory */
    struct sort_run runs[SORT_WAYS]; /* of falling levels */
    size_t run_count;
    struct buf taken; /* the record returned last, with padding */

    struct buf line; /* the row being added */
    struct out *line_out;

    struct spool *inlined; /* locations that are inlined, until all are known */
    struct idmap places;   /* their ids -> places in the next, from 1 */
    struct sort_inlined *chains;
    size_t chain_count, chain_capacity;
};

/* Adds ROW from line LINE of its input.  Version and .end rows are the caller's. */
void sort_add(struct sort *s, const struct row *row, uint64_t line);

/* A location that is inlined into itself, be it by way of others.  Location 0: there is none. */
struct sort_circle {
    uint64_t line;
    int64_t location_id;
};

/* Ends the adding.  Returns the first circle that was found: no order puts its locations behind those
 * that they are inlined into. */
struct sort_circle sort_finish(struct sort *s);

/* Takes the next row in order: *TEXT is its canonical line with LF, followed by INPUT_PADDING bytes and
 * valid until the next call; *LINE where it came from.  False after the last. */
bool sort_next(struct sort *s, struct str *text, uint64_t *line);

/* Frees what S holds and leaves an empty one. */
void sort_free(struct sort *s);

#endif
