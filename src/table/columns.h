/* columns.h - the columns of all tables for programs: their names, types, units and meanings. */
#ifndef PROFPIPE_COLUMNS_H
#define PROFPIPE_COLUMNS_H

#include "base/buf.h"

enum column_id {
#define COLUMN(id, name, type, unit, meaning) COLUMN_##id,
#define FACT(id, name, type, unit, meaning) COLUMN_##id,
#define FAMILY(id, name, type, unit, meaning) COLUMN_##id,
#include "table/columns.list"
#undef COLUMN
#undef FACT
#undef FAMILY
    COLUMN_IDS, /* their number */
    /* Instead of one: named by somebody else, such as a statement of SQL; none. */
    COLUMN_FOREIGN = COLUMN_IDS,
    COLUMN_NONE,
};

/* Of a table in JSON. It changes when a program that reads it would have to. */
enum { COLUMNS_VERSION = 2 };

/* What the cells of a column are. */
enum column_type {
    COLUMN_TYPE_TEXT,
    COLUMN_TYPE_INTEGER,
    COLUMN_TYPE_NUMBER,
    COLUMN_TYPE_PERCENT,
    COLUMN_TYPE_FLAG,
    COLUMN_TYPE_LIST,
    COLUMN_TYPE_TIME, /* an integer */
    COLUMN_TYPE_ANY,  /* text, a number or a flag */
    COLUMN_TYPES,     /* their number */
};

struct columns_entry {
    struct str name; /* of a family: the capital letters stand for words of the profile */
    enum column_type type;
    struct str unit; /* empty: none */
    struct str meaning;
    enum { COLUMNS_PLAIN, COLUMNS_FACT, COLUMNS_FAMILY } kind;
};

/* By id. */
extern const struct columns_entry columns_known[COLUMN_IDS];

/* The unit of columns that have the unit of the table's values. */
#define COLUMNS_OF_VALUES STR("of the values")

/* The name of TYPE, for users. */
struct str columns_type_name(enum column_type type);

/* What the names of the family ID begin with, and no other name does. */
struct str columns_prefix(enum column_id id);

/* Appends the name of a column of the family ID to TO: the only function that spells one. WORDS are
 * those of the profile, in bytes. */
void columns_add_name(struct buf *to, enum column_id id, struct str words);

#endif
