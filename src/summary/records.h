/* records.h - a table whose columns are found while its rows come; each row has some of them.
 *
 * All columns are known only after the last row, so rows wait in a spool. Memory holds names,
 * columns, and what many rows share. */
#ifndef PROFPIPE_RECORDS_H
#define PROFPIPE_RECORDS_H

#include "base/diag.h"
#include "table/sheet.h"

struct records;

/* Opens a table for the option NAME, which is for messages. Columns that rows bring are of
 * FAMILIES, static, which end in COLUMN_NONE; they come in this order, then by appearance. */
struct records *records_open(const char *name, const enum column_id *families);

/* The number of rows so far. */
size_t records_count(const struct records *r);

/* The number of the column of FAMILY with the words WORDS (bytes). Two families with one prefix
 * share their columns, so that no two have one name. Ends the tool (STATUS_INPUT) if there are too
 * many columns for a table. */
uint32_t records_column(struct records *r, enum column_id family, struct str words,
                        struct place where);

/* Begins a row. HEAD is data of the caller, for the fixed columns. */
void records_begin(struct records *r, struct str head);

/* Adds a value to COLUMN of the row. TEXT is bytes, or JSON if IS_JSON. Several values in one
 * column are a JSON list. */
void records_add(struct records *r, uint32_t column, struct str text, bool is_json);

/* Ends the row. It also gets the values of SHARED, from records_end_shared; 0: none. */
void records_end(struct records *r, uint32_t shared);

/* Ends the row, but stores its values to be shared by other rows instead of adding it. Returns the
 * number for records_end. */
uint32_t records_end_shared(struct records *r);

/* Columns before all others. */
struct records_fixed {
    const struct sheet_column *columns;
    size_t count;

    /* The cell of a row with the given HEAD. Its text may be in SCRATCH, which is empty. */
    struct sheet_cell (*cell)(const void *from, struct str head, size_t column,
                              struct buf *scratch);
    const void *from;
};

/* Writes the table to OUT. TITLE is for people. */
void records_write(struct records *r, const struct records_fixed *fixed, struct str title,
                   const struct sheet_request *request, struct out *out);

/* Frees R, which may be NULL. */
void records_free(struct records *r);

#endif
