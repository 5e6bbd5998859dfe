/* Every sample, cut at many of its bytes: a clear error, or a counted warning and the rows up to there.
 * With PROFPIPE_LONG in the environment at every byte. */
#include "base/buf.h"
#include "job.h"
#include "rows/text.h"
#include "tap.h"

#include <stdlib.h>

/* At each of the first and the last bytes, and at every so many of those between: a stride that is prime
 * to all line lengths still meets every kind of place.  AddressSanitizer takes twenty times as long. */
static struct {
    size_t edge, stride;
} cuts = {100, 41};

static void choose_cuts(void)
{
    const char *variable = getenv("PROFPIPE_LONG");
    bool is_long = variable != NULL && variable[0] != '\0';
#if defined(__SANITIZE_ADDRESS__)
    cuts.edge = is_long ? 200 : 30;
    cuts.stride = is_long ? 11 : 211;
#else
    if (is_long)
        cuts.stride = 1;
#endif
}

/* The place of the next cut behind that at N, in SIZE bytes. */
static size_t next_cut(size_t n, size_t size)
{
    if (n < cuts.edge || n + cuts.edge >= size)
        return n + 1;
    size_t next = n + cuts.stride, last = size - cuts.edge;
    return next < last ? next : last;
}

/* --- Rprof text --- */

/* TEXT without its last line, which is the row .end; false if that is another. */
static bool without_end(struct str *text)
{
    static const struct str end = STR("{\"table\":\".end\"}\n");
    if (text->n < end.n || memcmp(text->p + text->n - end.n, end.p, end.n) != 0)
        return false;
    text->n -= end.n;
    return true;
}

static size_t common_lines(struct str a, struct str b)
{
    size_t lines = 0;
    for (size_t i = 0; i < a.n && i < b.n && a.p[i] == b.p[i]; i++)
        if (a.p[i] == '\n')
            lines = i + 1;
    return lines;
}

static size_t count_of(struct str text, struct str what)
{
    size_t count = 0;
    for (const char *p = text.p, *end = p + text.n;
         (p = memmem(p, (size_t)(end - p), what.p, what.n)) != NULL; p += what.n)
        count++;
    return count;
}

/* Whether the rows FOUND of a cut file are those of the WHOLE one up to a place, but perhaps for
 * one last sample that is marked as cut; *MARKED tells. */
static bool are_rows_up_to_cut(struct str found, struct str whole, bool *marked)
{
    if (!without_end(&found) || !without_end(&whole))
        return false;
    size_t common = common_lines(found, whole);
    struct str rest = {found.p + common, found.n - common};
    *marked = rest.n > 0;
    return rest.n == 0 || (count_of(rest, STR("{\"table\":\"samples\"")) == 1 &&
                           count_of(rest, STR("\".truncated\":true")) == 1);
}

/* Checks the first N bytes of SAMPLE, whose uncut text gives WARNINGS of its own. */
static bool check_prefix(const struct sample_file *sample, size_t n, unsigned warnings)
{
    struct str prefix = str_copy((struct str){sample->text.p, n}); /* no byte behind it */
    bool ends_line = n > 0 && prefix.p[n - 1] == '\n';
    bool in_header = n > 0 && memchr(prefix.p, '\n', n) == NULL;
    struct job job = {.input = prefix};
    enum status status = survive(job_rprof, &job);
    bool marked, good;
    if (in_header)
        good = status == STATUS_INPUT && said.message[0] != '\0' && job.out.n == 0;
    else
        good = status == STATUS_OK &&
               are_rows_up_to_cut(buf_str(&job.out), sample->rows, &marked) &&
               said.warnings <= warnings + 1 &&
               (ends_line && !marked ? said.warnings <= warnings : said.warnings > 0);
    each(good, "%s cut to %zu bytes: status %d, %u warnings, \"%s\"", sample->name, n, (int)status,
         said.warnings, said.message);
    tidy();
    str_free(prefix);
    return good;
}

