/* agg_entries.h - coarser frames: one function and one location replace all that are equal under
 * --by.
 *
 * Such an entry has the names of naming.h. Its rows are pushed when its first location comes. */
#ifndef PROFPIPE_AGG_ENTRIES_H
#define PROFPIPE_AGG_ENTRIES_H

#include "filters/agg.h"
#include "profile/naming.h"
#include "stream/sink.h"

/* All zero except the members set by the caller is empty. */
struct agg_entries {
    enum agg_by by;    /* set by the caller */
    struct sink *next; /* set by the caller: where rows are pushed */
    struct profile profile;
    struct intern functions, entries; /* keys */
    uint32_t mapping_count;
    uint32_t *mappings;  /* by string of a file name - 1, for --by=mapping: its row; 0: none yet */
    uint32_t *locations; /* by location - 1: its entry */
    uint32_t *sources;   /* by source - 1: its entry, for --by=source */
    struct naming_sources names;
    size_t mapping_capacity, location_capacity, source_capacity;
    struct buf name, extra, inexact;
};

/* Takes ROW, of sources, mappings, functions or locations. The row itself is not pushed. */
void agg_entries_add(struct agg_entries *e, const struct row *row);

/* Sets FRAMES to the entries of the stack of SAMPLE and returns their number. FRAMES needs room for
 * one more than the depth of SAMPLE. */
size_t agg_entries_stack(const struct agg_entries *e, const struct sample *sample, int64_t *frames);

/* Frees what E holds. */
void agg_entries_free(struct agg_entries *e);

#endif
