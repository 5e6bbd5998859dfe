/* The rows of a database, and what their columns hold. Nothing there is trusted. */
#include "base/decimal.h"
#include "base/mem.h"
#include "formats/sqlite/sqlite_read.h"
#include "formats/sqlite/sqlite_write.h"
#include "model/model.h"
#include "rows/emit.h"
#include "rows/parse.h"
#include "rows/text.h"

#include <math.h>
#include <stdlib.h>

/* --- rows --- */

struct place sqlite_row_place(const struct sqlite_table *t, sqlite3_stmt *at)
{
    int last = sqlite3_column_count(at) - 1;
    int64_t number = sqlite3_column_int64(at, t->has_rowid ? last : 0);
    return (struct place){t->place.p, PLACE_ROW, (uint64_t)number};
}

/* Ends the tool with the error in the row after the last one of T. */
static _Noreturn void die_behind(const struct sqlite_reader *r, const struct sqlite_table *t)
{
    if (sqlite_db_is_failed(r->db))
        sqlite_db_die(r->db);
    die_at((struct place){t->place.p, PLACE_ROW, t->row},
           "the row behind this one cannot be read: %s", sqlite3_errmsg(r->db->handle));
}

bool sqlite_has_row(struct sqlite_reader *r, struct sqlite_table *t)
{
    if (t->all == NULL || t->at_end)
        return false;
    if (t->has_row)
        return true;
    int code = sqlite3_step(t->all);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        die_behind(r, t);
    t->at_end = code == SQLITE_DONE;
    t->has_row = !t->at_end;
    if (t->has_row)
        t->row = sqlite_row_place(t, t->all).at;
    return t->has_row;
}

/* --- single values --- */

_Noreturn void sqlite_die_column(struct place where, const char *column, const char *expected,
                                 sqlite3_stmt *s, int at)
{
    enum { SHOWN = 60 };
    struct str text =
        sqlite3_column_type(s, at) == SQLITE_BLOB || sqlite3_column_type(s, at) == SQLITE_NULL
            ? STR("")
            : sqlite_db_text(s, at);
    struct buf shown = {0};
    text_escape(&shown, str_first(text, SHOWN));
    switch (sqlite3_column_type(s, at)) {
    case SQLITE_NULL: die_at(where, "%s: expected %s, found null", column, expected);
    case SQLITE_BLOB: die_at(where, "%s: expected %s, found a blob", column, expected);
    case SQLITE_TEXT:
        die_at(where, "%s: expected %s, found \"%.*s\"", column, expected,
               STR_ARG(buf_str(&shown)));
    default:
        die_at(where, "%s: expected %s, found %.*s", column, expected, STR_ARG(buf_str(&shown)));
    }
}

int64_t sqlite_integer(sqlite3_stmt *s, int at, struct place where, const char *column,
                       const struct schema_kind *kind)
{
    int type = sqlite3_column_type(s, at);
    if (type == SQLITE_NULL && kind->nullable)
        return ROW_NULL;
    int64_t value = sqlite3_column_int64(s, at);
    if (type != SQLITE_INTEGER || value < kind->min || value > kind->max)
        sqlite_die_column(where, column, kind->expected, s, at);
    return value;
}

struct str sqlite_text(struct sqlite_reader *r, struct buf *to, sqlite3_stmt *s, int at,
                       struct place where, const char *column)
{
    if (sqlite3_column_type(s, at) != SQLITE_TEXT)
        sqlite_die_column(where, column, "a string", s, at);
    to->n = 0;
    return emit_text(to, &r->inexact, str_of(column), sqlite_db_text(s, at));
}

struct str sqlite_digits(struct sqlite_reader *r, struct str dotted, double value)
{
    struct str name, text;
    struct number spelled;
    for (struct str rest = dotted; rest.n > 0 && text_next_member(&rest, &name, &text);) {
        if (!str_equal(name, SQLITE_DIGITS) || !text_is_string(text, &text))
            continue;
        if (!parse_number(text, &spelled) || spelled.kind != NUMBER_REAL)
            continue;
        r->line.n = 0;
        buf_add(&r->line, text);
        buf_add(&r->line, (struct str){"", 1});
        if (strtod(r->line.p, NULL) == value) /* otherwise the value was changed later */
            return text;
    }
    return (struct str){NULL, 0};
}