static void test_rprof(const struct sample_file *sample)
{
    struct job job = {.input = sample->text};
    survive(job_rprof, &job);
    unsigned warnings = said.warnings;
    tidy();
    size_t wrong = 0;
    for (size_t n = 0; n < sample->text.n && wrong < 5; n = next_cut(n, sample->text.n))
        wrong += !check_prefix(sample, n, warnings);
    ok(wrong == 0, "%s cut", sample->name);
}

/* Rprofmem text: a record that is not whole is skipped, with a warning, and nothing else is. */
static void test_rprofmem(void)
{
    static const struct str text = STR("264 :\"g\" \"two\nlines\" \"f\" \nnew page:\n"
                                       "new page:12 :\"q\"uote\" \"x\n\" \n8 :\n");
    struct job job = {.input = text};
    struct str whole = job_result(job_rprofmem, &job);
    size_t wrong = 0;
    for (size_t n = 0; n < text.n; n++) {
        struct str prefix = str_copy((struct str){text.p, n});
        job = (struct job){.input = prefix};
        enum status status = survive(job_rprofmem, &job);
        bool marked = false, is_record = n >= STR("264 :").n;
        bool good = n > 0 && !is_record
                        ? status == STATUS_INPUT
                        : status == STATUS_OK &&
                              are_rows_up_to_cut(buf_str(&job.out), whole, &marked) && !marked &&
                              said.warnings == (n > 0 && (prefix.p[n - 1] != '\n' ||
                                                          memcmp(prefix.p + n - 2, "o", 1) == 0 ||
                                                          memcmp(prefix.p + n - 2, "x", 1) == 0));
        wrong += !each(good, "cut to %zu bytes: status %d, %u warnings, \"%s\"", n, (int)status,
                       said.warnings, said.message);
        tidy();
        str_free(prefix);
    }
    ok(wrong == 0, "Rprofmem text cut at every byte");
    str_free(whole);
}

/* --- rows --- */

/* Whether STAGE takes the first N bytes of INPUT as truncated. */
static bool is_truncated(void (*stage)(void *), struct str input, size_t n)
{
    struct str prefix = str_copy((struct str){input.p, n});
    struct job job = {.input = prefix};
    enum status status = survive(stage, &job);
    bool good =
        each(status == STATUS_INPUT && said.message[0] != '\0',
             "cut to %zu of %zu bytes: status %d, \"%s\"", n, input.n, (int)status, said.message);
    tidy();
    str_free(prefix);
    return good;
}

static void test_rows(const struct sample_file *sample)
{
    enum { FIRST = 20000, LAST = 5000, BUDGET = 200 << 20 };
    struct str rows = sample->rows;
    size_t last = rows.n > BUDGET / LAST ? BUDGET / rows.n : LAST; /* each reads all before it */
    size_t wrong = 0;
    for (size_t n = 0; n < rows.n - 1 && wrong < 5; n = next_cut(n, rows.n)) {
        if (n >= FIRST && n + last < rows.n)
            n = rows.n - last;
        wrong += !is_truncated(job_profcat, rows, n);
    }
    ok(wrong == 0, "the rows of %s cut", sample->name);

    struct job whole = {.input = rows}, no_lf = {.input = {rows.p, rows.n - 1}};
    struct str expected = job_result(job_profcat, &whole), found = job_result(job_profcat, &no_lf);
    ok(str_equal(found, expected), "the rows of %s without the last line feed", sample->name);
    str_free(expected);
    str_free(found);
}

static void test_gzip(const char *name, void (*stage)(void *), struct str input)
{
    struct str packed = gzipped(input);
    size_t wrong = 0;
    for (size_t n = 1; n < packed.n && wrong < 5; n = next_cut(n, packed.n)) /* none is no gzip */
        wrong += !is_truncated(stage, packed, n);
    ok(wrong == 0, "%s cut in its %zu bytes", name, packed.n);
    str_free(packed);
}

