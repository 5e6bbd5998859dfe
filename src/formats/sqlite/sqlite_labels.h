/* sqlite_labels.h - the labels of samples as a table. Samples with the same labels share a set,
 * which is stored once. */
#ifndef PROFPIPE_SQLITE_LABELS_H
#define PROFPIPE_SQLITE_LABELS_H

#include "base/intern.h"
#include "formats/sqlite/sqlite_batch.h"

/* A set of labels in the database. */
struct sqlite_label_set {
    uint32_t id;   /* 0: it has no labels */
    bool is_exact; /* its rows have all that its text has: the reader can make that of them */
};

/* Open with sqlite_labels_open, and close with sqlite_labels_close. */
struct sqlite_labels {
    struct sqlite_batch rows;
    struct intern texts;           /* of sets that are known; all others are stored again */
    struct sqlite_label_set *sets; /* by number of the text - 1 */
    size_t set_capacity, size;     /* SIZE: of the texts, in bytes */
    uint32_t count;                /* of sets in the database */
    struct buf key, string, unit, again;
};

void sqlite_labels_open(struct sqlite_labels *t, struct sqlite_db *d);

/* Stores the set LIST, the value of `.labels`, if it is not known. */
struct sqlite_label_set sqlite_labels_add(struct sqlite_labels *t, struct str list);

/* A label, for the function below. */
struct sqlite_label {
    struct str key, string, unit; /* bytes; a null p: none, except for the key */
    bool has_number;
    int64_t number;
};

/* Appends L to LIST, the text of `.labels` without its last bracket, which is empty at first.
 * Returns whether text can show all its bytes. */
bool sqlite_labels_emit(struct buf *list, const struct sqlite_label *l);

/* Inserts the waiting rows and frees what T holds. */
void sqlite_labels_close(struct sqlite_labels *t);

#endif
