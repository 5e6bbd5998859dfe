#include "filters/derive.h"

#include "base/mem.h"
#include "profile/default_type.h"
#include "rows/emit.h"
#include "rows/listed.h"
#include "rows/text.h"

void derive_begin(struct derive *d)
{
    profile_free(&d->profile);
}

struct derive_time *derive_source(struct derive *d, const struct row *row)
{
    d->profile.keep = profile_keep_all;
    const struct profile_source *of = profile_add_source(&d->profile, row, d->flow->where);
    size_t id = d->profile.source_count;
    d->counts = value_types_add(&d->flow->types, STR("samples"), STR("count"));
    d->times = mem_array(d->times, &d->time_capacity, id, sizeof *d->times);
    struct derive_time *time = &d->times[id - 1];
    *time = (struct derive_time){0};
    if (default_type_has_time(of) && of->period > 0)
        *time = (struct derive_time){
            .type = value_types_add_bytes(&d->flow->types, of->period_type, of->period_unit),
            .period = of->period,
            .each = decimal_of(of->period)};
    return time;
}

void derive_list(struct derive *d, struct row *row)
{
    struct derive_time *time = &d->times[d->profile.source_count - 1];
    const struct value_type *type = value_types_get(&d->flow->types, time->type);
    struct str rest = row->extra, name, value, types = STR("[]");
    time->is_listed = true;
    d->extra.n = 0;
    while (text_next_member(&rest, &name, &value)) {
        if (str_equal(name, STR(".value_types"))) {
            types = value;
            continue;
        }
        emit_member(&d->extra, name);
        buf_add(&d->extra, value);
    }
    listed_begin(&d->extra);
    buf_add(&d->extra, text_inside(types));
    buf_add(&d->extra, types.n > 2 ? STR(",") : STR(""));
    listed_add(&d->extra, type->type, type->unit, LISTED_SUM);
    listed_end(&d->extra);
    row->extra = buf_str(&d->extra);
}

/* X as a value. */
static struct number number_of_decimal(struct derive *d, struct decimal x)
{
    struct number n = {.kind = NUMBER_INTEGER};
    if (decimal_is_integer(x, &n.integer))
        return n;
    d->text.n = 0;
    if (!decimal_write_real(&d->text, x))
        die_as(CODE_OVERFLOW, d->flow->where, "the time of a sample is more than a number can be");
    return (struct number){.kind = NUMBER_REAL, .real = {d->text.p, d->text.n - 1}};
}

struct sample *derive_sample(struct derive *d, struct sample *sample)
{
    const struct derive_time *time = &d->times[sample->source_id - 1];
    const struct sample_value *count = NULL;
    if (!time->is_listed)
        return sample;
    for (size_t i = 0; i < sample->value_count; i++) {
        if (sample->values[i].type == d->counts)
            count = &sample->values[i];
        if (sample->values[i].type == time->type) /* even if it is not listed */
            return sample;
    }
    if (count == NULL)
        return sample;
    struct decimal x = decimal_multiply(sample_value_exact(count), time->each);
    size_t n = sample->value_count;
    d->values = mem_array(d->values, &d->value_capacity, n + 1, sizeof *d->values);
    memcpy(d->values, sample->values, n * sizeof *d->values);
    d->values[n] = (struct sample_value){
        .type = time->type, .value = number_of_decimal(d, x), .extra = STR("")};
    d->sample = *sample;
    d->sample.values = d->values;
    d->sample.value_count++;
    d->sample.lines = NULL; /* they lack the new value */
    return &d->sample;
}

void derive_free(struct derive *d)
{
    profile_free(&d->profile);
    mem_free(d->times);
    mem_free(d->values);
    buf_free(&d->extra);
    buf_free(&d->text);
}
