/* sqlite_read.h - a database of SQLite to profile rows: see sqlite2ndjson(1). */
#ifndef PROFPIPE_SQLITE_READ_H
#define PROFPIPE_SQLITE_READ_H

#include "base/arena.h"
#include "base/idmap.h"
#include "formats/sqlite/sqlite.h"
#include "formats/sqlite/sqlite_db.h"

/* A row of nodes: a location, and the node of its caller; 0 for a root. */
struct sqlite_node_row {
    uint64_t parent;
    int64_t location;
};

/* A table that is read from its first to its last row. */
struct sqlite_table {
    sqlite3_stmt *all; /* NULL: the table does not exist */
    sqlite3_stmt *one; /* finds rows by id; only for tables that others refer to */
    struct str place;  /* the name of a row in messages, before its number; ends in NUL */
    bool has_row;      /* ALL is at a row that has not been read */
    bool at_end;
    uint64_t row; /* number of that row, or of the last one; 0: none yet */
    bool has_rowid;
    int64_t last;        /* the last id read */
    struct idmap pushed; /* ids that have been pushed */
};

struct sqlite_value {
    struct sample_value value;
    uint64_t order; /* its order in the sample */
};

/* For a value name: the last sample that had it, and its index in the values of that sample. */
struct sqlite_name {
    int64_t sample;
    size_t value;
};

struct sqlite_reader {
    struct sink *sink;
    const struct read_request *request;
    struct sqlite_db *db;
    bool has_stacks;          /* each stack is stored once, as nodes */
    bool has_types, has_runs; /* the tables of those names exist */

    struct sqlite_table tables[TABLE_COUNT + 1]; /* of the model; dotted_rows is TABLE_DOTTED */
    struct sqlite_table values_dotted, locations_dotted, stored_dotted, stored_labels;
    struct buf texts[COLUMNS_MAX], extra, members, labels, inexact, bytes, line;
    struct arena arena; /* for rows that were not canonical, and for names of places */
    struct arena sample_arena;

    int64_t *chain; /* locations that wait for the ones they are inlined into */
    size_t chain_capacity;
    struct idmap waiting;

    struct sqlite_node_row *nodes; /* by id - 1 */
    size_t node_count, node_capacity;
    uint32_t *types; /* by id in the database - 1: the type in the flow */
    size_t type_count, type_capacity;
    struct idmap type_orders; /* by type in the flow */

    struct sqlite_value *values; /* of the current sample */
    struct sample_value *sorted;
    struct sqlite_name *names; /* by name of a type - 1 */
    int64_t *locations;
    struct str *location_extras;
    size_t value_capacity, sorted_capacity, name_capacity, location_capacity, extra_capacity;
};

/* --- tables (sqlite_read_tables.c) --- */

/* Finds the tables of R's database, and prepares to read them. Ends the tool (STATUS_INPUT) where
 * one that profiles need, or a column of it, does not exist. Counts other columns as lost. */
void sqlite_open_tables(struct sqlite_reader *r);

/* Counts the tables that rows cannot hold as lost. */
void sqlite_drop_tables(struct sqlite_reader *r);

/* --- rows and their values (sqlite_read_values.c) --- */

/* The row that AT, a statement of T, is at, for messages. */
struct place sqlite_row_place(const struct sqlite_table *t, sqlite3_stmt *at);

/* Moves T to its next row if it is not at one; false after the last. */
bool sqlite_has_row(struct sqlite_reader *r, struct sqlite_table *t);

/* Ends the tool (STATUS_INPUT): COLUMN of the row WHERE should hold EXPECTED, but holds the value
 * in column AT of S. */
_Noreturn void sqlite_die_column(struct place where, const char *column, const char *expected,
                                 sqlite3_stmt *s, int at);

/* The value in column AT of S, called COLUMN in messages, of the row WHERE. What another type holds
 * ends the tool (sqlite_die_column).
 *
 * An integer is in the range of KIND; ROW_NULL stands for null if KIND allows it. A text is made
 * canonical in TO; if that cannot show all its bytes, r->inexact says which they are. A real is
 * text in TO, followed by NUL, with its digits from DOTTED, the members of the row, if they are
 * there. Both are valid until TO changes. */
int64_t sqlite_integer(sqlite3_stmt *s, int at, struct place where, const char *column,
                       const struct schema_kind *kind);
struct str sqlite_text(struct sqlite_reader *r, struct buf *to, sqlite3_stmt *s, int at,
                       struct place where, const char *column);
struct number sqlite_number(struct sqlite_reader *r, struct buf *to, sqlite3_stmt *s, int at,
                            struct place where, const char *column, struct str dotted);

/* The digits for VALUE in DOTTED, the members of a row; null p if there are none. */
struct str sqlite_digits(struct sqlite_reader *r, struct str dotted, double value);

/* The members in column AT of S, a JSON object, for a row of TABLE: a list of members in TO, valid
 * until the next row. */
struct str sqlite_members(struct sqlite_reader *r, struct buf *to, sqlite3_stmt *s, int at,
                          struct place where, enum table table);

/* Sets TO to the members EXTRA, except our own, and the bytes noted in r->inexact, which it
 * empties. */
void sqlite_add_extra(struct sqlite_reader *r, struct buf *to, struct str extra,
                      struct place where);

/* --- rows that define something (sqlite_read_rows.c) --- */

/* Pushes the version row. */
void sqlite_push_meta(struct sqlite_reader *r);

/* Pushes the rows of TABLE up to the id LAST, each after those that it refers to. */
void sqlite_push_rows(struct sqlite_reader *r, enum table table, int64_t last);

/* Pushes row ID of TABLE, unless that was done: COLUMN of the row WHERE refers to it. */
void sqlite_need(struct sqlite_reader *r, enum table table, int64_t id, struct place where,
                 const char *column);

/* --- samples (sqlite_read_samples.c) --- */

/* Reads value types and nodes. */
void sqlite_begin_samples(struct sqlite_reader *r);

/* Pushes the samples up to the id LAST, with their rows. */
void sqlite_push_samples(struct sqlite_reader *r, int64_t last);

/* Ends the tool (STATUS_INPUT) if rows are left that belong to a sample. */
void sqlite_end_samples(struct sqlite_reader *r);

/* Frees what the functions above have allocated. */
void sqlite_free_samples(struct sqlite_reader *r);

#endif
