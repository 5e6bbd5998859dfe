/* samplemap.h - maps the rising ids of one profile's samples to numbers from 1.
 *
 * It stores ranges of ids without gaps, and only the newest ones, so that memory is bounded
 * (profstream(5), LIMITS). */
#ifndef PROFPIPE_SAMPLEMAP_H
#define PROFPIPE_SAMPLEMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The maximum number of ranges; when there are more, the older half is dropped. */
#define SAMPLEMAP_RANGES 65536

/* A range of samples without gaps in either numbering. */
struct samplemap_range {
    int64_t from, to; /* first id, and its number */
};

/* All zero is an empty map.  Set TO to start after that number. */
struct samplemap {
    struct samplemap_range *ranges;
    size_t range_count, range_capacity;
    bool dropped; /* older ranges were dropped */
    int64_t from; /* the last id */
    int64_t to;   /* its number */
};

/* Adds the id FROM, which must be above all others. */
void samplemap_add(struct samplemap *m, int64_t from);

/* The number of the id FROM; 0 if it has none or its range was dropped. */
int64_t samplemap_find(const struct samplemap *m, int64_t from);

/* Removes all ids; numbering continues. */
void samplemap_clear(struct samplemap *m);

/* Frees what M holds and leaves an empty map. */
void samplemap_free(struct samplemap *m);

#endif
