/* idmap.h - from the ids of one profile to numbers of our own.
 *
 * Ids are mostly small and dense, so most are looked up in one load from an array; those far
 * beyond the number of ids seen go to a hash table instead, so that one huge id costs nothing. */
#ifndef PROFPIPE_IDMAP_H
#define PROFPIPE_IDMAP_H

#include <stddef.h>
#include <stdint.h>

/* A place in the hash table. */
struct idmap_slot {
    uint64_t id; /* 0: free */
    uint32_t number;
};

/* All zero is an empty map. */
struct idmap {
    uint32_t *dense; /* dense[id], 0 where absent */
    size_t dense_count;
    struct idmap_slot *sparse; /* open addressing, a power of two */
    size_t sparse_count, sparse_used;
    size_t used;
};

/* For idmap_get. */
uint32_t idmap_get_sparse(const struct idmap *m, uint64_t id);

/* The number of ID, or 0. */
static inline uint32_t idmap_get(const struct idmap *m, uint64_t id)
{
    if (id < m->dense_count && m->dense[id] != 0)
        return m->dense[id];
    return m->sparse_used == 0 ? 0 : idmap_get_sparse(m, id);
}

/* Puts the numbers of the COUNT ids at IDS, none of which is negative, in their place, up to the first
 * that has none; returns how many it has put. */
size_t idmap_get_all(const struct idmap *m, int64_t *ids, size_t count);

/* Gives ID, which must be absent and not 0, the NUMBER, which must not be 0. */
void idmap_put(struct idmap *m, uint64_t id, uint32_t number);

/* Forgets all ids, in time for those that M holds, and keeps the memory for the next profile unless that
 * is large, or much more than they needed. */
void idmap_clear(struct idmap *m);

/* Frees what M holds and leaves an empty map. */
void idmap_free(struct idmap *m);

#endif
