#include "fuzz.h"
#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>

struct str fuzz_stage(void (*stage)(void *), struct job model, struct str input, size_t block)
{
    struct job job = model;
    job.input = input;
    job.block = block;
    struct str result = {NULL, 0};
    if (survive(stage, &job) == STATUS_OK)
        result = str_copy(buf_str(&job.out));
    tidy();
    return result;
}

void fuzz_expect(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "expected: %s (%s)\n", what, said.message);
    abort();
}
