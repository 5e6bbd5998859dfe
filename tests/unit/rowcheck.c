#include "rowcheck.h"

#include "base/buf.h"
#include "base/in.h"
#include "rows/emit.h"
#include "rows/parse.h"
#include "rows/scan.h"
#include "rows/stack.h"
#include "rows/text.h"
#include "survive.h"

#include <jansson.h>
#include <stdlib.h>

struct comparison {
    struct str line;
    struct row scanned, parsed;
    const char *why;
};

/* --- the scanner's row and the parser's --- */

static bool same_number(const struct number *a, const struct number *b)
{
    return a->kind == b->kind && (a->kind != NUMBER_INTEGER || a->integer == b->integer) &&
           (a->kind != NUMBER_REAL || str_equal(a->real, b->real));
}

static bool same_text(struct str a, struct str b)
{
    return (a.p == NULL) == (b.p == NULL) && str_equal(a, b);
}

static bool same_column(const struct row *a, const struct row *b,
                        const struct schema_column *column)
{
    switch (schema_kinds[column->kind].shape) {
    case SHAPE_INTEGER: return *row_integer(a, column) == *row_integer(b, column);
    case SHAPE_STRING:
    case SHAPE_STACK: return same_text(*row_string(a, column), *row_string(b, column));
    case SHAPE_NUMBER: return same_number(row_number(a, column), row_number(b, column));
    }
    return false;
}

static bool same_row(const struct row *a, const struct row *b)
{
    if (a->table != b->table || !str_equal(a->extra, b->extra))
        return false;
    if (a->table == TABLE_DOTTED)
        return str_equal(a->dotted.name, b->dotted.name);
    const struct schema_table *t = &schema_tables[a->table];
    for (unsigned i = 0; i < t->column_count; i++)
        if (!same_column(a, b, &t->columns[i]))
            return false;
    return true;
}

/* --- the scanner's row and jansson's own tree, which shares no code with us --- */

static bool is_json_string(const json_t *value, struct str text)
{
    struct buf bytes = {0};
    text_unescape(&bytes, text);
    bool same = json_is_string(value) &&
                str_equal(buf_str(&bytes),
                          (struct str){json_string_value(value), json_string_length(value)});
    buf_free(&bytes);
    return same;
}

static bool is_json_integer(const json_t *value, int64_t integer)
{
    return json_is_integer(value) && json_integer_value(value) == integer;
}

static bool is_json_number(const json_t *value, const struct number *number)
{
    switch (number->kind) {
    case NUMBER_INTEGER: return is_json_integer(value, number->integer);
    case NUMBER_REAL:
        return json_is_real(value) && json_real_value(value) == strtod(number->real.p, NULL);
    default: return json_is_null(value);
    }
}

/* Whether VALUE is the list of locations that STACK, text of a row, is. */
static bool is_json_stack(const json_t *value, struct str stack)
{
    size_t count = 0;
    int64_t id;
    while (stack_next(&stack, &id)) {
        const json_t *item = json_array_get(value, count++);
        if (json_object_size(item) != 1 ||
            !is_json_integer(json_object_get(item, "location_id"), id))
            return false;
    }
    return json_is_array(value) && json_array_size(value) == count;
}

static bool is_json_column(const json_t *value, const struct row *row,
                           const struct schema_column *column)
{
    struct str text;
    int64_t integer;
    switch (schema_kinds[column->kind].shape) {
    case SHAPE_INTEGER:
        integer = *row_integer(row, column);
        return schema_kinds[column->kind].nullable && integer == ROW_NULL
                   ? json_is_null(value)
                   : is_json_integer(value, integer);
    case SHAPE_STRING:
        text = *row_string(row, column);
        return text.p == NULL ? json_is_null(value) : is_json_string(value, text);
    case SHAPE_NUMBER: return is_json_number(value, row_number(row, column));
    case SHAPE_STACK: return is_json_stack(value, *row_string(row, column));
    }
    return false;
}

static json_t *member(const json_t *object, struct str name)
{
    struct buf key = {0};
    text_unescape(&key, name);
    buf_add(&key, (struct str){"", 1}); /* no key of jansson's has another NUL */
    json_t *value = json_object_get(object, key.p);
    buf_free(&key);
    return value;
}

/* Whether the members EXTRA are in TREE, each with its value; *COUNT grows by their number. */
static bool has_members(const json_t *tree, struct str extra, size_t *count)
{
    struct str name, value;
    while (text_next_member(&extra, &name, &value)) {
        json_t *alone =
            json_loadb(value.p, value.n, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);
        bool same = alone != NULL && json_equal(alone, member(tree, name));
        json_decref(alone);
        if (!same)
            return false;
        ++*count;
    }
    return true;
}

static bool is_tree(const json_t *tree, const struct row *row)
{
    size_t count = 1;
    if (!is_json_string(json_object_get(tree, "table"), row_table_name(row)))
        return false;
    if (row->table != TABLE_DOTTED) {
        const struct schema_table *t = &schema_tables[row->table];
        count += t->column_count;
        for (unsigned i = 0; i < t->column_count; i++)
            if (!is_json_column(member(tree, t->columns[i].name), row, &t->columns[i]))
                return false;
    }
    return has_members(tree, row->extra, &count) && json_object_size(tree) == count;
}

/* --- all together --- */

static void compare(void *with)
{
    struct comparison *c = with;
    json_t *tree = json_loadb(c->line.p, c->line.n, JSON_REJECT_DUPLICATES, NULL);
    bool same = tree != NULL && is_tree(tree, &c->scanned);
    c->why = tree == NULL ? "jansson refuses it" : "jansson reads something else";
    json_decref(tree);
    if (!same)
        return;

    struct arena arena = {0};
    c->why = "parse_row refuses it";
    parse_row(c->line, (struct place){"line", PLACE_LINE, 1}, VERSION_ANY, NULL, &arena,
              &c->parsed);
    c->why = "parse_row makes another row";
    if (!same_row(&c->scanned, &c->parsed))
        return;

    struct buf bytes = {0};
    struct out *out = out_open_buf(&bytes);
    emit_row(out, &c->scanned);
    out_close(out);
    c->why = "emit_row writes another line";
    if (bytes.n == c->line.n + 1 && memcmp(bytes.p, c->line.p, c->line.n) == 0 &&
        bytes.p[c->line.n] == '\n')
        c->why = NULL;
}

enum rowcheck rowcheck(struct str line, const char **why)
{
    /* what stands behind the line must not matter: here it would go on with everything */
    static const char behind[INPUT_PADDING] = "9\"}\n:,0123456789012345678901234567890";
    size_t size = line.n + 1 + INPUT_PADDING;
    char *copy = malloc(size);
    memcpy(copy, line.p, line.n);
    copy[line.n] = '\n';
    memcpy(copy + line.n + 1, behind, INPUT_PADDING);
    struct comparison c = {.line = {copy, line.n}};
    const char *end = scan_row(copy, VERSION_ANY, &c.scanned);
    enum rowcheck result = ROWCHECK_REFUSED;
    if (end != NULL) {
        c.why = "scan_row goes beyond the line";
        if (end == copy + line.n + 1)
            survive(compare, &c);
        *why = c.why;
        result = c.why == NULL ? ROWCHECK_SAME : ROWCHECK_DIFFERS;
        tidy();
    }
    free(copy);
    return result;
}
