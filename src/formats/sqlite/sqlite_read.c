/* A database of SQLite to profile rows.  See sqlite2ndjson(1). */
#include "formats/sqlite/sqlite_read.h"

#include "base/limits.h"
#include "base/mem.h"
#include "formats/sqlite/sqlite.h"
#include "rows/loss.h"
#include "rows/members.h"
#include "rows/text.h"

#include <stdio.h>

/* --- opening --- */

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

/* --- tables and columns --- */

/* The name of the table or view with the rows of TABLE. */
static struct str name_of(enum table table)
{
    return table == TABLE_DOTTED ? STR("dotted_rows") : schema_tables[table].name;
}

static _Noreturn void die_no_column(const struct sqlite_db *d, struct str table, struct str column)
{
    die_at((struct place){d->name, PLACE_FILE, 0}, "table \"%.*s\": expected a column \"%.*s\"",
           STR_ARG(table), STR_ARG(column));
}

/* Columns to read from a table, and whether they exist. */
struct wanted {
    struct str names[COLUMNS_MAX + 3]; /* the table of nodes has the most */
    bool found[COLUMNS_MAX + 3];
    unsigned count;
};

static void want(struct wanted *w, struct str name)
{
    w->names[w->count++] = name;
}

/* Finds which columns of W the table NAME has. Other columns are losses, except computed ones. */
static void find_columns(struct sqlite_db *d, struct str name, struct wanted *w)
{
    enum { NAME = 1, HIDDEN = 6 };
    struct buf sql = {0};
    buf_add(&sql, STR("PRAGMA table_xinfo(\""));
    buf_add(&sql, name);
    buf_add(&sql, (struct str){"\")", 3});
    sqlite3_stmt *s = sqlite_db_prepare(d, sql.p);
    while (sqlite_db_step(d, s)) {
        struct str column = sqlite_db_text(s, NAME);
        bool is_known = false, is_hidden = sqlite3_column_int(s, HIDDEN) != 0;
        for (unsigned i = 0; i < w->count && !is_known; i++)
            if (str_equal(w->names[i], column))
                is_known = w->found[i] = !is_hidden;
        if (!is_known && !is_hidden) {
            sql.n = 0;
            buf_add(&sql, name);
            buf_add(&sql, STR("."));
            text_escape(&sql, column);
            loss_add(LOSS_COLUMNS, buf_str(&sql), 1);
        }
    }
    sqlite_db_finalize(d, s);
    buf_free(&sql);
}

/* Ends the tool unless the table NAME has the first NEEDED columns of W. */
static void need_columns(struct sqlite_db *d, struct str name, struct wanted *w, unsigned needed)
{
    find_columns(d, name, w);
    for (unsigned i = 0; i < needed; i++)
        if (!w->found[i])
            die_no_column(d, name, w->names[i]);
}

/* Whether the table NAME has row ids. */
static bool has_rowid(struct sqlite_db *d, struct str name)
{
    char sql[128];
    sqlite3_stmt *s;
    snprintf(sql, sizeof sql, "SELECT rowid FROM \"%.*s\"", STR_ARG(name));
    if (sqlite_db_try(d, str_of(sql), &s, NULL) != SQLITE_OK)
        return false;
    bool is_id = strcmp(sqlite3_column_name(s, 0), "rowid") == 0 ||
                 sqlite3_column_decltype(s, 0) != NULL; /* an alias of the key */
    sqlite_db_finalize(d, s);
    return is_id;
}

/* --- statements --- */

/* Appends the columns of W to SQL; null for those that do not exist. */
static void add_columns(struct buf *sql, const struct wanted *w)
{
    for (unsigned i = 0; i < w->count; i++) {
        buf_add(sql, w->found[i] ? STR("\"") : STR("NULL AS \""));
        buf_add(sql, w->names[i]);
        buf_add(sql, STR("\", "));
    }
}

/* Opens T, the table NAME. Its columns are those WANTED, of which the first NEEDED must exist, then
 * the row id. Rows are sorted by KEY, then by row id. */
static void open_table(struct sqlite_reader *r, struct sqlite_table *t, struct str name,
                       struct wanted *w, unsigned needed, struct str key)
{
    struct buf sql = {0};
    need_columns(r->db, name, w, needed);
    t->has_rowid = has_rowid(r->db, name);
    buf_add(&sql, STR("SELECT "));
    add_columns(&sql, w);
    buf_add(&sql, t->has_rowid ? STR("rowid FROM \"") : STR("NULL FROM \""));
    buf_add(&sql, name);
    size_t front = sql.n;
    buf_add(&sql, STR("\" ORDER BY "));
    buf_add(&sql, key);
    buf_add(&sql, t->has_rowid ? STR(", rowid") : STR(""));
    buf_add(&sql, (struct str){"", 1});
    t->all = sqlite_db_prepare(r->db, sql.p);
    sql.n = front;
    buf_add(&sql, STR("\" WHERE "));
    buf_add(&sql, w->names[0]);
    buf_add(&sql, (struct str){" = ?1", 6});
    t->one = sqlite_db_prepare(r->db, sql.p);
    sql.n = 0;
    buf_add(&sql, str_of(r->db->name));
    buf_add(&sql, STR(": "));
    buf_add(&sql, name);
    buf_add(&sql, t->has_rowid ? STR(" rowid") : STR(" of sample"));
    buf_add(&sql, (struct str){"", 1});
    t->place = arena_copy(&r->arena, buf_str(&sql));
    buf_free(&sql);
}

