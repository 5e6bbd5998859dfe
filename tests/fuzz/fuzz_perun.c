/* Any bytes to the reader of Perun's files: where it writes rows, they are a whole profile that the merge passes as
 * it is, and small reads make no difference.  What the writer makes of these rows is read as the same rows, with
 * nothing lost, and written again is the same bytes.  What it makes of rows of any kind is read back. */
#include "fuzz.h"

/* The rows of TEXT without what tells one file from another, the white space of which is not kept. */
static bool is_same(struct str a, struct str b)
{
    static const struct str marks[] = {STR(",\"indented\":true"), STR(",\"stored\":\"memory\""),
                                       STR(",\"stored\":\"mixed\""), STR(",\"stored\":\"time\"")};
    struct str both[2] = {a, b};
    struct buf plain[2] = {{0}, {0}};
    for (unsigned i = 0; i < 2; i++)
        while (both[i].n > 0) {
            size_t skip = 0;
            for (size_t k = 0; k < sizeof marks / sizeof *marks && skip == 0; k++)
                skip = str_starts(both[i], marks[k]) ? marks[k].n : 0;
            if (skip == 0)
                buf_add(&plain[i], (struct str){both[i].p, 1});
            skip = skip == 0 ? 1 : skip;
            both[i].p += skip;
            both[i].n -= skip;
        }
    bool same = str_equal(buf_str(&plain[0]), buf_str(&plain[1]));
    buf_free(&plain[0]);
    buf_free(&plain[1]);
    return same;
}

static void check_rows(struct str rows)
{
    fuzz_check_rows(rows);
    struct str text = fuzz_stage(job_to_perun, (struct job){0}, rows, 0);
    fuzz_expect(text.p != NULL, "what has been read can be written");
    struct str again = fuzz_stage(job_perun, (struct job){0}, text, 0);
    fuzz_expect(again.p != NULL && is_same(again, rows), "and read as the same rows");
    struct str twice = fuzz_stage(job_to_perun, (struct job){0}, again, 0);
    fuzz_expect(twice.p != NULL && str_equal(twice, text), "and written as the same text");
    str_free(twice);
    str_free(again);
    str_free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str input = {(const char *)data, size};
    struct str rows = fuzz_steady(job_perun, (struct job){0}, input, 1 + size % 7,
                                  "small reads make no difference");
    if (rows.p != NULL)
        check_rows(rows);
    str_free(rows);
    /* as any format: whatever it is taken for */
    struct perun_write_options anew = {.cmd = "x"};
    struct job model = {.perun = size % 2 == 0 ? &anew : NULL};
    struct str text = fuzz_steady(job_to_perun, model, input, 1 + size % 5,
                                  "small reads make no difference to the writer");
    if (text.p != NULL) {
        struct str back = fuzz_stage(job_perun, (struct job){0}, text, 0);
        fuzz_expect(back.p != NULL, "the reader takes what was made of any format");
        str_free(back);
    }
    str_free(text);
    return 0;
}
