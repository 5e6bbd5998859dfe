#include "pictures/flame_streaks.h"

#include "base/mem.h"

void flame_streaks_source(struct flame_streaks *r, struct collect *c,
                          const struct profile_source *of)
{
    clock_add(&r->clock, of);
    plot_lanes_add_source(&r->by, &c->profile, of);
}

/* Begins a streak of RECORD in LANE. */
static void begin(struct flame_streaks *r, uint32_t record, uint32_t lane)
{
    if (r->count == UINT32_MAX)
        die(CODE_TOO_MANY, "more than %zu streaks of samples", r->count);
    r->records = mem_array(r->records, &r->capacity, r->count + 1, sizeof *r->records);
    r->lanes = mem_array(r->lanes, &r->lane_capacity, r->count + 1, sizeof *r->lanes);
    r->records[r->count] = record;
    r->lanes[r->count++] = lane;
}

/* Sets r->name to the name of the lane of SAMPLE, and returns its number. */
static uint32_t lane_of(struct flame_streaks *r, struct collect *c, const struct sample *sample)
{
    r->name.n = 0;
    plot_lanes_add_name(&r->by, &c->profile, sample->source_id,
                        profile_labels(&c->profile, sample->extra, c->flow->where), &r->name);
    return intern_add(&r->names, buf_str(&r->name), NULL);
}

void flame_streaks_add(struct flame_streaks *r, struct collect *c, const struct sample *sample,
                       bool has_order)
{
    struct plot_moment m = {.samples = (int64_t)r->count};
    const bool has_time = sample_time(sample->extra, &m.time);
    if (r->count == 0 && has_time && r->times == NULL)
        r->times = plot_times_open();
    if (has_time != (r->times != NULL) || (!has_time && !has_order))
        return;
    stacks_finish(&c->profile.stacks);
    const uint32_t record = c->profile.stacks.last;
    if (has_time || r->count == 0 || r->records[r->count - 1] != record)
        begin(r, record, lane_of(r, c, sample));
    for (size_t i = 0; i < c->part_count; i++)
        sums_add_part(&r->sums, (uint32_t)r->count - 1, &c->parts[i]);
    if (!has_time)
        return;
    clock_read(&r->clock, sample, &m.time);
    m.takes = plot_times_taken(&c->flow->types, sample);
    plot_times_add(r->times, buf_str(&r->name), &m, sample->depth);
}

static void take_length(void *to, const struct plot_moment *m, int64_t length)
{
    struct flame_streaks *r = to;
    const int64_t before = m->time < 0 ? m->time : 0; /* the ruler begins at 0 */
    r->begins[m->samples] = m->time - before;
    r->lengths[m->samples] = length + before > 0 ? length + before : 0;
}

void flame_streaks_finish(struct flame_streaks *r)
{
    if (r->times == NULL)
        return;
    r->begins = mem_alloc_zeroed((r->count + 1) * sizeof *r->begins);
    r->lengths = mem_alloc_zeroed((r->count + 1) * sizeof *r->lengths);
    plot_times_finish(r->times);
    plot_times_each(r->times, take_length, r);
}

void flame_streaks_free(struct flame_streaks *r)
{
    mem_free(r->records);
    mem_free(r->lanes);
    mem_free(r->begins);
    mem_free(r->lengths);
    sums_free(&r->sums);
    intern_free(&r->names);
    buf_free(&r->name);
    clock_free(&r->clock);
    plot_lanes_free(&r->by);
    if (r->times != NULL)
        plot_times_free(r->times);
    *r = (struct flame_streaks){0};
}
