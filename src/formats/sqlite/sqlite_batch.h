/* sqlite_batch.h - rows on their way into a table of a database: they wait until there are many, and go by one
 * statement, which reads them as a virtual table.  That takes half the time of one statement for each. */
#ifndef PROFPIPE_SQLITE_BATCH_H
#define PROFPIPE_SQLITE_BATCH_H

#include "base/buf.h"
#include "formats/sqlite/sqlite_db.h"

#include <stdint.h>

/* One value.  Text stands in the batch's, from `at` on. */
struct sqlite_cell {
    enum { SQLITE_CELL_NULL, SQLITE_CELL_INTEGER, SQLITE_CELL_REAL, SQLITE_CELL_TEXT } kind;
    uint32_t size;
    union {
        int64_t integer;
        double real;
        size_t at;
    };
};

enum { SQLITE_BATCH_CELLS = 8192 };

struct sqlite_batch {
    struct sqlite_db *db;
    sqlite3_stmt *insert;
    unsigned columns;
    size_t count; /* of cells that are filled */
    struct sqlite_cell *cells;
    struct buf text;
    char name[64]; /* of the virtual table */
};

/* Makes B one of rows for TABLE of D, with COLUMNS, names with commas between, COUNT of them.  B stays where it
 * is until sqlite_batch_close. */
void sqlite_batch_open(struct sqlite_batch *b, struct sqlite_db *d, const char *table,
                       const char *columns, unsigned count);

/* Puts all rows that wait into the table. */
void sqlite_batch_flush(struct sqlite_batch *b);

/* The next value of a row. */
static inline void sqlite_batch_null(struct sqlite_batch *b)
{
    b->cells[b->count++].kind = SQLITE_CELL_NULL;
}

static inline void sqlite_batch_integer(struct sqlite_batch *b, int64_t value)
{
    b->cells[b->count++] = (struct sqlite_cell){.kind = SQLITE_CELL_INTEGER, .integer = value};
}

static inline void sqlite_batch_real(struct sqlite_batch *b, double value)
{
    b->cells[b->count++] = (struct sqlite_cell){.kind = SQLITE_CELL_REAL, .real = value};
}

/* TEXT is bytes, which are copied. */
void sqlite_batch_text(struct sqlite_batch *b, struct str text);

/* Ends a row, which has all its values. */
static inline void sqlite_batch_end(struct sqlite_batch *b)
{
    enum { TEXT = 1 << 20 }; /* so much of it waits at most, and one row */
    if (b->count + b->columns > SQLITE_BATCH_CELLS || b->text.n > TEXT)
        sqlite_batch_flush(b);
}

/* Puts what waits into the table, and frees what B holds. */
void sqlite_batch_close(struct sqlite_batch *b);

#endif
