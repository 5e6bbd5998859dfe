/* SQLite: databases with the tables of profile rows. */
#include "formats/sqlite/sqlite.h"

#include "formats/formats.h"
#include "formats/sqlite/sqlite_read.h"

/* Ends the tool if D has something that none of ours that IS_PLAIN has. */
static void refuse_others(struct sqlite_db *d, bool is_plain)
{
    static const char names[] =
        "SELECT type, name FROM sqlite_master WHERE name NOT GLOB 'sqlite_*'";
    struct sqlite_db *ours =
        sqlite_db_open(":memory:", SQLITE_OPEN_READWRITE, "a database in memory", false);
    struct buf sql = {0};
    model_add_sql(&sql, is_plain);
    buf_add(&sql, (struct str){"", 1});
    sqlite_db_run(ours, sql.p);
    sqlite3_stmt *known =
        sqlite_db_prepare(ours, "SELECT 1 FROM sqlite_master WHERE type = ?1 AND name = ?2");
    sqlite3_stmt *s = sqlite_db_prepare(d, names);
    while (sqlite_db_step(d, s)) {
        for (int i = 0; i < 2; i++)
            sqlite3_bind_value(known, i + 1, sqlite3_column_value(s, i));
        if (!sqlite_db_step(ours, known)) {
            struct str type = sqlite_db_text(s, 0), name = sqlite_db_text(s, 1);
            die_at((struct place){d->name, PLACE_FILE, 0}, "the %.*s \"%.*s\" would be lost",
                   STR_ARG(type), STR_ARG(name));
        }
        sqlite3_reset(known);
    }
    buf_free(&sql);
    sqlite_db_close(ours);
}

bool sqlite_is_plain(const char *path)
{
    struct sqlite_db *d = sqlite_db_open_file(path, path);
    sqlite_db_distrust(d);
    sqlite3_stmt *s = sqlite_db_prepare(d, "SELECT 1 FROM sqlite_master WHERE name = 'nodes'");
    bool is_plain = !sqlite_db_step(d, s);
    refuse_others(d, is_plain);
    sqlite_db_close(d);
    return is_plain;
}

static enum bid bid_sqlite(struct str head)
{
    return str_starts(head, SQLITE_DB_MAGIC) ? BID_SURE : BID_NONE;
}

const struct format format_sqlite = {
    .name = "an SQLite database file",
    .converter = "sqlite2ndjson",
    .bid = bid_sqlite,
    .read = sqlite_read,
    .has_borders = true,
    .is_document = true,
    .writer = &sqlite_writer,
};
