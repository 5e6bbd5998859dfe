/* schema.h - the tables of the row model, versions 1 and 2, and their columns: the one list of them.
 * The row type, the scanner, the parser, the emitter, the merge and the validator are all made from
 * it.  Specification: profstream(5), TABLES and VERSION 1.0. */
#ifndef PROFPIPE_SCHEMA_H
#define PROFPIPE_SCHEMA_H

#include "str.h"

#include <stdbool.h>
#include <stdint.h>

/* What a column holds.
 *   ID       the row's own id, an integer from 1 to 2^53-1
 *   REF      the id of a row of another table; REF_NULL may be null
 *   DEPTH    an integer from 1
 *   COUNT    an integer from 0; COUNT_NULL may be null
 *   STRING   a string; NAME is one that is never empty; STRING_NULL may be null
 *   VALUE    a finite number; VALUE_NULL may be null
 *   STACK    a list of {"location_id":N}, innermost first (stack.h) */
enum kind {
    KIND_ID,
    KIND_REF,
    KIND_REF_NULL,
    KIND_DEPTH,
    KIND_COUNT,
    KIND_COUNT_NULL,
    KIND_STRING,
    KIND_NAME,
    KIND_STRING_NULL,
    KIND_VALUE,
    KIND_VALUE_NULL,
    KIND_STACK,
};

/* The versions that a table is of, as bits. */
enum version { VERSION_1 = 1, VERSION_2 = 2, VERSION_ANY = 3 };

/* The largest id. */
#define SCHEMA_ID_MAX (((int64_t)1 << 53) - 1)

/* What a kind allows, and how a message says so. */
struct schema_kind {
    enum { SHAPE_INTEGER, SHAPE_STRING, SHAPE_NUMBER, SHAPE_STACK } shape;
    bool nullable;
    int64_t least, most; /* of an integer; of a string its length in text */
    const char *expected;
};

static const struct schema_kind schema_kinds[] = {
    [KIND_ID] = {SHAPE_INTEGER, false, 1, SCHEMA_ID_MAX, "an integer from 1 to 2^53-1"},
    [KIND_REF] = {SHAPE_INTEGER, false, 1, SCHEMA_ID_MAX, "an integer from 1 to 2^53-1"},
    [KIND_REF_NULL] = {SHAPE_INTEGER, true, 1, SCHEMA_ID_MAX,
                       "an integer from 1 to 2^53-1, or null"},
    [KIND_DEPTH] = {SHAPE_INTEGER, false, 1, INT64_MAX, "an integer from 1"},
    [KIND_COUNT] = {SHAPE_INTEGER, false, 0, INT64_MAX, "an integer from 0"},
    [KIND_COUNT_NULL] = {SHAPE_INTEGER, true, 0, INT64_MAX, "an integer from 0, or null"},
    [KIND_STRING] = {SHAPE_STRING, false, 0, INT64_MAX, "a string"},
    [KIND_NAME] = {SHAPE_STRING, false, 1, INT64_MAX, "a string that is not empty"},
    [KIND_STRING_NULL] = {SHAPE_STRING, true, 0, INT64_MAX, "a string or null"},
    [KIND_VALUE] = {SHAPE_NUMBER, false, 0, 0, "a number"},
    [KIND_VALUE_NULL] = {SHAPE_NUMBER, true, 0, 0, "a number or null"},
    [KIND_STACK] = {SHAPE_STACK, false, 0, 0, "a list of {\"location_id\":N}"},
};

/* COLUMN(table, column, kind, table referred to), in the canonical order. */
#define COLUMNS_META(COLUMN)                                                                       \
    COLUMN(META, key, STRING, NONE)                                                                \
    COLUMN(META, value, STRING, NONE)

#define COLUMNS_SOURCES(COLUMN)                                                                    \
    COLUMN(SOURCES, source_id, ID, SOURCES)                                                        \
    COLUMN(SOURCES, source_type, STRING, NONE)                                                     \
    COLUMN(SOURCES, source_uri, STRING_NULL, NONE)                                                 \
    COLUMN(SOURCES, source_timestamp, VALUE_NULL, NONE)

#define COLUMNS_FUNCTIONS(COLUMN)                                                                  \
    COLUMN(FUNCTIONS, function_id, ID, FUNCTIONS)                                                  \
    COLUMN(FUNCTIONS, name, NAME, NONE)                                                            \
    COLUMN(FUNCTIONS, system_name, NAME, NONE)                                                     \
    COLUMN(FUNCTIONS, filename, STRING, NONE)                                                      \
    COLUMN(FUNCTIONS, start_line, COUNT, NONE)

