/* What rows define, in memory: see also test_stacks.c for what samples have. */
#include "base/mem.h"
#include "job.h"
#include "profile/profile.h"
#include "rows/loss.h"
#include "tap.h"

static const struct place here = {"test", PLACE_LINE, 7};

/* --- labels --- */

static uint32_t add_labels(struct labels *t, const struct label *set, size_t count)
{
    return labels_add(t, (struct str){(const char *)set, count * sizeof *set});
}

static void test_labels(void)
{
    const struct label a = {.key = 1, .string = 2}, b = {.key = 1, .number = -5, .unit = 3},
                       c = {.key = 1, .string = 2, .other = 9};
    const struct label ba[] = {b, a}, ab[] = {a, b}, ac[] = {a, c}, ca[] = {c, a}, aa[] = {a, a};
    struct labels t = {0};
    size_t count;
    ok(add_labels(&t, NULL, 0) == 0, "no labels are set 0");
    uint32_t first = add_labels(&t, ab, 2);
    ok(add_labels(&t, ba, 2) == first && add_labels(&t, ab, 2) == first,
       "the order of labels does not tell sets apart");
    const struct label *set = labels_get(&t, first, &count);
    ok(count == 2 && memcmp(set, ab, sizeof ab) == 0, "a set is as the first sample had it");
    uint32_t second = add_labels(&t, ca, 2);
    ok(second != first && add_labels(&t, ac, 2) == second &&
           memcmp(labels_get(&t, second, &count), ca, sizeof ca) == 0,
       "be that sorted or not");
    ok(add_labels(&t, &a, 1) != add_labels(&t, aa, 2), "a label that comes twice counts");
    ok(add_labels(&t, &a, 1) != add_labels(&t, &c, 1), "what else tells labels apart does");
    labels_free(&t);
}

/* The same labels in two orders, and more texts than are remembered between. */
static void test_label_texts(void)
{
    enum { COUNT = 30000 };
    struct profile p = {0};
    const struct str ab = STR(",\".labels\":[{\"key\":\"a\",\"str\":\"\"},{\"key\":\"b\",\"num\":"
                              "-1,\"unit\":\"s\"}]"),
                     ba = STR(",\".labels\":[{\"key\":\"b\",\"num\":-1,\"unit\":\"s\"},{\"key\":"
                              "\"a\",\"str\":\"\"}]");
    uint32_t first = profile_label_set(&p, ab, here);
    size_t wrong = 0, count;
    for (int i = 0; i < COUNT; i++) {
        char text[80];
        int n = snprintf(text, sizeof text, ",\".labels\":[{\"key\":\"n\",\"num\":%d}]", i);
        const struct label *labels = labels_get(
            &p.labels, profile_label_set(&p, (struct str){text, (size_t)n}, here), &count);
        wrong += count != 1 || labels->number != i;
    }
    ok(wrong == 0, "%d sets", COUNT);
    ok(profile_label_set(&p, ab, here) == first && profile_label_set(&p, ba, here) == first,
       "the same set before and after");
    struct str array = profile_labels(&p, ba, here);
    const struct label *labels = (const struct label *)(const void *)array.p;
    ok(array.n == 2 * sizeof *labels && labels[0].number == -1 && labels[1].string != 0,
       "but each sample has its own order, and an empty string is one");
    ok(profile_label_set(&p, STR(""), here) == 0 && profile_labels(&p, STR(""), here).n == 0,
       "no labels");
    profile_free(&p);
}

/* --- definitions --- */

static struct str name_of(const struct profile *p, uint32_t id)
{
    return profile_string_of(p, id);
}

