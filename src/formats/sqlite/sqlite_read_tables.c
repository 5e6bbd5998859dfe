/* Which tables and columns a database has, and the statements that read them. */
#include "formats/sqlite/sqlite_read.h"
#include "model/model.h"
#include "rows/loss.h"
#include "rows/members.h"
#include "rows/text.h"

/* --- columns --- */

static _Noreturn void die_no_column(const struct sqlite_db *d, struct str table, struct str column)
{
    die_at((struct place){d->name, PLACE_FILE, 0}, "table \"%.*s\": expected a column \"%.*s\"",
           STR_ARG(table), STR_ARG(column));
}

/* Columns to read from a table, and whether they exist. */
struct wanted {
    struct str names[COLUMNS_MAX + 5]; /* nodes has the most */
    bool found[COLUMNS_MAX + 5];
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
    struct buf sql = {0};
    sqlite3_stmt *s;
    buf_add(&sql, STR("SELECT rowid FROM \""));
    buf_add(&sql, name);
    buf_add(&sql, STR("\""));
    bool is_done = sqlite_db_try(d, buf_str(&sql), &s, NULL) == SQLITE_OK;
    buf_free(&sql);
    if (!is_done)
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
    buf_add(&sql, STR(" = ?1 ORDER BY "));
    buf_add(&sql, key);
    buf_add(&sql, (struct str){"", 1});
    t->one = sqlite_db_prepare(r->db, sql.p);
    sql.n = 0;
    buf_add(&sql, str_of(r->db->name));
    buf_add(&sql, STR(": "));
    buf_add(&sql, name);
    struct str of = {w->names[0].p, w->names[0].n - 3}; /* without "_id" */
    buf_add(&sql, t->has_rowid ? STR(" rowid") : STR(" of "));
    buf_add(&sql, t->has_rowid ? STR("") : of);
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
        want(&w, STR("labels_id"));
        want(&w, STR("dotted_id"));
    }
    if (!is_stored)
        want(&w, model_dotted_column(table));
    for (enum member_id id = 0; model_next_column(table, &id); id++)
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
    struct wanted labels = {.names = {STR("labels_id"), STR("position"), STR("key"), STR("str"),
                                      STR("num"), STR("unit")},
                            .count = 6};
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
    if (r->has_stacks && sqlite_db_has_table(r->db, STR("stored_labels")))
        open_table(r, &r->stored_labels, STR("stored_labels"), &labels, 6,
                   STR("labels_id, position"));
}

/* Whether D has the table NAME. It must have the first NEEDED of the COUNT columns COLUMNS. */
static bool has_columns(struct sqlite_db *d, struct str name, const struct str *columns,
                        unsigned count, unsigned needed)
{
    struct wanted w = {0};
    if (!sqlite_db_has_table(d, name))
        return false;
    for (unsigned i = 0; i < count; i++)
        want(&w, columns[i]);
    need_columns(d, name, &w, needed);
    return true;
}

/* Finds the tables that define how rows are stored, and in what order. */
static void find_other_tables(struct sqlite_reader *r)
{
    enum { NODES_NEEDED = 3 };
    /* an earlier version had is_outermost, and neither names nor repetitions */
    static const struct str nodes[] = {STR("node_id"),      STR("parent_id"),
                                       STR("location_id"),  STR("level"),
                                       STR("sums_id"),      STR("caller_id"),
                                       STR("name_id"),      STR("repetition"),
                                       STR("is_outermost"), STR("is_outermost_call")},
                            types[] = {STR("type_id"), STR("type"), STR("unit")},
                            runs[] = {STR("run_id"), STR("table_name"), STR("last")};
    r->has_stacks =
        has_columns(r->db, STR("nodes"), nodes, sizeof nodes / sizeof *nodes, NODES_NEEDED);
    r->has_types = has_columns(r->db, STR("value_types"), types, 3, 3);
    r->has_runs = has_columns(r->db, STR("row_runs"), runs, 3, 3);
    if (r->has_stacks && !r->has_types)
        die_at((struct place){r->db->name, PLACE_FILE, 0},
               "expected a database of profiles, found no table \"value_types\"");
}

void sqlite_open_tables(struct sqlite_reader *r)
{
    static const enum table needed[] = {TABLE_META,      TABLE_SOURCES, TABLE_FUNCTIONS,
                                        TABLE_LOCATIONS, TABLE_SAMPLES, TABLE_SAMPLE_VALUES};
    find_other_tables(r);
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        open_model_table(r, needed[i], true);
    open_model_table(r, TABLE_MAPPINGS, false);
    if (!r->has_stacks)
        open_model_table(r, TABLE_SAMPLE_LOCATIONS, true);
    open_other_tables(r);
}

/* --- tables that are not read --- */

/* Whether table NAME holds only derived data, or is SQLite's own. */
static bool is_derived(struct str name)
{
    static const struct str names[] = {STR("value_types"),
                                       STR("row_runs"),
                                       STR("nodes"),
                                       STR("stored_values"),
                                       STR("stored_dotted"),
                                       STR("stored_labels"),
                                       STR("stored_sums"),
                                       STR("stored_names"),
                                       STR("stored_packages"),
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

void sqlite_drop_tables(struct sqlite_reader *r)
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
