/* Any bytes to the readers of Rprof and Rprofmem: where one writes rows, they are a whole profile that the merge
 * passes as it is, and small reads and gzip make no difference. */
#include "fuzz.h"

static void check_rows(struct str rows)
{
    struct str merged = fuzz_stage(job_profcat, (struct job){0}, rows, 0);
    fuzz_expect(merged.p != NULL, "the merge takes the reader's rows");
    fuzz_expect(str_equal(merged, rows), "the merge passes the reader's rows as they are");
    str_free(merged);
}

static void check(void (*stage)(void *), struct str input, size_t block)
{
    struct str rows = fuzz_stage(stage, (struct job){0}, input, 0);
    struct str tiny = fuzz_stage(stage, (struct job){0}, input, block);
    fuzz_expect((rows.p == NULL) == (tiny.p == NULL) && str_equal(rows, tiny),
                "small reads make no difference");
    if (rows.p != NULL)
        check_rows(rows);
    str_free(rows);
    str_free(tiny);

    static const struct rprof_read_options options = {"ISO-8859-1"};
    struct job latin1 = {.read = {.options = &options, .strict = true}};
    rows = fuzz_stage(stage, latin1, input, 0);
    if (rows.p != NULL)
        check_rows(rows);
    str_free(rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str input = {(const char *)data, size};
    check(job_rprof, input, 1 + size % 7);
    check(job_rprofmem, input, 1 + size % 7);
    return 0;
}