/* Rows cut in their beginning and in their end. */
static void test_cut(const char *name, void (*stage)(void *), struct str rows)
{
    enum { FIRST = 4000, LAST = 2000 };
    size_t wrong = 0;
    for (size_t n = 0; n < rows.n - 1 && wrong < 5; n = next_cut(n, rows.n)) {
        if (n >= FIRST && n + LAST < rows.n)
            n = rows.n - LAST;
        wrong += !is_truncated(stage, rows, n);
    }
    ok(wrong == 0, "%s: rows cut", name);
}

static void test_filters(const struct sample_file *sample)
{
    struct job job = {.input = sample->rows};
    struct str old = job_result(job_prof2to1, &job);
    test_cut("profvalidate", job_profvalidate, sample->rows);
    test_cut("prof2to1", job_prof2to1, sample->rows);
    test_cut("prof1to2", job_prof1to2, old);
    test_cut("profcat, of version 1.0", job_profcat, old);
    test_cut("ndjson2rprof", job_to_rprof, sample->rows);
    test_cut("ndjson2folded", job_to_folded, sample->rows);
    test_cut("ndjson2speedscope", job_to_speedscope, sample->rows);
    test_cut("ndjson2perun", job_to_perun, sample->rows);
    test_cut("ndjson2otlp", job_to_otlp, sample->rows);
    test_cut("profsum", job_profsum, sample->rows);
    test_cut("profagg", job_profagg, sample->rows);
    test_cut("profdiff", job_profdiff, sample->rows);
    test_cut("profflame", job_profflame, sample->rows);
    str_free(old);
}

/* Folded stacks: each line is a sample, and what is left of the last one is said to be that. */
static void test_folded(void)
{
    static const struct str text = STR("main;f g 12\n# x\nmain;f g;h_[i] 345\r\n\nx;y\tz 6\n");
    struct job job = {.input = text};
    struct str whole = job_result(job_folded, &job);
    size_t wrong = 0;
    for (size_t n = 0; n < text.n; n++) {
        struct str prefix = str_copy((struct str){text.p, n});
        job = (struct job){.input = prefix};
        enum status status = survive(job_folded, &job);
        bool ends = n == 0 || prefix.p[n - 1] == '\n', marked = false;
        bool first = n > 0 && memchr(prefix.p, '\n', n) == NULL; /* which is all that is shown */
        bool good = status == (first && n < STR("main;f g 1").n ? STATUS_INPUT : STATUS_OK);
        if (ends && status == STATUS_OK)
            good &= are_rows_up_to_cut(buf_str(&job.out), whole, &marked) && !marked &&
                    said.warnings == 0;
        wrong += !each(good, "cut to %zu bytes: status %d, %u warnings, \"%s\"", n, (int)status,
                       said.warnings, said.message);
        tidy();
        str_free(prefix);
    }
    ok(wrong == 0, "folded stacks cut at every byte");
    str_free(whole);
}

/* What perf script prints: the samples in front of the one that is cut are what they are in the WHOLE, that
 * one is there as far as it goes, and there is a warning unless the cut is between two. */
static bool check_perf_prefix(struct str text, size_t n, struct str whole)
{
    static const struct str sample = STR("{\"table\":\"samples\"");
    struct str prefix = str_copy((struct str){text.p, n});
    struct job job = {.input = prefix};
    enum status status = survive(job_perf, &job);
    struct str found = buf_str(&job.out);
    bool is_between = n == 0 || (n > 1 && memcmp(prefix.p + n - 2, "\n\n", 2) == 0) ||
                      (n > 1 && memcmp(prefix.p + n - 2, ")\n", 2) == 0 && n == text.n);
    bool in_header = n > 0 && memchr(prefix.p, '\n', n) == NULL, good;
    if (in_header && status != STATUS_OK)
        good = status == STATUS_INPUT && said.message[0] != '\0';
    else
        good = status == STATUS_OK && without_end(&found) && (said.warnings == 0) == is_between;
    if (good && status == STATUS_OK) {
        size_t common = common_lines(found, whole);
        good = count_of((struct str){found.p + common, found.n - common}, sample) <= 1;
    }
    each(good, "cut to %zu bytes: status %d, %u warnings, \"%s\"", n, (int)status, said.warnings,
         said.message);
    tidy();
    str_free(prefix);
    return good;
}

