#include "rows/source_kind.h"

static const struct source_kind kinds[] = {
    {STR("profagg"), SOURCE_UNORDERED, false, false, NULL}, /* adds up sources of any kind */
#define KIND(name, order, leaves_stackless, lists_types, facts)                                    \
    {STR(#name), SOURCE_##order, leaves_stackless, lists_types, facts},
    OWN(KIND, OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE, OWN_NONE)
#undef KIND
};

const struct source_kind *source_kind_find(struct str type)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (str_equal(kinds[i].name, type))
            return &kinds[i];
    return NULL;
}

const struct source_kind *source_kind_object(struct str name)
{
    return str_take(&name, STR(".")) ? source_kind_find(name) : NULL;
}

const struct source_kind *source_kind_owner(struct str name)
{
    const char *end = name.n == 0 ? NULL : memchr(name.p, '_', name.n);
    return source_kind_object((struct str){name.p, end == NULL ? name.n : (size_t)(end - name.p)});
}
