/* Runs the statement and holds the result in memory if columns must be as wide as their cells. */
#include "query/query.h"

#include "base/arena.h"
#include "base/decimal.h"
#include "base/intern.h"
#include "base/limits.h"
#include "base/mem.h"
#include "page/visible.h"
#include "query/functions.h"
#include "rows/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* --- statements that are allowed --- */

/* Whether PRAGMA only reads properties of the database. */
static bool is_harmless(const char *pragma)
{
    static const char *const names[] = {"table_info",       "table_xinfo", "table_list",
                                        "foreign_key_list", "index_list",  "index_info",
                                        "foreign_key_check"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (sqlite3_stricmp(pragma, names[i]) == 0)
            return true;
    return false;
}

/* Allows everything that only reads, and functions that compute values. */
static int authorize(void *with, int action, const char *what, const char *more, const char *schema,
                     const char *inside)
{
    (void)with, (void)schema, (void)inside;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_FUNCTION: return functions_allow(more) ? SQLITE_OK : SQLITE_DENY;
    /* Declaring a virtual table does this; prepare() rejects statements that write. */
    case SQLITE_UPDATE:
        return sqlite3_stricmp(what, "sqlite_master") == 0 ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_PRAGMA: return is_harmless(what) ? SQLITE_OK : SQLITE_DENY;
    default: return SQLITE_DENY;
    }
}

/* Limits the memory for an answer: SQLite may take MAX_SIZE bytes more than it has now. */
static void limit(struct sqlite_db *d, uint64_t max_size)
{
    sqlite3_limit(d->handle, SQLITE_LIMIT_LENGTH, (int)LIMITS_ANSWER);
    if (max_size < INT64_MAX / 2)
        sqlite3_hard_heap_limit64(sqlite3_memory_used() + (sqlite3_int64)max_size);
}

/* Ends the tool if something other than the statement failed. */
static void check_failed(const struct sqlite_db *d, uint64_t max_size)
{
    if ((sqlite3_extended_errcode(d->handle) & 0xff) == SQLITE_NOMEM)
        die(CODE_MEMORY,
            "the answer takes more memory than there is, or than %" PRIu64 " bytes" HINT
            "--max-size sets the limit",
            max_size);
    if (sqlite_db_is_failed(d))
        sqlite_db_die(d);
}

static sqlite3_stmt *prepare(struct sqlite_db *d, struct str sql, uint64_t max_size)
{
    sqlite3_stmt *s, *next;
    const char *rest;
    if (memchr(sql.p, '\0', sql.n) != NULL) /* SQLite would stop there */
        die(CODE_BAD_SQL, "the statement is wrong: expected text, found NUL");
    if (sql.n > 0 && sql.p[0] == '.')
        die(CODE_BAD_SQL, "expected a statement of SQL, or .schema, found \"%.*s\"", STR_ARG(sql));
    sqlite_db_run(d, "PRAGMA query_only = ON");
    sqlite3_set_authorizer(d->handle, authorize, NULL);
    limit(d, max_size);
    int code = sqlite_db_try(d, sql, &s, &rest);
    if (code != SQLITE_OK)
        check_failed(d, max_size);
    if (code == SQLITE_AUTH)
        die(CODE_BAD_SQL, "the statement does not only read: %s", sqlite3_errmsg(d->handle));
    if (code != SQLITE_OK)
        die(CODE_BAD_SQL, "the statement is wrong: %s", sqlite3_errmsg(d->handle));
    struct str left = {rest, (size_t)(sql.p + sql.n - rest)};
    if (s != NULL && !sqlite3_stmt_readonly(s))
        die(CODE_BAD_SQL, "the statement does not only read");
    if (s == NULL || sqlite3_column_count(s) == 0)
        die(CODE_BAD_SQL, "expected a statement that reads, found none");
    if (sqlite_db_try(d, left, &next, NULL) != SQLITE_OK || next != NULL)
        die(CODE_BAD_SQL, "expected one statement, found another behind it");
    return s;
}

