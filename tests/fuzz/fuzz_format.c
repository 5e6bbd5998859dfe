/* Any bytes to the reader of READS, a format which has no harness of its own: where it writes rows, they are a whole profile
 * that the merge passes as it is, and small reads make no difference, to it or to what is written from these rows. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str input = {(const char *)data, size};
    struct str rows = fuzz_steady(job_read, (struct job){.only = &READS}, input, 1 + size % 7,
                                  "small reads make no difference");
    if (rows.p != NULL) {
        fuzz_check_rows(rows);
        str_free(fuzz_stage(job_pprof, (struct job){0}, rows, 0));
        str_free(fuzz_stage(job_to_rprof, (struct job){0}, rows, 0));
    }
    str_free(rows);
    /* as any format: whatever it is taken for */
    str_free(fuzz_steady(job_to_folded, (struct job){0}, input, 1 + size % 5,
                         "small reads make no difference to the writer"));
    return 0;
}
