/* sqlite.h - databases of SQLite with the tables of profile rows (model/model.h). */
#ifndef PROFPIPE_SQLITE_H
#define PROFPIPE_SQLITE_H

#include "stream/stage.h"

struct sqlite_db;

/* What tells such a file from other databases: "prof", and the version of its tables. */
#define SQLITE_IDENTITY "PRAGMA application_id = 0x70726f66; PRAGMA user_version = 1;"

/* What a database is made like.  All zero: it is a file, with stacks stored once. */
struct sqlite_write_options {
    bool plain; /* sample_values and sample_locations are tables, and nothing is summed up */
    const char *encoding; /* of its text, as SQLite calls it; NULL: UTF-8 */
    struct sqlite_db *
        *into; /* it is in memory, and stands there once the stage is closed; the user closes it */
};

/* Writes a database: to the output, or where its options say. */
extern const struct stage sqlite_writer;

/* Names for confine() the folders that SQLite may sort in. */
void sqlite_keep_sorting(void);

/* Names for confine() what a database needs beside itself: what was written to it last, if PATH is the file of one. */
void sqlite_keep(const char *path);

/* Whether the file PATH is a database, and nothing that one is packed in. */
bool sqlite_is_file(const char *path);

/* Opens the database in the file PATH, which messages call NAME, to read it: nothing is made beside it. */
struct sqlite_db *sqlite_open_to_read(const char *path, const char *name);

/* Ends the tool (STATUS_SYSTEM) where a journal or a write-ahead log stands beside the file PATH, which is there or
 * not: SQLite would take it for one of the database that is about to be put there.  If PATH IS_SHARED, and is there, that
 * is no error: others write to it as SQLite does. */
void sqlite_check_beside(const char *path, bool is_shared);

/* Whether D, which more is about to be added to, stores rows as they are.  Ends the tool (STATUS_INPUT) where it has more
 * in it than such a database has: that would be lost. */
bool sqlite_check_ours(struct sqlite_db *d);

/* Makes D, which a stranger may have made and nobody has asked, one for questions.  Its views are not run: ours stand in
 * front of them, over tables that have been looked at.  Ends the tool (STATUS_INPUT) where one of these is none, or a
 * column is computed. */
void sqlite_make_askable(struct sqlite_db *d);

#endif
