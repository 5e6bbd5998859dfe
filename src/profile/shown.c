#include "profile/shown.h"

#include "base/units.h"

bool shown_has_time(const struct profile_source *of)
{
    for (size_t i = 0; i < of->type_count; i++)
        if (str_equal(of->types[i].type, of->period_type))
            return false;
    return !of->lists_types && of->has_period && of->period_type.n > 0 &&
           units_nanoseconds(of->period_unit) != 0;
}

struct shown shown_says(const struct profile_source *of)
{
    return (struct shown){.default_type = of->default_type, .has_time = shown_has_time(of)};
}

static bool counts_samples(const struct shown_type *t)
{
    return str_equal(t->type, STR("samples")) && str_equal(t->unit, STR("count"));
}

bool shown_is_certain(const struct shown *s, const struct shown_type *t)
{
    return (s->default_type.n > 0 && str_equal(t->type, s->default_type)) ||
           (s->has_time && counts_samples(t));
}

/* Whether A, which is not listed, goes before B. */
static bool is_before(const struct shown_type *a, const struct shown_type *b)
{
    if (counts_samples(a) != counts_samples(b))
        return counts_samples(b);
    return a->count > b->count || (a->count == b->count && str_compare(a->type, b->type) > 0);
}

/* The same as shown_choose, of those types alone that have values, or of all. */
static size_t choose(const struct shown *s, const struct shown_type *types, size_t count,
                     bool with_values)
{
    size_t listed = count, other = count;
    for (size_t i = 0; i < count; i++) {
        const struct shown_type *t = &types[i];
        if (with_values && t->count == 0)
            continue;
        if (shown_is_certain(s, t))
            return i;
        if (t->is_listed)
            listed = i;
        else if (other == count || is_before(t, &types[other]))
            other = i;
    }
    bool is_all = listed < count && !counts_samples(&types[listed]);
    return is_all || other == count || (listed < count && counts_samples(&types[other])) ? listed
                                                                                         : other;
}

size_t shown_by_default(const struct shown *s, const struct shown_type *types, size_t count)
{
    return choose(s, types, count, false);
}

size_t shown_choose(const struct shown *s, const struct shown_type *types, size_t count)
{
    size_t chosen = choose(s, types, count, true);
    return chosen < count ? chosen : choose(s, types, count, false);
}
