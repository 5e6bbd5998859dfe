#include "stream/samplemap.h"

#include "base/mem.h"

#include <string.h>

void samplemap_add(struct samplemap *m, int64_t from)
{
    if (m->range_count == 0 || from != m->from + 1) {
        if (m->range_count == SAMPLEMAP_RANGES) {
            m->range_count /= 2;
            memmove(m->ranges, m->ranges + m->range_count, m->range_count * sizeof *m->ranges);
            m->dropped = true;
        }
        m->ranges = mem_array(m->ranges, &m->range_capacity, m->range_count + 1, sizeof *m->ranges);
        m->ranges[m->range_count++] = (struct samplemap_range){from, m->to + 1};
    }
    m->from = from;
    m->to++;
}

int64_t samplemap_find(const struct samplemap *m, int64_t from)
{
    size_t low = 0, high = m->range_count; /* the range is in [low, high) */
    if (high == 0 || from < m->ranges[0].from)
        return 0;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (m->ranges[middle].from <= from)
            low = middle;
        else
            high = middle;
    }
    int64_t to = m->ranges[low].to + (from - m->ranges[low].from);
    int64_t last = low + 1 < m->range_count ? m->ranges[low + 1].to - 1 : m->to;
    return to <= last ? to : 0;
}

void samplemap_clear(struct samplemap *m)
{
    m->range_count = 0;
    m->dropped = false;
}

void samplemap_free(struct samplemap *m)
{
    mem_free(m->ranges);
    *m = (struct samplemap){0};
}
