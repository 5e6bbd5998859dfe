/* SQLite: databases with the tables of profile rows. */
#include "formats/sqlite/sqlite.h"

#include "formats/formats.h"
#include "formats/sqlite/sqlite_db.h"
#include "model/model.h"
#include "rows/text.h"

/* An empty database of ours. */
static struct sqlite_db *open_model(bool is_plain)
{
    struct sqlite_db *ours =
        sqlite_db_open(":memory:", SQLITE_OPEN_READWRITE, "a database in memory", false);
    struct buf sql = {0};
    model_add_sql(&sql, is_plain);
    buf_add(&sql, (struct str){"", 1});
    sqlite_db_run(ours, sql.p);
    buf_free(&sql);
    return ours;
}

/* Whether COLUMN of TABLE, or the view TABLE, was in our databases before: all that it had is
 * elsewhere now. */
static bool is_earlier(struct str table, struct str column, bool is_plain)
{
    if (column.n == 0 &&
        (str_equal(table, STR("function_files")) || str_equal(table, STR("function_groups"))))
        return true;
    return !is_plain &&
           ((str_equal(table, STR("nodes")) && str_equal(column, STR("is_outermost"))) ||
            (str_equal(table, STR("samples")) && str_equal(column, STR("dotted"))) ||
            (str_equal(table, STR("top_of_values")) && column.n == 0));
}

/* Ends the tool if D has something that our databases (IS_PLAIN or not) do not have. */
static void refuse_others(struct sqlite_db *d, bool is_plain)
{
    /* names of tables, and their columns */
    static const char names[] =
        "SELECT type, name, '' FROM sqlite_master WHERE name NOT GLOB 'sqlite_*' UNION ALL "
        "SELECT 'column', m.name, x.name FROM sqlite_master AS m, pragma_table_xinfo(m.name) AS x "
        "WHERE m.type = 'table' AND m.rootpage > 0 AND m.name NOT GLOB 'sqlite_*'";
    struct sqlite_db *ours = open_model(is_plain);
    struct buf sql = {0};
    sqlite3_stmt *known = sqlite_db_prepare(
        ours, "SELECT 1 FROM sqlite_master WHERE type = ?1 AND name = ?2 OR ?1 = "
              "'column' AND EXISTS (SELECT 1 FROM pragma_table_xinfo(?2) WHERE name = ?3)");
    sqlite3_stmt *s = sqlite_db_prepare(d, names);
    while (sqlite_db_step(d, s)) {
        for (int i = 0; i < 3; i++)
            sqlite3_bind_value(known, i + 1, sqlite3_column_value(s, i));
        struct str type = sqlite_db_text(s, 0), name = sqlite_db_text(s, 1),
                   column = sqlite_db_text(s, 2);
        if (!sqlite_db_step(ours, known) && !is_earlier(name, column, is_plain)) {
            sql.n = 0;
            text_escape(&sql, name);
            buf_add(&sql, column.n > 0 ? STR(".") : STR(""));
            text_escape(&sql, column);
            die_at((struct place){d->name, PLACE_FILE, 0}, "the %.*s \"%.*s\" would be lost",
                   STR_ARG(type), STR_ARG(buf_str(&sql)));
        }
        sqlite3_reset(known);
    }
    buf_free(&sql);
    sqlite_db_close(ours);
}

bool sqlite_check_ours(struct sqlite_db *d)
{
    bool is_plain = !sqlite_db_has_table(d, STR("nodes"));
    refuse_others(d, is_plain);
    return is_plain;
}

/* Checks that our tables in D are real tables, whose values are stored in the file. */
static void check_tables(struct sqlite_db *d, bool is_plain)
{
    struct sqlite_db *ours = open_model(is_plain);
    sqlite3_stmt *s =
        sqlite_db_prepare(ours, "SELECT name FROM sqlite_master WHERE type = 'table'");
    while (sqlite_db_step(ours, s))
        sqlite_db_has_table(d, sqlite_db_text(s, 0));
    sqlite_db_close(ours);
    s = sqlite_db_prepare(d, "SELECT m.name, x.name FROM sqlite_master AS m CROSS JOIN "
                             "pragma_table_xinfo(m.name) AS x WHERE m.type = 'table' AND "
                             "m.rootpage > 0 AND x.hidden <> 0");
    if (sqlite_db_step(d, s)) {
        struct buf column = {0};
        text_escape(&column, sqlite_db_text(s, 0));
        buf_add(&column, STR("."));
        text_escape(&column, sqlite_db_text(s, 1));
        die_at((struct place){d->name, PLACE_FILE, 0},
               "expected a column with values, found \"%.*s\", which is computed",
               STR_ARG(buf_str(&column)));
    }
    sqlite_db_finalize(d, s);
}

bool sqlite_is_earlier(struct sqlite_db *d)
{
    sqlite_db_distrust(d);
    if (!sqlite_db_has_table(d, STR("stored_packages")))
        return true;
    /* by its text: to ask SQLite for its columns would run a virtual table of that name */
    sqlite3_stmt *s = sqlite_db_prepare(
        d, "SELECT 1 FROM sqlite_schema WHERE name = 'samples' AND instr(sql, '\".time\"') > 0");
    const bool has_times = sqlite_db_step(d, s);
    sqlite_db_finalize(d, s);
    return !has_times;
}

void sqlite_make_askable(struct sqlite_db *d)
{
    struct buf views = {0};
    sqlite_db_distrust(d);
    bool is_plain = !sqlite_db_has_table(d, STR("nodes"));
    check_tables(d, is_plain);
    model_add_views(&views, is_plain, true);
    buf_add(&views, (struct str){"", 1});
    sqlite_db_run(d, views.p);
    buf_free(&views);
}

static enum bid bid_sqlite(struct str head)
{
    return str_starts(head, SQLITE_DB_MAGIC) ? BID_SURE : BID_NONE;
}

const struct format format_sqlite = {
    .name = "an SQLite database file",
    .converter = "sqlite2ndjson",
    .target = "the database",
    .suffixes = ".db .sqlite .sqlite3",
    .bid = bid_sqlite,
    .read = sqlite_read,
    .has_borders = true,
    .is_document = true,
    .byte_pays = LIMITS_BYTE_OF_DATABASE,
    .writer = &sqlite_writer,
};
