/* sqlite_read.h - a database to profile rows: what the files of this share.
 *
 * A database may have been made by anybody.  Nothing is believed: of each row it is looked at what it holds and refers
 * to, and rows go out in an order in which what they refer to comes first, whatever the database says. */
#ifndef PROFPIPE_SQLITE_READ_H
#define PROFPIPE_SQLITE_READ_H

#include "base/arena.h"
#include "base/idmap.h"
#include "formats/format.h"
#include "formats/sqlite/sqlite_db.h"
#include "model/model.h"

/* A table that is read from its first row to its last. */
struct sqlite_table {
    sqlite3_stmt *all; /* NULL: there is no such table */
    sqlite3_stmt *one; /* the row of an id; of tables that others refer to */
    struct str place;  /* what messages call a row, in front of its number; ended by NUL */
    bool has_row;      /* ALL is at one that has not been taken */
    bool at_end;
    uint64_t row; /* the number of that, or of the last one; 0: there has been none */
    bool has_rowid;
    int64_t last;        /* the id that was taken last */
    struct idmap pushed; /* ids that have gone out */
};

struct sqlite_value {
    struct sample_value value;
    uint64_t order; /* among those of its sample */
};

/* The last sample that has had a value of a name, and where that stands among its values. */
struct sqlite_name {
    int64_t sample;
    size_t value;
};

struct sqlite_reader {
    struct sink *sink;
    const struct read_request *request;
    struct sqlite_db *db;
    bool has_stacks;          /* stored once, as nodes */
    bool has_types, has_runs; /* the tables of those names are there */

    struct sqlite_table tables[TABLE_COUNT + 1]; /* of the model, and dotted_rows as TABLE_DOTTED */
    struct sqlite_table values_dotted, locations_dotted, stored_dotted;
    struct buf texts[COLUMNS_MAX], extra, members, inexact, bytes, line;
    struct arena arena; /* for a row that was not canonical, and for names of places */
    struct arena sample_arena;

    int64_t *chain; /* locations that wait for what they are inlined into */
    size_t chain_capacity;
    struct idmap waiting;

    struct sqlite_node_row *nodes; /* by id - 1 */
    size_t node_count, node_capacity;
    uint32_t *types; /* by id in the database - 1: a type of the flow */
    size_t type_count, type_capacity;
    struct idmap type_orders; /* from a type of the flow */

    struct sqlite_value *values; /* of the sample in hand */
    struct sample_value *sorted;
    struct sqlite_name *names; /* by name of a type - 1 */
    int64_t *locations;
    struct str *location_extras;
    size_t value_capacity, sorted_capacity, name_capacity, location_capacity, extra_capacity;
};

/* --- sqlite_read.c: the database --- */

/* The number of the row of T that is read, for messages. */
struct place sqlite_place(const struct sqlite_table *t, sqlite3_stmt *at);

/* Sees to it that T is at its next row; false behind the last. */
bool sqlite_has_row(struct sqlite_reader *r, struct sqlite_table *t);

/* --- sqlite_read_rows.c: rows that define something --- */

/* What COLUMN of the row WHERE is must hold; or else the tool ends (STATUS_INPUT): it holds what S has in its column AT. */
_Noreturn void sqlite_die_column(struct place where, const char *column, const char *expected,
                                 sqlite3_stmt *s, int at);

/* The integer in the column AT of S, in the range of KIND; ROW_NULL for null where that is allowed.  What else is there
 * ends the tool, as sqlite_die_column does. */
int64_t sqlite_integer(sqlite3_stmt *s, int at, struct place where, const char *column,
                       const struct schema_kind *kind);

/* The text in the column AT of S as canonical text in TO, valid until TO changes; where it cannot show all bytes that is
 * noted in r->inexact. */
struct str sqlite_text(struct sqlite_reader *r, struct buf *to, sqlite3_stmt *s, int at,
                       struct place where, const char *column);

/* The digits that DOTTED, members of a row, has for VALUE; p is NULL where it has none. */
struct str sqlite_digits(struct sqlite_reader *r, struct str dotted, double value);

/* The number there, whose digits DOTTED, members of the row, may have; a real is text in TO, with a NUL behind it, valid
 * until TO changes. */
struct number sqlite_number(struct sqlite_reader *r, struct buf *to, sqlite3_stmt *s, int at,
                            struct place where, const char *column, struct str dotted);

/* The object of members in the column AT of S, for a row of TABLE, as a run of them in TO, valid until the next
 * row. */
struct str sqlite_members(struct sqlite_reader *r, struct buf *to, sqlite3_stmt *s, int at,
                          struct place where, enum table table);

/* Appends to TO the members EXTRA but those that are ours, and the bytes that r->inexact has. */
void sqlite_add_extra(struct sqlite_reader *r, struct buf *to, struct str extra,
                      struct place where);

/* Sees to it that the row ID of TABLE has gone out; COLUMN of the row WHERE refers to it. */
void sqlite_need(struct sqlite_reader *r, enum table table, int64_t id, struct place where,
                 const char *column);

/* Pushes the rows of TABLE up to the id LAST. */
void sqlite_push_rows(struct sqlite_reader *r, enum table table, int64_t last);

/* Pushes the version row. */
void sqlite_push_meta(struct sqlite_reader *r);

/* --- sqlite_read_samples.c --- */

/* Reads types of values, and nodes. */
void sqlite_begin_samples(struct sqlite_reader *r);

/* Pushes samples up to the id LAST. */
void sqlite_push_samples(struct sqlite_reader *r, int64_t last);

/* Sees to it that no row is left that belongs to a sample. */
void sqlite_end_samples(struct sqlite_reader *r);

/* Frees what the functions above have allocated. */
void sqlite_free_samples(struct sqlite_reader *r);

/* Reads what IN has to SINK: the `read` of the format. */
void sqlite_read(struct in *in, const struct read_request *request, struct sink *sink);

#endif
