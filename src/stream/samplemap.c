#include "stream/samplemap.h"

#include "base/mem.h"

#include <string.h>

void samplemap_add(struct samplemap *m, int64_t from)
{
    if (m->run_count == 0 || from != m->from + 1) {
        if (m->run_count == SAMPLEMAP_RUNS) {
            m->run_count /= 2;
            memmove(m->runs, m->runs + m->run_count, m->run_count * sizeof *m->runs);
            m->dropped = true;
        }
        m->runs = mem_array(m->runs, &m->run_capacity, m->run_count + 1, sizeof *m->runs);
        m->runs[m->run_count++] = (struct samplemap_run){from, m->to + 1};
    }
    m->from = from;
    m->to++;
}

int64_t samplemap_find(const struct samplemap *m, int64_t from)
{
    size_t low = 0, high = m->run_count; /* the run is in [low, high) */
    if (high == 0 || from < m->runs[0].from)
        return 0;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (m->runs[middle].from <= from)
            low = middle;
        else
            high = middle;
    }
    int64_t to = m->runs[low].to + (from - m->runs[low].from);
    int64_t last = low + 1 < m->run_count ? m->runs[low + 1].to - 1 : m->to;
    return to <= last ? to : 0;
}

void samplemap_clear(struct samplemap *m)
{
    m->run_count = 0;
    m->dropped = false;
}

void samplemap_free(struct samplemap *m)
{
    mem_free(m->runs);
    *m = (struct samplemap){0};
}