#define COLUMNS_LOCATIONS(COLUMN)                                                                  \
    COLUMN(LOCATIONS, location_id, ID, LOCATIONS)                                                  \
    COLUMN(LOCATIONS, function_id, REF_NULL, FUNCTIONS)                                            \
    COLUMN(LOCATIONS, line, COUNT_NULL, NONE)

#define COLUMNS_SAMPLES(COLUMN)                                                                    \
    COLUMN(SAMPLES, sample_id, ID, SAMPLES)                                                        \
    COLUMN(SAMPLES, source_id, REF, SOURCES)

#define COLUMNS_SAMPLE_VALUES(COLUMN)                                                              \
    COLUMN(SAMPLE_VALUES, sample_id, REF, SAMPLES)                                                 \
    COLUMN(SAMPLE_VALUES, type, STRING, NONE)                                                      \
    COLUMN(SAMPLE_VALUES, unit, STRING, NONE)                                                      \
    COLUMN(SAMPLE_VALUES, value, VALUE, NONE)

#define COLUMNS_SAMPLE_LOCATIONS(COLUMN)                                                           \
    COLUMN(SAMPLE_LOCATIONS, sample_id, REF, SAMPLES)                                              \
    COLUMN(SAMPLE_LOCATIONS, depth, DEPTH, NONE)                                                   \
    COLUMN(SAMPLE_LOCATIONS, location_id, REF, LOCATIONS)

#define COLUMNS_SAMPLE_TYPES(COLUMN)                                                               \
    COLUMN(SAMPLE_TYPES, type, STRING, NONE)                                                       \
    COLUMN(SAMPLE_TYPES, unit, STRING, NONE)

/* The samples of version 1.0: each row is a run of them, all with one stack. */
#define COLUMNS_RUNS(COLUMN)                                                                       \
    COLUMN(RUNS, value, DEPTH, NONE)                                                               \
    COLUMN(RUNS, locations, STACK, LOCATIONS)

/* The only column of .mappings that is decoded; the others are carried as bytes. */
#define COLUMNS_MAPPINGS(COLUMN) COLUMN(MAPPINGS, mapping_id, ID, MAPPINGS)

/* TABLE(constant, name, versions), the likeliest first. */
#define TABLES(TABLE)                                                                              \
    TABLE(SAMPLE_LOCATIONS, "sample_locations", VERSION_2)                                         \
    TABLE(SAMPLE_VALUES, "sample_values", VERSION_2)                                               \
    TABLE(SAMPLES, "samples", VERSION_2)                                                           \
    TABLE(RUNS, "samples", VERSION_1)                                                              \
    TABLE(LOCATIONS, "locations", VERSION_ANY)                                                     \
    TABLE(FUNCTIONS, "functions", VERSION_ANY)                                                     \
    TABLE(MAPPINGS, ".mappings", VERSION_ANY)                                                      \
    TABLE(SOURCES, "sources", VERSION_2)                                                           \
    TABLE(SAMPLE_TYPES, "sample_types", VERSION_1)                                                 \
    TABLE(META, "meta", VERSION_ANY)

enum table {
#define TABLE(constant, name, versions) TABLE_##constant,
    TABLES(TABLE)
#undef TABLE
        TABLE_COUNT,            /* of tables with known columns */
    TABLE_DOTTED = TABLE_COUNT, /* any other whose name begins with a dot */
    TABLE_NONE,
};

enum { COLUMNS_MAX = 5 };

struct schema_column {
    struct str name;
    struct str lead; /* canonical text between this column's value and what stands before it */
    enum kind kind;
    enum table refers; /* the table whose ids it is one of, or holds */
    size_t field;      /* where struct row has it */
};

struct schema_table {
    struct str name;
    struct str head; /* canonical text from the start of a row to the end of the table's name */
    unsigned versions;
    unsigned column_count;
    struct schema_column columns[COLUMNS_MAX];
};

/* Members of dotted tables and dotted columns of known tables that are ids (profstream(5),
 * DOTTED NAMES).  TABLE_DOTTED stands for every dotted table. */
struct schema_dotted_ref {
    enum table table;
    struct str name;
    enum table refers;
};

static const struct schema_dotted_ref schema_dotted_refs[] = {
    {TABLE_LOCATIONS, STR(".mapping_id"), TABLE_MAPPINGS},
    {TABLE_LOCATIONS, STR(".inlined_into"), TABLE_LOCATIONS},
    {TABLE_DOTTED, STR("source_id"), TABLE_SOURCES},
    {TABLE_DOTTED, STR("function_id"), TABLE_FUNCTIONS},
    {TABLE_DOTTED, STR("location_id"), TABLE_LOCATIONS},
    {TABLE_DOTTED, STR("sample_id"), TABLE_SAMPLES},
    {TABLE_DOTTED, STR("mapping_id"), TABLE_MAPPINGS},
};

#endif
