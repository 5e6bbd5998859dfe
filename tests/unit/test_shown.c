/* Which type of a source is shown. */
#include "profile/shown.h"
#include "tap.h"

enum { COUNT = 1, CPU, OTHER };

/* What is shown of samples/count, cpu/nanoseconds and other/bytes, in this order. */
static uint32_t shown_of(struct str default_type, bool has_time)
{
    struct shown s = {.default_type = default_type, .has_time = has_time};
    shown_add(&s, STR("samples"), STR("count"), COUNT);
    shown_add(&s, STR("cpu"), STR("nanoseconds"), CPU);
    shown_add(&s, STR("other"), STR("bytes"), OTHER);
    return s.type;
}

static void test_add(void)
{
    struct shown none = {.default_type = STR("cpu")};
    ok(none.type == 0, "nothing is shown of a source without types");
    ok(shown_of(STR(""), false) == OTHER, "the last type is shown");
    ok(shown_of(STR("cpu"), false) == CPU, "or the one that the source names");
    ok(shown_of(STR("gone"), false) == OTHER, "if it has that");
    ok(shown_of(STR(""), true) == COUNT, "or what stands for a time");
    struct shown s = {.has_time = true};
    shown_add(&s, STR("samples"), STR("bytes"), 1);
    shown_add(&s, STR("alloc"), STR("count"), 2);
    ok(s.type == 2 && !s.is_settled, "which is samples/count and no other");
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
    ok(shown_has_time(&s, false), "samples of a period of time stand for that");
    ok(!shown_has_time(&s, true), "but pprof would say that itself");
    s.type_count = 2;
    ok(!shown_has_time(&s, false), "and what the source has is not made of others");
    s.type_count = 1;
    s.period_unit = STR("bytes");
    ok(!shown_has_time(&s, false), "a number of bytes is no time");
    s = (struct profile_source){.types = types, .type_count = 1, .period_type = STR("cpu")};
    ok(!shown_has_time(&s, false), "nor is no period");
}

int main(void)
{
    test_add();
    test_time();
    return tap_done();
}
