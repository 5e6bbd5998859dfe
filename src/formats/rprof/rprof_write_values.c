/* Values of samples: in Rprof a sample is a line, and a memory profile has four numbers at its
 * start. See ndjson2rprof(1), Samples. */
#include "base/mem.h"
#include "base/units.h"
#include "formats/rprof/rprof_write.h"
#include "rows/emit.h"
#include "rows/loss.h"
#include "rows/text.h"

/* Max lines of a sample: two and a half days at 20 milliseconds. */
enum { LINES_MAX = 10000000 };

static enum rprof_role role_of(struct str type, struct str unit)
{
    static const struct {
        struct str type, unit;
        enum rprof_role role;
    } known[] = {
        {STR("samples"), STR("count"), ROLE_SAMPLES},
        {STR("vsize_small"), STR("bytes"), ROLE_SMALL},
        {STR("vsize_large"), STR("bytes"), ROLE_LARGE},
        {STR("nodes"), STR("bytes"), ROLE_NODES},
        {STR("duplications"), STR("count"), ROLE_DUPLICATIONS},
        {STR("alloc_size"), STR("bytes"), ROLE_ALLOC},
        {STR("dealloc_size"), STR("bytes"), ROLE_DEALLOC},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (str_equal(known[i].type, type) && str_equal(known[i].unit, unit))
            return known[i].role;
    if (units_nanoseconds(unit) != 0)
        return ROLE_TIME;
    return str_equal(unit, STR("count")) ? ROLE_COUNT : ROLE_OTHER;
}

/* The meaning of the type with this NUMBER in the flow. */
static struct rprof_type *type_of(struct rprof_writer *w, uint32_t number)
{
    if (number > w->type_capacity)
        w->types = mem_array_zeroed(w->types, &w->type_capacity, number, sizeof *w->types);
    struct rprof_type *t = &w->types[number - 1];
    if (t->role == ROLE_UNKNOWN) {
        const struct value_type *type = value_types_get(&w->sink.flow->types, number);
        *t = (struct rprof_type){.type = type->type,
                                 .role = role_of(type->type, type->unit),
                                 .nanoseconds = units_nanoseconds(type->unit)};
    }
    return t;
}

void rprof_read_value(struct rprof_writer *w, const struct sample_value *v)
{
    type_of(w, v->type);
    loss_add_extra(TABLE_SAMPLE_VALUES, v->extra);
    w->values = mem_array(w->values, &w->value_capacity, w->value_count + 1, sizeof *w->values);
    struct rprof_value *value = &w->values[w->value_count++];
    *value = (struct rprof_value){.type = v->type - 1, .value = v->value.integer};
    if (__builtin_expect(v->value.kind == NUMBER_INTEGER, 1))
        return;
    value->exact = decimal_read(v->value.real);
    value->is_rounded = !decimal_is_integer(value->exact, &value->value);
    if (!decimal_round(value->exact, &value->value))
        die_as(CODE_OVERFLOW, rprof_place(w),
               "sample_values.value: %.*s does not fit a 64-bit integer", STR_ARG(v->value.real));
}

/* The sample's first unused value of ROLE; NULL if there is none. */
static struct rprof_value *find(const struct rprof_writer *w, enum rprof_role role)
{
    for (size_t i = 0; i < w->value_count; i++)
        if (w->types[w->values[i].type].role == role)
            return &w->values[i];
    return NULL;
}

/* Marks the sample's value of ROLE as used if Rprof's own numbers imply it. */
static void take_if(struct rprof_writer *w, enum rprof_role role, int64_t implied)
{
    struct rprof_value *v = find(w, role);
    if (v != NULL && v->value == implied && !v->is_rounded)
        *v = w->values[--w->value_count];
}

/* Removes the value V from the sample and returns it. */
static struct rprof_value take(struct rprof_writer *w, struct rprof_value *v)
{
    struct rprof_value value = *v;
    *v = w->values[--w->value_count];
    return value;
}

/* The same, as a number of lines. */
static int64_t take_count(struct rprof_writer *w, struct rprof_value *v)
{
    struct rprof_value value = take(w, v);
    struct decimal more = decimal_of(value.value);
    if (value.is_rounded) {
        decimal_subtract(&more, value.exact);
        loss_add_fraction(w->types[value.type].type, more);
    }
    return value.value;
}

/* --- memory --- */

/* The level of ROLE in units of SIZE bytes, limited to what Rprof can hold. */
static int64_t level(struct rprof_writer *w, enum rprof_role role, int64_t size)
{
    const struct rprof_value *v = find(w, role);
    if (v == NULL) {
        loss_add(LOSS_MEMORY, STR(""), 1);
        return 0;
    }
    int64_t number = v->value < 0 ? 0 : v->value / size;
    if (number > RPROF_NUMBER_MAX)
        number = RPROF_NUMBER_MAX;
    take_if(w, role, number * size);
    return number;
}

static void read_memory(struct rprof_writer *w, struct rprof_memory *m)
{
    m->small = level(w, ROLE_SMALL, 8);
    m->large = level(w, ROLE_LARGE, 8);
    m->nodes = level(w, ROLE_NODES, 1);
    m->duplications = level(w, ROLE_DUPLICATIONS, 1);
    struct rprof_memory p = w->has_previous ? w->previous : *m;
    take_if(w, ROLE_ALLOC, rprof_rise(&p, m));
    take_if(w, ROLE_DEALLOC, rprof_rise(m, &p));
    w->previous = *m;
    w->has_previous = true;
}

/* --- lines --- */

/* VALUE, a time, in sampling intervals. */
static int64_t intervals_in(struct rprof_writer *w, const struct rprof_value *value)
{
    const struct rprof_type *t = &w->types[value->type];
    const int64_t interval = w->source->header.interval * 1000;
    int64_t nanoseconds, lines;
    if (!value->is_rounded && !__builtin_mul_overflow(value->value, t->nanoseconds, &nanoseconds) &&
        nanoseconds % interval == 0)
        return nanoseconds / interval;
    struct decimal time = value->is_rounded ? value->exact : decimal_of(value->value);
    time = decimal_multiply(time, decimal_of(t->nanoseconds));
    if (!decimal_round(time, &nanoseconds) ||
        !decimal_round(decimal_divide(time, wide_of(interval)), &lines))
        die_as(CODE_OVERFLOW, rprof_place(w),
               "the time of a sample does not fit 64 bits of nanoseconds");
    struct decimal more = decimal_multiply(decimal_of(lines), decimal_of(interval));
    decimal_subtract(&more, time);
    if (decimal_sign(more) != 0)
        loss_add_fraction(t->type, decimal_divide(more, wide_of(t->nanoseconds)));
    return lines;
}

/* The number of lines of the sample. It is the first of these that exists: its count of samples;
 * none, if others of its source have one, such as allocations beside samples of time; its time in
 * intervals, if the period is a time; another count; another time; one. The value used is
 * removed. */
static int64_t line_count(struct rprof_writer *w)
{
    struct rprof_value *samples = find(w, ROLE_SAMPLES), *time = find(w, ROLE_TIME),
                       *other = find(w, ROLE_COUNT);
    if (samples != NULL)
        return take_count(w, samples);
    if (w->source->counts_samples)
        return 0;
    if (time != NULL && (w->source->is_timed || other == NULL)) {
        struct rprof_value value = take(w, time);
        return intervals_in(w, &value);
    }
    return other != NULL ? take_count(w, other) : 1;
}

/* Removes the times that COUNT lines imply. */
static void take_times(struct rprof_writer *w, int64_t count)
{
    int64_t implied, interval = w->source->header.interval * 1000;
    for (size_t i = 0; i < w->value_count; i++) {
        const struct rprof_type *t = &w->types[w->values[i].type];
        if (t->role == ROLE_TIME && !__builtin_mul_overflow(count, interval, &implied) &&
            !w->values[i].is_rounded && implied % t->nanoseconds == 0 &&
            w->values[i].value == implied / t->nanoseconds)
            w->values[i--] = w->values[--w->value_count];
    }
}

uint64_t rprof_weigh(struct rprof_writer *w, struct rprof_memory *memory)
{
    int64_t count = line_count(w);
    if (w->value_count > 0)
        take_times(w, count);
    if (w->source->header.memory && count > 0)
        read_memory(w, memory);
    for (size_t i = 0; i < w->value_count; i++)
        w->types[w->values[i].type].dropped++;
    if (count <= 0)
        loss_add(LOSS_NO_COUNT, STR(""), 1);
    if (count > LINES_MAX)
        die_as(CODE_TOO_LARGE, rprof_place(w), "a sample counts %lld: more than %d lines",
               (long long)count, LINES_MAX);
    return count < 0 ? 0 : (uint64_t)count;
}

void rprof_count_losses(const struct rprof_writer *w)
{
    for (size_t i = 0; i < w->type_capacity; i++)
        if (w->types[i].dropped > 0)
            loss_add(LOSS_VALUES, w->types[i].type, w->types[i].dropped);
}
