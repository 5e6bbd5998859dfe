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

struct str fuzz_steady(void (*stage)(void *), struct job model, struct str input, size_t block,
                       const char *what)
{
    struct str whole = fuzz_stage(stage, model, input, 0);
    struct str tiny = fuzz_stage(stage, model, input, block);
    fuzz_expect((whole.p == NULL) == (tiny.p == NULL) && str_equal(whole, tiny), what);
    str_free(tiny);
    return whole;
}

void fuzz_check_rows(struct str rows)
{
    if (rows.p == NULL)
        return;
    struct str merged = fuzz_stage(job_profcat, (struct job){0}, rows, 0);
    fuzz_expect(merged.p != NULL, "the merge takes the reader's rows");
    fuzz_expect(str_equal(merged, rows), "the merge passes the reader's rows as they are");
    str_free(merged);
}

void fuzz_reader(void (*stage)(void *), struct job model, struct str input)
{
    struct str rows =
        fuzz_steady(stage, model, input, 1 + input.n % 7, "small reads make no difference");
    if (rows.p != NULL) {
        fuzz_check_rows(rows);
        /* not to Rprof, which has a line for each sample that a row counts */
        str_free(fuzz_stage(job_pprof, (struct job){0}, rows, 0));
    }
    str_free(rows);
    /* as any format: whatever it is taken for */
    str_free(fuzz_steady(job_to_folded, (struct job){0}, input, 1 + input.n % 5,
                         "small reads make no difference to the writer"));
}

void fuzz_expect(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "expected: %s (%s)\n", what, said.message);
    abort();
}
