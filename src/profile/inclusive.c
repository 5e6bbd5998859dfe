#include "profile/inclusive.h"

struct inclusive inclusive_of(struct str name)
{
    const struct str end = STR("_by_caller");
    struct inclusive of = {STR(""), STR("")};
    if (!str_take(&name, STR("inclusive_")))
        return of;
    of.type = name;
    if (name.n > end.n && str_ends(name, end))
        of.by_caller = (struct str){name.p, name.n - end.n};
    return of;
}