static void test_perf(void)
{
    static const struct str text =
        STR("FS Broker 5858 12/13 [003] 1.000001: 500 cycles:u: \n\t     12 f(int)+0x1 (inlined)\n"
            "\t     12 g+0x2 (/a (b)/c (deleted))\n\na 1 1.000002: cpu-clock: \n\t 1 f (/a)\n\n"
            "a 1 1.000003: cpu-clock: \n\t 1 f (/a)\n\n");
    struct job job = {.input = text};
    struct str whole = job_result(job_perf, &job);
    size_t wrong = 0;
    for (size_t n = 0; n < text.n; n++)
        wrong += !check_perf_prefix(text, n, whole);
    ok(wrong == 0, "perf script cut at every byte");
    str_free(whole);
}

/* A file of speedscope is whole, or it is none. */
static void test_speedscope(const struct sample_file *sample)
{
    struct job job = {.input = sample->rows};
    struct str text = job_result(job_to_speedscope, &job);
    size_t wrong = 0;
    /* of what follows the last brace nothing is missed */
    for (size_t n = 0; n < text.n - 1; n = next_cut(n, text.n)) {
        struct str prefix = str_copy((struct str){text.p, n});
        job = (struct job){.input = prefix};
        wrong += !each(survive(job_speedscope, &job) == STATUS_INPUT, "cut to %zu bytes", n);
        tidy();
        str_free(prefix);
    }
    ok(wrong == 0, "%s for speedscope cut", sample->name);
    str_free(text);
}

/* Nor is a file of Perun. */
static void test_perun(void)
{
    static const struct str text =
        STR("{\"resources\":{\"f\":{\"amount\":[1,-2.5e3,NaN],\"order\":[\"\\u00e9\",true,{}]}},"
            "\"resource_type_map\":{\"f\":{\"uid\":\"f\"}},\"header\":{\"units\":{}}}");
    size_t wrong = 0;
    for (size_t n = 0; n < text.n; n++) {
        struct str prefix = str_copy((struct str){text.p, n});
        struct job job = {.input = prefix};
        wrong += !each(survive(job_perun, &job) == STATUS_INPUT, "cut to %zu bytes", n);
        tidy();
        str_free(prefix);
    }
    ok(wrong == 0, "a file of Perun cut at every byte");
}

/* An end promised between two profiles. */
static void test_more(void)
{
    static const struct str rows = STR("{\"table\":\"meta\",\"key\":\"version\",\"value\":\"2.0\","
                                       "\".ends\":true}\n{\"table\":\".end\",\"more\":true}\n"
                                       "{\"table\":\"meta\",\"key\":\"version\",\"value\":\"2.0\","
                                       "\".ends\":true}\n{\"table\":\".end\"}\n");
    size_t wrong = 0;
    for (size_t n = 0; n < rows.n - 1; n++)
        wrong += !is_truncated(job_profcat, rows, n);
    ok(wrong == 0, "two profiles cut at every byte");
}

int main(void)
{
    choose_cuts();
    survive_quickly();
    size_t count;
    const struct sample_file *all = samples(&count);
    for (size_t i = 0; i < count; i++) {
        test_rprof(&all[i]);
        test_rows(&all[i]);
    }
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i].name, "lines.out") == 0) {
            test_filters(&all[i]);
            test_speedscope(&all[i]);
            test_gzip("lines.out.gz", job_rprof, all[i].text);
            test_gzip("the rows of lines.out.gz", job_profcat, all[i].rows);
            test_gzip("the rows of lines.out.gz to pprof", job_pprof, all[i].rows);
        }
    test_rprofmem();
    test_perun();
    test_folded();
    test_perf();
    test_more();
    return tap_done();
}
