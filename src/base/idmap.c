#include "base/idmap.h"

#include "base/hash.h"
#include "base/mem.h"

/* The initial size of the arrays, in ids. */
enum { DENSE_FIRST = 2048, SPARSE_FIRST = 64 };

/* The largest array that idmap_clear wipes instead of freeing, and the maximum ratio of its size
 * to the ids in it: so many small profiles after a large one do not each pay for its size. */
enum { KEEP = 16384, KEEP_TIMES = 16 };

static size_t home(const struct idmap *m, uint64_t id)
{
    return (size_t)hash_number(id) & (m->sparse_count - 1);
}

static struct idmap_slot *find_slot(const struct idmap *m, uint64_t id)
{
    size_t i = home(m, id);
    while (m->sparse[i].id != 0 && m->sparse[i].id != id)
        i = (i + 1) & (m->sparse_count - 1);
    return &m->sparse[i];
}

uint32_t idmap_get_sparse(const struct idmap *m, uint64_t id)
{
    return id == 0 ? 0 : find_slot(m, id)->number;
}

size_t idmap_get_all(const struct idmap *m, int64_t *ids, size_t count)
{
    const uint32_t *dense = m->dense; /* a local: writing an id does not force a reload */
    uint64_t dense_count = m->dense_count;
    for (size_t i = 0; i < count; i++) {
        uint64_t id = (uint64_t)ids[i];
        uint32_t number = id < dense_count ? dense[id] : 0;
        if (__builtin_expect(number == 0, 0) && (number = idmap_get(m, id)) == 0)
            return i;
        ids[i] = number;
    }
    return count;
}

static void grow_sparse(struct idmap *m)
{
    struct idmap_slot *old = m->sparse;
    size_t old_count = m->sparse_count;
    m->sparse_count = old_count == 0 ? SPARSE_FIRST : old_count * 2;
    m->sparse = mem_alloc_zeroed(m->sparse_count * sizeof *m->sparse);
    for (size_t i = 0; i < old_count; i++)
        if (old[i].id != 0)
            *find_slot(m, old[i].id) = old[i];
    mem_free(old);
}

void idmap_put(struct idmap *m, uint64_t id, uint32_t number)
{
    m->used++;
    if (id >= m->dense_count && id < 4 * (uint64_t)m->used + 1024) {
        size_t count = m->dense_count == 0 ? DENSE_FIRST : m->dense_count * 2;
        if (count <= id)
            count = (size_t)id + 1;
        m->dense = mem_resize(m->dense, count * sizeof *m->dense);
        memset(m->dense + m->dense_count, 0, (count - m->dense_count) * sizeof *m->dense);
        m->dense_count = count;
    }
    if (id < m->dense_count) {
        m->dense[id] = number;
        return;
    }
    if (m->sparse_used >= m->sparse_count / 2)
        grow_sparse(m);
    *find_slot(m, id) = (struct idmap_slot){.id = id, .number = number};
    m->sparse_used++;
}

size_t idmap_size(const struct idmap *m)
{
    return m->dense_count * sizeof *m->dense + m->sparse_count * sizeof *m->sparse;
}

/* Whether an array of COUNT should be wiped, not freed, when USED ids are in it. */
static bool is_kept(size_t count, size_t used, size_t first)
{
    return count <= first || (count <= KEEP && count <= KEEP_TIMES * used);
}

void idmap_clear(struct idmap *m)
{
    if (m->used == 0)
        return;
    if (!is_kept(m->dense_count, m->used - m->sparse_used, DENSE_FIRST) ||
        !is_kept(m->sparse_count, m->sparse_used, SPARSE_FIRST)) {
        idmap_free(m);
        return;
    }
    if (m->dense != NULL)
        memset(m->dense, 0, m->dense_count * sizeof *m->dense);
    if (m->sparse != NULL)
        memset(m->sparse, 0, m->sparse_count * sizeof *m->sparse);
    m->used = m->sparse_used = 0;
}

void idmap_free(struct idmap *m)
{
    mem_free(m->dense);
    mem_free(m->sparse);
    *m = (struct idmap){0};
}
