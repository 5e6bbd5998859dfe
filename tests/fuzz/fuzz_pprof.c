/* Any bytes, raw or in gzip, to the pprof reader: where it writes rows, they are a whole profile
 * that the merge passes as it is, and small reads make no difference. */
#include "fuzz.h"

/* What stands in a file is multiplied in rows: each frame of a stack is all lines of a location. */
enum { MAX = 16 << 10 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str input = {(const char *)data, size};
    struct job job = {.read = {.max_size = MAX}};
    struct str rows =
        fuzz_steady(job_from_pprof, job, input, 1 + size % 7, "small reads make no difference");
    fuzz_check_rows(rows);
    str_free(rows);
    return 0;
}
