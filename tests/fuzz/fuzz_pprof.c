/* Any bytes, raw or in gzip, to the pprof reader: where it writes rows, they are a whole profile
 * that the merge passes as it is, and small reads make no difference. */
#include "fuzz.h"

/* What stands in a file is multiplied in rows: each frame of a stack is all lines of a location. */
enum { MOST = 16 << 10 };

static void check_rows(struct str rows)
{
    struct str merged = fuzz_stage(job_profcat, (struct job){0}, rows, 0);
    fuzz_expect(merged.p != NULL, "the merge takes the reader's rows");
    fuzz_expect(str_equal(merged, rows), "the merge passes the reader's rows as they are");
    str_free(merged);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str input = {(const char *)data, size};
    struct job job = {.read = {.max_size = MOST}};
    struct str rows = fuzz_stage(job_from_pprof, job, input, 0);
    struct str tiny = fuzz_stage(job_from_pprof, job, input, 1 + size % 7);
    fuzz_expect((rows.p == NULL) == (tiny.p == NULL) && str_equal(rows, tiny),
                "small reads make no difference");
    if (rows.p != NULL)
        check_rows(rows);
    str_free(rows);
    str_free(tiny);
    return 0;
}
