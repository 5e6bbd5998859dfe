#include "stream/unfold.h"

static void unfold_row(struct sink *to, struct row *row)
{
    const struct unfold *u = (struct unfold *)to;
    u->take(u->with, row);
}

static void unfold_sample(struct sink *to, struct sample *s)
{
    const struct unfold *u = (struct unfold *)to;
    u->take(u->with, &(struct row){.table = TABLE_SAMPLES,
                                   .sample = {s->sample_id, s->source_id},
                                   .extra = s->extra});
    for (size_t i = 0; i < s->value_count; i++) {
        const struct sample_value *v = &s->values[i];
        const struct value_type *type = value_types_get(&to->flow->types, v->type);
        u->take(u->with,
                &(struct row){.table = TABLE_SAMPLE_VALUES,
                              .sample_value = {s->sample_id, type->type, type->unit, v->value},
                              .extra = v->extra});
    }
    for (size_t i = 0; i < s->depth; i++)
        u->take(u->with, &(struct row){
                             .table = TABLE_SAMPLE_LOCATIONS,
                             .sample_location = {s->sample_id, (int64_t)i + 1, s->locations[i]},
                             .extra = s->location_extras == NULL ? STR("") : s->location_extras[i],
                         });
}

struct unfold unfold_of(struct flow *flow, void (*take)(void *with, const struct row *row),
                        void *with)
{
    return (struct unfold){{flow, unfold_row, unfold_sample}, take, with};
}