/* --- the answer --- */

struct cell {
    struct str text; /* bytes; p is NULL for NULL */
    bool is_number;
};

/* Tables for humans need all rows at once, as columns are as wide as their cells; programs get
 * one row at a time. */
struct answer {
    sqlite3_stmt *statement;
    struct sqlite_db *db;
    uint64_t max_size; /* bytes */
    size_t column_count, row_count, capacity;
    bool is_held;  /* all rows are held */
    uint64_t held; /* bytes */
    size_t first;  /* the column that is first in the sheet */
    struct cell *cells;
    struct sheet_column *columns;
    struct arena arena;
};

static struct cell read_cell(struct answer *a, sqlite3_stmt *s, int column)
{
    struct buf digits = {0};
    struct cell cell = {{NULL, 0}, false};
    switch (sqlite3_column_type(s, column)) {
    case SQLITE_NULL: break;
    case SQLITE_INTEGER:
        cell = (struct cell){arena_copy(&a->arena, sqlite_db_text(s, column)), true};
        break;
    case SQLITE_FLOAT: {
        double value = sqlite3_column_double(s, column);
        if (isinf(value)) { /* not a JSON number; sqlite3 shows it so */
            cell.text = value < 0 ? STR("-Inf") : STR("Inf");
            break;
        }
        decimal_write_double(&digits, value);
        cell = (struct cell){arena_copy(&a->arena, buf_str(&digits)), true};
        buf_free(&digits);
        break;
    }
    case SQLITE_TEXT: cell.text = arena_copy(&a->arena, sqlite_db_text(s, column)); break;
    default: /* a blob: bytes */
        cell.text = arena_copy(&a->arena, (struct str){sqlite3_column_blob(s, column),
                                                       (size_t)sqlite3_column_bytes(s, column)});
    }
    return cell;
}

