/* sqlite_append.h - appends profiles to an existing database, while others may write to it too. */
#ifndef PROFPIPE_SQLITE_APPEND_H
#define PROFPIPE_SQLITE_APPEND_H

#include "base/out.h"
#include "formats/sqlite/sqlite_db.h"

struct sqlite_append {
    struct sqlite_db *db; /* locked */
    bool is_made;         /* the file did not exist */
    bool is_new;          /* it is empty */
    bool is_plain;        /* it stores rows as they are */
    /* of its text, in SQLite's spelling; an attached database must have the same */
    char encoding[16];
};

/* Creates the file that OUT replaces if it does not exist. NAME is the user's name for it and must
 * stay valid. Waits for the lock of the database, and holds it until sqlite_append_end or the end
 * of the process. Ends the tool (STATUS_INPUT) if the file is not a database, or has anything that
 * ours do not have: that would be lost. */
void sqlite_append_begin(struct sqlite_append *a, const char *name, struct out *out);

/* Replaces the content of the locked database by that of the unfinished file of OUT. IS_PLAIN: that
 * file stores rows as they are. OUT itself then writes nothing. All or nothing: ends the tool
 * (STATUS_SYSTEM) if it cannot be written. Signals wait. */
void sqlite_append_end(struct sqlite_append *a, bool is_plain, struct out *out);

#endif
