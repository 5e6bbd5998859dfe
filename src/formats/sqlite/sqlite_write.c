/* Profile rows to an SQLite database. See ndjson2sqlite(1).
 *
 * The database is written without a journal into the unfinished file of the output, which is
 * removed if anything fails. If the output has no such file, a temporary file is used and then
 * copied. */
#include "formats/sqlite/sqlite_write.h"

#include "base/mem.h"
#include "formats/sqlite/sqlite_packages.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#define SETTINGS                                                                                   \
    "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;"        \
    "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; PRAGMA cache_size = -8000;"

static void open_file(struct sqlite_writer *w)
{
    const char *path = out_unfinished(w->out);
    if (w->options.into != NULL)
        w->db = sqlite_db_open(":memory:", SQLITE_OPEN_READWRITE, "a database in memory", false);
    else if (path != NULL)
        w->db = sqlite_db_open(path, SQLITE_OPEN_READWRITE, "the database", false);
    else
        w->db = sqlite_db_open_temporary();
}

/* Appends to SQL the statement that sets the encoding of a new database to NAME. */
static void add_encoding(struct buf *sql, const char *name)
{
    buf_add(sql, STR("PRAGMA encoding = '"));
    buf_add(sql, str_of(name));
    buf_add(sql, STR("';"));
}

static void open_writer(void *to, struct flow *flow, const void *options, struct out *out)
{
    struct sqlite_writer *w = to;
    struct buf sql = {0};
    w->sink = (struct sink){flow, sqlite_take_row, sqlite_take_sample};
    w->out = out;
    if (options != NULL)
        w->options = *(const struct sqlite_write_options *)options;
    open_file(w);
    if (w->options.encoding != NULL)
        add_encoding(&sql, w->options.encoding);
    buf_add(&sql, STR(SETTINGS SQLITE_IDENTITY "BEGIN;"));
    model_add_tables(&sql, w->options.plain);
    model_add_views(&sql, w->options.plain, false);
    buf_add(&sql, (struct str){"", 1});
    sqlite_db_run(w->db, sql.p);
    buf_free(&sql);
    sqlite_open_rows(w);
}

/* Writes FILE to OUT. */
static void copy_file(int file, struct out *out)
{
    enum { PIECE = 256 << 10 };
    char *bytes = mem_alloc(PIECE);
    ssize_t n;
    for (off_t at = 0; (n = pread(file, bytes, PIECE, at)) != 0; at += n) {
        if (n < 0)
            die(code_of_errno(errno), "cannot read a temporary file: %s", strerror(errno));
        out_write(out, (struct str){bytes, (size_t)n});
    }
    mem_free(bytes);
}

/* Indexes are faster to make at once than to keep while rows come. */
static void add_indexes(struct sqlite_writer *w)
{
    struct buf sql = {0};
    model_add_indexes(&sql, w->options.plain);
    buf_add(&sql, (struct str){"", 1});
    sqlite_db_run(w->db, sql.p);
    buf_free(&sql);
}

static void close_writer(void *to)
{
    struct sqlite_writer *w = to;
    sqlite_close_rows(w);
    sqlite_stacks_finish(&w->stacks);
    sqlite_packages_write(w->db);
    if (!w->options.plain)
        sqlite_sums_write(&w->sums, &w->stacks, w->db);
    add_indexes(w);
    sqlite_db_run(w->db, "COMMIT");
    if (w->db->file >= 0)
        copy_file(w->db->file, w->out);
    if (w->options.into != NULL)
        *w->options.into = w->db;
    else
        sqlite_db_close(w->db);
    sqlite_stacks_free(&w->stacks);
    sqlite_sums_free(&w->sums);
    idmap_free(&w->levels);
    mem_free(w->types);
    arena_free(&w->arena);
    buf_free(&w->text);
    buf_free(&w->object);
    buf_free(&w->digits);
}

const struct stage sqlite_writer = {
    .takes = STAGE_TAKES_MERGED,
    .leaves_rows = true,
    .state_size = sizeof(struct sqlite_writer),
    .open = open_writer,
    .close = close_writer,
};