/* Reads the next row, after those held; false if there is none. */
static bool read_row(struct answer *a)
{
    int code = sqlite3_step(a->statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        check_failed(a->db, a->max_size);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        die(CODE_SQL_FAILED, "the statement has failed: %s", sqlite3_errmsg(a->db->handle));
    if (code == SQLITE_DONE)
        return false;
    size_t count = a->row_count++ * a->column_count;
    a->cells = mem_array(a->cells, &a->capacity, count + a->column_count, sizeof *a->cells);
    for (size_t i = 0; i < a->column_count; i++) {
        a->cells[count + i] = read_cell(a, a->statement, (int)i);
        a->held += sizeof *a->cells + a->cells[count + i].text.n;
    }
    if (a->is_held && a->held > a->max_size)
        die(CODE_TOO_LARGE,
            "the answer has more than %" PRIu64 " bytes (--max-size sets the limit): another "
            "--format takes its rows one by one",
            a->max_size);
    return true;
}

/* Replaces the only row that is held by the next one. */
static bool next_row(const void *from, size_t row)
{
    struct answer *a = *(struct answer *const *)from;
    (void)row;
    arena_clear(&a->arena);
    a->row_count = 0;
    return read_row(a);
}

/* The index in the answer of COLUMN of the sheet: in tables for humans the first column comes
 * last. */
static size_t place_of(const struct answer *a, size_t column)
{
    return (column + a->first) % a->column_count;
}

static struct sheet_cell cell_of(const void *from, size_t row, size_t column)
{
    const struct answer *a = *(struct answer *const *)from;
    size_t at = a->is_held ? row : 0;
    const struct cell *cell = &a->cells[at * a->column_count + place_of(a, column)];
    return (struct sheet_cell){
        .text = cell->text, .is_none = cell->text.p == NULL, .is_json = cell->is_number};
}

/* Checks that names are unique, as in a JSON object. */
static void check_names(sqlite3_stmt *s)
{
    struct intern names = {0};
    for (int i = 0; i < sqlite3_column_count(s); i++) {
        struct str name = str_of(sqlite3_column_name(s, i));
        bool is_new;
        intern_add(&names, name, &is_new);
        if (!is_new) {
            struct buf shown = {0};
            text_escape(&shown, name);
            die(CODE_BAD_SQL, "two columns are called \"%.*s\": AS gives one another name",
                STR_ARG(buf_str(&shown)));
        }
    }
    intern_free(&names);
}

static void write_answer(struct answer *a, const struct sheet_request *request, struct out *out)
{
    a->is_held = sheet_is_for_humans(request->format);
    a->first = a->is_held ? a->column_count - 1 : 0;
    while (a->is_held && a->row_count < request->max && read_row(a))
        continue;
    a->columns = mem_alloc_zeroed(a->column_count * sizeof *a->columns);
    for (size_t i = 0; i < a->column_count; i++) {
        struct str name = str_of(sqlite3_column_name(a->statement, (int)place_of(a, i)));
        a->columns[i] = (struct sheet_column){COLUMN_FOREIGN, name, SHEET_MIXED, name, 0};
    }
    char title[64];
    int n =
        snprintf(title, sizeof title, "%zu %s", a->row_count, a->row_count == 1 ? "row" : "rows");
    struct sheet sheet = {
        .title = {title, (size_t)n},
        .columns = a->columns,
        .column_count = a->column_count,
        .row_count = a->row_count,
        .has_row = a->is_held ? NULL : next_row,
        .cell = cell_of,
        .from = &a,
        .drawn = SHEET_NO_COLUMN,
        .reported = SHEET_NO_COLUMN,
    };
    sheet_write(&sheet, request, out);
    mem_free(a->columns);
}

/* Writes SQL, which is untrusted, to OUT; for a terminal everything but line feeds is made
 * visible. */
static void write_sql(struct out *out, struct str sql)
{
    struct buf shown = {0};
    if (!out_is_terminal(out)) {
        out_write(out, sql);
        return;
    }
    for (const char *lf; (lf = memchr(sql.p, '\n', sql.n)) != NULL;) {
        size_t n = (size_t)(lf - sql.p);
        visible_add(&shown, (struct str){sql.p, n});
        buf_add(&shown, STR("\n"));
        sql = (struct str){lf + 1, sql.n - n - 1};
    }
    visible_add(&shown, sql);
    out_write(out, buf_str(&shown));
    buf_free(&shown);
}

static void write_schema(struct sqlite_db *d, struct out *out)
{
    /* temporary views hide those in the file (sqlite_make_askable) */
    sqlite3_stmt *s = sqlite_db_prepare(
        d, "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND type IN ('table', 'index') "
           "UNION ALL SELECT sql FROM sqlite_master WHERE type = 'view' AND NOT EXISTS "
           "(SELECT 1 FROM sqlite_temp_master) "
           "UNION ALL SELECT sql FROM sqlite_temp_master WHERE type = 'view'");
    while (sqlite_db_step(d, s)) {
        write_sql(out, sqlite_db_text(s, 0));
        out_write(out, STR(";\n"));
    }
    sqlite_db_finalize(d, s);
}

void query_write(struct sqlite_db *d, struct str sql, const struct sheet_request *request,
                 uint64_t max_size, struct out *out)
{
    if (str_equal(sql, STR(".schema"))) {
        write_schema(d, out);
        return;
    }
    struct functions *functions = functions_add(d->handle);
    if (functions == NULL)
        sqlite_db_die(d);
    struct answer a = {.statement = prepare(d, sql, max_size), .db = d, .max_size = max_size};
    if (request->format == SHEET_FORMAT_JSON || request->format == SHEET_FORMAT_NDJSON)
        check_names(a.statement);
    a.column_count = (size_t)sqlite3_column_count(a.statement);
    write_answer(&a, request, out);
    sqlite_db_finalize(d, a.statement);
    functions_free(functions);
    mem_free(a.cells);
    arena_free(&a.arena);
}
