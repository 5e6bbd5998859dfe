#include "profile/shown.h"

#include "base/units.h"

bool shown_has_time(const struct profile_source *of, bool is_pprof)
{
    for (size_t i = 0; i < of->type_count; i++)
        if (str_equal(of->types[i].type, of->period_type))
            return false;
    return !is_pprof && of->has_period && of->period_type.n > 0 &&
           units_nanoseconds(of->period_unit) != 0;
}

struct shown shown_begin(const struct profile_source *of)
{
    return (struct shown){.default_type = of->default_type,
                          .has_time = shown_has_time(of, str_equal(of->kind, STR("pprof")))};
}

void shown_add(struct shown *s, struct str type, struct str unit, uint32_t number)
{
    if (s->is_settled)
        return;
    s->is_settled =
        (s->default_type.n > 0 && str_equal(type, s->default_type)) ||
        (s->has_time && str_equal(type, STR("samples")) && str_equal(unit, STR("count")));
    s->type = number;
}
