/* idmap.h - a map from the ids of one profile to our own numbers.
 *
 * Most ids are small and dense, and are looked up with one load from an array.  Ids far above
 * the number of ids seen go to a hash table, so that one huge id costs nothing. */
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

/* Replaces the COUNT ids at IDS, none of them negative, by their numbers, up to the first id
 * without a number; returns how many were replaced. */
size_t idmap_get_all(const struct idmap *m, int64_t *ids, size_t count);

/* Maps ID, which must be absent and not 0, to NUMBER, which must not be 0. */
void idmap_put(struct idmap *m, uint64_t id, uint32_t number);

/* How many bytes M holds. */
size_t idmap_size(const struct idmap *m);

/* Removes all ids, in time proportional to their count.  Keeps the memory for the next profile,
 * unless it is large or much more than these ids needed. */
void idmap_clear(struct idmap *m);

/* Frees what M holds and leaves an empty map. */
void idmap_free(struct idmap *m);

#endif
