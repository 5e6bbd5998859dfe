/* Any bytes to the reader of folded stacks: where it writes rows, they are a whole profile that the merge passes
 * as it is, and small reads make no difference.  What the writer makes of these rows is read back, and
 * comes back as the same bytes, with nothing lost: what folded stacks cannot hold is gone by then. */
#include "fuzz.h"

/* Whether the reader refuses TEXT by how it begins: nobody can make sure of that. */
static bool is_refused(struct str text)
{
    bool refused = fuzz_stage(job_folded, (struct job){0}, text, 0).p == NULL;
    return refused && strstr(said.message, "expected a folded stacks file, found") != NULL;
}

static void check_text(struct str text)
{
    struct str again = fuzz_stage(job_folded, (struct job){0}, text, 0);
    if (again.p == NULL && is_refused(text))
        return;
    fuzz_expect(again.p != NULL, "the reader takes the writer's text");
    struct str twice = fuzz_stage(job_to_folded, (struct job){0}, again, 0);
    fuzz_expect(said.warnings == 0, "nothing is left out of what was read from it");
    fuzz_expect(twice.p != NULL && str_equal(twice, text), "the text comes back");
    str_free(twice);
    str_free(again);
}

static void check_rows(struct str rows)
{
    fuzz_check_rows(rows);
    struct str text = fuzz_stage(job_to_folded, (struct job){0}, rows, 0);
    if (text.p == NULL) {
        fuzz_expect(strstr(said.message, "64") != NULL,
                    "a sum that is too large is all that fails");
        return;
    }
    check_text(text);
    str_free(text);
    struct folded_write_options each = {.each = true};
    text = fuzz_stage(job_to_folded, (struct job){.folded = &each}, rows, 0);
    fuzz_expect(text.p != NULL, "each sample has a line");
    str_free(text);
}

static void check(struct str input, const char *columns, size_t block)
{
    struct folded_read_options options = {.columns = columns};
    struct str rows = fuzz_steady(job_folded, (struct job){.read.options = &options}, input, block,
                                  "small reads make no difference");
    if (rows.p != NULL)
        check_rows(rows);
    str_free(rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str input = {(const char *)data, size};
    check(input, NULL, 1 + size % 7);
    check(input, "1", 1 + size % 5);
    check(input, "2", 1 + size % 5);
    /* as any format: whatever it is taken for, small reads make no difference to what is written */
    str_free(fuzz_steady(job_to_folded, (struct job){0}, input, 1 + size % 7,
                         "small reads make no difference to the writer"));
    return 0;
}
