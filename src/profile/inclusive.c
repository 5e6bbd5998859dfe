#include "profile/inclusive.h"

#define BY_CALLER STR("_by_caller")

struct inclusive inclusive_of(struct str name)
{
    struct inclusive of = {STR(""), STR("")};
    if (!str_take(&name, STR("inclusive_")))
        return of;
    of.type = name;
    if (name.n > BY_CALLER.n && str_ends(name, BY_CALLER))
        of.by_caller = (struct str){name.p, name.n - BY_CALLER.n};
    return of;
}

bool inclusive_is_by_caller(struct str name, struct str type)
{
    return str_take(&name, type) && str_equal(name, BY_CALLER);
}