static void test_functions(void)
{
    struct profile p = {0};
    struct row row = {TABLE_FUNCTIONS,
                      .function = {1, STR("a\\n\xc3\xa4"), STR("s"), STR("f.c"), 12}};
    const struct profile_function *f = profile_add_function(&p, &row, here);
    is(name_of(&p, f->name), STR("a\n\xc3\xa4"), "a function's name is bytes");
    is(name_of(&p, f->system_name), STR("s"), "and its system name");
    ok(str_equal(name_of(&p, f->filename), STR("f.c")) && f->start_line == 12, "file and line");
    row = (struct row){TABLE_FUNCTIONS, .function = {2, STR("?"), STR("?"), STR(""), 0},
                       .extra = STR(",\".bytes\":{\"name\":\"ff00\"},\".unmangled\":true")};
    f = profile_add_function(&p, &row, here);
    is(name_of(&p, f->name), STR("\xff\0"), "what no text can show");
    ok(f->system_name == 0 && f->filename == 0, "no mangled name, no file");
    row = (struct row){TABLE_FUNCTIONS, .function = {3, STR("<?>"), STR("s"), STR(""), 0},
                       .extra = STR(",\".no_name\":true,\".unmangled\":false")};
    f = profile_add_function(&p, &row, here);
    ok(f->name == 0 && f->system_name == p.functions[0].system_name, "no name; a string is once");
    profile_free(&p);
}

static void test_locations(void)
{
    struct profile p = {0};
    struct row row = {TABLE_LOCATIONS, .location = {1, 5, 0},
                      .extra =
                          STR(",\".mapping_id\":3,\".address\":\"0xffffffffffffffff\",\".column\":"
                              "4,\".is_folded\":true,\".inlined_into\":null")};
    const struct profile_location *l = profile_add_location(&p, &row, here);
    ok(l->function == 5 && l->line == 0 && l->mapping == 3 && l->address == UINT64_MAX &&
           l->column == 4 && l->is_folded && l->into == 0 && l->filename == 0,
       "a location with all that it can have");
    row = (struct row){TABLE_LOCATIONS, .location = {2, ROW_NULL, ROW_NULL},
                       .extra = STR(",\".filename\":\"x.R\",\".inlined_into\":1")};
    l = profile_add_location(&p, &row, here);
    ok(l->function == 0 && l->line == ROW_NULL && l->into == 1 && l->mapping == 0 &&
           str_equal(name_of(&p, l->filename), STR("x.R")),
       "code outside of any function");
    ok(loss_total() == 0, "nothing was lost");
    row = (struct row){TABLE_LOCATIONS, .location = {3, 5, 1},
                       .extra = STR(",\".filename\":\"x.R\",\".other\":1")};
    profile_add_location(&p, &row, here);
    ok(loss_total() == 2, "what has no place is counted");
    loss_forget();
    profile_free(&p);
}

static void test_mappings(void)
{
    struct profile p = {0};
    struct row row = {
        TABLE_MAPPINGS, .mapping = {1},
        .extra =
            STR(",\"memory_start\":\"0x1000\",\"memory_limit\":\"0x2000\",\"file_offset\":"
                "\"0x10\",\"filename\":{\"bytes\":\"80\"},\"build_id\":\"b\",\"has_functions\":"
                "true,\"has_inline_frames\":true")};
    const struct profile_mapping *m = profile_add_mapping(&p, &row, here);
    ok(m->start == 0x1000 && m->limit == 0x2000 && m->offset == 0x10 && m->has_functions &&
           m->has_inline_frames && !m->has_filenames && !m->has_line_numbers,
       "a mapping");
    ok(str_equal(name_of(&p, m->filename), STR("\x80")) &&
           str_equal(name_of(&p, m->build_id), STR("b")),
       "its file and build id");
    profile_free(&p);
}

/* Keeps what is `unknown`, and nothing else. */
static bool keep_unknown(void *user, const struct row *row, const struct member *member,
                         uint32_t *other)
{
    (void)row;
    if (member->id == MEMBER_ID_UNKNOWN)
        *other = ++*(uint32_t *)user;
    return member->id == MEMBER_ID_UNKNOWN;
}

