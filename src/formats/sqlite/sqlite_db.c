#include "formats/sqlite/sqlite_db.h"

#include "base/buf.h"
#include "base/deadline.h"
#include "base/diag.h"
#include "base/in.h"
#include "base/mem.h"
#include "base/port.h"
#include "base/temporary.h"

#include <limits.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

/* --- statements --- */

/* Makes room for one more. */
static void make_room(struct sqlite_db *d)
{
    if (d->statement_count < d->statement_capacity)
        return;
    size_t capacity = 2 * d->statement_capacity + 16;
    sqlite3_stmt **grown = sqlite3_realloc64(d->statements, capacity * sizeof *grown);
    if (grown == NULL)
        die(CODE_MEMORY, "out of memory: %zu statements", capacity);
    d->statements = grown;
    d->statement_capacity = capacity;
}

int sqlite_db_try(struct sqlite_db *d, struct str sql, sqlite3_stmt **s, const char **rest)
{
    make_room(d);
    int code = sqlite3_prepare_v2(d->handle, sql.p, (int)sql.n, s, rest);
    if (*s != NULL)
        d->statements[d->statement_count++] = *s;
    return code;
}

sqlite3_stmt *sqlite_db_prepare(struct sqlite_db *d, const char *sql)
{
    sqlite3_stmt *s;
    if (sqlite_db_try(d, str_of(sql), &s, NULL) != SQLITE_OK)
        sqlite_db_die(d);
    deadline_waits_for(NULL);
    return s;
}

void sqlite_db_finalize(struct sqlite_db *d, sqlite3_stmt *s)
{
    size_t i = d->statement_count;
    while (i > 0 && d->statements[i - 1] != s)
        i--;
    if (i > 0)
        d->statements[i - 1] = d->statements[--d->statement_count];
    sqlite3_finalize(s);
}

/* Closes the database in BLOCK. Statements of virtual tables are not ours to finalize. */
static void drop(void *block)
{
    struct sqlite_db *d = block;
    if (d->file >= 0)
        close(d->file);
    d->file = -1;
    if (d->handle == NULL) /* it could not be opened */
        return;
    while (d->statement_count > 0)
        sqlite3_finalize(d->statements[--d->statement_count]);
    sqlite3_free(d->statements);
    sqlite3_close(d->handle);
    d->handle = NULL;
}

/* --- opening --- */

/* Only one thread calls SQLite. SQLite must count its memory, for the limits. */
static void begin(void)
{
    static bool has_begun;
    diag_main_only();
    if (!has_begun) {
        sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
        sqlite3_temp_directory =
            sqlite3_mprintf("%s", temporary_folder()); /* for temporary files */
    }
    has_begun = true;
}

/* Waits for a lock on the database D: shortly at first, as most locks are short. A blocked signal
 * ends the wait. */
static int wait_for_lock(void *db, int times)
{
    const struct sqlite_db *d = db;
    struct timespec pause = {.tv_nsec = times < 20 ? 1000000 : 20000000};
    sigset_t pending, blocked;
    deadline_waits_for(d->name);
    if (sigpending(&pending) == 0 && sigprocmask(SIG_BLOCK, NULL, &blocked) == 0)
        for (int number = 1; number < NSIG; number++)
            if (sigismember(&pending, number) == 1 && sigismember(&blocked, number) == 1)
                return 0;
    nanosleep(&pause, NULL);
    return 1;
}

static struct sqlite_db *new_db(const char *name, bool is_input)
{
    begin();
    struct sqlite_db *d = mem_alloc_holder(sizeof *d, drop);
    d->name = name;
    d->is_input = is_input;
    d->file = -1;
    return d;
}

static int open_handle(struct sqlite_db *d, const char *path, int flags)
{
    return sqlite3_open_v2(path, &d->handle, flags | SQLITE_OPEN_NOMUTEX, NULL);
}

/* Sets what all databases have that have been opened. */
static void set_up(struct sqlite_db *d)
{
    sqlite3_busy_handler(d->handle, wait_for_lock, d);
    sqlite3_db_config(d->handle, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, NULL);
}

struct sqlite_db *sqlite_db_open(const char *path, int flags, const char *name, bool is_input)
{
    struct sqlite_db *d = new_db(name, is_input);
    if (open_handle(d, path, flags) != SQLITE_OK)
        sqlite_db_die(d);
    set_up(d);
    return d;
}

/* Appends PATH to TO so that nothing in it has a special meaning to SQLite. */
static void add_plain(struct buf *to, const char *path)
{
    buf_add(to, *path == '/' ? STR("") : STR("./"));
    buf_add(to, (struct str){path, strlen(path) + 1});
}

