/* rows.h - reads the rows of one input: canonical lines with the scanner, others with the
 * parser.  Blank lines are skipped (profstream(5), LINE FORMAT). */
#ifndef PROFPIPE_ROWS_H
#define PROFPIPE_ROWS_H

#include "base/arena.h"
#include "base/in.h"
#include "rows/finding.h"
#include "rows/row.h"

/* Set the fields marked "set"; all others start as zero. */
struct rows {
    struct in *in;             /* set; not owned */
    unsigned versions;         /* set, may change: the versions whose tables are accepted */
    struct findings *findings; /* set; NULL: an invalid line ends the tool */

    struct place where; /* the position of the current row */
    struct str line;    /* the text of that row, without the LF */
    unsigned bad;       /* its missing or invalid columns, as bits; see rows_next */

    struct str lines;   /* whole lines of the window */
    const char *next;   /* the start of the next row in them */
    struct arena arena; /* what a row that was not canonical borrows */
};

/* Starts reading IN. */
void rows_start(struct rows *r, struct in *in);

/* Reads the next row into *ROW, which is valid until the next call; false at the end of the
 * input.
 *
 * A line that is not a row of one of the accepted versions ends the tool (STATUS_INPUT), unless
 * r->findings is set.  Then it is reported there and the row is returned as far as it was
 * understood: an invalid column is null if it may be null, otherwise 0 or empty; an unknown
 * table is TABLE_NONE. */
bool rows_next(struct rows *r, struct row *row);

/* The whole lines after the current row that are already in memory; INPUT_PADDING bytes after
 * them may be read as well. */
static inline struct str rows_ahead(const struct rows *r)
{
    return (struct str){r->next, (size_t)(r->lines.p + r->lines.n - r->next)};
}

/* Skips LINES lines of those; NEXT is where the next one starts. */
static inline void rows_skip(struct rows *r, const char *next, uint64_t lines)
{
    r->next = next;
    r->where.at += lines;
}

/* Frees what R holds. */
void rows_free(struct rows *r);

#endif
