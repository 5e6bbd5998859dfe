/* sqlite_write.h - shared by the files that write profile rows into a database. */
#ifndef PROFPIPE_SQLITE_WRITE_H
#define PROFPIPE_SQLITE_WRITE_H

#include "base/intern.h"
#include "formats/sqlite/sqlite.h"
#include "formats/sqlite/sqlite_batch.h"
#include "formats/sqlite/sqlite_labels.h"
#include "formats/sqlite/sqlite_stacks.h"
#include "formats/sqlite/sqlite_sums.h"
#include "model/model.h"

/* A value type in the database. */
struct sqlite_type {
    uint32_t id;           /* 0: no sample had it yet */
    struct str type, unit; /* bytes */
};

struct sqlite_writer {
    struct sink sink;
    struct out *out;
    struct sqlite_write_options options;
    struct sqlite_db *db;

    struct sqlite_batch rows[TABLE_COUNT]; /* of the tables of the model */
    struct sqlite_batch dotted_rows, values_dotted, locations_dotted, stored_dotted, runs;
    struct sqlite_labels labels;
    struct intern dotted; /* other dotted columns of samples that are known; their size in bytes */
    size_t dotted_size;
    uint32_t *dotted_ids, stored_count; /* their ids, by number - 1; how many are stored */
    size_t dotted_capacity;
    int64_t dotted_count;
    bool has_meta;

    struct str run_table; /* table of the last rows, empty at first; id of the last of them */
    int64_t run_last, run_count;

    struct sqlite_type *types; /* by number in the flow - 1 */
    size_t type_capacity;
    uint32_t type_count;
    struct arena arena; /* for the names of types */

    struct idmap levels; /* types of the flow, by source, that are not added up */
    struct sqlite_stacks stacks;
    struct sqlite_sums sums;
    struct buf text, object, digits;
};

/* sqlite_write_rows.c: the batches of all tables, and the rows they take. */
void sqlite_open_rows(struct sqlite_writer *w);
void sqlite_take_row(struct sink *to, struct row *row);
void sqlite_take_sample(struct sink *to, struct sample *sample);
void sqlite_close_rows(struct sqlite_writer *w);

/* Dotted columns of our own, for what SQLite would change. */
#define SQLITE_DIGITS STR(".sqlite_digits")     /* of a number: its spelling */
#define SQLITE_POSITION STR(".sqlite_position") /* of a value: its position in its sample, from 1 */

#endif
