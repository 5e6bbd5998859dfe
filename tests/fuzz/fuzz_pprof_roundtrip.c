/* Any bytes that the pprof reader takes: written sample by sample they read as the same rows, and
 * their sums, sorted, are those of their sums. */
#include "fuzz.h"

/* What stands in a file is multiplied in rows: each frame of a stack is all lines of a location. */
enum { MAX = 16 << 10 };

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

/* The sums of BEFORE, which are sums themselves, are SORTED where OPTIONS ask for that. */
static void check_again(struct str before, struct pprof_write_options options, struct str sorted)
{
    struct str rows = fuzz_stage(job_from_pprof, (struct job){0}, before, 0);
    fuzz_expect(rows.p != NULL, "the reader takes sums");
    struct str again = to_pprof(rows, options);
    fuzz_expect(again.p != NULL && str_equal(again, sorted), "sums of sums are the same, sorted");
    str_free(rows);
    str_free(again);
}

/* What stands for united mappings is only the same where all that made them is there, or sorted. */
static void check_sums(struct str rows)
{
    const struct pprof_write_options sort = {.canonical = true};
    struct str kept = to_pprof(rows, (struct pprof_write_options){.keep_addresses = true});
    struct str sums = to_pprof(rows, (struct pprof_write_options){0});
    struct str sorted = to_pprof(rows, sort);
    fuzz_expect((sums.p == NULL) == (sorted.p == NULL), "sorting changes no sums");
    if (sorted.p != NULL)
        check_again(sorted, sort, sorted);
    if (sorted.p != NULL && kept.p != NULL) /* what is kept apart may be more than 64 bits hold */
        check_again(kept, sort, sorted);
    str_free(kept);
    str_free(sums);
    str_free(sorted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct job job = {.read = {.max_size = MAX}};
    struct str rows = fuzz_stage(job_from_pprof, job, (struct str){(const char *)data, size}, 0);
    if (rows.p == NULL)
        return 0;
    check_each(rows);
    check_sums(rows);
    str_free(rows);
    return 0;
}
