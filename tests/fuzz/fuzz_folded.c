/* Any bytes to the reader of folded stacks: where it writes rows, they are a whole profile that the merge passes
 * as it is, and small reads make no difference.  What the writer makes of these rows is read back, and
 * comes back as the same bytes, with nothing lost: what folded stacks cannot hold is gone by then. */
#include "fuzz.h"

static struct str read_folded(struct str input, size_t block, const char *columns)
{
    struct folded_read_options options = {.columns = columns};
    return fuzz_stage(job_folded, (struct job){.read.options = &options}, input, block);
}

/* Whether the reader refuses TEXT by how it begins: nobody can make sure of that. */
static bool is_refused(struct str text)
{
    bool refused = read_folded(text, 0, NULL).p == NULL;
    return refused && strstr(said.message, "expected a folded stacks file, found") != NULL;
}

static void check_text(struct str text)
{
    struct str again = read_folded(text, 0, NULL);
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
    struct str merged = fuzz_stage(job_profcat, (struct job){0}, rows, 0);
    fuzz_expect(merged.p != NULL, "the merge takes the reader's rows");
    fuzz_expect(str_equal(merged, rows), "the merge passes the reader's rows as they are");
    str_free(merged);
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
    struct str rows = read_folded(input, 0, columns);
    struct str tiny = read_folded(input, block, columns);
    fuzz_expect((rows.p == NULL) == (tiny.p == NULL) && str_equal(rows, tiny),
                "small reads make no difference");
    if (rows.p != NULL)
        check_rows(rows);
    str_free(rows);
    str_free(tiny);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str input = {(const char *)data, size};
    check(input, NULL, 1 + size % 7);
    check(input, "1", 1 + size % 5);
    check(input, "2", 1 + size % 5);
    /* as any format: whatever it is taken for, small reads make no difference to what is written */
    struct str whole = fuzz_stage(job_to_folded, (struct job){0}, input, 0);
    struct str tiny = fuzz_stage(job_to_folded, (struct job){0}, input, 1 + size % 7);
    fuzz_expect((whole.p == NULL) == (tiny.p == NULL) && str_equal(whole, tiny),
                "small reads make no difference to the writer");
    str_free(whole);
    str_free(tiny);
    return 0;
}
