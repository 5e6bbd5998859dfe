/* merge.h - many profiles become one, row by row (profstream(5), EQUALITY and CONCATENATION).
 *
 * What passes is renumbered densely in order of appearance, with one copy of each equal function,
 * location and mapping, and every source.  Memory: what is distinct, and the ids of the profile
 * being read.  Dotted columns of later version rows that differ from those of the first, and of .end
 * rows, are counted as lost. */
#ifndef PROFPIPE_MERGE_H
#define PROFPIPE_MERGE_H

#include "idmap.h"
#include "intern.h"
#include "mem.h"
#include "samplemap.h"
#include "upgrade.h"

/* All zero, but for the stream, is a merge that has seen nothing. */
struct merge {
    struct stream *stream;               /* where the rows come from */
    struct upgrade upgrade;              /* of those of version 1.x */
    struct idmap ids[TABLE_COUNT];       /* of the profile being read, but for samples */
    struct intern distinct[TABLE_COUNT]; /* keys of the merged functions, locations, mappings */
    uint32_t source_count;
    bool begun;               /* a version row has passed */
    struct buf first_meta;    /* its dotted columns but .ends */
    struct samplemap samples; /* of the profile being read, to the merged ones */
    struct intern types;      /* names of value types */
    int64_t *type_sample;     /* by type: the last merged sample that has one */
    size_t type_capacity;
    uint32_t *guess; /* by position in a sample: the type that stood there last */
    size_t guess_count, guess_capacity;
    size_t position;       /* of the next value in the sample */
    struct buf key, extra; /* what the row returned last borrows */
};

/* Reads the next row of the merged profile to *ROW, its ids and references those of the merged
 * profile; valid until the next call.  The first is the version row; there is no .end row.  False
 * when the stream has ended.  Ends the tool (STATUS_INPUT) where stream_next does, and at a
 * duplicate id, a reference to what is not defined, or a value type twice in a sample. */
bool merge_next(struct merge *m, struct row *row);

/* Frees what M holds. */
void merge_free(struct merge *m);

#endif
