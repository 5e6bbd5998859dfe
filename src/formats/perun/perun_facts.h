/* perun_facts.h - reads rows of Perun's dotted tables (perun2ndjson(1)). */
#ifndef PROFPIPE_PERUN_FACTS_H
#define PROFPIPE_PERUN_FACTS_H

#include "rows/row.h"

enum perun_table { PERUN_TYPES, PERUN_SNAPSHOTS, PERUN_MODELS, PERUN_CHUNKS, PERUN_TABLES };

/* The table of ROW; PERUN_TABLES if it is none of Perun's. */
enum perun_table perun_table_of(const struct row *row);

/* The members of such a row. Texts are borrowed from the row, in the form of perun_text.h. A
 * missing one has a null p. */
struct perun_facts {
    int64_t source, number;  /* both from 1 */
    int64_t place, snapshot; /* from 1; 0: none */
    struct str key, columns, tails;
    struct str value; /* the content of the row: members, a model, a chunk */
    bool is_global;   /* a snapshot of the layout `global` */
};

/* Reads ROW, of TABLE, into F; false if it is not as perun2ndjson writes it. */
bool perun_facts_read(const struct row *row, enum perun_table table, struct perun_facts *f);

#endif
