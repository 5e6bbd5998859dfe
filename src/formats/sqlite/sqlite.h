/* sqlite.h - SQLite databases with the tables of profile rows (model/model.h). */
#ifndef PROFPIPE_SQLITE_H
#define PROFPIPE_SQLITE_H

#include "formats/format.h"

struct sqlite_db;

/* The `read` of struct format. */
void sqlite_read(struct in *in, const struct read_request *request, struct sink *sink);

/* Marks a file as ours: "prof", and the version of the tables. */
#define SQLITE_IDENTITY "PRAGMA application_id = 0x70726f66; PRAGMA user_version = 3;"

/* The options of the writer. All zero: write a file, and store each stack once. */
struct sqlite_write_options {
    bool plain;           /* write the tables sample_values and sample_locations, and no sums */
    const char *encoding; /* of its text, in SQLite's spelling; NULL: UTF-8 */
    /* set to a database in memory when the stage closes; the user closes it */
    struct sqlite_db **into;
};

/* Writes a database, to the output or to the `into` of its options. */
extern const struct stage sqlite_writer;

/* Registers with confine() the folders that SQLite may use for sorting. */
void sqlite_keep_sorting(void);

/* Registers with confine() the files beside the database PATH that hold its latest changes. Does
 * nothing if PATH is not a database. */
void sqlite_keep(const char *path);

/* Whether the file PATH is a database that is not compressed. */
bool sqlite_is_file(const char *path);

/* Opens the database PATH for reading. Creates no file beside it. NAME is for messages. */
struct sqlite_db *sqlite_open_to_read(const char *path, const char *name);

/* Ends the tool (STATUS_SYSTEM) if an unfinished journal or write-ahead log is beside PATH, whether
 * PATH exists or not: SQLite would apply it to the database that is about to be put there. If PATH
 * exists and IS_SHARED that is no error: others write to it through SQLite. */
void sqlite_check_beside(const char *path, bool is_shared);

/* Checks D before rows are appended. Returns whether it stores rows as they are (option `plain`).
 * Ends the tool (STATUS_INPUT) if D has anything that our databases do not have: that would be
 * lost. */
bool sqlite_check_ours(struct sqlite_db *d);

/* Whether D, which may come from a stranger, is a database as an earlier version of ndjson2sqlite
 * wrote it: our views do not fit its tables, so it can only be read. */
bool sqlite_is_earlier(struct sqlite_db *d);

/* Prepares D, which may come from a stranger, for queries. Its views are not run: ours hide them,
 * over tables that have been checked. Ends the tool (STATUS_INPUT) where one of these tables is not
 * a table, or has a computed column. */
void sqlite_make_askable(struct sqlite_db *d);

#endif
