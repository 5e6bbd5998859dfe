/* Any bytes to the reader of Perun's files: where it writes rows, they are a whole profile that the merge passes as
 * it is, and small reads make no difference. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str input = {(const char *)data, size};
    struct str rows = fuzz_steady(job_perun, (struct job){0}, input, 1 + size % 7,
                                  "small reads make no difference");
    fuzz_check_rows(rows);
    str_free(rows);
    return 0;
}
