/* sqlite_append.h - more profiles into a database that is there, whoever else writes to it. */
#ifndef PROFPIPE_SQLITE_APPEND_H
#define PROFPIPE_SQLITE_APPEND_H

#include "base/out.h"
#include "formats/sqlite/sqlite_db.h"

struct sqlite_append {
    struct sqlite_db *db; /* locked */
    bool is_made;         /* there was no such file */
    bool is_new;          /* there is nothing in it */
    bool is_plain;        /* or else: it stores rows as they are */
    char encoding[16];    /* of its text, as SQLite calls it: what is attached to it must have the same */
};

/* Makes the file that OUT replaces, which the user calls NAME, if it is not there, and locks the database in it until
 * sqlite_append_end or the end of the process; waits for who has locked it.  NAME must stay valid.  Ends the tool
 * (STATUS_INPUT) where it is no database, or has more in it than one of ours: that would be lost. */
void sqlite_append_begin(struct sqlite_append *a, const char *name, struct out *out);

/* Puts all that the database has which stands in the unfinished file of OUT, and which stores rows as they are if it
 * IS_PLAIN, in the place of what the locked one has; OUT puts nothing there itself then.  All or nothing: ends the tool
 * (STATUS_SYSTEM) where it cannot be written.  Signals wait. */
void sqlite_append_end(struct sqlite_append *a, bool is_plain, struct out *out);

#endif