struct opening {
    struct sqlite_db *db;
    struct buf path;
    int code; /* SQLite's */
};

static void open_named(const char *path, void *to)
{
    struct opening *o = to;
    add_plain(&o->path, path);
    o->code = open_handle(o->db, o->path.p, SQLITE_OPEN_READWRITE); /* opens the file at once */
}

struct sqlite_db *sqlite_db_open_temporary(void)
{
    struct opening o = {.db = new_db("a temporary file", false)};
    buf_reserve(&o.path, PATH_MAX + 3); /* no memory may be refused while the file has a name */
    o.db->file = temporary_make_named(open_named, &o);
    if (o.db->file < 0)
        die_errno("cannot make a temporary file in", temporary_folder());
    buf_free(&o.path);
    if (o.code != SQLITE_OK)
        die(sqlite_db_code(o.code), "cannot open a database in a temporary file in %s: %s",
            temporary_folder(), sqlite3_errmsg(o.db->handle));
    set_up(o.db);
    return o.db;
}

struct sqlite_db *sqlite_db_open_file(const char *path, int flags, const char *name)
{
    struct buf file = {0};
    struct stat found;
    if (stat(path, &found) == 0 && !S_ISREG(found.st_mode)) /* opening a pipe would block */
        die_at((struct place){name, PLACE_FILE, 0}, "expected a file with a database");
    add_plain(&file, path);
    struct sqlite_db *d = sqlite_db_open(file.p, flags, name, true);
    buf_free(&file);
    return d;
}

struct sqlite_db *sqlite_db_open_bytes(struct str bytes, const char *name)
{
    enum { WRITE_VERSION = 18, READ_VERSION = 19 }; /* offsets in the header of a file */
    struct sqlite_db *d = sqlite_db_open(":memory:", SQLITE_OPEN_READWRITE, name, true);
    unsigned char *image = sqlite3_malloc64(bytes.n);
    if (image == NULL)
        die(CODE_MEMORY, "out of memory: %zu bytes were refused", bytes.n);
    memcpy(image, bytes.p, bytes.n);
    if (bytes.n > READ_VERSION)
        image[WRITE_VERSION] = image[READ_VERSION] = 1; /* the copy has no write-ahead log */
    sqlite3_int64 size = (sqlite3_int64)bytes.n;
    int code = sqlite3_deserialize(d->handle, "main", image, size, size,
                                   SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY);
    if (code != SQLITE_OK) /* the handle does not always have the error */
        die(sqlite_db_code(code), "cannot read %s: %s", name, sqlite3_errstr(code));
    return d;
}

