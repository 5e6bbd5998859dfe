#include "scan.h"

#include "text.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

static ALWAYS_INLINE bool starts(const char *p, struct str s)
{
    return memcmp(p, s.p, s.n) == 0;
}

static ALWAYS_INLINE const char *scan_ranged(const char *p, int64_t *value, int64_t least,
                                             int64_t most)
{
    p = text_scan_integer(p, value);
    return p != NULL && *value >= least && *value <= most ? p : NULL;
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

static ALWAYS_INLINE const char *scan_column(const char *p, struct row *row,
                                             const struct schema_column *column)
{
    bool is_null = starts(p, STR("null"));
    switch (column->kind) {
    case KIND_REF_NULL:
    case KIND_COUNT_NULL:
        if (is_null) {
            *row_integer(row, column) = ROW_NULL;
            return p + 4;
        }
        return scan_ranged(p, row_integer(row, column), column->kind == KIND_REF_NULL,
                           column->kind == KIND_REF_NULL ? SCHEMA_ID_MAX : INT64_MAX);
    case KIND_ID:
    case KIND_REF: return scan_ranged(p, row_integer(row, column), 1, SCHEMA_ID_MAX);
    case KIND_DEPTH: return scan_ranged(p, row_integer(row, column), 1, INT64_MAX);
    case KIND_COUNT: return scan_ranged(p, row_integer(row, column), 0, INT64_MAX);
    case KIND_STRING_NULL:
        if (is_null) {
            *row_string(row, column) = (struct str){NULL, 0};
            return p + 4;
        }
        return scan_text(p, row_string(row, column));
    case KIND_NAME:
        if (p[0] == '"' && p[1] == '"')
            return NULL;
        return scan_text(p, row_string(row, column));
    case KIND_STRING: return scan_text(p, row_string(row, column));
    case KIND_VALUE_NULL:
        if (is_null) {
            row_number(row, column)->kind = NUMBER_NULL;
            return p + 4;
        }
        return scan_number(p, row_number(row, column));
    case KIND_VALUE: return scan_number(p, row_number(row, column));
    }
    return NULL;
}

/* Steps over the end of a row, the members that are not columns before it: with dotted names, or
 * with ANY_NAME but the column TAKEN. */
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

/* A dotted table that has no entry in the schema. */
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

const char *scan_row(const char *p, struct row *row)
{
#define TRY(constant, name)                                                                        \
    if (starts(p, schema_tables[TABLE_##constant].head))                                           \
        return scan_table(p, row, TABLE_##constant);
    TABLES(TRY)
#undef TRY
    return scan_dotted(p, row);
}
