/* perun_facts.h - what rows of Perun's dotted tables say (perun2ndjson(1)), for all who read them. */
#ifndef PROFPIPE_PERUN_FACTS_H
#define PROFPIPE_PERUN_FACTS_H

#include "rows/row.h"

enum perun_table { PERUN_TYPES, PERUN_SNAPSHOTS, PERUN_MODELS, PERUN_CHUNKS, PERUN_TABLES };

/* The table that ROW is of; PERUN_TABLES: none of these. */
enum perun_table perun_table_of(const struct row *row);

/* Members of such a row.  Texts are as rows carry them (perun_text.h), borrowed from the row; p is NULL where there is none. */
struct perun_facts {
    int64_t source, number;  /* both from 1 */
    int64_t place, snapshot; /* from 1; 0: none */
    struct str key, columns, tails;
    struct str value; /* what the row is about: members, a model, a chunk */
    bool is_global;   /* a snapshot of the layout `global` */
};

/* Reads ROW, of TABLE, to F; false where it is not as perun2ndjson writes it. */
bool perun_facts_read(const struct row *row, enum perun_table table, struct perun_facts *f);

#endif
