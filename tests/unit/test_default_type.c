/* Which type of a source is shown. */
#include "profile/default_type.h"
#include "tap.h"

/* Types of a source: samples/count, cpu/nanoseconds and other/bytes, so many of which are LISTED, and so many
 * values of each. */
static const struct default_type_entry *types_of(size_t listed, uint64_t samples, uint64_t cpu,
                                                 uint64_t other)
{
    static struct default_type_entry types[3];
    types[0] = (struct default_type_entry){STR("samples"), STR("count"), listed > 0, samples};
    types[1] = (struct default_type_entry){STR("cpu"), STR("nanoseconds"), listed > 1, cpu};
    types[2] = (struct default_type_entry){STR("other"), STR("bytes"), listed > 2, other};
    return types;
}

enum { COUNT, CPU, OTHER };

static void test_listed(void)
{
    struct default_type s = {.default_type = STR("")}, cpu = {.default_type = STR("cpu")};
    struct default_type gone = {.default_type = STR("gone")}, time = {.has_time = true};
    ok(default_type_choose(&s, NULL, 0) == 0, "nothing is shown of a source without types");
    ok(default_type_choose(&s, types_of(3, 1, 1, 1), 3) == OTHER, "the last type is shown");
    ok(default_type_choose(&cpu, types_of(3, 1, 1, 1), 3) == CPU,
       "or the one that the source names");
    ok(default_type_choose(&gone, types_of(3, 1, 1, 1), 3) == OTHER, "if it has that");
    ok(default_type_choose(&time, types_of(3, 1, 1, 1), 3) == COUNT, "or what stands for a time");
    struct default_type_entry bytes = {STR("samples"), STR("bytes"), true, 1};
    ok(!default_type_is_certain(&time, &bytes), "which is samples/count and no other");
    ok(default_type_choose(&s, types_of(3, 5, 1, 0), 3) == CPU, "what has no value gives way");
    ok(default_type_choose(&cpu, types_of(3, 5, 0, 1), 3) == OTHER, "so does one that is named");
    ok(default_type_choose(&cpu, types_of(3, 0, 0, 0), 3) == CPU, "unless none has a value");
}

static void test_unlisted(void)
{
    struct default_type s = {.default_type = STR("")};
    ok(default_type_choose(&s, types_of(1, 9, 4, 3), 3) == CPU, "most values are shown of others");
    ok(default_type_choose(&s, types_of(1, 9, 3, 4), 3) == OTHER, "in any order");
    ok(default_type_choose(&s, types_of(1, 9, 4, 4), 3) == OTHER,
       "the greatest name of equal ones");
    ok(default_type_choose(&s, types_of(1, 9, 0, 0), 3) == COUNT,
       "samples where there is nothing else");
    ok(default_type_choose(&s, types_of(0, 9, 4, 3), 3) == CPU, "and where nothing is listed");
    ok(default_type_choose(&s, types_of(2, 9, 1, 4), 3) == CPU, "a list that has more goes before");
    ok(default_type_choose(&s, types_of(2, 9, 0, 4), 3) == OTHER, "if there are values of it");
}

static void test_time(void)
{
    struct profile_value_type types[] = {{.type = STR("samples"), .unit = STR("count")},
                                         {.type = STR("cpu"), .unit = STR("nanoseconds")}};
    struct profile_source s = {.types = types,
                               .type_count = 1,
                               .has_period = true,
                               .period_type = STR("cpu"),
                               .period_unit = STR("ms")};
    ok(default_type_has_time(&s), "samples of a period of time stand for that");
    s.lists_types = true;
    ok(!default_type_has_time(&s), "but pprof would say that itself");
    s.lists_types = false;
    s.type_count = 2;
    ok(!default_type_has_time(&s), "and what the source has is not made of others");
    s.type_count = 1;
    s.period_unit = STR("bytes");
    ok(!default_type_has_time(&s), "a number of bytes is no time");
    s = (struct profile_source){.types = types, .type_count = 1, .period_type = STR("cpu")};
    ok(!default_type_has_time(&s), "nor is no period");
}

int main(void)
{
    test_listed();
    test_unlisted();
    test_time();
    return tap_done();
}
