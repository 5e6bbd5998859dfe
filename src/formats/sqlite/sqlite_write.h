/* sqlite_write.h - profile rows to a database: what the files of this share. */
#ifndef PROFPIPE_SQLITE_WRITE_H
#define PROFPIPE_SQLITE_WRITE_H

#include "base/intern.h"
#include "formats/sqlite/sqlite.h"
#include "formats/sqlite/sqlite_batch.h"
#include "formats/sqlite/sqlite_stacks.h"
#include "formats/sqlite/sqlite_sums.h"
#include "model/model.h"

/* A type of values as the database has it. */
struct sqlite_type {
    uint32_t id;           /* 0: no sample has had it so far */
    struct str type, unit; /* bytes */
};

struct sqlite_writer {
    struct sink sink;
    struct out *out;
    struct sqlite_write_options options;
    struct sqlite_db *db;
    bool is_copied; /* from its temporary file to the output */

    struct sqlite_batch rows[TABLE_COUNT]; /* of the tables of the model */
    struct sqlite_batch dotted_rows, values_dotted, locations_dotted, stored_dotted, runs;
    struct intern
        dotted; /* columns of samples that are stored once, and how many bytes they have */
    size_t dotted_size;
    int64_t dotted_count;
    bool has_meta;

    struct str
        run_table; /* of the rows that came last, empty at first; and the id of the last of them */
    int64_t run_last, run_count;

    struct sqlite_type *types; /* by number in the flow - 1 */
    size_t type_capacity;
    uint32_t type_count;
    struct arena arena; /* for their names */

    struct idmap levels; /* types of the flow, by source, that are not summed up */
    struct sqlite_stacks stacks;
    struct sqlite_sums sums;
    struct buf text, object, digits;
};

/* sqlite_write_rows.c: the batches of all tables, and what they take. */
void sqlite_open_rows(struct sqlite_writer *w);
void sqlite_take_row(struct sink *to, struct row *row);
void sqlite_take_sample(struct sink *to, struct sample *sample);
void sqlite_close_rows(struct sqlite_writer *w);

/* Dotted columns of our own, which keep what SQLite would change. */
#define SQLITE_DIGITS STR(".sqlite_digits") /* of a number: how it was spelled */
#define SQLITE_POSITION                                                                            \
    STR(".sqlite_position") /* of a value: where it stood among those of its sample, from 1 */

/* Appends VALUE to TO as rows spell it: the fewest digits that give it back. */
void sqlite_add_real(struct buf *to, double value);

#endif
