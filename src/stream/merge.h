/* merge.h - many profiles become one, row by row (profstream(5), EQUALITY and CONCATENATION).
 *
 * What passes is renumbered densely in order of appearance, with one copy of each equal function,
 * location and mapping, and every source.  Memory: what is distinct, and the ids of the profile
 * being read.  Dotted columns of later version rows that differ from those of the first, and of .end
 * rows, are counted as lost. */
#ifndef PROFPIPE_MERGE_H
#define PROFPIPE_MERGE_H

#include "base/buf.h"
#include "base/idmap.h"
#include "base/intern.h"
#include "stream/samplemap.h"
#include "stream/sink.h"

struct merge {
    struct sink sink;
    struct sink *next;
    struct idmap ids[TABLE_COUNT];       /* of the profile being read, but for samples */
    struct intern distinct[TABLE_COUNT]; /* keys of the merged functions, locations, mappings */
    uint32_t source_count;
    bool keeps_apart;         /* each profile stays by itself */
    bool begun;               /* a version row has passed, unless they are kept apart */
    struct buf first_meta;    /* its dotted columns but .ends */
    struct samplemap samples; /* of the profile being read, to the merged ones */
    int64_t *type_sample;     /* by name of a value type: the last merged sample that has one */
    size_t type_capacity;
    struct buf key, extra; /* what the row returned last borrows */
};

/* A stage that pushes the merged profile to NEXT, its ids and references those of that: the version
 * row of the first, but no .end row.  Ends the tool (STATUS_INPUT) at a duplicate id, a reference to
 * what is not defined, or a value type twice in a sample. */
struct merge merge_of(struct sink *next);

/* The same, but each profile is pushed by itself, with its version row as it stands and its .end row. */
struct merge merge_each_of(struct sink *next);

/* Frees what M holds. */
void merge_free(struct merge *m);

#endif
