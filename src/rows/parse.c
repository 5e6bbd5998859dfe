#include "rows/parse.h"

#include "base/buf.h"
#include "base/mem.h"
#include "rows/emit.h"
#include "rows/stack.h"
#include "rows/text.h"

#include <jansson.h>

/* Memory comes from mem.c, so that the tool ends if it is refused: jansson itself may continue
 * with half a token. */
static json_t *load_json(struct str text, size_t flags, json_error_t *error)
{
    json_set_alloc_funcs(mem_alloc, mem_free);
    return json_loadb(text.p, text.n, flags, error);
}

/* Converts TEXT, a valid JSON string, to canonical text in ARENA. */
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

/* A line being read. */
struct parsing {
    struct place where;
    unsigned versions;
    struct findings *findings;
    struct arena *arena;
    struct row *row;
    struct str table; /* its name, canonical */
};

#define FOUND(c, rule, column, ...)                                                                \
    finding_add((c)->findings, (c)->where, RULE_##rule, (c)->table, column, __VA_ARGS__)

/* The arguments of "%.*s%s" for the start of VALUE. */
#define SHOWN(value) (value).n > 60 ? 60 : (int)(value).n, (value).p, (value).n > 60 ? "..." : ""

/* --- JSON --- */

/* Translates jansson's error codes for the author of a row. */
static void found_json(const struct parsing *c, const json_error_t *error)
{
    switch (json_error_code(error)) {
    case json_error_duplicate_key:
        FOUND(c, JSON, STR(""), "a member appears twice: %s", error->text);
        break;
    case json_error_numeric_overflow:
        FOUND(c, RANGE, STR(""),
              "column %d: a number out of range (integers have 64 bits, others are doubles)",
              error->column);
        break;
    case json_error_null_character:
    case json_error_null_byte_in_key:
        FOUND(c, JSON, STR(""), "column %d: NUL in a string (\".bytes\" can carry it)",
              error->column);
        break;
    case json_error_invalid_utf8:
        FOUND(c, JSON, STR(""), "column %d: not UTF-8 (\".bytes\" can carry such bytes)",
              error->column);
        break;
    default:
        FOUND(c, JSON, STR(""), "column %d: expected a JSON object: %s", error->column,
              error->text);
    }
}

/* The number of values in LINE, if it is valid JSON: one for each comma, one for each list or
 * object that is not empty, and one for the line. */
static size_t count_values(struct str line)
{
    size_t count = 1;
    char last = '\0'; /* the last character that was not white space */
    for (size_t i = 0; i < line.n; i++) {
        char c = line.p[i];
        if (c == ' ' || c == '\t' || c == '\r')
            continue;
        if (last == '[' || last == '{')
            count += c != ']' && c != '}';
        if (c == ',')
            count++;
        if (c == '"')
            while (++i < line.n && line.p[i] != '"')
                i += line.p[i] == '\\';
        last = c;
    }
    return count;
}

/* Whether LINE has too many values for a tree in memory, of up to 300 bytes each; if so reports
 * it. */
static bool is_too_much(const struct parsing *c, struct str line)
{
    if (line.n / 2 < LIMITS_LINE_VALUES) /* a value and its comma are at least two bytes */
        return false;
    size_t count = count_values(line);
    if (count <= LIMITS_LINE_VALUES)
        return false;
    FOUND(
        c, JSON, STR(""),
        "expected at most %d values in a line that is not canonical, found %zu (see profstream(5), "
        "LIMITS)",
        LIMITS_LINE_VALUES, count);
    return true;
}

/* Whether LINE is a JSON object. */
static bool is_object(const struct parsing *c, struct str line)
{
    if (is_too_much(c, line))
        return false;
    if (str_starts(line, STR("\xef\xbb\xbf"))) {
        FOUND(c, JSON, STR(""), "a byte order mark stands where a row should begin");
        return false;
    }
    json_error_t error;
    json_t *root = load_json(line, JSON_REJECT_DUPLICATES, &error);
    bool is_object = json_is_object(root);
    if (root == NULL)
        found_json(c, &error);
    else if (!is_object)
        FOUND(c, JSON, STR(""), "expected a JSON object, found another value");
    json_decref(root);
    return is_object;
}

/* --- columns --- */

static bool take_integer(struct str value, int64_t min, int64_t max, int64_t *to)
{
    if (str_equal(value, STR("-0")))
        value.p++, value.n--;
    return text_is_integer(value, to) && *to >= min && *to <= max;
}

static bool take_number(struct str value, struct number *to)
{
    if (take_integer(value, INT64_MIN, INT64_MAX, &to->integer)) {
        to->kind = NUMBER_INTEGER;
        return true;
    }
    if (value.p[0] != '-' && (value.p[0] < '0' || value.p[0] > '9'))
        return false;
    to->kind = NUMBER_REAL; /* jansson has checked that it is a finite double */
    to->real = value;
    return true;
}

static bool take_string(const struct parsing *c, struct str value, struct str *to)
{
    struct str text;
    if (!text_is_string(value, &text))
        return false;
    *to = canonical(text, c->arena);
    return true;
}

/* Reads a list of objects that each have a location_id and nothing else. */
static bool take_stack(const struct parsing *c, struct str value, struct str *to)
{
    if (value.n == 0 || *value.p != '[')
        return false;
    struct buf stack = {0};
    bool good = true;
    struct str list = text_inside(value), item;
    while (good && text_next_item(&list, &item)) {
        struct str members = text_inside(item), name, id_text;
        int64_t id;
        good = *item.p == '{' && text_next_member(&members, &name, &id_text) &&
               str_equal(canonical(name, c->arena), STR("location_id")) &&
               take_integer(id_text, 1, SCHEMA_ID_MAX, &id) &&
               !text_next_member(&members, &name, &id_text);
        if (good)
            stack_add(&stack, id);
    }
    stack_end(&stack);
    *to = arena_copy(c->arena, buf_str(&stack));
    buf_free(&stack);
    return good;
}

/* Stores VALUE, the text of a JSON value, in its column; if it is invalid there, says which rule
 * it breaks. */
static bool take_column(const struct parsing *c, const struct schema_column *column,
                        struct str value, enum rule *rule)
{
    const struct schema_kind *kind = &schema_kinds[column->kind];
    int64_t any;
    *rule = RULE_TYPE;
    if (kind->nullable && str_equal(value, STR("null"))) {
        row_set_null(c->row, column);
        return true;
    }
    switch (kind->shape) {
    case SHAPE_INTEGER:
        if (take_integer(value, kind->min, kind->max, row_integer(c->row, column)))
            return true;
        if (take_integer(value, INT64_MIN, INT64_MAX, &any))
            *rule = RULE_RANGE;
        return false;
    case SHAPE_STRING:
        if (!take_string(c, value, row_string(c->row, column)))
            return false;
        *rule = RULE_NAME;
        return row_string(c->row, column)->n >= (size_t)kind->min;
    case SHAPE_NUMBER: return take_number(value, row_number(c->row, column));
    case SHAPE_STACK: return take_stack(c, value, row_string(c->row, column));
    }
    return false;
}

/* Sets a column that has no valid value. */
static void set_nothing(struct row *row, const struct schema_column *column)
{
    if (schema_kinds[column->kind].nullable) {
        row_set_null(row, column);
        return;
    }
    switch (schema_kinds[column->kind].shape) {
    case SHAPE_INTEGER: *row_integer(row, column) = 0; break;
    case SHAPE_STRING: *row_string(row, column) = STR(""); break;
    case SHAPE_NUMBER: *row_number(row, column) = number_of(0); break;
    case SHAPE_STACK: *row_string(row, column) = STR("[]"); break;
    }
}

/* --- the row --- */

static bool has_member(const struct parsing *c, struct str line, struct str column)
{
    struct str rest = text_inside(line), name, value;
    while (text_next_member(&rest, &name, &value))
        if (str_equal(canonical(name, c->arena), column))
            return true;
    return false;
}

/* The table called NAME in the accepted versions.  Two are called "samples": if both are
 * possible, the columns in LINE decide. */
static enum table find_table(const struct parsing *c, struct str name, struct str line)
{
    enum table found = TABLE_NONE;
    for (unsigned t = 0; t < TABLE_COUNT; t++)
        if ((schema_tables[t].versions & c->versions) != 0 &&
            str_equal(name, schema_tables[t].name) &&
            (found == TABLE_NONE || has_member(c, line, schema_tables[t].columns[0].name)))
            found = (enum table)t;
    return found;
}

/* Finds the table of the row; false if it has none. */
static bool take_table(struct parsing *c, struct str line)
{
    struct str inside = text_inside(line), name, value = {NULL, 0}, text;
    while (text_next_member(&inside, &name, &value) &&
           !str_equal(canonical(name, c->arena), STR("table")))
        value.p = NULL;
    if (value.p == NULL) {
        FOUND(c, TABLE, STR(""), "expected a member \"table\", found none");
        return false;
    }
    if (!text_is_string(value, &text)) {
        FOUND(c, TABLE, STR(""), "\"table\": expected the name of a table, found %.*s%s",
              SHOWN(value));
        return false;
    }
    struct str table = canonical(text, c->arena);
    c->row->table = find_table(c, table, line);
    if (c->row->table == TABLE_NONE && (table.n == 0 || table.p[0] != '.')) {
        FOUND(c, TABLE, STR(""), "no table \"%.*s\" in version %s", STR_ARG(table),
              c->versions == VERSION_1 ? "1.0" : "2.0");
        return false;
    }
    c->table = table;
    if (c->row->table == TABLE_NONE) {
        c->row->table = TABLE_DOTTED;
        c->row->dotted.name = table;
    }
    return true;
}

static int find_column(const struct schema_table *t, struct str name)
{
    for (unsigned i = 0; t != NULL && i < t->column_count; i++)
        if (str_equal(name, t->columns[i].name))
            return (int)i;
    return -1;
}

/* Reads all members of LINE; returns the bits of invalid columns. */
static unsigned take_members(struct parsing *c, struct str line)
{
    const struct schema_table *t =
        c->row->table == TABLE_DOTTED ? NULL : &schema_tables[c->row->table];
    bool any_name = t == NULL || c->row->table == TABLE_MAPPINGS;
    unsigned seen = 0, bad = 0;
    struct buf extra = {0};
    struct str inside = text_inside(line), name, value;
    while (text_next_member(&inside, &name, &value)) {
        name = canonical(name, c->arena);
        if (str_equal(name, STR("table")))
            continue;
        int column = find_column(t, name);
        if (column >= 0) {
            enum rule rule;
            seen |= 1u << column;
            if (!take_column(c, &t->columns[column], value, &rule)) {
                bad |= 1u << column;
                finding_add(c->findings, c->where, rule, c->table, name,
                            "expected %s, found %.*s%s",
                            schema_kinds[t->columns[column].kind].expected, SHOWN(value));
            }
        } else if (any_name || (name.n > 0 && name.p[0] == '.')) {
            emit_member(&extra, name);
            if (t != NULL)
                text_canonicalize(&extra, value);
            else
                buf_add(&extra, value);
        } else {
            FOUND(c, COLUMN, name, "no such column in version %s",
                  c->versions == VERSION_1 ? "1.0" : "2.0");
        }
    }
    for (unsigned i = 0; t != NULL && i < t->column_count; i++) {
        if ((seen & 1u << i) == 0) {
            bad |= 1u << i;
            FOUND(c, COLUMN, t->columns[i].name, "the column is missing");
        }
        if ((bad & 1u << i) != 0)
            set_nothing(c->row, &t->columns[i]);
    }
    c->row->extra = arena_copy(c->arena, buf_str(&extra));
    c->row->site = (struct row_site){0};
    buf_free(&extra);
    return bad;
}

bool parse_number(struct str text, struct number *number)
{
    json_t *value = load_json(text, JSON_DECODE_ANY, NULL);
    bool is_number = json_is_number(value);
    json_decref(value);
    bool is_trimmed = text.n > 0 && text.p[0] > ' ' && text.p[text.n - 1] > ' ';
    return is_number && is_trimmed && take_number(text, number);
}

bool parse_is_value(struct str text)
{
    if (text.n / 2 >= LIMITS_LINE_VALUES && count_values(text) >= LIMITS_LINE_VALUES)
        return false;
    json_t *value = load_json(text, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);
    json_decref(value);
    return value != NULL;
}

bool parse_is_blank(struct str line)
{
    for (size_t i = 0; i < line.n; i++)
        if (line.p[i] != ' ' && line.p[i] != '\t' && line.p[i] != '\r')
            return false;
    return true;
}

unsigned parse_row(struct str line, struct place where, unsigned versions,
                   struct findings *findings, struct arena *arena, struct row *row)
{
    struct parsing c = {
        .where = where, .versions = versions, .findings = findings, .arena = arena, .row = row};
    *row = (struct row){.table = TABLE_NONE};
    if (!is_object(&c, line))
        return 0;
    while (line.n > 0 && *line.p != '{')
        line.p++, line.n--;
    while (line.n > 0 && line.p[line.n - 1] != '}')
        line.n--;
    if (!take_table(&c, line))
        return 0;
    return take_members(&c, line);
}