/* Opens the table for the rows of TABLE, which must exist if it IS_NEEDED. */
static void open_model_table(struct sqlite_reader *r, enum table table, bool is_needed)
{
    const struct schema_table *s = &schema_tables[table];
    struct wanted w = {0};
    bool is_stored = table == TABLE_SAMPLE_VALUES && r->has_stacks;
    struct str name = is_stored ? STR("stored_values") : s->name;
    if (!sqlite_db_has_table(r->db, name)) {
        if (is_needed)
            die_at((struct place){r->db->name, PLACE_FILE, 0},
                   "expected a database of profiles, found no table \"%.*s\"", STR_ARG(name));
        return;
    }
    for (unsigned i = 0; i < s->column_count; i++)
        want(&w, is_stored && i == 1 ? STR("type_id") : s->columns[i].name);
    if (is_stored) { /* by the number of the type, which has the unit */
        w.names[2] = w.names[3];
        w.count--;
    }
    unsigned needed = w.count;
    if (table == TABLE_SAMPLES && r->has_stacks) {
        want(&w, STR("node_id"));
        want(&w, STR("dotted_id"));
    }
    if (!is_stored)
        want(&w, model_dotted_column(table));
    for (enum member_id id = 0; model_next_reference(table, &id); id++)
        want(&w, members_known(id)->name);
    bool is_sorted = is_stored || table == TABLE_SAMPLE_LOCATIONS;
    struct buf key = {0};
    buf_add(&key, w.names[0]);
    if (is_sorted) {
        buf_add(&key, STR(", "));
        buf_add(&key, w.names[1]);
    }
    open_table(r, &r->tables[table], name, &w, needed, buf_str(&key));
    buf_free(&key);
}

/* Opens the tables without a list of columns. */
static void open_other_tables(struct sqlite_reader *r)
{
    struct wanted dotted = {.names = {STR("row_id"), STR("table_name"), STR("members")},
                            .count = 3};
    struct wanted values = {.names = {STR("sample_id"), STR("type"), STR("dotted")}, .count = 3};
    struct wanted locations = {.names = {STR("sample_id"), STR("depth"), STR("dotted")},
                               .count = 3};
    struct wanted once = {.names = {STR("dotted_id"), STR("dotted")}, .count = 2};
    if (sqlite_db_has_table(r->db, STR("dotted_rows")))
        open_table(r, &r->tables[TABLE_DOTTED], STR("dotted_rows"), &dotted, 3, STR("row_id"));
    if (sqlite_db_has_table(r->db, STR("sample_values_dotted")))
        open_table(r, &r->values_dotted, STR("sample_values_dotted"), &values, 3,
                   STR("sample_id, type"));
    if (sqlite_db_has_table(r->db, STR("sample_locations_dotted")))
        open_table(r, &r->locations_dotted, STR("sample_locations_dotted"), &locations, 3,
                   STR("sample_id, depth"));
    if (r->has_stacks && sqlite_db_has_table(r->db, STR("stored_dotted")))
        open_table(r, &r->stored_dotted, STR("stored_dotted"), &once, 2, STR("dotted_id"));
}

/* Whether D has the table NAME with the COUNT columns COLUMNS. */
static bool has_columns(struct sqlite_db *d, struct str name, const struct str *columns,
                        unsigned count)
{
    struct wanted w = {0};
    if (!sqlite_db_has_table(d, name))
        return false;
    for (unsigned i = 0; i < count; i++)
        want(&w, columns[i]);
    need_columns(d, name, &w, count);
    return true;
}

/* Finds the tables that define how rows are stored, and in what order. */
static void find_other_tables(struct sqlite_reader *r)
{
    static const struct str nodes[] = {STR("node_id"),      STR("parent_id"),
                                       STR("location_id"),  STR("level"),
                                       STR("sums_id"),      STR("caller_id"),
                                       STR("is_outermost"), STR("is_outermost_call")},
                            types[] = {STR("type_id"), STR("type"), STR("unit")},
                            runs[] = {STR("run_id"), STR("table_name"), STR("last")};
    r->has_stacks = has_columns(r->db, STR("nodes"), nodes, sizeof nodes / sizeof *nodes);
    r->has_types = has_columns(r->db, STR("value_types"), types, sizeof types / sizeof *types);
    r->has_runs = has_columns(r->db, STR("row_runs"), runs, sizeof runs / sizeof *runs);
    if (r->has_stacks && !r->has_types)
        die_at((struct place){r->db->name, PLACE_FILE, 0},
               "expected a database of profiles, found no table \"value_types\"");
}

