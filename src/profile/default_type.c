#include "profile/default_type.h"

#include "base/units.h"

bool default_type_has_time(const struct profile_source *of)
{
    for (size_t i = 0; i < of->type_count; i++)
        if (str_equal(of->types[i].type, of->period_type))
            return false;
    return !of->lists_types && of->has_period && of->period_type.n > 0 &&
           units_nanoseconds(of->period_unit) != 0;
}

struct default_type default_type_says(const struct profile_source *of)
{
    return (struct default_type){.default_type = of->default_type,
                                 .has_time = default_type_has_time(of)};
}

static bool counts_samples(const struct default_type_entry *t)
{
    return str_equal(t->type, STR("samples")) && str_equal(t->unit, STR("count"));
}

bool default_type_is_certain(const struct default_type *s, const struct default_type_entry *t)
{
    return (s->default_type.n > 0 && str_equal(t->type, s->default_type)) ||
           (s->has_time && counts_samples(t));
}

/* Whether A, which is not listed, comes before B. */
static bool is_before(const struct default_type_entry *a, const struct default_type_entry *b)
{
    if (counts_samples(a) != counts_samples(b))
        return counts_samples(b);
    return a->count > b->count || (a->count == b->count && str_compare(a->type, b->type) > 0);
}

/* Like default_type_choose, among the types with values only, or among all. */
static size_t choose(const struct default_type *s, const struct default_type_entry *types,
                     size_t count, bool with_values)
{
    size_t listed = count, other = count;
    for (size_t i = 0; i < count; i++) {
        const struct default_type_entry *t = &types[i];
        if (with_values && t->count == 0)
            continue;
        if (default_type_is_certain(s, t))
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

size_t default_type_first(const struct default_type *s, const struct default_type_entry *types,
                          size_t count)
{
    return choose(s, types, count, false);
}

size_t default_type_choose(const struct default_type *s, const struct default_type_entry *types,
                           size_t count)
{
    size_t chosen = choose(s, types, count, true);
    return chosen < count ? chosen : choose(s, types, count, false);
}
