/* Any bytes to the reader of OTLP: where it writes rows, they are a whole profile that the merge passes as
 * it is, and small reads make no difference. What the writer makes of these rows is read back, and what it
 * makes of them then comes back as the same rows; so does what it makes of any format. */
#include "formats/otlp/otlp_format.h"
#include "fuzz.h"

static struct str write_rows(struct str rows, bool is_json)
{
    const struct otlp_write_options options = {.is_json = is_json};
    return fuzz_stage(job_to_otlp, (struct job){.otlp = &options}, rows, 0);
}

static struct str read_file(struct str file)
{
    struct job model = {.only = &format_otlp, .read = {.allow_empty = true}};
    struct str rows = fuzz_stage(job_read, model, file, 0);
    fuzz_expect(rows.p != NULL, "the reader takes the writer's file");
    return rows;
}

static void check_file(struct str file)
{
    struct str rows = read_file(file);
    fuzz_check_rows(rows);
    for (int is_json = 0; is_json < 2; is_json++) {
        struct str again = write_rows(rows, is_json);
        fuzz_expect(again.p != NULL, "what has been read can be written");
        struct str twice = read_file(again);
        fuzz_expect(str_equal(twice, rows), "the rows come back");
        str_free(again);
        str_free(twice);
    }
    str_free(rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct job model = {.only = &format_otlp};
    struct str input = {(const char *)data, size};
    fuzz_reader(job_read, model, input);
    struct str rows = fuzz_stage(job_read, model, input, 0);
    if (rows.p != NULL) {
        struct str file = write_rows(rows, false);
        if (file.p != NULL) /* sums may pass 64 bits */
            check_file(file);
        str_free(file);
    }
    str_free(rows);
    struct str file = fuzz_steady(job_to_otlp, (struct job){0}, input, 1 + size % 5,
                                  "small reads make no difference to the writer");
    if (file.p != NULL)
        check_file(file);
    str_free(file);
    return 0;
}
