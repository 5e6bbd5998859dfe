#include "pictures/flame_streaks.h"

#include "base/mem.h"

void flame_streaks_add(struct flame_streaks *r, struct collect *c)
{
    stacks_finish(&c->profile.stacks);
    uint32_t record = c->profile.stacks.last;
    if (r->count == 0 || r->records[r->count - 1] != record) {
        if (r->count == UINT32_MAX)
            die(CODE_TOO_MANY, "more than %zu streaks of samples", r->count);
        r->records = mem_array(r->records, &r->capacity, r->count + 1, sizeof *r->records);
        r->records[r->count++] = record;
    }
    for (size_t i = 0; i < c->part_count; i++)
        sums_add_part(&r->sums, (uint32_t)r->count - 1, &c->parts[i]);
}

void flame_streaks_free(struct flame_streaks *r)
{
    mem_free(r->records);
    sums_free(&r->sums);
    *r = (struct flame_streaks){0};
}
