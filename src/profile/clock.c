#include "profile/clock.h"

#include "base/mem.h"
#include "base/units.h"

const struct clock_source *clock_add(struct clock *c, const struct profile_source *of)
{
    struct clock_source source = {.has_order = profile_is_sequence(of->kind),
                                  .has_first = profile_is_scattered(of->kind)};
    c->sources = mem_array(c->sources, &c->capacity, c->count + 1, sizeof *c->sources);
    if (of->has_period && of->period > 0 &&
        __builtin_mul_overflow(of->period, units_nanoseconds(of->period_unit), &source.period))
        source.period = 0;
    c->sources[c->count++] = source;
    return &c->sources[c->count - 1];
}

/* How many samples SAMPLE stands for, or one. */
static int64_t count_of(const struct clock *c, const struct sample *sample)
{
    for (size_t i = 0; i < sample->value_count; i++)
        if (sample->values[i].type == c->counts && sample->values[i].value.kind == NUMBER_INTEGER &&
            sample->values[i].value.integer > 0)
            return sample->values[i].value.integer;
    return 1;
}

/* The time since the first sample of OF, where that is at FIRST and this one at TIME. */
static int64_t since(int64_t first, int64_t time)
{
    int64_t elapsed;
    if (__builtin_sub_overflow(time, first, &elapsed))
        return time < first ? INT64_MIN : INT64_MAX;
    return elapsed;
}

bool clock_read(struct clock *c, const struct sample *sample, int64_t *time)
{
    struct clock_source *of = &c->sources[sample->source_id - 1];
    int64_t length;
    if (sample_time(sample->extra, time)) {
        of->first = of->has_first ? of->first : *time;
        of->has_first = true;
        *time = since(of->first, *time);
        return true;
    }
    if (!of->has_order || of->period == 0)
        return false;
    *time = of->elapsed;
    if (__builtin_mul_overflow(count_of(c, sample), of->period, &length) ||
        __builtin_add_overflow(of->elapsed, length, &of->elapsed))
        of->elapsed = INT64_MAX;
    return true;
}

void clock_clear(struct clock *c)
{
    c->count = 0;
}

void clock_free(struct clock *c)
{
    mem_free(c->sources);
}
