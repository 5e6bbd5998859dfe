/* sqlite_db.h - access to SQLite databases. Errors end the tool. */
#ifndef PROFPIPE_SQLITE_DB_H
#define PROFPIPE_SQLITE_DB_H

#include "base/str.h"

#include <sqlite3.h>
#include <stdint.h>
#include <sys/stat.h>

/* The first bytes of a database file. */
#define SQLITE_DB_MAGIC ((struct str){"SQLite format 3", 16})

struct sqlite_db {
    sqlite3 *handle;
    const char *name; /* for messages; not owned */
    bool is_input;    /* errors are errors of an input (STATUS_INPUT) */

    int file; /* that of sqlite_db_open_temporary, for reading; -1: none */

    bool is_watched; /* sqlite_db_watch */
    struct stat before;

    sqlite3_stmt **statements; /* not finalized yet */
    size_t statement_count, statement_capacity;
    uint64_t steps_left, max_memory; /* sqlite_db_limit */
    const char *exceeded;            /* the limit that was exceeded; NULL: none */
};

/* Opens the database in the file PATH; FLAGS are SQLite's. The handle is freed with its memory
 * (mem_alloc_holder). If others hold the lock, waits for it: without limit, or for --timeout. */
struct sqlite_db *sqlite_db_open(const char *path, int flags, const char *name, bool is_input);

/* Opens an empty database in a temporary file without a name, which is closed with it; `file` reads
 * that. */
struct sqlite_db *sqlite_db_open_temporary(void);

/* Opens the file PATH, even if its name has a special meaning to SQLite; FLAGS are SQLite's. */
struct sqlite_db *sqlite_db_open_file(const char *path, int flags, const char *name);

/* Opens a database from a copy of BYTES, the content of its file. */
struct sqlite_db *sqlite_db_open_bytes(struct str bytes, const char *name);

/* Call sqlite_db_watch after opening D for reading only, without a lock, so that its log needs no
 * index file. If somebody writes to the file in the meantime, sqlite_db_check and sqlite_db_close
 * end the tool (STATUS_SYSTEM). */
void sqlite_db_watch(struct sqlite_db *d);
void sqlite_db_check(const struct sqlite_db *d);

/* Prepares D for content from a stranger: its triggers, views and virtual tables are not run, and
 * no value may be longer than a line of rows. */
void sqlite_db_distrust(struct sqlite_db *d);

/* From now on limits D to STEPS instructions of SQLite's virtual machine, and to MEMORY bytes more
 * than all databases use now. Exceeding a limit is an error of D. */
void sqlite_db_limit(struct sqlite_db *d, uint64_t steps, uint64_t memory);

/* The size of D in bytes. */
uint64_t sqlite_db_size(struct sqlite_db *d);

/* The code of messages for SQLite's error NUMBER. */
enum code sqlite_db_code(int number);

/* Whether D has a table NAME. Ends the tool (STATUS_INPUT) if that is a view or a virtual table. */
bool sqlite_db_has_table(struct sqlite_db *d, struct str name);

/* Whether the last statement on D failed because of the system, not because of D or the
 * statement. */
bool sqlite_db_is_failed(const struct sqlite_db *d);

/* Ends the tool with the last error of D. */
_Noreturn void sqlite_db_die(const struct sqlite_db *d);

/* Runs all statements in SQL, ended by NUL. */
void sqlite_db_run(struct sqlite_db *d, const char *sql);

/* The first statement in SQL. The caller finalizes it with sqlite_db_finalize. */
sqlite3_stmt *sqlite_db_prepare(struct sqlite_db *d, const char *sql);

/* The same for SQL that may be invalid. Returns SQLite's code; *S is the statement, or NULL. If
 * REST is not NULL, *REST is set to the start of the next statement. */
int sqlite_db_try(struct sqlite_db *d, struct str sql, sqlite3_stmt **s, const char **rest);

/* Finalizes S, a statement of D. */
void sqlite_db_finalize(struct sqlite_db *d, sqlite3_stmt *s);

/* Takes the next row of S; false after the last. */
bool sqlite_db_step(struct sqlite_db *d, sqlite3_stmt *s);

/* The bytes of text in COLUMN of the current row of S, valid until the next step. */
struct str sqlite_db_text(sqlite3_stmt *s, int column);

/* Closes and frees D, and finalizes its remaining statements. */
void sqlite_db_close(struct sqlite_db *d);

#endif
