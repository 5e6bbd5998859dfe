/* samplemap.h - from the ids of one profile's samples, which rise, to numbers from 1 in their order.
 *
 * Ranges of ids without a gap stand for the map, and only the newest are kept: memory stays flat
 * (profstream(5), LIMITS). */
#ifndef PROFPIPE_SAMPLEMAP_H
#define PROFPIPE_SAMPLEMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ranges that are kept; when there are more the older half is forgotten. */
#define SAMPLEMAP_RANGES 65536

/* Samples without a gap in either numbering. */
struct samplemap_range {
    int64_t from, to; /* first id, and its number */
};

/* All zero is an empty map.  TO may be set to where numbering goes on. */
struct samplemap {
    struct samplemap_range *ranges;
    size_t range_count, range_capacity;
    bool dropped; /* older ranges have been forgotten */
    int64_t from; /* the last id */
    int64_t to;   /* its number */
};

/* Adds the id FROM, which must be above all others. */
void samplemap_add(struct samplemap *m, int64_t from);

/* The number of the id FROM; 0 where it has none, or is no longer known. */
int64_t samplemap_find(const struct samplemap *m, int64_t from);

/* Forgets all ids; numbering goes on. */
void samplemap_clear(struct samplemap *m);

/* Frees what M holds and leaves an empty map. */
void samplemap_free(struct samplemap *m);

#endif
