/* Any bytes to the reader of perf script text, with --off-cpu too.  An empty line after the last sample changes
 * nothing. */
#include "formats/perf/perf.h"
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
    fuzz_reader(job_perf, (struct job){0}, input);
    struct str rows = fuzz_stage(job_perf, (struct job){0}, input, 0);
    if (rows.p != NULL)
        check_ended(input, rows);
    str_free(rows);
    static const struct perf_read_options off_cpu = {.off_cpu = true};
    struct str waits = fuzz_steady(job_perf, (struct job){.read = {.options = &off_cpu}}, input, 7,
                                   "waits do not depend on the size of reads");
    fuzz_check_rows(waits);
    str_free(waits);
    return 0;
}
