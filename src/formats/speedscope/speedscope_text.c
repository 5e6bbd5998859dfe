#include "formats/speedscope/speedscope_text.h"

#include "base/units.h"

struct str speedscope_unit(struct str unit)
{
    static const struct str words[] = {STR("nanoseconds"), STR("microseconds"), STR("milliseconds"),
                                       STR("seconds"), STR("bytes")};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (units_in(unit, words[i]) == 1)
            return words[i];
    return STR("none");
}

struct str speedscope_type(struct str unit, struct str *as)
{
    *as = unit;
    if (units_nanoseconds(unit) != 0)
        return STR("time");
    if (units_in(unit, STR("bytes")) != 0)
        return STR("space");
    if (!str_equal(unit, STR("none")))
        return STR("weight");
    *as = STR("count");
    return STR("samples");
}
