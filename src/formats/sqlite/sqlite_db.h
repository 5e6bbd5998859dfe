/* sqlite_db.h - a database of SQLite, whose errors end the tool. */
#ifndef PROFPIPE_SQLITE_DB_H
#define PROFPIPE_SQLITE_DB_H

#include "base/str.h"

#include <sqlite3.h>
#include <stdint.h>
#include <sys/stat.h>

/* What the first bytes of such a file are. */
#define SQLITE_DB_MAGIC ((struct str){"SQLite format 3", 16})

struct sqlite_db {
    sqlite3 *handle;
    const char *name; /* for messages; not owned */
    bool is_input;    /* what is wrong with it is wrong with an input (STATUS_INPUT) */

    int file; /* which is closed with it; 0: none */

    bool is_watched; /* sqlite_db_watch */
    struct stat before;

    sqlite3_stmt **statements; /* those that have not been finalized */
    size_t statement_count, statement_capacity;
    uint64_t steps_left, max_memory; /* sqlite_db_limit */
    const char *exceeded;            /* which of them; NULL: none */
};

/* Opens the database that stands in the file PATH; FLAGS are SQLite's.  What hangs on it is given back where its
 * memory is (mem_alloc_holder).  Where others have locked it, it is waited for: as long as it takes, or --timeout. */
struct sqlite_db *sqlite_db_open(const char *path, int flags, const char *name, bool is_input);

/* Opens the file PATH, called so even where that means something else to SQLite; FLAGS are SQLite's. */
struct sqlite_db *sqlite_db_open_file(const char *path, int flags, const char *name);

/* Opens the database whose file has BYTES, of which it makes a copy. */
struct sqlite_db *sqlite_db_open_bytes(struct str bytes, const char *name);

/* D, which has just been opened and is only read, is locked from nobody: its log needs no index in a file then.  If
 * somebody has written to its file meanwhile, sqlite_db_check ends the tool (STATUS_SYSTEM), as does sqlite_db_close. */
void sqlite_db_watch(struct sqlite_db *d);
void sqlite_db_check(const struct sqlite_db *d);

/* Makes D one that a stranger may have made: none of its triggers, views and virtual tables is run, and no value is longer
 * than a line of rows. */
void sqlite_db_distrust(struct sqlite_db *d);

/* From here on D may take STEPS of SQLite's machine, and MEMORY bytes more than all databases have now.  What takes more is
 * wrong with D. */
void sqlite_db_limit(struct sqlite_db *d, uint64_t steps, uint64_t memory);

/* How many bytes D has. */
uint64_t sqlite_db_size(struct sqlite_db *d);

/* Whether D has a table NAME; a view or a virtual table that is called so ends the tool (STATUS_INPUT). */
bool sqlite_db_has_table(struct sqlite_db *d, struct str name);

/* Whether it is the system that failed what has been asked of D last, and neither D nor what was asked. */
bool sqlite_db_is_failed(const struct sqlite_db *d);

/* Ends the tool with what is wrong with D. */
_Noreturn void sqlite_db_die(const struct sqlite_db *d);

/* Runs all statements in SQL, ended by NUL. */
void sqlite_db_run(struct sqlite_db *d, const char *sql);

/* The first statement in SQL, to be finalized by sqlite_db_finalize. */
sqlite3_stmt *sqlite_db_prepare(struct sqlite_db *d, const char *sql);

/* The same where SQL may be wrong: returns SQLite's code, and the statement in *S, NULL where there is none.  *REST, unless
 * REST is NULL, is where the next one begins. */
int sqlite_db_try(struct sqlite_db *d, struct str sql, sqlite3_stmt **s, const char **rest);

/* Finalizes S, a statement of D. */
void sqlite_db_finalize(struct sqlite_db *d, sqlite3_stmt *s);

/* Takes the next row of S; false after the last. */
bool sqlite_db_step(struct sqlite_db *d, sqlite3_stmt *s);

/* The bytes of text in COLUMN of the row that S is at, valid until the next is taken. */
struct str sqlite_db_text(sqlite3_stmt *s, int column);

/* Closes and frees D, and finalizes what statements it still has. */
void sqlite_db_close(struct sqlite_db *d);

#endif
