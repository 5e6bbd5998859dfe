/* Any bytes to the readers of Rprof and Rprofmem: where one writes rows, they are a whole profile that the merge
 * passes as it is, and small reads and gzip make no difference. */
#include "fuzz.h"

static void check(void (*stage)(void *), struct str input, size_t block)
{
    struct str rows =
        fuzz_steady(stage, (struct job){0}, input, block, "small reads make no difference");
    fuzz_check_rows(rows);
    str_free(rows);

    static const struct rprof_read_options options = {"ISO-8859-1"};
    struct job latin1 = {.read = {.options = &options, .strict = true}};
    rows = fuzz_stage(stage, latin1, input, 0);
    fuzz_check_rows(rows);
    str_free(rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str input = {(const char *)data, size};
    check(job_rprof, input, 1 + size % 7);
    check(job_rprofmem, input, 1 + size % 7);
    return 0;
}
