/* row.h - one row, which all tools work on.
 *
 * A row borrows its bytes: it is valid until the next row is read.  Code that keeps a part
 * copies it.  Strings are canonical JSON text without quotes (text.h). */
#ifndef PROFPIPE_ROW_H
#define PROFPIPE_ROW_H

#include "rows/schema.h"

#include <stdint.h>

/* The null of integers and references. */
#define ROW_NULL ((int64_t)-1)

/* The name in rows of a function that has none (`.no_name`). */
#define ROW_NO_NAME STR("<?>")

/* A number: an exact 64-bit integer, or the text of a finite double.  A byte that ends a number
 * follows the text. */
struct number {
    enum { NUMBER_NULL, NUMBER_INTEGER, NUMBER_REAL } kind;
    int64_t integer;
    struct str real;
};

static inline struct number number_of(int64_t integer)
{
    return (struct number){.kind = NUMBER_INTEGER, .integer = integer};
}

/* The C types of the kinds. */
#define ROW_TYPE_ID int64_t
#define ROW_TYPE_REF int64_t
#define ROW_TYPE_REF_NULL int64_t
#define ROW_TYPE_DEPTH int64_t
#define ROW_TYPE_COUNT int64_t
#define ROW_TYPE_COUNT_NULL int64_t
#define ROW_TYPE_STRING struct str
#define ROW_TYPE_NAME struct str
#define ROW_TYPE_STRING_NULL struct str
#define ROW_TYPE_VALUE struct number
#define ROW_TYPE_VALUE_NULL struct number
#define ROW_TYPE_STACK struct str
#define ROW_FIELD(table, column, kind, refers) ROW_TYPE_##kind column;

/* The dotted columns of a location that most rows have, as numbers: writing them as text and
 * parsing them again would cost as much as all other work on the row.  Zero means absent.  A
 * producer of rows may leave some of them in the text (`extra`), which comes after these
 * (site.h). */
struct row_site {
    int64_t mapping_id;
    uint64_t address;
    int64_t column;
    int64_t inlined_into;
    bool is_folded;
};

struct row {
    enum table table;
    union {
        struct {
            COLUMNS_META(ROW_FIELD)
        } meta;
        struct {
            COLUMNS_SOURCES(ROW_FIELD)
        } source;
        struct {
            COLUMNS_FUNCTIONS(ROW_FIELD)
        } function;
        struct {
            COLUMNS_LOCATIONS(ROW_FIELD)
        } location;
        struct {
            COLUMNS_SAMPLES(ROW_FIELD)
        } sample;
        struct {
            COLUMNS_SAMPLE_VALUES(ROW_FIELD)
        } sample_value;
        struct {
            COLUMNS_SAMPLE_LOCATIONS(ROW_FIELD)
        } sample_location;
        struct {
            COLUMNS_MAPPINGS(ROW_FIELD)
        } mapping;
        struct {
            COLUMNS_SAMPLE_TYPES(ROW_FIELD)
        } sample_type;
        struct {
            COLUMNS_STREAKS(ROW_FIELD)
        } streak;
        struct {
            struct str name;
        } dotted; /* for TABLE_DOTTED: the name of the table */
    };
    /* The other members, as `,"name":value` each; empty in most rows.  In a known table these
     * are its dotted columns, in .mappings and TABLE_DOTTED all other members. */
    struct str extra;
    struct row_site site; /* more of them, of TABLE_LOCATIONS; unused in other tables */
};

#undef ROW_FIELD

/* All tables, by constant.  In a header, so that loops over columns are unrolled if the table is
 * known at compile time. */
