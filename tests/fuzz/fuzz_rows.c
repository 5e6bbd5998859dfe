/* Any bytes to the stream and the merge: what comes out is canonical, so that merging it again
 * changes nothing; what is left of it by a filter breaks no rule; the pprof writer, in all its ways, ends by
 * itself; and the Rprof writer, too, with a file that the reader takes. */
#include "fuzz.h"

static void check_pprof(struct str rows)
{
    static const struct pprof_write_options options[] = {
        {.level = 6},
        {.canonical = true},
        {.each = true},
        {.each = true, .types = "samples/count,x/y"},
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        struct job job = {.write = &options[i]};
        str_free(fuzz_stage(job_pprof, job, rows, 0));
    }
}

/* What the merge takes breaks no rule, and what it makes neither, in whatever order. */
static void check_validate(struct str rows, struct str merged)
{
    struct str pass = fuzz_stage(job_profvalidate, (struct job){0}, rows, 0);
    fuzz_expect(pass.p != NULL, "profvalidate passes what profcat takes");
    str_free(pass);
    struct str sorted = fuzz_stage(job_profsort, (struct job){0}, merged, 0);
    fuzz_expect(sorted.p != NULL, "profsort takes one profile");
    struct str any = fuzz_stage(job_profvalidate_any_order, (struct job){0}, merged, 0);
    fuzz_expect(any.p != NULL, "profvalidate --any-order takes a valid stream");
    pass = fuzz_stage(job_profvalidate, (struct job){0}, sorted, 0);
    fuzz_expect(pass.p != NULL, "profvalidate passes what profsort makes");
    str_free(any);
    str_free(sorted);
    str_free(pass);
}

/* What is left of ROWS, which are MERGED, is a profile: all of it, and what steps leave. */
static void check_select(struct str rows, struct str merged)
{
    static struct select_request requests[] = {
        {SELECT_IGNORE, "g"},     {SELECT_HIDE, "line:[1357]$"}, {SELECT_TRIM_ROOT, "1"},
        {SELECT_LABEL, "k=1:|v"}, {SELECT_NO_LABEL, "k=9:"},     {SELECT_THIN, "1/3"},
        {SELECT_TYPE, "samples"}, {SELECT_SAMPLES, "2:9"},       {SELECT_SAMPLES, ":2s"},
        {SELECT_SHOW, "f"},       {SELECT_TRIM_LEAF, "^[b-f]"},  {SELECT_SOURCE, "[a-x]*"},
    };
    struct job none = {0};
    struct str left = fuzz_stage(job_proffilter, none, merged, 0);
    if (left.p == NULL) {
        struct str pass = fuzz_stage(job_profvalidate_all, none, merged, 0);
        fuzz_expect(pass.p == NULL, "proffilter takes what breaks no rule");
        return;
    }
    struct str again = fuzz_stage(job_proffilter, none, left, 0);
    fuzz_expect(str_equal(left, again), "filtering again changes nothing");
    str_free(again);
    str_free(left);
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        const struct select_options options = {.requests = &requests[i], .count = 1};
        left = fuzz_stage(job_proffilter, (struct job){.select = &options}, rows, 0);
        if (left.p == NULL)
            continue;
        struct str pass = fuzz_stage(job_profvalidate, (struct job){0}, left, 0);
        fuzz_expect(pass.p != NULL, "profvalidate passes what proffilter leaves");
        str_free(pass);
        str_free(left);
    }
}

/* What rules make of ROWS, which are MERGED, is a profile, and so are its groups. */
static void check_rules(struct str merged)
{
    const struct job model = {
        .rules = STR("name\t(.)[.](.)\t\\2&\nname\tf+\t\nfile\t^/|c$\t&.\nmapping\t.\tm\n"
                     "group\tname:^(g)\tgroup \\1\ngroup\t/\t\ngroup\tline:(.)#[0-9]*$\t&\n"),
    };
    struct job by_group = model;
    by_group.agg = &(struct agg_options){.by = "group"};
    struct str named = fuzz_stage(job_proffilter, model, merged, 0);
    if (named.p != NULL)
        fuzz_check_rows(named);
    struct str groups = fuzz_stage(job_profagg, by_group, merged, 0);
    if (groups.p != NULL)
        fuzz_check_rows(groups);
    str_free(named);
    str_free(groups);
}

/* Whether ROWS may count more than a few samples at once, which take their time. */
static bool counts_many(struct str rows)
{
    size_t digits = 0;
    for (size_t i = 0; i < rows.n; i++) {
        digits = rows.p[i] >= '0' && rows.p[i] <= '9' ? digits + 1 : 0;
        if (digits > 4 || ((rows.p[i] | 32) == 'e' && i > 0 && rows.p[i - 1] <= '9'))
            return true;
    }
    return false;
}

static void check_rprof(struct str rows)
{
    struct str text = fuzz_stage(job_to_rprof, (struct job){0}, rows, 0);
    if (text.p == NULL)
        return;
    struct str again = fuzz_stage(job_rprof, (struct job){0}, text, 0);
    fuzz_expect(again.p != NULL, "the reader takes the writer's text");
    str_free(again);
    str_free(text);
}

/* Sums are rows that can be added up again; what has no sum of 64 bits, or labels that are none, is not. */
static void check_agg(struct str rows)
{
    struct str sums = fuzz_stage(job_profagg, (struct job){0}, rows, 0);
    if (sums.p == NULL)
        return;
    struct str again = fuzz_stage(job_profagg, (struct job){0}, sums, 0);
    fuzz_expect(again.p != NULL, "sums can be added up");
    fuzz_expect(again.n == sums.n, "sums of sums are as many");
    str_free(again);
    str_free(sums);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str input = {(const char *)data, size};
    struct str once = fuzz_stage(job_profcat, (struct job){0}, input, 0);
    struct str tiny = fuzz_stage(job_profcat, (struct job){0}, input, 1 + size % 7);
    fuzz_expect((once.p == NULL) == (tiny.p == NULL) && str_equal(once, tiny),
                "small reads make no difference");
    str_free(tiny);
    if (once.p == NULL)
        return 0;
    struct str twice = fuzz_stage(job_profcat, (struct job){0}, once, 0);
    fuzz_expect(twice.p != NULL, "the merge takes its own rows");
    fuzz_expect(str_equal(once, twice), "merging again changes nothing");
    if (!counts_many(once))
        check_rprof(once);
    check_agg(once);
    str_free(twice);
    check_validate(input, once);
    check_select(input, once);
    check_rules(once);
    str_free(once);
    check_pprof(input);
    return 0;
}
