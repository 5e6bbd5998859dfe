#include "pictures/plot_times.h"

#include "base/mem.h"
#include "base/order.h"
#include "base/units.h"

struct plot_times *plot_times_open(void)
{
    struct plot_times *t = mem_alloc_zeroed(sizeof *t);
    t->spool = spool_open();
    return t;
}

int64_t plot_times_taken(const struct value_types *types, const struct sample *sample)
{
    for (size_t i = 0; i < sample->value_count; i++) {
        const struct sample_value *v = &sample->values[i];
        const struct value_type *type = value_types_get(types, v->type);
        int64_t time = 0;
        if (v->value.kind == NUMBER_INTEGER && v->value.integer > 0 &&
            !__builtin_mul_overflow(v->value.integer, units_nanoseconds(type->unit), &time) &&
            time > 0)
            return time;
    }
    return 0;
}

/* How long the sample M takes. */
static int64_t length_of(const struct plot_times *t, const struct plot_moment *m)
{
    return m->takes > 0 ? m->takes : t->typical;
}

/* TO - FROM, or the most that 64 bits hold. */
static int64_t distance(int64_t from, int64_t to)
{
    int64_t distance;
    return __builtin_sub_overflow(to, from, &distance) ? INT64_MAX : distance;
}

/* Notes that the sample M comes behind another one of its lane, at LAST. */
static void note_between(struct plot_times *t, const struct plot_moment *m, int64_t last)
{
    if (m->takes == 0 && m->time > last)
        spread_add(&t->between, (double)distance(last, m->time));
}

void plot_times_add(struct plot_times *t, struct str name, struct plot_moment *m, size_t depth)
{
    m->lane = intern_add(&t->names, name, NULL);
    t->lanes = mem_array_zeroed(t->lanes, &t->lane_capacity, m->lane, sizeof *t->lanes);
    struct plot_lane *lane = &t->lanes[m->lane - 1];
    if (lane->samples > 0)
        note_between(t, m, lane->last);
    t->is_scattered |= lane->samples > 0 && m->time < lane->last;
    lane->samples++;
    lane->last = m->time;
    lane->depth = depth > lane->depth ? depth : lane->depth;
    t->first = t->count == 0 || m->time < t->first ? m->time : t->first;
    t->count++;
    spool_write(t->spool, (struct str){(const char *)m, sizeof *m});
}

static int by_time(const void *a, const void *b)
{
    const struct plot_moment *x = a, *y = b;
    return (x->time > y->time) - (x->time < y->time);
}

/* Sorts the samples, and finds anew what is between neighbours. */
static void sort_moments(struct plot_times *t)
{
    struct plot_moment *moments = mem_alloc((t->count + 1) * sizeof *moments);
    bool *is_seen = mem_alloc_zeroed(t->names.count + (size_t)1);
    plot_times_rewind(t);
    for (uint64_t i = 0; i < t->count; i++)
        plot_times_next(t, &moments[i]);
    order_items(moments, t->count, sizeof *moments, by_time);
    spool_close(t->spool);
    spread_free(&t->between);
    t->spool = spool_open();
    t->between = (struct spread){0};
    for (uint64_t i = 0; i < t->count; i++) {
        struct plot_lane *lane = &t->lanes[moments[i].lane - 1];
        if (is_seen[moments[i].lane - 1])
            note_between(t, &moments[i], lane->last);
        is_seen[moments[i].lane - 1] = true;
        lane->last = moments[i].time;
        spool_write(t->spool, (struct str){(const char *)&moments[i], sizeof *moments});
    }
    mem_free(moments);
    mem_free(is_seen);
}

void plot_times_finish(struct plot_times *t)
{
    struct plot_moment m;
    if (t->is_scattered)
        sort_moments(t);
    t->typical = t->between.count > 0 ? (int64_t)spread_percentile(&t->between, 50) : 1;
    plot_times_rewind(t);
    while (plot_times_next(t, &m)) {
        int64_t end;
        if (__builtin_add_overflow(m.time, length_of(t, &m), &end))
            end = INT64_MAX;
        t->end = end > t->end ? end : t->end;
    }
}

void plot_times_rewind(struct plot_times *t)
{
    spool_rewind(t->spool);
}

bool plot_times_next(struct plot_times *t, struct plot_moment *m)
{
    return spool_read(t->spool, m, sizeof *m);
}

/* How long M lasts: NEXT is the time of the next sample. A sample comes a little late at times. */
static int64_t lasting(const struct plot_times *t, const struct plot_moment *m, int64_t next)
{
    const int64_t length = length_of(t, m), between = distance(m->time, next);
    return between - length <= length / 2 ? between : length;
}

void plot_times_each(struct plot_times *t,
                     void (*draw)(void *to, const struct plot_moment *m, int64_t length), void *to)
{
    struct plot_moment m, *open = mem_alloc_zeroed((t->names.count + (size_t)1) * sizeof *open);
    plot_times_rewind(t);
    while (plot_times_next(t, &m)) {
        struct plot_moment *before = &open[m.lane - 1];
        if (before->lane != 0)
            draw(to, before, lasting(t, before, m.time));
        *before = m;
    }
    for (size_t i = 0; i < t->names.count; i++)
        if (open[i].lane != 0)
            draw(to, &open[i], length_of(t, &open[i]));
    mem_free(open);
}

void plot_times_free(struct plot_times *t)
{
    spool_close(t->spool);
    intern_free(&t->names);
    mem_free(t->lanes);
    spread_free(&t->between);
    mem_free(t);
}
