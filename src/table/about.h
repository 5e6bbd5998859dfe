/* about.h - tables of the columns of tables: their names, types, units and meanings (--columns). */
#ifndef PROFPIPE_ABOUT_H
#define PROFPIPE_ABOUT_H

#include "table/sheet.h"

/* A column to describe. */
struct about_row {
    struct str view; /* of a database, that has it; empty: none */
    const struct columns_entry *column;
};

/* Writes COUNT ROWS to OUT in the format of REQUEST. */
void about_write(const struct about_row *rows, size_t count, const struct sheet_request *request,
                 struct out *out);

/* The same for COUNT columns IDS, in the order of columns.list. */
void about_write_ids(enum column_id *ids, size_t count, const struct sheet_request *request,
                     struct out *out);

/* The same for all columns that programs may get of T. */
void about_write_sheet(const struct sheet *t, const struct sheet_request *request, struct out *out);

#endif
