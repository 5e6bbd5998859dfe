/* merge.h - merges many profiles into one, row by row (profstream(5), EQUALITY and
 * CONCATENATION).
 *
 * Rows get new ids, dense and in order of appearance.  Equal functions, locations and mappings
 * are pushed once; every source is kept.  Memory is proportional to the distinct rows and the
 * ids of the current profile.  Dotted columns of .end rows, and those of later version rows that
 * differ from the first, are counted as lost. */
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
    struct idmap ids[TABLE_COUNT];       /* of the current profile, except samples */
    struct intern distinct[TABLE_COUNT]; /* keys of the merged functions, locations and mappings */
    uint32_t source_count;
    bool keeps_apart;         /* profiles are not merged, only renumbered */
    bool begun;               /* a version row was pushed; unused with keeps_apart */
    struct buf first_meta;    /* its dotted columns except .ends */
    struct samplemap samples; /* from the current profile to the merged samples */
    int64_t *type_sample;     /* by the name of a value type: the last merged sample with it */
    size_t type_capacity;
    struct buf key, extra; /* borrowed by the row that was pushed last */
};

/* A stage that pushes the merged profile to NEXT, with merged ids: the version row of the first
 * profile, but no .end row.  Ends the tool (STATUS_INPUT) at a duplicate id, a reference to an
 * undefined row, or a sample with two values of one type. */
struct merge merge_of(struct sink *next);

/* The same, but pushes each profile separately, with its version row unchanged and its .end row. */
struct merge merge_each_of(struct sink *next);

/* Counts as lost what a further version row ROW has that differs from the first, without starting a
 * profile. */
void merge_note_meta(struct merge *m, const struct row *row);

/* Frees what M holds. */
void merge_free(struct merge *m);

#endif
