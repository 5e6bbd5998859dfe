/* What stands beside a database in a file: the journal of a transaction, or a write-ahead log and the index of that; and
 * how one that is only read is opened so that nothing of the kind is left there. */
#include "formats/sqlite/sqlite.h"

#include "base/buf.h"
#include "base/confine.h"
#include "base/port.h"
#include "base/spool.h"
#include "formats/sqlite/sqlite_db.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* What kind of file PATH is: a database itself, or not, as what a database is packed in. */
enum file_kind { KIND_OTHER, KIND_DATABASE, KIND_DATABASE_WITH_LOG };

static enum file_kind kind_of(const char *path)
{
    enum { READ_VERSION = 19 }; /* where it stands: from 2 on, what is written goes to a log first */
    struct str magic = SQLITE_DB_MAGIC;
    char head[READ_VERSION + 1];
    struct stat file;
    if (stat(path, &file) < 0 || !S_ISREG(file.st_mode)) /* a pipe would be waited for */
        return KIND_OTHER;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : pread(fd, head, sizeof head, 0);
    if (fd >= 0)
        close(fd);
    if (n != (ssize_t)sizeof head || memcmp(head, magic.p, magic.n) != 0)
        return KIND_OTHER;
    return head[READ_VERSION] >= 2 ? KIND_DATABASE_WITH_LOG : KIND_DATABASE;
}

/* Writes the name of the file PATH with SUFFIX behind it to TO. */
static void name_beside(char to[PATH_MAX + 16], const char *path, const char *suffix)
{
    snprintf(to, PATH_MAX + 16, "%s%s", path, suffix);
}

static bool is_beside(const char *path, const char *suffix)
{
    char name[PATH_MAX + 16];
    name_beside(name, path, suffix);
    return access(name, F_OK) == 0;
}

/* Whether the file with that name has something that is not finished: who finishes it empties it, removes it, or makes its
 * first byte zero. */
static bool is_unfinished(const char *name)
{
    FILE *file = fopen(name, "re");
    int first = file == NULL ? EOF : getc(file);
    if (file != NULL)
        fclose(file);
    return first != EOF && first != 0;
}

void sqlite_check_beside(const char *path, bool is_shared)
{
    static const char *const suffixes[] = {"-journal", "-wal"};
    char *real = realpath(path, NULL), name[PATH_MAX + 16];
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        name_beside(name, real != NULL ? real : path, suffixes[i]);
        if (!is_unfinished(name))
            continue;
        if (!is_shared || access(path, F_OK) < 0) /* who makes both makes the database first */
            die(STATUS_SYSTEM, "cannot write %s: SQLite would take %s for a part of it", path,
                name);
    }
    free(real);
}

/* --- confine() --- */

void sqlite_keep_sorting(void)
{
    confine_use(spool_folder());
    if (access(spool_folder(), W_OK | X_OK) == 0)
        return;
    confine_use("/var/tmp"); /* where it goes on to look */
    confine_use("/tmp");
}

void sqlite_keep(const char *path)
{
    static const char *const suffixes[] = {"-journal", "-wal"};
    char *real = realpath(path, NULL); /* SQLite has what belongs to it beside that */
    enum file_kind kind = real == NULL ? KIND_OTHER : kind_of(real);
    if (kind == KIND_DATABASE_WITH_LOG) /* who writes it makes and removes logs meanwhile */
        confine_read_beside(real);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes && kind == KIND_DATABASE; i++) {
        char name[PATH_MAX + 16];
        name_beside(name, real, suffixes[i]);
        if (access(name, F_OK) == 0)
            confine_read(name);
    }
    free(real);
}

/* --- reading --- */

bool sqlite_is_file(const char *path)
{
    return kind_of(path) != KIND_OTHER;
}

/* How a database is opened, in the words of SQLite. */
struct way {
    const char *parameters;
    bool is_locked; /* from those that write to it */
};

/* How that of the file REAL is, which has a write-ahead log.  As it is by itself, SQLite would make the log and its index,
 * and leave both behind. */
static struct way way_to_read(const char *real)
{
    char journal[PATH_MAX + 16];
    name_beside(journal, real, "-journal");
    if (is_unfinished(journal))
        return (struct way){"?mode=ro", true}; /* it will say so */
    if (!is_beside(real, "-wal"))
        return (struct way){"?immutable=1", false}; /* nobody has it open */
    if (is_beside(real, "-shm"))
        return (struct way){"?readonly_shm=1", true};
    return (struct way){"?vfs=unix-none", false}; /* it was copied, log and all */
}

/* Adds PATH to URI, and WAY. */
static void add_uri(struct buf *uri, const char *path, const char *way)
{
    static const char digits[] = "0123456789ABCDEF";
    buf_add(uri, STR("file:"));
    for (; *path != '\0'; path++) {
        unsigned char c = (unsigned char)*path;
        char escaped[] = {'%', digits[c >> 4], digits[c & 15]};
        bool is_plain = c != '%' && c != '?' && c != '#';
        buf_add(uri, is_plain ? (struct str){path, 1} : (struct str){escaped, sizeof escaped});
    }
    buf_add(uri, str_of(way));
    buf_add(uri, (struct str){"", 1});
}

struct sqlite_db *sqlite_open_to_read(const char *path, const char *name)
{
    struct buf uri = {0};
    char *real = realpath(path, NULL);
    if (real == NULL || kind_of(real) != KIND_DATABASE_WITH_LOG) {
        free(real);
        return sqlite_db_open_file(path, SQLITE_OPEN_READONLY, name);
    }
    struct way way = way_to_read(real);
    add_uri(&uri, real, way.parameters);
    free(real);
    struct sqlite_db *d =
        sqlite_db_open(uri.p, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, name, true);
    buf_free(&uri);
    if (!way.is_locked)
        sqlite_db_watch(d);
    return d;
}
