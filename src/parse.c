#include "parse.h"

#include "emit.h"
#include "mem.h"
#include "text.h"

#include <jansson.h>

/* What jansson's codes mean to somebody who wrote a row. */
static _Noreturn void die_json(struct place where, const json_error_t *error)
{
    switch (json_error_code(error)) {
    case json_error_duplicate_key: die_at(where, "a member appears twice: %s", error->text);
    case json_error_numeric_overflow:
        die_at(where,
               "column %d: a number out of range (integers have 64 bits, others are doubles)",
               error->column);
    case json_error_null_character:
    case json_error_null_byte_in_key:
        die_at(where, "column %d: NUL in a string (\".bytes\" can carry it)", error->column);
    case json_error_invalid_utf8:
        die_at(where, "column %d: not UTF-8 (\".bytes\" can carry such bytes)", error->column);
    default: die_at(where, "column %d: expected a JSON object: %s", error->column, error->text);
    }
}

/* jansson takes its memory from mem.c, so that the tool ends where that is refused: jansson itself
 * may go on with half a token. */
static json_t *load_json(struct str text, size_t flags, json_error_t *error)
{
    json_set_alloc_funcs(mem_alloc, mem_free);
    return json_loadb(text.p, text.n, flags, error);
}

static json_t *load(struct str line, struct place where)
{
    if (str_starts(line, STR("\xef\xbb\xbf")))
        die_at(where, "a byte order mark stands where a row should begin");
    json_error_t error;
    json_t *root = load_json(line, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL)
        die_json(where, &error);
    if (!json_is_object(root)) {
        json_decref(root);
        die_at(where, "expected a JSON object, found another value");
    }
    return root;
}

/* TEXT, valid JSON text of a string, as canonical text in ARENA. */
static struct str canonical(struct str text, struct arena *arena)
{
    if (text.n == 0 || memchr(text.p, '\\', text.n) == NULL)
        return text;
    struct buf bytes = {0}, escaped = {0};
    text_unescape(&bytes, text);
    text_escape(&escaped, buf_str(&bytes));
    struct str result = arena_copy(arena, buf_str(&escaped));
    buf_free(&bytes);
    buf_free(&escaped);
    return result;
}

struct parsing {
    struct place where;
    struct arena *arena;
    struct row *row;
    struct str table; /* its name, canonical */
};

static _Noreturn void die_column(const struct parsing *c, struct str name, const char *expected,
                                 struct str found)
{
    int shown = found.n > 60 ? 60 : (int)found.n;
    die_at(c->where, "%.*s.%.*s: expected %s, found %.*s%s", STR_ARG(c->table), STR_ARG(name),
           expected, shown, found.p, found.n > 60 ? "..." : "");
}

static bool take_integer(struct str value, int64_t least, int64_t most, int64_t *to)
{
    if (str_equal(value, STR("-0")))
        value.p++, value.n--;
    return text_is_integer(value, to) && *to >= least && *to <= most;
}

static bool take_number(struct str value, struct number *to)
{
    if (take_integer(value, INT64_MIN, INT64_MAX, &to->integer)) {
        to->kind = NUMBER_INTEGER;
        return true;
    }
    if (value.p[0] != '-' && (value.p[0] < '0' || value.p[0] > '9'))
        return false;
    to->kind = NUMBER_REAL; /* jansson has proved it a finite double */
    to->real = value;
    return true;
}

static bool take_string(struct parsing *c, struct str value, struct str *to)
{
    struct str text;
    if (!text_is_string(value, &text))
        return false;
    *to = canonical(text, c->arena);
    return true;
}

/* Puts VALUE, the text of a JSON value, into its column. */
static bool take_column(struct parsing *c, const struct schema_column *column, struct str value)
{
    const struct schema_kind *kind = &schema_kinds[column->kind];
    if (kind->nullable && str_equal(value, STR("null"))) {
        row_set_null(c->row, column);
        return true;
    }
    switch (kind->shape) {
    case SHAPE_INTEGER:
        return take_integer(value, kind->least, kind->most, row_integer(c->row, column));
    case SHAPE_STRING:
        return take_string(c, value, row_string(c->row, column)) &&
               row_string(c->row, column)->n >= (size_t)kind->least;
    case SHAPE_NUMBER: return take_number(value, row_number(c->row, column));
    }
    return false;
}

