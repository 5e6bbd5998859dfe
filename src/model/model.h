/* model.h - the row model itself (rows/schema.h), version 2.0, for people and for other programs: as a picture, as
 * tables for a database, as a schema of its rows. */
#ifndef PROFPIPE_MODEL_H
#define PROFPIPE_MODEL_H

#include "base/buf.h"
#include "rows/row.h"
#include "stream/stage.h"

enum model_format {
    MODEL_TEXT,
    MODEL_DOT,
    MODEL_MERMAID,
    MODEL_SQL,
    MODEL_JSONSCHEMA,
    MODEL_FORMAT_COUNT,
};

/* Names of the formats, for options. */
extern const char *const model_formats[MODEL_FORMAT_COUNT];

struct model_request {
    enum model_format format;
    bool plain;             /* of SQL: sample_locations and sample_values are tables, too */
    bool checks;            /* of SQL: tables that judge rows */
    const uint64_t *counts; /* rows by table, for pictures; or NULL */
};

/* Appends the model to TO, as REQUEST says. */
void model_add(struct buf *to, const struct model_request *request);

/* Counts the rows of all profiles, merged, and writes the model with that; its options are a struct
 * model_request. */
extern const struct stage model_counter;

/* --- for the parts of this, and for who reads or writes such a database --- */

/* The tables of version 2.0 in the order in which they refer to each other, and how many there are. */
enum { MODEL_TABLE_COUNT = 8 };
extern const enum table model_tables[MODEL_TABLE_COUNT];

/* The column that has the other dotted columns of a row, or all members of a row of .mappings and of dotted_rows, as an
 * object of JSON. */
struct str model_dotted_column(enum table table);

/* Whether rows of TABLE have that column; those of sample_values and sample_locations have it in a table of its
 * own, behind whose name this stands. */
bool model_has_dotted(enum table table);
#define MODEL_DOTTED_SUFFIX STR("_dotted")

/* The dotted columns of TABLE that refer to other rows, and are columns in a database: the next from *ID on, which begins
 * at 0; false behind the last.  What any dotted table may have are none. */
bool model_next_reference(enum table table, enum member_id *id);

/* One format each. */
void model_add_sql(struct buf *to, bool plain);
/* The views of that alone; TEMPORARY ones are those of a connection, and no file has them. */
void model_add_views(struct buf *to, bool plain, bool temporary);
void model_add_checks(struct buf *to);
void model_add_jsonschema(struct buf *to);
void model_add_text(struct buf *to, const uint64_t *counts);
void model_add_dot(struct buf *to, const uint64_t *counts);
void model_add_mermaid(struct buf *to, const uint64_t *counts);

#endif
