/* Any bytes to the reader of databases: where it writes rows, they are a whole profile that the merge passes in some
 * numbering, and what the writer makes of that, in both ways to store, is read as the same rows.  What the writer makes
 * of rows of any kind is read back. */
#include "fuzz.h"

/* What is written of ROWS, which have been merged, comes back. */
static void check_store(struct str rows, bool plain)
{
    struct job model = {.sqlite = &(struct sqlite_write_options){.plain = plain}};
    struct str file = fuzz_stage(job_to_sqlite, model, rows, 0);
    fuzz_expect(file.p != NULL, "what has been merged can be written");
    struct str again = fuzz_stage(job_sqlite, (struct job){0}, file, 0);
    fuzz_expect(again.p != NULL && str_equal(again, rows), "and read as the same rows");
    str_free(again);
    str_free(file);
}

/* The merge of INPUT, if it is rows or of any format. */
static void check_any(struct str input)
{
    struct str rows = fuzz_stage(job_profcat, (struct job){0}, input, 0);
    if (rows.p != NULL) {
        check_store(rows, false);
        check_store(rows, true);
    }
    str_free(rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str input = {(const char *)data, size};
    struct str rows = fuzz_steady(job_sqlite, (struct job){0}, input, 1 + size % 7,
                                  "small reads make no difference");
    if (rows.p != NULL) {
        struct str merged = fuzz_stage(job_profcat, (struct job){0}, rows, 0);
        fuzz_expect(merged.p != NULL, "the merge takes the reader's rows");
        str_free(merged);
    }
    str_free(rows);
    check_any(input);
    return 0;
}
