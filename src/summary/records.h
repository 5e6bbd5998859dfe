/* records.h - a table whose columns show as its rows come: each row has some of them.
 *
 * Which columns there are is known when the last row has come, so all wait in a spool, and memory is what names
 * and columns need, and what many rows share. */
#ifndef PROFPIPE_RECORDS_H
#define PROFPIPE_RECORDS_H

#include "base/diag.h"
#include "summary/sheet.h"

struct records;

/* A new table for the option of the NAME, which messages say.  Columns stand in the order of their groups, of which there are GROUPS, and in those as
 * they have come. */
struct records *records_open(const char *name, unsigned groups);

/* How many rows have come. */
size_t records_count(const struct records *r);

/* The number of the column NAME, bytes, of GROUP.  Ends the tool (STATUS_INPUT) where there are more columns than
 * a table has. */
uint32_t records_column(struct records *r, unsigned group, struct str name, struct place where);

/* Begins a row.  HEAD is what the user of the table keeps of it, for columns of his own. */
void records_begin(struct records *r, struct str head);

/* Adds what the row has in COLUMN: TEXT is bytes or, where IS_JSON, a value of JSON.  Several in one column are shown with a
 * comma between. */
void records_add(struct records *r, uint32_t column, struct str text, bool is_json);

/* Ends the row, which has what SHARED has as well; 0: nothing. */
void records_end(struct records *r, uint32_t shared);

/* Ends the row in another way: it is none, and what has been added is what rows share that are ended with the number
 * that this returns. */
uint32_t records_end_shared(struct records *r);

/* Columns in front of all those. */
struct records_fixed {
    const struct sheet_column *columns;
    size_t count;

    /* The cell of a row whose head is HEAD; text may be in SCRATCH, which is empty. */
    struct sheet_cell (*cell)(const void *from, struct str head, size_t column,
                              struct buf *scratch);
    const void *from;
};

/* Writes the table to OUT, where TITLE says to people what it is about. */
void records_write(struct records *r, const struct records_fixed *fixed, struct str title,
                   const struct sheet_request *request, struct out *out);

/* Frees R, which may be NULL. */
void records_free(struct records *r);

#endif
