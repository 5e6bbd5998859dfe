/* How the bytes of an input come in must not matter: every stage in reads of 1, 7 and 4096 bytes,
 * plain and from gzip. */
#include "job.h"
#include "tap.h"

static const size_t blocks[] = {1, 7, 4096};

/* Whether STAGE makes the same bytes of INPUT in small reads as it makes in one. */
static bool same_in_blocks(void (*stage)(void *), struct str input)
{
    struct job whole = {.input = input};
    struct str expected = job_result(stage, &whole);
    bool same = true;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        struct job job = {.input = input, .block = blocks[i]};
        struct str found = job_result(stage, &job);
        same &= each(str_equal(found, expected), "reads of %zu bytes give other output", blocks[i]);
        str_free(found);
    }
    str_free(expected);
    return same;
}

/* Whether STAGE makes the same of INPUT as of its gzip. */
static bool same_from_gzip(void (*stage)(void *), struct str input)
{
    struct str packed = gzipped(input);
    struct job plain = {.input = input}, zipped = {.input = packed, .block = 7};
    struct str expected = job_result(stage, &plain), found = job_result(stage, &zipped);
    bool same = str_equal(found, expected);
    str_free(expected);
    str_free(found);
    str_free(packed);
    return same;
}

/* Folded stacks of all kinds: two counts, UTF-16, a last line without its end. */
static const struct {
    const char *name;
    struct str text;
} folded[] = {
    {"plain", STR("# x\nmain 1\nmain;f g_[k];h_[i] 22\r\n\nmain;f g_[k];h_[i];a\tb 333\n;; 4")},
    {"two columns", STR("a;b 1 20\na;c 300 0\na;b;d 1 20\n")},
    {"not two columns", STR("a;b 1 20\na;c 300 0\na;b;d 120\n")},
    {"UTF-16", STR("\xff\xfe"
                   "a\0;\0\x3d\xd8\x25\xdd\xac\x20\xe9\0 \0\x37\0\n\0b\0;\0c\0 \0\x38\0\n\0")},
};

static void test_folded(void)
{
    for (size_t i = 0; i < sizeof folded / sizeof *folded; i++) {
        ok(same_in_blocks(job_folded, folded[i].text), "folded2ndjson: %s in small reads",
           folded[i].name);
        ok(same_in_blocks(job_to_folded, folded[i].text), "ndjson2folded: %s in small reads",
           folded[i].name);
        ok(same_from_gzip(job_folded, folded[i].text), "folded2ndjson: %s from gzip",
           folded[i].name);
    }
}

static void test_perf(void)
{
    static const struct str text = STR(
        "# x\na b 1 [003] 1.000001: 5 cycles: \n\t 12 f (inlined)\n\t 12 g+0x2 (/a b)\n  a.c:3\n\n"
        " a 1 1.000002: cycles:      55b56daab1ac g+0x2 (/a)\r\na 1 1.000003: x: \n\t 1 h (/a)");
    ok(same_in_blocks(job_perf, text), "perf2ndjson: small reads");
    ok(same_in_blocks(job_to_folded, text), "ndjson2folded of perf script: small reads");
    ok(same_from_gzip(job_perf, text), "perf2ndjson: from gzip");
}

/* A file of speedscope in one line and in many. */
static void test_speedscope(void)
{
    static const struct str pretty =
        STR("{\n  \"$schema\": \"https://www.speedscope.app/file-format-schema.json\",\n  "
            "\"profiles\" : [\n"
            "{ \"type\":\"sampled\",\"unit\": \"seconds\",\n \"samples\" : [ [ 0 ,1], [1 ,\n 0, "
            "1],[]],\n"
            "\"weights\":[0.25 , 12345678901,\t1e-05 ] } , {\"type\" : "
            "\"evented\",\"name\":\"\\u00e9\","
            "\"events\":[ {\"at\":0.5 , \"frame\": 1, \"type\":\"O\"},{\"type\":\"C\",\"frame\":1,"
            "\"at\":2 }]}],\n\"shared\":{\"frames\":[{\"name\":\"a\"},{\"name\":\"b "
            "\xc3\xa9\"}]}\n}\n");
    struct job job = {.input = pretty};
    struct str line = job_result(job_to_speedscope, &job);
    ok(same_in_blocks(job_speedscope, pretty), "speedscope2ndjson in small reads");
    ok(same_in_blocks(job_to_speedscope, pretty), "ndjson2speedscope in small reads");
    ok(same_in_blocks(job_to_speedscope, line), "ndjson2speedscope of its own in small reads");
    ok(same_from_gzip(job_speedscope, pretty), "speedscope2ndjson from gzip");
    str_free(line);
}

/* A file of Perun in many lines, whose numbers and words are cut anywhere. */
static void test_perun(void)
{
    static const struct str job = STR(
        "{\n  \"resources\" : {\n \"f#0\": {\"amount\" :[ 12345678901, 2.5 ,\n-3, NaN],\"order\": "
        "[1,2,\"x\\ud800\",{}]}},\n \"resource_type_map\": "
        "{\"f#0\":{\"uid\":\"f\\u00e9\",\"trace\":"
        "[{\"func\": \"g\", \"line\" :7}]} "
        "},\"snapshots\":[{\"resources\":[{\"uid\":\"h\",\"amount\""
        ": -Infinity}]}], \"header\":{\"type\":\"mixed\"}}\n");
    ok(same_in_blocks(job_perun, job), "perun2ndjson in small reads");
    ok(same_in_blocks(job_to_perun, job), "ndjson2perun in small reads");
    ok(same_from_gzip(job_perun, job), "perun2ndjson from gzip");
}

int main(void)
{
    static const struct {
        const char *name;
        void (*stage)(void *);
        bool of_rows;
    } stages[] = {
        {"rprof2ndjson", job_rprof, false},     {"profcat", job_profcat, true},
        {"ndjson2pprof", job_pprof, true},      {"ndjson2rprof", job_to_rprof, true},
        {"proffilter", job_proffilter, true},   {"profsum", job_profsum, true},
        {"profagg", job_profagg, true},         {"profflame", job_profflame, true},
        {"ndjson2folded", job_to_folded, true}, {"ndjson2speedscope", job_to_speedscope, true},
        {"ndjson2perun", job_to_perun, true},   {"ndjson2otlp", job_to_otlp, true},
    };
    size_t count;
    const struct sample_file *all = samples(&count);
    for (size_t s = 0; s < sizeof stages / sizeof *stages; s++)
        for (size_t i = 0; i < count; i++) {
            struct str input = stages[s].of_rows ? all[i].rows : all[i].text;
            ok(same_in_blocks(stages[s].stage, input), "%s: %s in small reads", stages[s].name,
               all[i].name);
            ok(same_from_gzip(stages[s].stage, input), "%s: %s from gzip", stages[s].name,
               all[i].name);
        }
    test_folded();
    test_perf();
    test_speedscope();
    test_perun();
    return tap_done();
}
