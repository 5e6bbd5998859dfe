/* query.h - a question to a database of profiles, and its answer as a table. */
#ifndef PROFPIPE_QUERY_H
#define PROFPIPE_QUERY_H

#include "formats/sqlite/sqlite_db.h"
#include "summary/sheet.h"

/* Writes what SQL, one statement that reads, finds in D to OUT; or for ".schema" the statements that made D.  Only the
 * first rows are asked for that REQUEST wants.  SQLite takes up to MAX_SIZE bytes of memory beyond what it has, and so does
 * an answer that has to be held.  Ends the tool: STATUS_USAGE where SQL is no such statement, STATUS_INPUT where it
 * fails. */
void query_write(struct sqlite_db *d, struct str sql, const struct sheet_request *request,
                 uint64_t max_size, struct out *out);

#endif
