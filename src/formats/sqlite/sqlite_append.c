/* Appends profiles to an existing database. It is read and merged with the new profiles into a new
 * database beside it. Then its content is replaced by that in one transaction.
 *
 * Renaming the new file over the old one would be simpler. But another program that has the old
 * file open and waits for the lock would then write to a deleted file without noticing. All
 * programs that use SQLite wait for a transaction, and its journal restores the old content if we
 * are killed. */
#include "formats/sqlite/sqlite_append.h"

#include "base/deadline.h"
#include "base/in.h"
#include "formats/sqlite/sqlite.h"
#include "model/model.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- the lock --- */

/* Creates the empty file PATH if it does not exist; returns whether it did. */
static bool make_file(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno != EEXIST)
        die_errno("cannot write", path);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* Whether the file of D was removed or replaced since it was opened. */
static bool has_moved(struct sqlite_db *d)
{
    int moved = 0;
    sqlite3_file_control(d->handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    return moved != 0;
}

/* Locks the database PATH against other writers; readers can go on. */
static struct sqlite_db *lock(const char *path, const char *name)
{
    struct sqlite_db *d = sqlite_db_open_file(path, SQLITE_OPEN_READWRITE, name);
    sqlite_db_distrust(d);
    sqlite_db_run(d, "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;"
                     "BEGIN IMMEDIATE");
    return d;
}

static bool has_tables(struct sqlite_db *d)
{
    sqlite3_stmt *s = sqlite_db_prepare(d, "SELECT 1 FROM sqlite_master");
    bool has_one = sqlite_db_step(d, s);
    sqlite_db_finalize(d, s);
    return has_one;
}

static void find_encoding(struct sqlite_append *a)
{
    sqlite3_stmt *s = sqlite_db_prepare(a->db, "PRAGMA encoding");
    sqlite_db_step(a->db, s);
    struct str found = sqlite_db_text(s, 0);
    snprintf(a->encoding, sizeof a->encoding, "%.*s", STR_ARG(found));
    sqlite_db_finalize(a->db, s);
}

/* Blocks signals, but not that of --timeout; sets BEFORE to what was blocked. */
static void block_signals(sigset_t *before)
{
    sigset_t set;
    sigfillset(&set);
    sigdelset(&set, SIGALRM);
    sigprocmask(SIG_BLOCK, &set, before);
}

void sqlite_append_begin(struct sqlite_append *a, const char *name, struct out *out)
{
    const char *path = out_target(out);
    struct stat file;
    sigset_t before;
    for (;;) {
        sqlite_check_beside(path, true);
        block_signals(&before); /* until it is known that a new file must not be left */
        a->is_made = make_file(path);
        if (!a->is_made)
            sigprocmask(SIG_SETMASK, &before, NULL); /* a signal ends the wait for the lock */
        a->db = lock(path, name);
        if (!has_moved(a->db))
            break;
        sqlite_db_close(a->db); /* it was removed by its creator, or replaced */
        sigprocmask(SIG_SETMASK, &before, NULL);
    }
    a->is_new = !has_tables(a->db);
    if (a->is_new && a->is_made)
        out_made_target(out);
    if (a->is_new) /* an empty file has none until it is changed */
        out_made_beside(out, "-journal");
    sigprocmask(SIG_SETMASK, &before, NULL);
    find_encoding(a);
    if (!a->is_new)
        a->is_plain = sqlite_check_ours(a->db);
    if (stat(path, &file) == 0)
        in_lock(&file);
}

/* --- the transaction --- */

/* Ends the tool after the transaction failed: nothing is changed, and signals are unblocked. */
static _Noreturn void give_up(struct sqlite_db *d, const sigset_t *signals)
{
    char reason[256];
    snprintf(reason, sizeof reason, "%s",
             has_moved(d) ? "another file has taken its place" : sqlite3_errmsg(d->handle));
    const enum code code = sqlite_db_code(sqlite3_extended_errcode(d->handle));
    sqlite3_exec(d->handle, "ROLLBACK", NULL, NULL, NULL);
    sigprocmask(SIG_SETMASK, signals, NULL); /* the signal that ended the wait ends the tool */
    die(code, "cannot write %s: %s", d->name, reason);
}

/* Runs SELECT, whose results are SQL statements, and runs those. */
static int run_each(struct sqlite_db *d, const char *select)
{
    struct buf sql = {0};
    sqlite3_stmt *s;
    int code = sqlite_db_try(d, str_of(select), &s, NULL);
    while (code == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW)
        buf_add(&sql, sqlite_db_text(s, 0));
    if (code == SQLITE_OK)
        code = sqlite3_reset(s);
    sqlite_db_finalize(d, s);
    buf_add(&sql, (struct str){"", 1});
    if (code == SQLITE_OK)
        code = sqlite3_exec(d->handle, sql.p, NULL, NULL, NULL);
    buf_free(&sql);
    return code;
}

/* Replaces the tables of D by those of the database PATH; returns SQLite's code. Equal tables are
 * copied as stored. */
static int replace_tables(struct sqlite_db *d, const char *path, bool is_plain)
{
    struct buf sql = {0};
    char *attach = sqlite3_mprintf("ATTACH %Q AS fresh", path);
    int code = attach == NULL ? SQLITE_NOMEM : sqlite3_exec(d->handle, attach, NULL, NULL, NULL);
    sqlite3_free(attach);
    if (code == SQLITE_OK)
        code =
            run_each(d, "SELECT format('DROP %s main.\"%w\";', type, name) FROM main.sqlite_master "
                        "WHERE type IN ('view', 'table') AND name NOT GLOB 'sqlite_*'");
    buf_add(&sql, STR(SQLITE_IDENTITY));
    model_add_sql(&sql, is_plain);
    buf_add(&sql, (struct str){"", 1});
    if (code == SQLITE_OK)
        code = sqlite3_exec(d->handle, sql.p, NULL, NULL, NULL);
    buf_free(&sql);
    if (code == SQLITE_OK)
        code = run_each(
            d, "SELECT format('INSERT INTO main.\"%w\" SELECT * FROM fresh.\"%w\";', name, name) "
               "FROM fresh.sqlite_master WHERE type = 'table'");
    return code;
}

/* Drops signals that have arrived: the work is done, and their sender can repeat them. */
static void forget_signals(void)
{
    sigset_t pending;
    sigpending(&pending);
    for (int number = 1; number < NSIG; number++)
        if (sigismember(&pending, number) == 1)
            signal(number, SIG_IGN);
}

void sqlite_append_end(struct sqlite_append *a, bool is_plain, struct out *out)
{
    struct sqlite_db *d = a->db;
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before); /* a signal ends the wait for readers */
    if (!a->is_made)
        out_made_beside(out, NULL); /* from now on the journal restores what was there */
    sqlite3_limit(d->handle, SQLITE_LIMIT_LENGTH, INT_MAX); /* the same limit as in the writer */
    int code = replace_tables(d, out_unfinished(out), is_plain);
    if (code == SQLITE_OK && !has_moved(d))
        code = sqlite3_exec(d->handle, "COMMIT", NULL, NULL, NULL);
    if (code != SQLITE_OK || has_moved(d))
        give_up(d, &before);
    deadline_end();
    sqlite_db_close(d);
    out_leave_target(out);
    forget_signals();
    sigprocmask(SIG_SETMASK, &before, NULL);
}
