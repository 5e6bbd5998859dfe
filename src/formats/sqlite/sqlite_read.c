/* A database of SQLite to profile rows.  See sqlite2ndjson(1).
 *
 * Anybody may have made the database, so nothing in it is trusted. Each row is checked for what it
 * holds and refers to. */
#include "formats/sqlite/sqlite_read.h"

#include "base/limits.h"
#include "base/mem.h"

/* Opens the database in IN: by name if it is a file, else from memory. */
static struct sqlite_db *open_input(struct in *in, const struct read_request *request)
{
    const char *path = in_path(in);
    /* only SQLite may open and close a locked one: closing drops its locks */
    if (path != NULL && in_is_locked(in))
        return sqlite_db_open_file(path, SQLITE_OPEN_READONLY, in_name(in));
    if (path != NULL && sqlite_is_file(path))
        return sqlite_open_to_read(path, in_name(in));
    struct str bytes = format_whole(in, request);
    struct sqlite_db *d = sqlite_db_open_bytes(bytes, in_name(in));
    in_consume(in, bytes.n);
    return d;
}

/* The name of the table or view with the rows of TABLE. */
static struct str name_of(enum table table)
{
    return table == TABLE_DOTTED ? STR("dotted_rows") : schema_tables[table].name;
}

/* Allows reading tables and columns and asking for their definitions, nothing else. */
static int authorize(void *with, int action, const char *what, const char *more, const char *schema,
                     const char *inside)
{
    (void)with, (void)more, (void)schema, (void)inside;
    bool is_info = action == SQLITE_PRAGMA && sqlite3_stricmp(what, "table_xinfo") == 0;
    return action == SQLITE_SELECT || action == SQLITE_READ || is_info ? SQLITE_OK : SQLITE_DENY;
}

/* Pushes rows in the order of row_runs. */
static void push_runs(struct sqlite_reader *r)
{
    enum { TABLE_NAME = 1, LAST = 2 };
    static const enum table tables[] = {TABLE_SOURCES, TABLE_MAPPINGS, TABLE_FUNCTIONS,
                                        TABLE_LOCATIONS, TABLE_DOTTED};
    if (!r->has_runs)
        return;
    sqlite3_stmt *s =
        sqlite_db_prepare(r->db, "SELECT run_id, table_name, last FROM row_runs ORDER BY run_id");
    while (sqlite_db_step(r->db, s)) {
        struct str name = sqlite_db_text(s, TABLE_NAME);
        int64_t last = sqlite3_column_int64(s, LAST);
        if (str_equal(name, name_of(TABLE_SAMPLES)))
            sqlite_push_samples(r, last);
        for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
            if (str_equal(name, name_of(tables[i])))
                sqlite_push_rows(r, tables[i], last);
    }
    sqlite_db_finalize(r->db, s);
}

static void open_reader(struct sqlite_reader *r)
{
    sqlite_db_distrust(r->db);
    /* Sorting is done in memory, where it is counted. The transaction makes all tables a snapshot,
     * even if others write. */
    sqlite_db_run(r->db, "PRAGMA query_only = ON; PRAGMA temp_store = MEMORY; BEGIN");
    uint64_t size = sqlite_db_size(r->db);
    sqlite_db_limit(r->db, LIMITS_STEPS + LIMITS_STEPS_BYTE * size,
                    LIMITS_DATABASE + LIMITS_DATABASE_BYTE * size);
    sqlite3_set_authorizer(r->db->handle, authorize, NULL);
    sqlite_open_tables(r);
}

static void close_reader(struct sqlite_reader *r)
{
    sqlite_db_close(r->db);
    sqlite_free_samples(r);
    for (size_t i = 0; i <= TABLE_COUNT; i++)
        idmap_free(&r->tables[i].pushed);
    for (size_t i = 0; i < COLUMNS_MAX; i++)
        buf_free(&r->texts[i]);
    BUF_FREE(&r->extra, &r->members, &r->labels, &r->inexact, &r->bytes, &r->line);
    mem_free(r->chain);
    idmap_free(&r->waiting);
    arena_free(&r->arena);
    arena_free(&r->sample_arena);
}

void sqlite_read(struct in *in, const struct read_request *request, struct sink *sink)
{
    static const enum table defined[] = {TABLE_SOURCES, TABLE_MAPPINGS, TABLE_FUNCTIONS,
                                         TABLE_LOCATIONS};
    struct sqlite_reader r = {.sink = sink, .request = request};
    struct place before = sink->flow->where;
    r.db = open_input(in, request);
    open_reader(&r);
    sqlite_push_meta(&r);
    sqlite_begin_samples(&r);
    push_runs(&r);
    for (size_t i = 0; i < sizeof defined / sizeof *defined; i++)
        sqlite_push_rows(&r, defined[i], INT64_MAX);
    sqlite_push_samples(&r, INT64_MAX);
    sqlite_push_rows(&r, TABLE_DOTTED, INT64_MAX);
    sqlite_end_samples(&r);
    sqlite_drop_tables(&r);
    sink->flow->where = before;
    sqlite_db_check(r.db);
    sink_end(sink, false);
    close_reader(&r);
}