struct place sqlite_place(const struct sqlite_table *t, sqlite3_stmt *at)
{
    int last = sqlite3_column_count(at) - 1;
    int64_t number = sqlite3_column_int64(at, t->has_rowid ? last : 0);
    return (struct place){t->place.p, PLACE_ROW, (uint64_t)number};
}

/* Ends the tool with the error in the row after the last one of T. */
static _Noreturn void die_behind(const struct sqlite_reader *r, const struct sqlite_table *t)
{
    if (sqlite_db_is_failed(r->db))
        sqlite_db_die(r->db);
    die_at((struct place){t->place.p, PLACE_ROW, t->row},
           "the row behind this one cannot be read: %s", sqlite3_errmsg(r->db->handle));
}

bool sqlite_has_row(struct sqlite_reader *r, struct sqlite_table *t)
{
    if (t->all == NULL || t->at_end)
        return false;
    if (t->has_row)
        return true;
    int code = sqlite3_step(t->all);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        die_behind(r, t);
    t->at_end = code == SQLITE_DONE;
    t->has_row = !t->at_end;
    if (t->has_row)
        t->row = sqlite_place(t, t->all).at;
    return t->has_row;
}

/* --- the whole --- */

/* Whether table NAME holds only derived data, or is SQLite's own. */
static bool is_derived(struct str name)
{
    static const struct str names[] = {STR("value_types"),
                                       STR("row_runs"),
                                       STR("nodes"),
                                       STR("stored_values"),
                                       STR("stored_dotted"),
                                       STR("stored_sums"),
                                       STR("stored_names"),
                                       STR("name_sums"),
                                       STR("dotted_rows"),
                                       STR("sample_values_dotted"),
                                       STR("sample_locations_dotted")};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_equal(name, names[i]))
            return true;
    for (size_t i = 0; i < MODEL_TABLE_COUNT; i++)
        if (str_equal(name, schema_tables[model_tables[i]].name))
            return true;
    return str_starts(name, STR("sqlite_"));
}

/* Counts the tables that rows cannot hold. */
static void drop_tables(struct sqlite_reader *r)
{
    sqlite3_stmt *s = sqlite_db_prepare(
        r->db, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name");
    while (sqlite_db_step(r->db, s)) {
        struct str name = sqlite_db_text(s, 0);
        r->line.n = 0;
        text_escape(&r->line, name);
        if (!is_derived(name))
            loss_add(LOSS_TABLES, buf_str(&r->line), 1);
    }
    sqlite_db_finalize(r->db, s);
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
    static const enum table needed[] = {TABLE_META,      TABLE_SOURCES, TABLE_FUNCTIONS,
                                        TABLE_LOCATIONS, TABLE_SAMPLES, TABLE_SAMPLE_VALUES};
    sqlite_db_distrust(r->db);
    /* Sorting is done in memory, where it is counted. The transaction makes all tables a snapshot,
     * even if others write. */
    sqlite_db_run(r->db, "PRAGMA query_only = ON; PRAGMA temp_store = MEMORY; BEGIN");
    uint64_t size = sqlite_db_size(r->db);
    sqlite_db_limit(r->db, LIMITS_STEPS + LIMITS_STEPS_BYTE * size,
                    LIMITS_DATABASE + LIMITS_DATABASE_BYTE * size);
    sqlite3_set_authorizer(r->db->handle, authorize, NULL);
    find_other_tables(r);
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        open_model_table(r, needed[i], true);
    open_model_table(r, TABLE_MAPPINGS, false);
    if (!r->has_stacks)
        open_model_table(r, TABLE_SAMPLE_LOCATIONS, true);
    open_other_tables(r);
}

static void close_reader(struct sqlite_reader *r)
{
    sqlite_db_close(r->db);
    sqlite_free_samples(r);
    for (size_t i = 0; i <= TABLE_COUNT; i++)
        idmap_free(&r->tables[i].pushed);
    for (size_t i = 0; i < COLUMNS_MAX; i++)
        buf_free(&r->texts[i]);
    struct buf *bufs[] = {&r->extra, &r->members, &r->inexact, &r->bytes, &r->line};
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++)
        buf_free(bufs[i]);
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
    drop_tables(&r);
    sink->flow->where = before;
    sqlite_db_check(r.db);
    sink_end(sink, false);
    close_reader(&r);
}
