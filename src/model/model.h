/* model.h - the row model itself (rows/schema.h), version 2.0, in formats for humans and other
 * programs: a picture, tables of a database, a schema of its rows. */
#ifndef PROFPIPE_MODEL_H
#define PROFPIPE_MODEL_H

#include "base/buf.h"
#include "rows/row.h"
#include "stream/stage.h"
#include "table/sheet.h"

enum model_format {
    MODEL_TEXT,
    MODEL_DOT,
    MODEL_MERMAID,
    MODEL_SQL,
    MODEL_JSONSCHEMA,
    MODEL_FORMAT_COUNT,
};

/* The names of the formats, for options. */
extern const char *const model_formats[MODEL_FORMAT_COUNT];

struct model_request {
    enum model_format format;
    bool plain;             /* for SQL: sample_locations and sample_values are tables, too */
    bool checks;            /* for SQL: tables with checks */
    const uint64_t *counts; /* for pictures: the number of rows by table; or NULL */
};

/* Appends the model to TO, as REQUEST says. */
void model_add(struct buf *to, const struct model_request *request);

/* A stage that counts the rows of all profiles, merged, and writes the model with the counts.
 * Its options are a struct model_request. */
extern const struct stage model_counter;

/* --- for the files of this room, and for code that reads or writes such a database --- */

/* The tables of version 2.0, each after those that it refers to, and their number. */
enum { MODEL_TABLE_COUNT = 8 };
extern const enum table model_tables[MODEL_TABLE_COUNT];

/* The column with the other dotted columns of a row, or with all members of a row of .mappings
 * or dotted_rows, as a JSON object. */
struct str model_dotted_column(enum table table);

/* Whether TABLE has that column.  For sample_values and sample_locations it is in a table of its
 * own, whose name ends in this suffix. */
bool model_has_dotted(enum table table);
#define MODEL_DOTTED_SUFFIX STR("_dotted")

/* Finds the dotted columns of TABLE that are columns in a database, the time of samples and what
 * refers to other rows: the next one from *ID on, which starts at 0.  False after the last.
 * Members that any dotted table may have do not count. */
bool model_next_column(enum table table, enum member_id *id);

/* One function for each format. */
void model_add_sql(struct buf *to, bool plain);
/* The parts of the SQL, in order.  Indexes can be made after the rows.  TEMPORARY ones belong to a connection and are not stored in a
 * file. */
void model_add_tables(struct buf *to, bool plain);
void model_add_views(struct buf *to, bool plain, bool temporary);
void model_add_indexes(struct buf *to, bool plain);
void model_add_checks(struct buf *to);
void model_add_jsonschema(struct buf *to);
void model_add_text(struct buf *to, const uint64_t *counts);
void model_add_text_views(struct buf *to);

/* Writes a table of all columns of views to OUT, in the format of REQUEST. */
void model_write_views(const struct sheet_request *request, struct out *out);

void model_add_dot(struct buf *to, const uint64_t *counts);
void model_add_mermaid(struct buf *to, const uint64_t *counts);

#endif