static void test_sources(void)
{
    uint32_t kept = 0;
    struct profile p = {.keep = keep_unknown, .user = &kept};
    struct row row = {
        TABLE_SOURCES, .source = {1, STR("t"), STR("?"), {.kind = NUMBER_NULL}},
        .extra = STR(",\".value_types\":[{\"type\":\"a\",\"unit\":\"u\",\"unknown\":\"00\"},"
                     "{\"type\":{\"bytes\":\"ff\"},\"unit\":\"\",\"gauge\":true,\"inclusive\":true,"
                     "\"x\":1}],\".period\":{\"type\":\"cpu\",\"unit\":\"ns\",\"value\":-4,"
                     "\"unknown\":\"01\"},\".bytes\":{\"source_uri\":\"80\"},\".y\":2")};
    const struct profile_source *s = profile_add_source(&p, &row, here);
    ok(str_equal(s->kind, STR("t")) && str_equal(s->uri, STR("\x80")), "a source");
    ok(s->type_count == 2 && str_equal(s->types[0].type, STR("a")) &&
           str_equal(s->types[0].unit, STR("u")) && !s->types[0].gauge && !s->types[0].inclusive &&
           s->types[0].other == 2,
       "its types");
    ok(str_equal(s->types[1].type, STR("\xff")) && s->types[1].unit.n == 0 && s->types[1].gauge &&
           s->types[1].inclusive && s->types[1].other == 0,
       "in their order");
    ok(s->has_period && str_equal(s->period_type, STR("cpu")) &&
           str_equal(s->period_unit, STR("ns")) && s->period == -4 && s->period_other == 1,
       "its period");
    ok(loss_total() == 2, "what has no place is counted, inside of columns too");
    loss_forget();
    for (int i = 2; i < 100; i++)
        profile_add_source(
            &p,
            &(struct row){TABLE_SOURCES, .source = {i, STR("t"), {NULL, 0}, {.kind = NUMBER_NULL}}},
            here);
    ok(p.source_count == 99 && p.sources[0].type_count == 2 && p.sources[98].uri.p == NULL &&
           !p.sources[98].has_period && p.sources[98].type_count == 0,
       "many, of which nothing is known");
    profile_free(&p);
}

/* Keeps .pprof_copy, and nothing else. */
static bool keep_copies(void *user, const struct row *row, const struct member *member,
                        uint32_t *other)
{
    (void)row;
    (void)other;
    *(int64_t *)user += member->id == MEMBER_ID_PPROF_COPY ? member->integer : 0;
    return member->id == MEMBER_ID_PPROF_COPY;
}

static void test_keep(void)
{
    int64_t kept = 0;
    struct profile p = {.keep = keep_copies, .user = &kept};
    struct row row = {TABLE_FUNCTIONS, .function = {1, STR("f"), STR("f"), STR(""), 0},
                      .extra = STR(",\".pprof_copy\":8,\".other\":{}")};
    profile_add_function(&p, &row, here);
    ok(kept == 8 && loss_total() == 1, "the user keeps what it has a place for");
    loss_forget();
    ok(profile_label_set(&p, STR(",\".truncated\":false,\".pprof_copy\":1"), here) == 0 &&
           loss_total() == 1,
       "a sample without labels, and what it has lost");
    ok(profile_label_set(&p, STR(",\".truncated\":false,\".pprof_copy\":1"), here) == 0 &&
           loss_total() == 2,
       "each time");
    loss_forget();
    profile_free(&p);
}

static void add_bad(void *unused)
{
    (void)unused;
    struct profile p = {0};
    struct row row = {TABLE_LOCATIONS, .location = {1, 1, 1},
                      .extra = STR(",\".address\":\"four\"")};
    profile_add_location(&p, &row, here);
}

int main(void)
{
    test_labels();
    test_label_texts();
    test_sources();
    test_functions();
    test_locations();
    test_mappings();
    test_keep();
    ok(survive(add_bad, NULL) == STATUS_INPUT && said.where.at == 7, "a bad column: %s",
       said.message);
    tidy();
    return tap_done();
}
