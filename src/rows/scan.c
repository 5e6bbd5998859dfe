#include "rows/scan.h"

#include "rows/stack.h"
#include "rows/text.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

static ALWAYS_INLINE bool starts(const char *p, struct str s)
{
    return memcmp(p, s.p, s.n) == 0;
}

static ALWAYS_INLINE const char *scan_ranged(const char *p, int64_t *value, int64_t min,
                                             int64_t max)
{
    p = text_scan_integer(p, value);
    return p != NULL && *value >= min && *value <= max ? p : NULL;
}

static ALWAYS_INLINE const char *scan_text(const char *p, struct str *s)
{
    if (*p++ != '"')
        return NULL;
    const char *end = text_scan_string(p);
    if (end == NULL)
        return NULL;
    *s = (struct str){p, (size_t)(end - p)};
    return end + 1;
}

static ALWAYS_INLINE const char *scan_number(const char *p, struct number *number)
{
    const char *end = text_scan_integer(p, &number->integer);
    if (end != NULL && *end != '.' && *end != 'e' && *end != 'E') {
        number->kind = NUMBER_INTEGER;
        return end;
    }
    end = text_scan_real(p);
    if (end != NULL) {
        number->kind = NUMBER_REAL;
        number->real = (struct str){p, (size_t)(end - p)};
    }
    return end;
}

static const char *scan_stack(const char *p, struct str *s)
{
    const char *start = p;
    if (*p++ != '[')
        return NULL;
    while (*p != ']') {
        int64_t id;
        if (p != start + 1 && *p++ != ',')
            return NULL;
        if (!starts(p, stack_item))
            return NULL;
        p = scan_ranged(p + stack_item.n, &id, 1, SCHEMA_ID_MAX);
        if (p == NULL || *p++ != '}')
            return NULL;
    }
    *s = (struct str){start, (size_t)(++p - start)};
    return p;
}

static ALWAYS_INLINE const char *scan_column(const char *p, struct row *row,
                                             const struct schema_column *column)
{
    const struct schema_kind *kind = &schema_kinds[column->kind];
    if (kind->nullable && starts(p, STR("null"))) {
        row_set_null(row, column);
        return p + 4;
    }
    switch (kind->shape) {
    case SHAPE_INTEGER: return scan_ranged(p, row_integer(row, column), kind->min, kind->max);
    case SHAPE_STRING:
        p = scan_text(p, row_string(row, column));
        return p != NULL && row_string(row, column)->n >= (size_t)kind->min ? p : NULL;
    case SHAPE_NUMBER: return scan_number(p, row_number(row, column));
    case SHAPE_STACK: return scan_stack(p, row_string(row, column));
    }
    return NULL;
}

/* Scans the end of a row, and before it the members that are not columns: those with dotted
 * names, or if ANY_NAME all but the column TAKEN. */
static ALWAYS_INLINE const char *scan_end(const char *p, struct row *row, bool any_name,
                                          struct str taken)
{
    const char *extra = p;
    if (*p == ',') {
        p = text_scan_members(p, any_name ? '\0' : '.', taken);
        if (p == NULL)
            return NULL;
    }
    row->extra = (struct str){extra, (size_t)(p - extra)};
    return p[0] == '}' && p[1] == '\n' ? p + 2 : NULL;
}

static ALWAYS_INLINE const char *scan_table(const char *p, struct row *row, enum table table)
{
    const struct schema_table *t = &schema_tables[table];
    row->table = table;
    if (table == TABLE_LOCATIONS)
        row->site = (struct row_site){0};
    p += t->head.n;
#pragma GCC unroll 8
    for (unsigned i = 0; i < t->column_count; i++) {
        const struct schema_column *column = &t->columns[i];
        if (!starts(p, column->lead))
            return NULL;
        p = scan_column(p + column->lead.n, row, column);
        if (p == NULL)
            return NULL;
    }
    return scan_end(p, row, table == TABLE_MAPPINGS, t->columns[0].name);
}

/* Scans a row of a dotted table without an entry in the schema. */
static const char *scan_dotted(const char *p, struct row *row)
{
    static const struct str head = STR("{\"table\":\".");
    if (!starts(p, head))
        return NULL;
    const char *name = p + head.n - 1;
    p = text_scan_string(name);
    if (p == NULL)
        return NULL;
    row->table = TABLE_DOTTED;
    row->dotted.name = (struct str){name, (size_t)(p - name)};
    return scan_end(p + 1, row, true, STR("table"));
}

const char *scan_row(const char *p, unsigned versions, struct row *row)
{
    const char *end;
#define TRY(constant, name, of, key)                                                               \
    if ((versions & (of)) != 0 && starts(p, schema_tables[TABLE_##constant].head)) {               \
        end = scan_table(p, row, TABLE_##constant);                                                \
        if (end != NULL || (of) == VERSION_ANY)                                                    \
            return end;                                                                            \
    }
    TABLES(TRY)
#undef TRY
    return scan_dotted(p, row);
}

/* --- the rows of a sample --- */

static char *put(char *p, struct str s)
{
    memcpy(p, s.p, s.n);
    return p + s.n;
}

void scan_sample(int64_t id, struct scan_sample *heads)
{
    char digits[20], *first = digits + sizeof digits, *p = heads->text;
    do
        *--first = (char)('0' + id % 10);
    while ((id /= 10) > 0);
    struct str number = {first, (size_t)(digits + sizeof digits - first)};
    p = put(put(p, STR("{\"table\":\"sample_values\",\"sample_id\":")), number);
    heads->value = (struct str){heads->text, (size_t)(p - heads->text)};
    char *location = p;
    p = put(put(p, STR("{\"table\":\"sample_locations\",\"sample_id\":")), number);
    p = put(p, STR(",\"depth\":"));
    heads->location = (struct str){location, (size_t)(p - location)};
}

/* The size of any number and the end of a row. */
enum { NUMBER_AND_END = 24 };

static ALWAYS_INLINE const char *scan_last(const char *p, int64_t *value)
{
    p = text_scan_integer(p, value);
    return p != NULL && p[0] == '}' && p[1] == '\n' ? p + 2 : NULL;
}

const char *scan_value(const char *p, size_t left, struct str head, struct str lead, int64_t *value)
{
    if (left < head.n + lead.n + NUMBER_AND_END || !starts(p, head) || !starts(p + head.n, lead))
        return NULL;
    return scan_last(p + head.n + lead.n, value);
}

const char *scan_location(const char *p, size_t left, struct str head, int64_t depth, int64_t *id)
{
    static const struct str lead = STR(",\"location_id\":");
    int64_t found;
    if (left < head.n + lead.n + NUMBER_AND_END || !starts(p, head))
        return NULL;
    p = text_scan_integer(p + head.n, &found);
    if (p == NULL || found != depth || !starts(p, lead))
        return NULL;
    p = scan_last(p + lead.n, id);
    return p != NULL && *id >= 1 && *id <= SCHEMA_ID_MAX ? p : NULL;
}
