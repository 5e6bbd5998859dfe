/* Any bytes to the reader of the Firefox Profiler's files: where it writes rows, they are a whole profile
 * that the merge passes as it is, and small reads make no difference. What the writer makes of these rows is
 * read back and comes back as the same bytes, unless names have lost some; so does what it makes of any
 * format. */
#include "fuzz.h"

/* Whether TEXT shows bytes that it could not hold: names that differed in these are the same then. */
static bool has_lost(struct str text)
{
    return memmem(text.p, text.n, "\xef\xbf\xbd", 3) != NULL;
}

static void check_text(struct str text)
{
    struct job model = {.only = &format_firefox};
    struct str again = fuzz_stage(job_read, model, text, 0);
    fuzz_expect(again.p != NULL, "the reader takes the writer's text");
    fuzz_check_rows(again);
    struct str twice = fuzz_stage(job_to_firefox, (struct job){0}, again, 0);
    fuzz_expect(twice.p != NULL && (has_lost(text) || str_equal(twice, text)),
                "the text comes back");
    str_free(twice);
    str_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct job model = {.only = &format_firefox};
    struct str input = {(const char *)data, size};
    fuzz_reader(job_read, model, input);
    struct str rows = fuzz_stage(job_read, model, input, 0);
    if (rows.p != NULL) {
        struct str text = fuzz_stage(job_to_firefox, (struct job){0}, rows, 0);
        fuzz_expect(text.p != NULL, "what has been read can be written");
        check_text(text);
        str_free(text);
    }
    str_free(rows);
    struct str text = fuzz_steady(job_to_firefox, (struct job){0}, input, 1 + size % 5,
                                  "small reads make no difference to the writer");
    if (text.p != NULL)
        check_text(text);
    str_free(text);
    return 0;
}