struct number sqlite_number(struct sqlite_reader *r, struct buf *to, sqlite3_stmt *s, int at,
                            struct place where, const char *column, struct str dotted)
{
    int type = sqlite3_column_type(s, at);
    double value = sqlite3_column_double(s, at);
    if (type == SQLITE_INTEGER)
        return number_of(sqlite3_column_int64(s, at));
    if (type != SQLITE_FLOAT || !isfinite(value))
        sqlite_die_column(where, column, "a finite number", s, at);
    to->n = 0;
    struct str digits = sqlite_digits(r, dotted, value);
    if (digits.p != NULL)
        buf_add(to, digits);
    else
        decimal_write_double(to, value);
    buf_add(to, (struct str){"", 1});
    return (struct number){.kind = NUMBER_REAL, .real = {to->p, to->n - 1}};
}

/* --- members --- */

/* Sets TO to the members of the object TEXT, which is not trusted. */
static struct str parse_members(struct sqlite_reader *r, struct buf *to, struct str text,
                                struct place where, enum table table)
{
    static const struct row none;
    struct row row = none;
    struct str rest, name, value;
    r->line.n = 0;
    buf_add(&r->line, STR("{\"table\":\".x\""));
    if (text.n < 2 || text.p[0] != '{' || text.p[text.n - 1] != '}' || !parse_is_value(text))
        die_at(where, "%.*s: expected an object of JSON", STR_ARG(model_dotted_column(table)));
    if (memchr(text.p, '\n', text.n) != NULL || memchr(text.p, '\r', text.n) != NULL) {
        r->bytes.n = 0; /* rows are single lines */
        text_canonicalize(&r->bytes, text);
        text = buf_str(&r->bytes);
    }
    rest = text_inside(text);
    buf_add(&r->line, parse_is_blank(rest) ? STR("") : STR(","));
    buf_add(&r->line, rest);
    buf_add(&r->line, STR("}"));
    size_t n = r->line.n;
    memset(buf_reserve(&r->line, INPUT_PADDING), '\n', INPUT_PADDING);
    parse_row((struct str){r->line.p, n}, where, VERSION_2, NULL, &r->sample_arena, &row);
    to->n = 0;
    for (rest = row.extra; rest.n > 0 && text_next_member(&rest, &name, &value);) {
        if (table < TABLE_COUNT && table != TABLE_MAPPINGS && (name.n == 0 || name.p[0] != '.'))
            die_at(where, "dotted: expected names that begin with a dot, found \"%.*s\"",
                   STR_ARG(name));
        if (table == TABLE_MAPPINGS && str_equal(name, schema_tables[table].columns[0].name))
            die_at(where, "members: \"%.*s\" is a column", STR_ARG(name));
    }
    buf_add(to, row.extra);
    return buf_str(to);
}

struct str sqlite_members(struct sqlite_reader *r, struct buf *to, sqlite3_stmt *s, int at,
                          struct place where, enum table table)
{
    int type = sqlite3_column_type(s, at);
    bool is_all = table == TABLE_MAPPINGS || table == TABLE_DOTTED;
    to->n = 0;
    if (type == SQLITE_NULL)
        return buf_str(to);
    struct str text = sqlite_db_text(s, at);
    if (type != SQLITE_TEXT)
        sqlite_die_column(where, model_dotted_column(table).p, "an object of JSON", s, at);
    if (text.n == 2 && text.p[0] == '{' && text.p[1] == '}')
        return buf_str(to);
    buf_add(to, text);
    memset(buf_reserve(to, INPUT_PADDING), '\n', INPUT_PADDING);
    if (text.n > 2 && text.p[0] == '{') {
        to->p[0] = ',';
        const char *end = text_scan_members(
            to->p, is_all ? '\0' : '.',
            table == TABLE_MAPPINGS ? schema_tables[table].columns[0].name : STR("table"));
        if (end == to->p + text.n - 1 && *end == '}') {
            to->n = text.n - 1;
            return buf_str(to);
        }
    }
    return parse_members(r, to, text, where, table);
}

void sqlite_add_extra(struct sqlite_reader *r, struct buf *to, struct str extra, struct place where)
{
    struct str name, value;
    to->n = 0;
    for (struct str rest = extra; rest.n > 0;) {
        const char *from = rest.p;
        if (!text_next_member(&rest, &name, &value))
            break;
        if (str_equal(name, SQLITE_DIGITS) || str_equal(name, SQLITE_POSITION))
            continue;
        if (r->inexact.n > 0 && str_equal(name, STR(".bytes")))
            die_at(where, ".bytes is there, and a string that is not UTF-8 as well");
        buf_add(to, (struct str){from, (size_t)(value.p + value.n - from)});
    }
    emit_bytes_column(to, &r->inexact);
}
