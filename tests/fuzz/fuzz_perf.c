/* Any bytes to the reader of perf script text: where it writes rows, they are a whole profile that the merge
 * passes as it is, and small reads make no difference, to it or to what is written from these rows. */
#include "fuzz.h"

/* With LF after each line whole, an empty one behind the last sample says no more than there was. */
static void check_ended(struct str input, struct str rows)
{
    if (said.warnings > 0 || input.n == 0)
        return;
    struct buf ended = {0};
    buf_add(&ended, input);
    buf_add(&ended, STR("\n"));
    struct str text = str_copy(buf_str(&ended));
    buf_free(&ended);
    struct str again = fuzz_stage(job_perf, (struct job){0}, text, 0);
    fuzz_expect(again.p != NULL && str_equal(again, rows),
                "an empty line at the end changes nothing");
    str_free(again);
    str_free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str input = {(const char *)data, size};
    struct str rows = fuzz_steady(job_perf, (struct job){0}, input, 1 + size % 7,
                                  "small reads make no difference");
    if (rows.p != NULL) {
        fuzz_check_rows(rows);
        struct str plain = fuzz_stage(job_perf, (struct job){0}, input, 0);
        check_ended(input, plain);
        str_free(plain);
        str_free(fuzz_stage(job_pprof, (struct job){0}, rows, 0));
        str_free(fuzz_stage(job_to_rprof, (struct job){0}, rows, 0));
    }
    str_free(rows);
    /* as any format: whatever it is taken for */
    str_free(fuzz_steady(job_to_folded, (struct job){0}, input, 1 + size % 5,
                         "small reads make no difference to the writer"));
    return 0;
}
