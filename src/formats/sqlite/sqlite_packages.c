#include "formats/sqlite/sqlite_packages.h"

#include "formats/sqlite/sqlite_batch.h"
#include "profile/package.h"

/* Appends the package of the frame in the row of S to TO; false if it has none. */
static bool add_package(struct buf *to, sqlite3_stmt *s)
{
    enum { BY_RULES = 1, OWN_NAME, FILENAME, MAPPING, STAND_IN };
    const struct package_frame frame = {sqlite_db_text(s, OWN_NAME), sqlite_db_text(s, FILENAME),
                                        sqlite3_column_type(s, MAPPING) != SQLITE_NULL};
    if (sqlite3_column_type(s, BY_RULES) != SQLITE_NULL)
        buf_add(to, sqlite_db_text(s, BY_RULES));
    else if (!package_add(to, &frame))
        buf_add(to, sqlite_db_text(s, STAND_IN));
    return to->n > 0;
}

void sqlite_packages_write(struct sqlite_db *d)
{
    struct sqlite_batch b;
    struct buf package = {0};
    sqlite3_stmt *s =
        sqlite_db_prepare(d, "SELECT location_id, by_rules, own_name, filename, \".mapping_id\", "
                             "stand_in FROM frame_parts");
    sqlite_batch_open(&b, d, "stored_packages", "location_id, package", 2);
    while (sqlite_db_step(d, s)) {
        package.n = 0;
        if (!add_package(&package, s))
            continue;
        sqlite_batch_integer(&b, sqlite3_column_int64(s, 0));
        sqlite_batch_text(&b, buf_str(&package));
        sqlite_batch_end(&b);
    }
    sqlite_db_finalize(d, s);
    sqlite_batch_close(&b);
    buf_free(&package);
}
