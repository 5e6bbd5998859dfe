/* agg_entries.h - coarser frames: one function and one location stand for all that have something in common.
 *
 * An entry has the names that naming.h gives.  Its rows are pushed as soon as the first location comes that
 * it stands for. */
#ifndef PROFPIPE_AGG_ENTRIES_H
#define PROFPIPE_AGG_ENTRIES_H

#include "filters/agg.h"
#include "profile/naming.h"
#include "stream/sink.h"

/* All zero but for what is set is empty. */
struct agg_entries {
    enum agg_by by;    /* set */
    struct sink *next; /* set: where rows are pushed */
    struct profile profile;
    struct intern functions, entries; /* what tells them apart */
    uint32_t mapping_count;
    uint32_t *
        mappings; /* by string of a file name - 1, what is asked for by mapping: its row; 0: none yet */
    uint32_t *locations; /* by location - 1: its entry */
    uint32_t *sources;   /* by source - 1: its entry, where frames are sources */
    struct naming_sources names;
    size_t mapping_capacity, location_capacity, source_capacity;
    struct buf name, extra, inexact;
};

/* Takes ROW, of sources, mappings, functions or locations, which is not pushed itself. */
void agg_entries_add(struct agg_entries *e, const struct row *row);

/* Makes FRAMES, with room for the depth of SAMPLE and one more, its stack of entries; returns how many. */
size_t agg_entries_stack(const struct agg_entries *e, const struct sample *sample, int64_t *frames);

/* Frees what E holds. */
void agg_entries_free(struct agg_entries *e);

#endif
