/* Any bytes that the pprof reader takes: written sample by sample they read as the same rows, and
 * their sums, sorted, are those of their sums. */
#include "fuzz.h"

/* What stands in a file is multiplied in rows: each frame of a stack is all lines of a location. */
enum { MOST = 16 << 10 };

static struct str to_pprof(struct str rows, struct pprof_write_options options)
{
    return fuzz_stage(job_pprof, (struct job){.write = &options}, rows, 0);
}

static void check_each(struct str rows)
{
    struct str file = to_pprof(rows, (struct pprof_write_options){.each = true});
    fuzz_expect(file.p != NULL, "the writer takes the reader's rows");
    struct str again = fuzz_stage(job_from_pprof, (struct job){0}, file, 0);
    fuzz_expect(again.p != NULL, "the reader takes the writer's file");
    fuzz_expect(str_equal(rows, again), "the way through pprof changes nothing");
    str_free(file);
    str_free(again);
}

static void check_sums(struct str rows)
{
    struct str sums = to_pprof(rows, (struct pprof_write_options){0});
    struct str sorted = to_pprof(rows, (struct pprof_write_options){.canonical = true});
    fuzz_expect((sums.p == NULL) == (sorted.p == NULL), "sorting changes no sums");
    if (sums.p != NULL) {
        struct str again = fuzz_stage(job_from_pprof, (struct job){0}, sums, 0);
        fuzz_expect(again.p != NULL, "the reader takes sums");
        struct str last = to_pprof(again, (struct pprof_write_options){.canonical = true});
        fuzz_expect(last.p != NULL && str_equal(last, sorted), "sums of sums are the same, sorted");
        str_free(again);
        str_free(last);
    }
    str_free(sums);
    str_free(sorted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct job job = {.read = {.max_size = MOST}};
    struct str rows = fuzz_stage(job_from_pprof, job, (struct str){(const char *)data, size}, 0);
    if (rows.p == NULL)
        return 0;
    check_each(rows);
    check_sums(rows);
    str_free(rows);
    return 0;
}