void sqlite_db_distrust(struct sqlite_db *d)
{
    static const int settings[][2] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                      {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                      {SQLITE_DBCONFIG_ENABLE_VIEW, 0}};
    /* virtual tables that may be used */
    static const char *modules[] = {"json_each", "json_tree", NULL};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        sqlite3_db_config(d->handle, settings[i][0], settings[i][1], NULL);
    sqlite3_drop_modules(d->handle, modules);
    sqlite3_limit(d->handle, SQLITE_LIMIT_LENGTH, (int)LIMITS_LINE);
    sqlite_db_run(d, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0");
}

/* --- writers in the meantime --- */

static const char *file_of(const struct sqlite_db *d)
{
    return sqlite3_db_filename(d->handle, "main");
}

void sqlite_db_watch(struct sqlite_db *d)
{
    d->is_watched = stat(file_of(d), &d->before) == 0;
    sqlite_db_run(d, "PRAGMA locking_mode = EXCLUSIVE");
}

void sqlite_db_check(const struct sqlite_db *d)
{
    struct stat now; /* of the same file; a file replaced by another is itself unchanged */
    if (d->is_watched && stat(file_of(d), &now) == 0 && now.st_ino == d->before.st_ino &&
        now.st_dev == d->before.st_dev && port_is_written(&d->before, &now))
        die(CODE_LOCKED, "cannot read %s: another program has written to it meanwhile", d->name);
}

/* --- limits --- */

enum { STEPS = 1000 }; /* instructions of SQLite between two checks of the limits */

static int look_at_limits(void *db)
{
    struct sqlite_db *d = db;
    if (d->steps_left < STEPS)
        d->exceeded = "steps";
    else if ((uint64_t)sqlite3_memory_used() > d->max_memory)
        d->exceeded = "memory";
    d->steps_left -= STEPS;
    return d->exceeded != NULL;
}

void sqlite_db_limit(struct sqlite_db *d, uint64_t steps, uint64_t memory)
{
    d->steps_left = steps;
    d->max_memory = (uint64_t)sqlite3_memory_used() + memory;
    sqlite3_progress_handler(d->handle, STEPS, look_at_limits, d);
}

uint64_t sqlite_db_size(struct sqlite_db *d)
{
    sqlite3_stmt *s = sqlite_db_prepare(
        d, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size");
    sqlite_db_step(d, s);
    uint64_t size = (uint64_t)sqlite3_column_int64(s, 0);
    sqlite_db_finalize(d, s);
    return size;
}

bool sqlite_db_has_table(struct sqlite_db *d, struct str name)
{
    sqlite3_stmt *s = sqlite_db_prepare(
        d, "SELECT type = 'table' AND rootpage > 0 FROM sqlite_master WHERE name = ?1 "
           "COLLATE NOCASE ORDER BY 1");
    sqlite3_bind_text(s, 1, name.p, (int)name.n, SQLITE_STATIC);
    bool is_there = sqlite_db_step(d, s);
    if (is_there && sqlite3_column_int(s, 0) == 0)
        die_at((struct place){d->name, PLACE_FILE, 0},
               "expected a table \"%.*s\", found something else that is called so", STR_ARG(name));
    sqlite_db_finalize(d, s);
    return is_there;
}

/* --- errors --- */

/* Whether the system failed, not the database. */
static bool is_system(int code)
{
    int kind = code & 0xff;
    return kind == SQLITE_IOERR || kind == SQLITE_NOMEM || kind == SQLITE_FULL ||
           kind == SQLITE_CANTOPEN || kind == SQLITE_PERM || kind == SQLITE_BUSY;
}

enum code sqlite_db_code(int number)
{
    switch (number & 0xff) {
    case SQLITE_NOMEM: return CODE_MEMORY;
    case SQLITE_FULL: return CODE_DISK_FULL;
    case SQLITE_BUSY: return CODE_LOCKED;
    case SQLITE_PERM:
    case SQLITE_READONLY: return CODE_DENIED;
    default: return CODE_IO;
    }
}

bool sqlite_db_is_failed(const struct sqlite_db *d)
{
    return d->exceeded != NULL || is_system(sqlite3_extended_errcode(d->handle));
}

void sqlite_db_die(const struct sqlite_db *d)
{
    sqlite_db_check(d);
    int code = d->handle == NULL ? SQLITE_NOMEM : sqlite3_extended_errcode(d->handle);
    const char *message = d->handle == NULL ? "out of memory" : sqlite3_errmsg(d->handle);
    if (d->exceeded != NULL)
        die_as(CODE_TOO_LARGE, (struct place){d->name, PLACE_FILE, 0},
               "reading takes more %s than a database of its size needs", d->exceeded);
    if (d->is_input && (code & 0xff) == SQLITE_READONLY)
        die_at((struct place){d->name, PLACE_FILE, 0},
               "a program has left unfinished changes beside this database: open it once with "
               "sqlite3, which completes or undoes them");
    if (!d->is_input || (is_system(code) && code != SQLITE_IOERR_SHORT_READ))
        die(sqlite_db_code(code), "cannot %s %s: %s", d->is_input ? "read" : "write", d->name,
            message);
    die_at((struct place){d->name, PLACE_FILE, 0}, "SQLite cannot read this database: %s", message);
}

/* --- statements --- */

void sqlite_db_run(struct sqlite_db *d, const char *sql)
{
    if (sqlite3_exec(d->handle, sql, NULL, NULL, NULL) != SQLITE_OK)
        sqlite_db_die(d);
    deadline_waits_for(NULL);
}

bool sqlite_db_step(struct sqlite_db *d, sqlite3_stmt *s)
{
    int code = sqlite3_step(s);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        sqlite_db_die(d);
    deadline_waits_for(NULL);
    return code == SQLITE_ROW;
}

struct str sqlite_db_text(sqlite3_stmt *s, int column)
{
    const char *p = (const char *)sqlite3_column_text(s, column);
    if (p == NULL && sqlite3_errcode(sqlite3_db_handle(s)) == SQLITE_NOMEM)
        die(CODE_MEMORY, "out of memory: text of a database");
    return (struct str){p == NULL ? "" : p, (size_t)sqlite3_column_bytes(s, column)};
}

void sqlite_db_close(struct sqlite_db *d)
{
    sqlite_db_check(d);
    drop(d);
    mem_free(d);
}
