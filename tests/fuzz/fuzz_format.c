/* Any bytes to the reader of READS, a format which has no harness of its own. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_reader(job_read, (struct job){.only = &READS}, (struct str){(const char *)data, size});
    return 0;
}
