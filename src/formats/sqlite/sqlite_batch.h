/* sqlite_batch.h - inserts rows in batches: one statement reads many rows from a virtual table.
 * This takes half the time of one statement per row. */
#ifndef PROFPIPE_SQLITE_BATCH_H
#define PROFPIPE_SQLITE_BATCH_H

#include "base/buf.h"
#include "formats/sqlite/sqlite_db.h"

#include <stdint.h>

/* One value. Text is stored in the batch, from offset `at`. */
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
    size_t count; /* number of filled cells */
    struct sqlite_cell *cells;
    struct buf text;
    char name[64]; /* of the virtual table */
};

/* Opens B for rows of TABLE in D. COLUMNS are COUNT names separated by commas. B must not move
 * until sqlite_batch_close. */
void sqlite_batch_open(struct sqlite_batch *b, struct sqlite_db *d, const char *table,
                       const char *columns, unsigned count);

/* Inserts all waiting rows. */
void sqlite_batch_flush(struct sqlite_batch *b);

/* Append the next value of a row. */
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

/* Copies the bytes of TEXT. */
void sqlite_batch_text(struct sqlite_batch *b, struct str text);

/* Ends a row; all its values must be set. */
static inline void sqlite_batch_end(struct sqlite_batch *b)
{
    enum { TEXT = 1 << 20 }; /* max bytes of text that wait, plus one row */
    if (b->count + b->columns > SQLITE_BATCH_CELLS || b->text.n > TEXT)
        sqlite_batch_flush(b);
}

/* Inserts all waiting rows and frees what B holds. */
void sqlite_batch_close(struct sqlite_batch *b);

#endif
