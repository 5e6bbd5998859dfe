/* Any bytes that the Rprof reader takes: the writer makes the same of the rows, but for what the
 * reader has skipped. */
#include "fuzz.h"

/* Whether PART is WHOLE with some bytes left out. */
static bool is_part(struct str part, struct str whole)
{
    size_t n = 0;
    for (size_t i = 0; i < whole.n && n < part.n; i++)
        n += whole.p[i] == part.p[n];
    return n == part.n;
}

static bool has(struct str rows, struct str part)
{
    return memmem(rows.p, rows.n, part.p, part.n) != NULL;
}

/* Whether the reader, which has just made ROWS, skipped a torn line: it warned of something else
 * than samples that are cut, and names that are not UTF-8. */
static bool has_skipped(struct str rows)
{
    return said.warnings > has(rows, STR("\".truncated\":true")) +
                               has(rows, STR("\".bytes\":{\"name\":"));
}

static void check(struct str input, const char *from_code)
{
    struct rprof_read_options options = {from_code};
    struct job read = {.read.options = &options};
    struct str rows = fuzz_stage(job_rprof, read, input, 0);
    if (rows.p == NULL)
        return;
    bool skipped = has_skipped(rows);
    struct str text = fuzz_stage(job_to_rprof, (struct job){0}, rows, 0);
    fuzz_expect(text.p != NULL, "the writer takes the reader's rows");
    fuzz_expect(said.warnings == 0, "the writer leaves nothing out");
    fuzz_expect(skipped ? is_part(text, input) : str_equal(text, input), "the text comes back");
    if (skipped) {
        struct str again = fuzz_stage(job_rprof, read, text, 0);
        fuzz_expect(again.p != NULL && !has_skipped(again), "nothing is skipped twice");
        struct str twice = fuzz_stage(job_to_rprof, (struct job){0}, again, 0);
        fuzz_expect(str_equal(twice, text), "what is left comes back");
        str_free(again);
        str_free(twice);
    }
    str_free(rows);
    str_free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str input = {(const char *)data, size};
    if (size == 0 || (size > 1 && data[0] == 0x1f && data[1] == 0x8b))
        return 0; /* gzip does not come back, nor does an empty file */
    check(input, NULL);
    check(input, "ISO-8859-1");
    check(input, "SHIFT_JIS");
    return 0;
}
