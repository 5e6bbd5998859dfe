/* SQLite: databases with the tables of profile rows. */
#include "formats/sqlite/sqlite.h"

#include "formats/formats.h"
#include "formats/sqlite/sqlite_read.h"

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
