/* rows.h - the rows of one input, one after the other: canonical lines by the scanner, others by the
 * parser, blank ones not at all (profstream(5), LINE FORMAT). */
#ifndef PROFPIPE_ROWS_H
#define PROFPIPE_ROWS_H

#include "base/arena.h"
#include "base/in.h"
#include "rows/finding.h"
#include "rows/row.h"

/* All zero but for what the caller sets. */
struct rows {
    struct in *in;             /* set; not owned */
    unsigned versions;         /* set, may change from row to row: whose tables to take */
    struct findings *findings; /* set; NULL: end the tool at a line that is no row */

    struct place where; /* of the row returned last */
    struct str line;    /* its text, without the LF */
    unsigned bad;       /* its columns, as bits, that do not hold what they must; see rows_next */

    struct str lines;   /* whole lines from the window */
    const char *next;   /* where the next row starts in them */
    struct arena arena; /* what the row borrows when it was not canonical */
};

/* Starts R on IN. */
void rows_start(struct rows *r, struct in *in);

/* Reads the next row to *ROW, which is valid until the next call; false at the end of the input.
 *
 * A line that is not a row, or not of one of the versions asked for, ends the tool (STATUS_INPUT)
 * unless there are findings to add it to.  If there are, the row is returned as far as it was
 * understood: a bad column is 0, empty, or null where it may be; the table is TABLE_NONE where the
 * line shows none. */
bool rows_next(struct rows *r, struct row *row);

/* The whole lines behind the row that was returned last, as far as they have been read; INPUT_PADDING bytes
 * behind them may be read too. */
static inline struct str rows_ahead(const struct rows *r)
{
    return (struct str){r->next, (size_t)(r->lines.p + r->lines.n - r->next)};
}

/* Steps over the LINES lines that stand there up to NEXT. */
static inline void rows_skip(struct rows *r, const char *next, uint64_t lines)
{
    r->next = next;
    r->where.at += lines;
}

/* Frees what R holds. */
void rows_free(struct rows *r);

#endif