#define ROW_COLUMN(table_, column_, kind_, refers_)                                                \
    {                                                                                              \
        .name = STR(#column_),                                                                     \
        .lead = STR(",\"" #column_ "\":"),                                                         \
        .kind = KIND_##kind_,                                                                      \
        .refers = TABLE_##refers_,                                                                 \
        .field = offsetof(struct row, ROW_MEMBER_##table_.column_),                                \
    },
#define ROW_MEMBER_META meta
#define ROW_MEMBER_SOURCES source
#define ROW_MEMBER_FUNCTIONS function
#define ROW_MEMBER_LOCATIONS location
#define ROW_MEMBER_SAMPLES sample
#define ROW_MEMBER_SAMPLE_VALUES sample_value
#define ROW_MEMBER_SAMPLE_LOCATIONS sample_location
#define ROW_MEMBER_MAPPINGS mapping
#define ROW_MEMBER_SAMPLE_TYPES sample_type
#define ROW_MEMBER_STREAKS streak
#define ROW_TABLE(constant, name_, versions_, key_)                                                \
    [TABLE_##constant] = {                                                                         \
        .name = STR(name_),                                                                        \
        .head = STR("{\"table\":\"" name_ "\""),                                                   \
        .versions = versions_,                                                                     \
        .key_count = key_,                                                                         \
        .column_count = (0 COLUMNS_##constant(ROW_ONE)),                                           \
        .columns = {COLUMNS_##constant(ROW_COLUMN)},                                               \
    },
#define ROW_ONE(table, column, kind, refers) +1

static const struct schema_table schema_tables[TABLE_COUNT] = {TABLES(ROW_TABLE)};

#undef ROW_COLUMN
#undef ROW_TABLE
#undef ROW_ONE

/* Where ROW holds COLUMN.  The C type of its kind must be int64_t, struct str (a string or a
 * stack), or struct number. */
static inline int64_t *row_integer(const struct row *row, const struct schema_column *column)
{
    return (int64_t *)((char *)(uintptr_t)row + column->field);
}

static inline struct str *row_string(const struct row *row, const struct schema_column *column)
{
    return (struct str *)((char *)(uintptr_t)row + column->field);
}

static inline struct number *row_number(const struct row *row, const struct schema_column *column)
{
    return (struct number *)((char *)(uintptr_t)row + column->field);
}

/* Sets COLUMN of ROW to null; its kind must allow that. */
static inline void row_set_null(struct row *row, const struct schema_column *column)
{
    switch (schema_kinds[column->kind].shape) {
    case SHAPE_INTEGER: *row_integer(row, column) = ROW_NULL; break;
    case SHAPE_STRING:
    case SHAPE_STACK: *row_string(row, column) = (struct str){NULL, 0}; break;
    case SHAPE_NUMBER: row_number(row, column)->kind = NUMBER_NULL; break;
    }
}

/* The position of TABLE in the order of tables.  For a dotted table it is the earliest one: its
 * rows may have to wait for rows that they refer to. */
static inline enum schema_order row_order(enum table table)
{
    switch (table) {
    case TABLE_META: return ORDER_META;
    case TABLE_MAPPINGS: return ORDER_MAPPINGS;
    case TABLE_SOURCES:
    case TABLE_SAMPLE_TYPES: return ORDER_SOURCES;
    case TABLE_FUNCTIONS: return ORDER_FUNCTIONS;
    case TABLE_LOCATIONS: return ORDER_LOCATIONS;
    case TABLE_SAMPLES:
    case TABLE_SAMPLE_VALUES:
    case TABLE_SAMPLE_LOCATIONS:
    case TABLE_STREAKS: return ORDER_SAMPLES;
    default: return ORDER_DOTTED;
    }
}

/* The name of the table of ROW. */
static inline struct str row_table_name(const struct row *row)
{
    return row->table < TABLE_COUNT ? schema_tables[row->table].name : row->dotted.name;
}

/* The first row of a profile of version 2.0, which promises an end, and the last row; MORE
 * promises another profile. */
static inline struct row row_begin(void)
{
    return (struct row){.table = TABLE_META,
                        .meta = {.key = STR("version"), .value = STR("2.0")},
                        .extra = STR(",\".ends\":true")};
}

static inline struct row row_end(bool more)
{
    return (struct row){.table = TABLE_DOTTED,
                        .dotted = {.name = STR(".end")},
                        .extra = more ? STR(",\"more\":true") : STR("")};
}

static inline bool row_has_site(const struct row *row)
{
    const struct row_site *s = &row->site;
    return row->table == TABLE_LOCATIONS &&
           (s->mapping_id != 0 || s->address != 0 || s->column != 0 || s->inlined_into != 0 ||
            s->is_folded);
}

/* Whether ROW has members that are not columns. */
static inline bool row_has_members(const struct row *row)
{
    return row->extra.n != 0 || row_has_site(row);
}

/* Whether ROW ends a profile. */
static inline bool row_is_end(const struct row *row)
{
    return row->table == TABLE_DOTTED && str_equal(row->dotted.name, STR(".end"));
}

#endif
