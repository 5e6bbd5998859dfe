#include "formats/sqlite/sqlite_batch.h"

#include "base/diag.h"
#include "base/mem.h"

#include <stdio.h>

/* --- the virtual table --- */

struct batch_table {
    sqlite3_vtab base;
    struct sqlite_batch *batch;
};

/* As many as the widest table has. */
#define COLUMNS "c0, c1, c2, c3, c4, c5, c6, c7, c8"

struct batch_cursor {
    sqlite3_vtab_cursor base;
    struct sqlite_batch *batch;
    size_t at; /* index of the first cell of its row */
};

static int connect_table(sqlite3 *db, void *batch, int argc, const char *const *argv,
                         sqlite3_vtab **table, char **message)
{
    (void)argc, (void)argv, (void)message;
    int code = sqlite3_declare_vtab(db, "CREATE TABLE x(" COLUMNS ")");
    struct batch_table *t = code != SQLITE_OK ? NULL : sqlite3_malloc(sizeof *t);
    if (t == NULL)
        return code != SQLITE_OK ? code : SQLITE_NOMEM;
    *t = (struct batch_table){.batch = batch};
    *table = &t->base;
    return SQLITE_OK;
}

static int disconnect_table(sqlite3_vtab *table)
{
    sqlite3_free(table);
    return SQLITE_OK;
}

static int best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
    (void)table;
    info->estimatedCost = SQLITE_BATCH_CELLS;
    return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
    struct batch_cursor *c = sqlite3_malloc(sizeof *c);
    if (c == NULL)
        return SQLITE_NOMEM;
    *c = (struct batch_cursor){.batch = ((struct batch_table *)table)->batch};
    *cursor = &c->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
    sqlite3_free(cursor);
    return SQLITE_OK;
}

static int filter(sqlite3_vtab_cursor *cursor, int index, const char *name, int argc,
                  sqlite3_value **argv)
{
    (void)index, (void)name, (void)argc, (void)argv;
    ((struct batch_cursor *)cursor)->at = 0;
    return SQLITE_OK;
}

static int next_row(sqlite3_vtab_cursor *cursor)
{
    struct batch_cursor *c = (struct batch_cursor *)cursor;
    c->at += c->batch->columns;
    return SQLITE_OK;
}

static int is_at_end(sqlite3_vtab_cursor *cursor)
{
    const struct batch_cursor *c = (const struct batch_cursor *)cursor;
    return c->at >= c->batch->count;
}

static int give_column(sqlite3_vtab_cursor *cursor, sqlite3_context *to, int column)
{
    const struct batch_cursor *c = (const struct batch_cursor *)cursor;
    const struct sqlite_cell *cell = &c->batch->cells[c->at + (size_t)column];
    switch (cell->kind) {
    case SQLITE_CELL_INTEGER: sqlite3_result_int64(to, cell->integer); break;
    case SQLITE_CELL_REAL: sqlite3_result_double(to, cell->real); break;
    case SQLITE_CELL_TEXT:
        sqlite3_result_text(to, c->batch->text.p + cell->at, (int)cell->size, SQLITE_STATIC);
        break;
    default: sqlite3_result_null(to);
    }
    return SQLITE_OK;
}

static int give_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *id)
{
    *id = (sqlite3_int64)((struct batch_cursor *)cursor)->at;
    return SQLITE_OK;
}

static const sqlite3_module module = {
    .xConnect = connect_table,
    .xBestIndex = best_index,
    .xDisconnect = disconnect_table,
    .xDestroy = disconnect_table,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = filter,
    .xNext = next_row,
    .xEof = is_at_end,
    .xColumn = give_column,
    .xRowid = give_rowid,
};

/* --- rows --- */

void sqlite_batch_open(struct sqlite_batch *b, struct sqlite_db *d, const char *table,
                       const char *columns, unsigned count)
{
    char sql[512];
    *b = (struct sqlite_batch){.db = d, .columns = count};
    b->cells = mem_alloc(SQLITE_BATCH_CELLS * sizeof *b->cells);
    snprintf(b->name, sizeof b->name, "batch of %s", table);
    if (sqlite3_create_module(d->handle, b->name, &module, b) != SQLITE_OK)
        sqlite_db_die(d);
    snprintf(sql, sizeof sql, "INSERT INTO \"%s\" (%s) SELECT %.*s FROM \"%s\"", table, columns,
             (int)(4 * count - 2), COLUMNS, b->name);
    b->insert = sqlite_db_prepare(d, sql);
}

void sqlite_batch_flush(struct sqlite_batch *b)
{
    if (b->count > 0) {
        sqlite_db_step(b->db, b->insert);
        sqlite3_reset(b->insert);
    }
    b->count = 0;
    b->text.n = 0;
}

void sqlite_batch_text(struct sqlite_batch *b, struct str text)
{
    b->cells[b->count++] =
        (struct sqlite_cell){.kind = SQLITE_CELL_TEXT, .size = (uint32_t)text.n, .at = b->text.n};
    buf_add(&b->text, text);
    buf_reserve(&b->text, 1); /* a null pointer would be NULL instead of an empty text */
}

void sqlite_batch_close(struct sqlite_batch *b)
{
    if (b->cells == NULL)
        return;
    sqlite_batch_flush(b);
    sqlite_db_finalize(b->db, b->insert);
    sqlite3_create_module(b->db->handle, b->name, NULL, NULL); /* removes the table */
    mem_free(b->cells);
    buf_free(&b->text);
    b->cells = NULL;
}