/* Finds out which table the row belongs to. */
static void take_table(struct parsing *c, struct str line)
{
    struct str inside = text_inside(line), name, value, text;
    while (text_next_member(&inside, &name, &value)) {
        if (!str_equal(canonical(name, c->arena), STR("table")))
            continue;
        if (!text_is_string(value, &text))
            die_at(c->where, "\"table\": expected the name of a table, found %.*s",
                   value.n > 60 ? 60 : (int)value.n, value.p);
        c->table = canonical(text, c->arena);
        for (unsigned t = 0; t < TABLE_COUNT; t++)
            if (str_equal(c->table, schema_tables[t].name)) {
                c->row->table = (enum table)t;
                return;
            }
        if (c->table.n == 0 || c->table.p[0] != '.')
            die_at(c->where, "no table \"%.*s\" in version 2.0", STR_ARG(c->table));
        c->row->table = TABLE_DOTTED;
        c->row->dotted.name = c->table;
        return;
    }
    die_at(c->where, "expected a member \"table\", found none");
}

static int find_column(const struct schema_table *t, struct str name)
{
    for (unsigned i = 0; t != NULL && i < t->column_count; i++)
        if (str_equal(name, t->columns[i].name))
            return (int)i;
    return -1;
}

static void take_members(struct parsing *c, struct str line)
{
    const struct schema_table *t =
        c->row->table == TABLE_DOTTED ? NULL : &schema_tables[c->row->table];
    bool any_name = t == NULL || c->row->table == TABLE_MAPPINGS;
    unsigned seen = 0;
    struct buf extra = {0};
    struct str inside = text_inside(line), name, value;
    while (text_next_member(&inside, &name, &value)) {
        name = canonical(name, c->arena);
        if (str_equal(name, STR("table")))
            continue;
        int column = find_column(t, name);
        if (column >= 0) {
            if (!take_column(c, &t->columns[column], value))
                die_column(c, name, schema_kinds[t->columns[column].kind].expected, value);
            seen |= 1u << column;
        } else if (any_name || (name.n > 0 && name.p[0] == '.')) {
            emit_member(&extra, name);
            if (t != NULL)
                text_canonicalize(&extra, value);
            else
                buf_add(&extra, value);
        } else {
            die_at(c->where, "%.*s.%.*s: no such column in version 2.0", STR_ARG(c->table),
                   STR_ARG(name));
        }
    }
    for (unsigned i = 0; t != NULL && i < t->column_count; i++)
        if ((seen & 1u << i) == 0)
            die_at(c->where, "%.*s.%.*s: the column is missing", STR_ARG(c->table),
                   STR_ARG(t->columns[i].name));
    c->row->extra = arena_copy(c->arena, buf_str(&extra));
    buf_free(&extra);
}

bool parse_number(struct str text, struct number *number)
{
    json_t *value = load_json(text, JSON_DECODE_ANY, NULL);
    bool is_number = json_is_number(value);
    json_decref(value);
    bool is_trimmed = text.n > 0 && text.p[0] > ' ' && text.p[text.n - 1] > ' ';
    return is_number && is_trimmed && take_number(text, number);
}

bool parse_is_blank(struct str line)
{
    for (size_t i = 0; i < line.n; i++)
        if (line.p[i] != ' ' && line.p[i] != '\t' && line.p[i] != '\r')
            return false;
    return true;
}

void parse_row(struct str line, struct place where, struct arena *arena, struct row *row)
{
    json_decref(load(line, where));
    while (line.n > 0 && *line.p != '{')
        line.p++, line.n--;
    while (line.n > 0 && line.p[line.n - 1] != '}')
        line.n--;
    struct parsing c = {.where = where, .arena = arena, .row = row};
    take_table(&c, line);
    take_members(&c, line);
}
