/* schema.h - the one list of the tables of the row model, versions 1 and 2, and of their
 * columns.  The row type, the scanner, the parser, the emitter, the merge and the validator are
 * all generated from it.  Specification: profstream(5), TABLES and VERSION 1.0. */
#ifndef PROFPIPE_SCHEMA_H
#define PROFPIPE_SCHEMA_H

#include "base/own.h"
#include "base/str.h"

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

/* The versions that have a table, as bits. */
enum version { VERSION_1 = 1, VERSION_2 = 2, VERSION_ANY = 3 };

/* The order of tables in a profile, required by both versions (profstream(5), ORDER). */
enum schema_order {
    ORDER_META,
    ORDER_DOTTED, /* without references */
    ORDER_MAPPINGS,
    ORDER_MAPPED, /* dotted, refers to mappings only; the last of 1.0's dotted tables */
    ORDER_SOURCES,
    ORDER_FUNCTIONS,
    ORDER_LOCATIONS,
    ORDER_REFERRING, /* dotted, refers to other tables than samples */
    ORDER_SAMPLES,
};

/* The largest id. */
#define SCHEMA_ID_MAX (((int64_t)1 << 53) - 1)

/* What a kind allows, and how messages describe it. */
struct schema_kind {
    enum { SHAPE_INTEGER, SHAPE_STRING, SHAPE_NUMBER, SHAPE_STACK } shape;
    bool nullable;
    int64_t min, max; /* of an integer, or of the length of a string's text */
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

/* COLUMN(table, column, kind, table that it refers to), in canonical order. */
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

/* The samples of version 1.0: each row is a streak of samples with the same stack. */
#define COLUMNS_STREAKS(COLUMN)                                                                    \
    COLUMN(STREAKS, value, DEPTH, NONE)                                                            \
    COLUMN(STREAKS, locations, STACK, LOCATIONS)

/* Only this column of .mappings is decoded; the others are carried as bytes. */
#define COLUMNS_MAPPINGS(COLUMN) COLUMN(MAPPINGS, mapping_id, ID, MAPPINGS)

/* TABLE(constant, name, versions, key), most frequent first.  The first KEY columns identify a
 * row within its table. */
#define TABLES(TABLE)                                                                              \
    TABLE(SAMPLE_LOCATIONS, "sample_locations", VERSION_2, 2)                                      \
    TABLE(SAMPLE_VALUES, "sample_values", VERSION_2, 2)                                            \
    TABLE(SAMPLES, "samples", VERSION_2, 1)                                                        \
    TABLE(STREAKS, "samples", VERSION_1, 0)                                                        \
    TABLE(LOCATIONS, "locations", VERSION_ANY, 1)                                                  \
    TABLE(FUNCTIONS, "functions", VERSION_ANY, 1)                                                  \
    TABLE(MAPPINGS, ".mappings", VERSION_ANY, 1)                                                   \
    TABLE(SOURCES, "sources", VERSION_2, 1)                                                        \
    TABLE(SAMPLE_TYPES, "sample_types", VERSION_1, 0)                                              \
    TABLE(META, "meta", VERSION_ANY, 1)

enum table {
#define TABLE(constant, name, versions, key) TABLE_##constant,
    TABLES(TABLE)
#undef TABLE
        TABLE_COUNT,            /* the number of tables with known columns */
    TABLE_DOTTED = TABLE_COUNT, /* any other whose name begins with a dot */
    TABLE_NONE,
};

/* The name in messages of a row of each table that others refer to. */
static const char *const schema_nouns[TABLE_COUNT] = {
    [TABLE_SAMPLES] = "sample",   [TABLE_LOCATIONS] = "location", [TABLE_FUNCTIONS] = "function",
    [TABLE_MAPPINGS] = "mapping", [TABLE_SOURCES] = "source",
};

enum { COLUMNS_MAX = 5 };

struct schema_column {
    struct str name;
    struct str lead; /* canonical text between the previous value and this one */
    enum kind kind;
    enum table refers; /* the table whose ids it contains */
    size_t field;      /* its offset in struct row */
};

struct schema_table {
    struct str name;
    struct str head; /* canonical text from the start of a row to the end of the table's name */
    unsigned versions;
    unsigned key_count; /* how many columns, the first ones, identify a row; 0: none do */
    unsigned column_count;
    struct schema_column columns[COLUMNS_MAX];
};

/* --- members: dotted columns, and the contents of rows of dotted tables --- */

/* What has members: the rows of a table (OBJECT_ROW for tables without members of their own),
 * and the objects in dotted columns. */
enum object {
    OBJECT_META,
    OBJECT_SOURCE,
    OBJECT_FUNCTION,
    OBJECT_LOCATION,
    OBJECT_SAMPLE,
    OBJECT_ROW,
    OBJECT_MAPPING,
    OBJECT_END,
    OBJECT_LEFT_OUT,
    OBJECT_DOTTED, /* a row of any other dotted table */
    OBJECT_VALUE_TYPE,
    OBJECT_PERIOD,
    OBJECT_LABEL,
#define HAS(object) OBJECT_##object,
#define TABLE(object, name, count, ...) OBJECT_##object,
    OWN(OWN_NONE, HAS, TABLE, OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE)
#undef HAS
#undef TABLE
        OBJECT_COUNT,
    OBJECT_NONE = OBJECT_COUNT,
};

/* What a member holds.
 *   FLAG      true or false; false means the same as absent
 *   INTEGER   64 bits; ORDINAL is at least 1
 *   NUMBER    any number
 *   ADDRESS   64 bits as "0x..."
 *   HEX       bytes, as hexadecimal digits in a string
 *   TEXT      a string; if it is not UTF-8, its bytes are in `.bytes` of the row
 *   STRING    a string that has its bytes itself if it is not UTF-8: "text" or {"bytes":"hex"}
 *   STRINGS   a list of STRING
 *   COLUMNS   an object of HEX
 *   OBJECT    an object with members; OBJECTS is a list of these
 *   REF       an id of a table, or null */
enum member_kind {
    MEMBER_FLAG,
    MEMBER_INTEGER,
    MEMBER_ORDINAL,
    MEMBER_NUMBER,
    MEMBER_ADDRESS,
    MEMBER_HEX,
    MEMBER_TEXT,
    MEMBER_STRING,
    MEMBER_STRINGS,
    MEMBER_COLUMNS,
    MEMBER_OBJECT,
    MEMBER_OBJECTS,
    MEMBER_REF,
};

#define IN(object) (UINT64_C(1) << OBJECT_##object)
#define IN_ROWS                                                                                    \
    (IN(META) | IN(SOURCE) | IN(FUNCTION) | IN(LOCATION) | IN(SAMPLE) | IN(ROW) | IN_OWN_TABLES)
#define IN_DOTTED (IN(DOTTED) | IN(MAPPING) | IN_OWN_TABLES | IN(END) | IN(LEFT_OUT))

/* The rows of the tables that belong to a format. */
enum {
#define TABLE(object, name, count, ...) | IN(object)
    IN_OWN_TABLES =
        0 OWN(OWN_NONE, OWN_NONE, TABLE, OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE)
#undef TABLE
};

/* MEMBER(constant, name, kind, what has it, the object inside or the table that it refers to):
 * the one list of members; formats add their own. */
#define MEMBERS(MEMBER)                                                                            \
    MEMBER(BYTES, ".bytes", COLUMNS, IN_ROWS, OBJECT_NONE)                                         \
    MEMBER(ENDS, ".ends", FLAG, IN(META), OBJECT_NONE)                                             \
    MEMBER(MORE, "more", FLAG, IN(END), OBJECT_NONE)                                               \
                                                                                                   \
    MEMBER(TIME, ".time", INTEGER, IN(SAMPLE), OBJECT_NONE)                                        \
    MEMBER(LABELS, ".labels", OBJECTS, IN(SAMPLE), OBJECT_LABEL)                                   \
    MEMBER(KEY, "key", STRING, IN(LABEL), OBJECT_NONE)                                             \
    MEMBER(STR, "str", STRING, IN(LABEL), OBJECT_NONE)                                             \
    MEMBER(NUM, "num", INTEGER, IN(LABEL), OBJECT_NONE)                                            \
    MEMBER(UNIT, "unit", STRING, IN(LABEL) | IN(VALUE_TYPE) | IN(PERIOD) | IN(LEFT_OUT),           \
           OBJECT_NONE)                                                                            \
    MEMBER(TRUNCATED, ".truncated", FLAG, IN(SAMPLE), OBJECT_NONE)                                 \
                                                                                                   \
    MEMBER(MAPPING, ".mapping_id", REF, IN(LOCATION), TABLE_MAPPINGS)                              \
    MEMBER(INLINED_INTO, ".inlined_into", REF, IN(LOCATION), TABLE_LOCATIONS)                      \
    MEMBER(ADDRESS, ".address", ADDRESS, IN(LOCATION), OBJECT_NONE)                                \
    MEMBER(COLUMN, ".column", INTEGER, IN(LOCATION), OBJECT_NONE)                                  \
    MEMBER(IS_FOLDED, ".is_folded", FLAG, IN(LOCATION), OBJECT_NONE)                               \
    MEMBER(FILENAME, ".filename", TEXT, IN(LOCATION), OBJECT_NONE)                                 \
    MEMBER(GROUP, ".group", TEXT, IN(LOCATION), OBJECT_NONE)                                       \
    MEMBER(UNMANGLED, ".unmangled", FLAG, IN(FUNCTION), OBJECT_NONE)                               \
    MEMBER(NO_NAME, ".no_name", FLAG, IN(FUNCTION), OBJECT_NONE)                                   \
                                                                                                   \
    MEMBER(VALUE_TYPES, ".value_types", OBJECTS, IN(SOURCE), OBJECT_VALUE_TYPE)                    \
    MEMBER(PERIOD, ".period", OBJECT, IN(SOURCE), OBJECT_PERIOD)                                   \
    MEMBER(TYPE, "type", STRING, IN(VALUE_TYPE) | IN(PERIOD) | IN(LEFT_OUT), OBJECT_NONE)          \
    MEMBER(VALUE, "value", INTEGER, IN(PERIOD), OBJECT_NONE)                                       \
    MEMBER(SUM, "value", NUMBER, IN(LEFT_OUT), OBJECT_NONE)                                        \
    MEMBER(GAUGE, "gauge", FLAG, IN(VALUE_TYPE), OBJECT_NONE)                                      \
    MEMBER(INCLUSIVE, "inclusive", FLAG, IN(VALUE_TYPE), OBJECT_NONE)                              \
                                                                                                   \
    MEMBER(MEMORY_START, "memory_start", ADDRESS, IN(MAPPING), OBJECT_NONE)                        \
    MEMBER(MEMORY_LIMIT, "memory_limit", ADDRESS, IN(MAPPING), OBJECT_NONE)                        \
    MEMBER(FILE_OFFSET, "file_offset", ADDRESS, IN(MAPPING), OBJECT_NONE)                          \
    MEMBER(MAPPED_FILE, "filename", STRING, IN(MAPPING), OBJECT_NONE)                              \
    MEMBER(BUILD_ID, "build_id", STRING, IN(MAPPING), OBJECT_NONE)                                 \
    MEMBER(HAS_FUNCTIONS, "has_functions", FLAG, IN(MAPPING), OBJECT_NONE)                         \
    MEMBER(HAS_FILENAMES, "has_filenames", FLAG, IN(MAPPING), OBJECT_NONE)                         \
    MEMBER(HAS_LINE_NUMBERS, "has_line_numbers", FLAG, IN(MAPPING), OBJECT_NONE)                   \
    MEMBER(HAS_INLINE_FRAMES, "has_inline_frames", FLAG, IN(MAPPING), OBJECT_NONE)                 \
                                                                                                   \
    OWN(OWN_NONE, OWN_NONE, OWN_NONE, MEMBER, OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE)              \
                                                                                                   \
    MEMBER(OF_SOURCE, "source_id", REF, IN_DOTTED, TABLE_SOURCES)                                  \
    MEMBER(OF_FUNCTION, "function_id", REF, IN_DOTTED, TABLE_FUNCTIONS)                            \
    MEMBER(OF_LOCATION, "location_id", REF, IN_DOTTED, TABLE_LOCATIONS)                            \
    MEMBER(OF_SAMPLE, "sample_id", REF, IN_DOTTED, TABLE_SAMPLES)                                  \
    MEMBER(OF_MAPPING, "mapping_id", REF, IN_DOTTED, TABLE_MAPPINGS)

enum member_id {
#define MEMBER(constant, name, kind, in, inside) MEMBER_ID_##constant,
    MEMBERS(MEMBER)
#undef MEMBER
        MEMBER_ID_COUNT,
    MEMBER_ID_OTHER = MEMBER_ID_COUNT, /* not in the list, or absent */
};

_Static_assert(OBJECT_COUNT <= 64, "each has a bit");

struct schema_member {
    struct str name;
    enum member_kind kind;
    uint64_t in;     /* the objects that have it, as bits */
    unsigned inside; /* for OBJECT and OBJECTS an enum object; for REF an enum table */
};

/* The members that an object must have: all of the first list, and one of the second. */
struct schema_needs {
    unsigned all_count, any_count;
    enum member_id all[3], any[2];
};

static const struct schema_needs schema_needs[OBJECT_COUNT] = {
    [OBJECT_VALUE_TYPE] = {2, 0, {MEMBER_ID_TYPE, MEMBER_ID_UNIT}, {0}},
    [OBJECT_PERIOD] = {3, 0, {MEMBER_ID_TYPE, MEMBER_ID_UNIT, MEMBER_ID_VALUE}, {0}},
    [OBJECT_LEFT_OUT] = {3, 0, {MEMBER_ID_TYPE, MEMBER_ID_UNIT, MEMBER_ID_SUM}, {0}},
    [OBJECT_LABEL] = {1, 2, {MEMBER_ID_KEY}, {MEMBER_ID_STR, MEMBER_ID_NUM}},
#define TABLE(object, name, count, ...) [OBJECT_##object] = {count, 0, {__VA_ARGS__}, {0}},
    OWN(OWN_NONE, OWN_NONE, TABLE, OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE)
#undef TABLE
};

/* The dotted tables with known members. */
static const struct schema_dotted {
    struct str name;
    enum object object;
} schema_dotted[] = {
    {STR(".end"), OBJECT_END},
    {STR(".left_out"), OBJECT_LEFT_OUT},
#define TABLE(object, name, count, ...) {STR(name), OBJECT_##object},
    OWN(OWN_NONE, OWN_NONE, TABLE, OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE)
#undef TABLE
};

enum { SCHEMA_DOTTED_COUNT = sizeof schema_dotted / sizeof *schema_dotted };

/* The meaning of a member to code that does not know its format. */
enum member_role {
    /* Of a location: how its file spelled the frame; only valid for these names. */
    ROLE_SPELLING,
    /* Of a function: the file that it is mapped from, which the mappings of its locations also
     * have. */
    ROLE_BINARY,
    /* An integer of samples: those of a source that have the same and follow each other are of one
     * moment, and their levels are parts of one. */
    ROLE_MOMENT,
};

#endif
