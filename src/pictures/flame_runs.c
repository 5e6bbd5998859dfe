#include "pictures/flame_runs.h"

#include "base/mem.h"

/* How many samples the last one stands for: one, unless it says otherwise. */
static uint64_t count_of(const struct collect *c)
{
    for (size_t i = 0; i < c->part_count; i++)
        if (c->parts[i].column == c->counts - 1 && !c->parts[i].high && c->parts[i].n > 0)
            return (uint64_t)c->parts[i].n;
    return 1;
}

void flame_runs_add(struct flame_runs *r, struct collect *c)
{
    stacks_settle(&c->profile.stacks);
    uint32_t record = c->profile.stacks.last;
    if (r->count == 0 || r->records[r->count - 1] != record) {
        if (r->count == UINT32_MAX)
            die(STATUS_SYSTEM, "more than %zu runs of samples", r->count);
        r->records = mem_array(r->records, &r->record_capacity, r->count + 1, sizeof *r->records);
        r->samples = mem_array(r->samples, &r->sample_capacity, r->count + 1, sizeof *r->samples);
        r->records[r->count] = record;
        r->samples[r->count++] = 0;
    }
    r->samples[r->count - 1] += count_of(c);
    for (size_t i = 0; i < c->part_count; i++)
        sums_add_part(&r->sums, (uint32_t)r->count - 1, &c->parts[i]);
}

void flame_runs_free(struct flame_runs *r)
{
    mem_free(r->records);
    mem_free(r->samples);
    sums_free(&r->sums);
    *r = (struct flame_runs){0};
}
