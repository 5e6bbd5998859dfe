/* Files beside a database: the journal of a transaction, or a write-ahead log and its index; and
 * how to open a database for reading without creating such files. */
#include "formats/sqlite/sqlite.h"

#include "base/buf.h"
#include "base/confine.h"
#include "base/port.h"
#include "base/temporary.h"
#include "formats/sqlite/sqlite_db.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The kind of the file PATH: a database, or something else, such as a compressed database. */
enum file_kind { KIND_OTHER, KIND_DATABASE, KIND_DATABASE_WITH_LOG };

static enum file_kind kind_of(const char *path)
{
    /* its offset; a value of 2 or more means that changes go to a write-ahead log */
    enum { READ_VERSION = 19 };
    struct str magic = SQLITE_DB_MAGIC;
    char head[READ_VERSION + 1];
    struct stat file;
    if (stat(path, &file) < 0 || !S_ISREG(file.st_mode)) /* opening a pipe would block */
        return KIND_OTHER;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : pread(fd, head, sizeof head, 0);
    if (fd >= 0)
        close(fd);
    if (n != (ssize_t)sizeof head || memcmp(head, magic.p, magic.n) != 0)
        return KIND_OTHER;
    return head[READ_VERSION] >= 2 ? KIND_DATABASE_WITH_LOG : KIND_DATABASE;
}

/* Writes the file name PATH with SUFFIX to TO. */
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

/* Whether the file NAME has unfinished work. When it is finished, the file is emptied or removed,
 * or its first byte set to zero. */
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
        if (!is_shared || access(path, F_OK) < 0) /* SQLite creates the database first */
            die(CODE_IO, "cannot write %s: SQLite would take %s for a part of it", path, name);
    }
    free(real);
}

/* --- confine() --- */

void sqlite_keep_sorting(void)
{
    confine_use(temporary_folder());
    if (access(temporary_folder(), W_OK | X_OK) == 0)
        return;
    confine_use("/var/tmp"); /* SQLite's next choices */
    confine_use("/tmp");
}

void sqlite_keep(const char *path)
{
    static const char *const suffixes[] = {"-journal", "-wal"};
    char *real = realpath(path, NULL); /* these files are beside the real file */
    enum file_kind kind = real == NULL ? KIND_OTHER : kind_of(real);
    if (kind == KIND_DATABASE_WITH_LOG) /* its writer creates and removes logs */
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

/* How to open a database: parameters for SQLite. */
struct way {
    const char *parameters;
    bool is_locked; /* locks the file against writers */
};

/* How to open the file REAL, which has a write-ahead log. By default SQLite would create the log
 * and its index, and leave both behind. */
static struct way way_to_read(const char *real)
{
    char journal[PATH_MAX + 16];
    name_beside(journal, real, "-journal");
    if (is_unfinished(journal))
        return (struct way){"?mode=ro", true}; /* SQLite reports the error */
    if (!is_beside(real, "-wal"))
        return (struct way){"?immutable=1", false}; /* no program has it open */
    if (is_beside(real, "-shm"))
        return (struct way){"?readonly_shm=1", true};
    return (struct way){"?vfs=unix-none", false}; /* it was copied together with its log */
}

/* Appends PATH and WAY to URI. */
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
    struct sqlite_db *d = sqlite_db_open(uri.p, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, name, true);
    buf_free(&uri);
    if (!way.is_locked)
        sqlite_db_watch(d);
    return d;
}
