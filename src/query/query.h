/* query.h - runs an SQL statement on a database of profiles and prints its result as a table. */
#ifndef PROFPIPE_QUERY_H
#define PROFPIPE_QUERY_H

#include "formats/sqlite/sqlite_db.h"
#include "table/sheet.h"

/* Writes the result of SQL, one statement that only reads D, to OUT; for ".schema" the
 * statements that created D.  Fetches only as many rows as REQUEST shows.  SQLite may take
 * MAX_SIZE more bytes of memory, and so may a result that has to be held.  Ends the tool:
 * STATUS_USAGE if SQL is not such a statement, STATUS_INPUT if it fails. */
void query_write(struct sqlite_db *d, struct str sql, const struct sheet_request *request,
                 uint64_t max_size, struct out *out);

#endif
