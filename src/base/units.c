#include "base/units.h"

static const struct unit {
    struct str name;
    enum { TIME, SIZE } kind;
    int64_t size; /* in nanoseconds, or bytes */
} units[] = {
    {STR("nanoseconds"), TIME, 1},
    {STR("nanosecond"), TIME, 1},
    {STR("ns"), TIME, 1},
    {STR("microseconds"), TIME, 1000},
    {STR("microsecond"), TIME, 1000},
    {STR("us"), TIME, 1000},
    {STR("\xc2\xb5s"), TIME, 1000}, /* with the micro sign */
    {STR("\xce\xbcs"), TIME, 1000}, /* with the Greek letter */
    {STR("milliseconds"), TIME, 1000000},
    {STR("millisecond"), TIME, 1000000},
    {STR("ms"), TIME, 1000000},
    {STR("seconds"), TIME, 1000000000},
    {STR("second"), TIME, 1000000000},
    {STR("s"), TIME, 1000000000},
    {STR("minutes"), TIME, 60000000000},
    {STR("hours"), TIME, 3600000000000},
    {STR("bytes"), SIZE, 1},
    {STR("byte"), SIZE, 1},
    {STR("B"), SIZE, 1},
    {STR("By"), SIZE, 1}, /* as OpenTelemetry and UCUM have it */
    {STR("b"), SIZE, 1},
    {STR("kilobytes"), SIZE, 1 << 10},
    {STR("kilobyte"), SIZE, 1 << 10},
    {STR("kB"), SIZE, 1 << 10},
    {STR("kb"), SIZE, 1 << 10},
    {STR("KB"), SIZE, 1 << 10},
    {STR("megabytes"), SIZE, 1 << 20},
    {STR("megabyte"), SIZE, 1 << 20},
    {STR("mb"), SIZE, 1 << 20},
    {STR("MB"), SIZE, 1 << 20},
    {STR("gigabytes"), SIZE, 1 << 30},
    {STR("gigabyte"), SIZE, 1 << 30},
    {STR("gb"), SIZE, 1 << 30},
    {STR("GB"), SIZE, 1 << 30},
};

static const struct unit *find(struct str name)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (str_equal(units[i].name, name))
            return &units[i];
    return NULL;
}

int64_t units_in(struct str from, struct str to)
{
    if (str_equal(from, to))
        return 1;
    const struct unit *a = find(from), *b = find(to);
    if (a == NULL || b == NULL || a->kind != b->kind || a->size % b->size != 0)
        return 0;
    return a->size / b->size;
}

struct str units_finest(struct str unit)
{
    const struct unit *u = find(unit);
    return u == NULL ? unit : u->kind == TIME ? STR("nanoseconds") : STR("bytes");
}

int64_t units_nanoseconds(struct str unit)
{
    return units_in(unit, STR("nanoseconds"));
}

int64_t units_typed_nanoseconds(struct str unit)
{
    return units_nanoseconds(str_equal(unit, STR("m"))   ? STR("minutes")
                             : str_equal(unit, STR("h")) ? STR("hours")
                                                         : unit);
}
