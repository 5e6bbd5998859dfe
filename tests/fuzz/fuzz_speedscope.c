/* Any bytes to the reader of speedscope's files: where it writes rows, they are a whole profile that the merge
 * passes as it is, and small reads make no difference.  What the writer makes of these rows is read back, and
 * comes back as the same bytes, with nothing lost: what such a file cannot hold is gone by then. */
#include "fuzz.h"

#include <ctype.h>

/* Whether TEXT has numbers whose sums may be rounded: with an exponent, or many digits. */
static bool may_round(struct str text)
{
    enum { MANY = 18 };
    for (size_t i = 0, digits = 0; i < text.n; i++) {
        char c = text.p[i];
        bool in_number = isdigit((unsigned char)c) || (digits > 0 && c == '.');
        if (digits > 0 && (c == 'e' || c == 'E'))
            return true;
        digits = in_number ? digits + 1 : 0;
        if (digits > MANY)
            return true;
    }
    return false;
}

static void check_text(struct str text)
{
    struct str again = fuzz_stage(job_speedscope, (struct job){0}, text, 0);
    fuzz_expect(again.p != NULL, "the reader takes the writer's text");
    fuzz_expect(said.warnings == 0, "and all of it");
    fuzz_check_rows(again);
    struct str twice = fuzz_stage(job_to_speedscope, (struct job){0}, again, 0);
    fuzz_expect(twice.p != NULL, "the writer takes what was read from it");
    fuzz_expect(may_round(text) || str_equal(twice, text), "the text comes back");
    str_free(twice);
    str_free(again);
}

static void check_rows(struct str rows)
{
    fuzz_check_rows(rows);
    struct str text = fuzz_stage(job_to_speedscope, (struct job){0}, rows, 0);
    fuzz_expect(text.p != NULL, "what has been read can be written");
    check_text(text);
    str_free(text);
    struct speedscope_write_options sums = {.aggregate = true};
    text = fuzz_stage(job_to_speedscope, (struct job){.speedscope = &sums}, rows, 0);
    fuzz_expect(text.p != NULL, "and added up");
    struct str again = fuzz_stage(job_speedscope, (struct job){0}, text, 0);
    fuzz_expect(again.p != NULL, "the reader takes sums");
    str_free(again);
    str_free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str input = {(const char *)data, size};
    struct str rows = fuzz_steady(job_speedscope, (struct job){0}, input, 1 + size % 7,
                                  "small reads make no difference");
    if (rows.p != NULL)
        check_rows(rows);
    str_free(rows);
    /* as any format: whatever it is taken for */
    struct str text = fuzz_steady(job_to_speedscope, (struct job){0}, input, 1 + size % 5,
                                  "small reads make no difference to the writer");
    if (text.p != NULL) {
        struct str back = fuzz_stage(job_speedscope, (struct job){0}, text, 0);
        fuzz_expect(back.p != NULL, "the reader takes what was made of any format");
        str_free(back);
    }
    str_free(text);
    return 0;
}
