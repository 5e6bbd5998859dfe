/* The stream's rules and the merge: short streams, and what profcat makes of them or says. */
#include "base/buf.h"
#include "job.h"
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>

#define META "{\"table\":\"meta\",\"key\":\"version\",\"value\":\"2.0\"}\n"
#define ENDS "{\"table\":\"meta\",\"key\":\"version\",\"value\":\"2.0\",\".ends\":true}\n"
#define END "{\"table\":\".end\"}\n"
#define MORE "{\"table\":\".end\",\"more\":true}\n"
#define SOURCE(id)                                                                                 \
    "{\"table\":\"sources\",\"source_id\":" id                                                     \
    ",\"source_type\":\"t\",\"source_uri\":null,\"source_timestamp\":null}\n"
#define FUNCTION(id, name)                                                                         \
    "{\"table\":\"functions\",\"function_id\":" id ",\"name\":\"" name                             \
    "\",\"system_name\":\"s\",\"filename\":\"\",\"start_line\":0}\n"
#define LOCATION(id, function, more)                                                               \
    "{\"table\":\"locations\",\"location_id\":" id ",\"function_id\":" function                    \
    ",\"line\":null" more "}\n"
#define SAMPLE(id, source) "{\"table\":\"samples\",\"sample_id\":" id ",\"source_id\":" source "}\n"
#define VALUE(id, type)                                                                            \
    "{\"table\":\"sample_values\",\"sample_id\":" id ",\"type\":\"" type                           \
    "\",\"unit\":\"count\",\"value\":1}\n"
#define FRAME(id, depth, location)                                                                 \
    "{\"table\":\"sample_locations\",\"sample_id\":" id ",\"depth\":" depth                        \
    ",\"location_id\":" location "}\n"
#define MAPPING(id, more) "{\"table\":\".mappings\",\"mapping_id\":" id more "}\n"

/* --- streams that become others --- */

static const struct {
    const char *name, *input, *output;
} merged[] = {
    {"an empty profile", META, ENDS END},
    {"blank lines, CRLF, white space and any order of members",
     "\r\n \t\r\n{ \"value\" : \"2.0\",\"key\":\"\\u0076ersion\", \"table\":\"meta\"}\r\n\n"
     "{\"source_timestamp\":1.50,\"source_uri\":\"\\u00e4\",\"source_type\":\"\\/"
     "\",\"source_id\":3,"
     "\"table\":\"sources\", \".b\" : [ 1 ] ,\"\\u002ea\":{ }}\n",
     ENDS
     "{\"table\":\"sources\",\"source_id\":1,\"source_type\":\"/\",\"source_uri\":\"\xc3\xa4\","
     "\"source_timestamp\":1.50,\".b\":[1],\".a\":{}}\n" END},
    {"a last line without LF", META "{\"table\":\".end\"}", ENDS END},
    {"ids become dense in order of appearance",
     META SOURCE("7") FUNCTION("9007199254740991", "f") LOCATION("50", "9007199254740991", "")
         SAMPLE("30", "7") VALUE("30", "a") FRAME("30", "1", "50") FRAME("30", "2", "50"),
     ENDS SOURCE("1") FUNCTION("1", "f") LOCATION("1", "1", "") SAMPLE("1", "1") VALUE("1", "a")
         FRAME("1", "1", "1") FRAME("1", "2", "1") END},
    {"equal functions and locations become one, sources never",
     META SOURCE("1") FUNCTION("1", "f") FUNCTION("2", "g") FUNCTION("3", "f")
         LOCATION("1", "3", "") LOCATION("2", "1", "") LOCATION("3", "2", "") SAMPLE("1", "1")
             FRAME("1", "1", "2") META SOURCE("1") FUNCTION("8", "g") LOCATION("8", "8", "")
                 SAMPLE("1", "1") FRAME("1", "1", "8"),
     ENDS SOURCE("1") FUNCTION("1", "f") FUNCTION("2", "g") LOCATION("1", "1", "")
         LOCATION("2", "2", "") SAMPLE("1", "1") FRAME("1", "1", "1") SOURCE("2") SAMPLE("2", "2")
             FRAME("2", "1", "2") END},
    {"dotted columns are part of what is equal",
     META FUNCTION("1", "f") LOCATION("1", "1", "") LOCATION("2", "1", ",\".x\":1")
         LOCATION("3", "1", ",\".x\":1") SOURCE("1") SAMPLE("1", "1") FRAME("1", "1", "3"),
     ENDS FUNCTION("1", "f") LOCATION("1", "1", "") LOCATION("2", "1", ",\".x\":1") SOURCE("1")
         SAMPLE("1", "1") FRAME("1", "1", "2") END},
    {"a location without a function", META LOCATION("4", "null", ",\".filename\":\"f\""),
     ENDS LOCATION("1", "null", ",\".filename\":\"f\"") END},
    {"mappings, and what refers to them",
     META MAPPING("3", ",\"filename\":\"a\"") MAPPING("4", ",\"filename\":\"a\"")
         LOCATION("1", "null", ",\".mapping_id\":4")
             LOCATION("2", "null", ",\".inlined_into\":1,\".mapping_id\":3"),
     ENDS MAPPING("1", ",\"filename\":\"a\"") LOCATION("1", "null", ",\".mapping_id\":1")
         LOCATION("2", "null", ",\".inlined_into\":1,\".mapping_id\":1") END},
    {"an unknown dotted table: ids are renumbered, the rest passes",
     META SOURCE("5") SAMPLE("10", "5") SAMPLE("12", "5")
         SAMPLE("13", "5") "{\"table\":\".x\",\"sample_id\":12,\"source_id\":5,\"other_id\":5,"
                           "\"a\":{\"sample_id\":9},"
                           "\"function_id\":null}\n",
     ENDS SOURCE("1") SAMPLE("1", "1") SAMPLE("2", "1")
         SAMPLE("3", "1") "{\"table\":\".x\",\"sample_id\":2,\"source_id\":1,\"other_id\":5,\"a\":{"
                          "\"sample_id\":9},"
                          "\"function_id\":null}\n" END},
    {"profiles that promise their ends", ENDS MORE ENDS END, ENDS END},
    {"dotted columns of the first version row stay",
     "{\"table\":\"meta\",\"key\":\"version\",\"value\":\"2.0\",\".a\":1,\".ends\":false}\n",
     "{\"table\":\"meta\",\"key\":\"version\",\"value\":\"2.0\",\".ends\":true,\".a\":1}\n" END},
    {"a sample without values and locations", META SOURCE("1") SAMPLE("1", "1") SAMPLE("2", "1"),
     ENDS SOURCE("1") SAMPLE("1", "1") SAMPLE("2", "1") END},
};

static void test_merged(void)
{
    for (size_t i = 0; i < sizeof merged / sizeof *merged; i++) {
        struct job job = {.input = str_of(merged[i].input)};
        enum status status = survive(job_profcat, &job);
        if (!is(status == STATUS_OK ? buf_str(&job.out) : str_of(said.message),
                str_of(merged[i].output), merged[i].name))
            printf("# status %d\n", (int)status);
        tidy();
    }
}

/* --- streams that are refused --- */

static const struct {
    const char *input, *message; /* a part of it */
    uint64_t line;               /* 0: the message is about the whole file */
} refused[] = {
    {"", "expected a profile, found nothing", 0},
    {"\n\n", "expected a profile, found nothing", 0},
    {SOURCE("1"), "expected the version row of a profile first, found a row of \"sources\"", 1},
    {"x\n", "expected a profile, found text that begins \"x\"", 0},
    {META "x\n", "expected a JSON object", 2},
    {"\xef\xbb\xbf" META, "byte order mark", 0},
    {META "[]\n", "expected a JSON object", 2},
    {META "{}\n", "expected a member \"table\", found none", 2},
    {META "{\"table\":1}\n", "expected the name of a table, found 1", 2},
    {META "{\"table\":\"x\"}\n", "no table \"x\"", 2},
    {META "{\"table\":\".x\",\"a\":1,\"a\":1}\n", "a member appears twice", 2},
    {META "{\"table\":\".x\",\"a\":1,\"\\u0061\":1}\n", "a member appears twice", 2},
    {META "{\"table\":\".mappings\",\"mapping_id\":1,\"mapping_id\":1}\n", "a member appears twice",
     2},
    {META "{\"table\":\".x\",\"a\":\"\\u0000\"}\n", "NUL", 2},
    {META "{\"table\":\".x\",\"a\":\"\xff\"}\n", "not UTF-8", 2},
    {META "{\"table\":\".x\",\"a\":99999999999999999999}\n", "out of range", 2},
    {META "{\"table\":\".x\"} {}\n", "expected a JSON object", 2},
    {META "{\"table\":\".x\"", "expected a JSON object", 2},
    {"{\"table\":\"meta\",\"key\":\"v\",\"value\":\"2.0\"}\n", "meta.key", 1},
    {"{\"table\":\"meta\",\"key\":\"version\",\"value\":\"3.0\"}\n", "version \"3.0\"", 1},
    {META SOURCE("0"), "sources.source_id: expected an integer from 1 to 2^53-1, found 0", 2},
    {META SOURCE("1.0"), "found 1.0", 2},
    {META SOURCE("9007199254740992"), "found 9007199254740992", 2},
    {META SOURCE("\"1\""), "found \"1\"", 2},
    {META FUNCTION("1", ""), "functions.name: expected a string that is not empty", 2},
    {META "{\"table\":\"samples\",\"sample_id\":1}\n", "samples.source_id: the column is missing",
     2},
    {META "{\"table\":\"samples\",\"sample_id\":1,\"source_id\":1,\"x\":1}\n",
     "samples.x: no such column", 2},
    {META SOURCE("1") SOURCE("1"), "1 is defined twice", 3},
    {META FUNCTION("1", "f") FUNCTION("1", "f"), "1 is defined twice", 3},
    {META MAPPING("1", "") MAPPING("1", ""), "1 is defined twice", 3},
    {META LOCATION("1", "1", ""), "no function 1 has been defined", 2},
    {META LOCATION("1", "null", ",\".inlined_into\":1"), "no location 1 has been defined", 2},
    {META LOCATION("1", "null", ",\".mapping_id\":\"1\""), "expected an id or null, found \"1\"",
     2},
    {META "{\"table\":\".x\",\"sample_id\":1}\n", "no sample 1 has been defined", 2},
    {META SOURCE("1") SAMPLE("5", "1") SAMPLE("7", "1") "{\"table\":\".x\",\"sample_id\":6}\n",
     "no sample 6", 5},
    {META SOURCE("1") SAMPLE("5", "1") "{\"table\":\".x\",\"sample_id\":6}\n", "no sample 6", 4},
    {META SAMPLE("1", "1"), "no source 1 has been defined", 2},
    {META SOURCE("1") META SAMPLE("1", "1"), "no source 1 has been defined", 4},
    {META SOURCE("1") SAMPLE("2", "1") SAMPLE("2", "1"), "expected more than 2, found 2", 4},
    {META VALUE("1", "a"), "sample 1 is not the one being read", 2},
    {META SOURCE("1") SAMPLE("1", "1") SOURCE("2") VALUE("1", "a"), "profsort", 5},
    {META SOURCE("1") SAMPLE("1", "1") VALUE("2", "a"), "expected 1", 4},
    {META SOURCE("1") SAMPLE("1", "1") VALUE("1", "a") VALUE("1", "a"), "comes twice", 5},
    {META SOURCE("1") SAMPLE("1", "1") FRAME("1", "2", "1"), "depth: expected 1, found 2", 4},
    {META SOURCE("1") SAMPLE("1", "1") FRAME("1", "1", "1"), "no location 1", 4},
    {META SOURCE("1") LOCATION("1", "null", "") SAMPLE("1", "1") FRAME("1", "1", "1")
         VALUE("1", "a"),
     "values stand before the locations", 6},
    {META END SOURCE("1"), "expected the version row of another profile", 3},
    {ENDS, "truncated: expected its .end row", 0},
    {ENDS META, "truncated: expected its .end row", 2},
    {ENDS MORE, "another profile was promised", 0},
    {ENDS MORE ENDS, "truncated: expected its .end row", 0},
    {"sample interval=20000\n", "expected a profile, found text that begins", 0},
};

static void test_refused(void)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct job job = {.input = str_of(refused[i].input), .block = 5};
        enum status status = survive(job_profcat, &job);
        uint64_t line = said.where.kind == PLACE_LINE ? said.where.at : 0;
        ok(status == STATUS_INPUT && strstr(said.message, refused[i].message) != NULL &&
               line == refused[i].line,
           "line %" PRIu64 ": %s", line, said.message);
        tidy();
    }
}

/* --- many gaps in the numbering of samples --- */

static void add(struct buf *to, const char *format, unsigned a, unsigned b)
{
    char line[128];
    int n = snprintf(line, sizeof line, format, a, b);
    buf_add(to, (struct str){line, (size_t)n});
}

/* A stream of COUNT samples with odd ids and then a row that refers to sample TARGET. */
static enum status status_of_reference(unsigned count, unsigned target)
{
    struct buf text = {0};
    buf_add(&text, STR(META SOURCE("1")));
    for (unsigned i = 0; i < count; i++)
        add(&text, "{\"table\":\"samples\",\"sample_id\":%u,\"source_id\":%u}\n", 2 * i + 1, 1);
    add(&text, "{\"table\":\".x\",\"sample_id\":%u,\"a\":%u}\n", target, 0);
    struct str input = str_copy(buf_str(&text));
    struct job job = {.input = input};
    enum status status = survive(job_profcat, &job);
    char expected[64];
    snprintf(expected, sizeof expected, "{\"table\":\".x\",\"sample_id\":%u,", (target + 1) / 2);
    if (status == STATUS_OK && memmem(job.out.p, job.out.n, expected, strlen(expected)) == NULL)
        status = STATUS_USAGE; /* the wrong sample */
    tidy();
    str_free(input);
    return status;
}

static void test_gaps(void)
{
    ok(status_of_reference(60000, 1) == STATUS_OK, "a reference over 60,000 gaps");
    ok(status_of_reference(60000, 119999) == STATUS_OK, "a reference to the last sample");
    ok(status_of_reference(60000, 2) == STATUS_INPUT, "a reference into a gap");
    ok(status_of_reference(100000, 199999 - 40000) == STATUS_OK,
       "a reference over 20,000 of 100,000");
    ok(status_of_reference(100000, 1) == STATUS_INPUT, "one over too many: %s", said.message);
}

/* A row of N bytes without its LF, in reads of BLOCK bytes. */
static enum status status_of_length(size_t n, size_t block)
{
    static const struct str head = STR(META "{\"table\":\".x\",\"a\":\""), tail = STR("\"}\n");
    size_t size = strlen(META) + n + 1;
    char *text = malloc(size);
    memset(text, 'a', size);
    memcpy(text, head.p, head.n);
    memcpy(text + size - tail.n, tail.p, tail.n);
    struct job job = {.input = {text, size}, .block = block};
    enum status status = survive(job_profcat, &job);
    tidy();
    free(text);
    return status;
}

static void test_length(void)
{
    static const size_t blocks[] = {0, 65536, 4093};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        ok(status_of_length(LIMITS_LINE, blocks[i]) == STATUS_OK, "a row of the greatest length");
        ok(status_of_length(LIMITS_LINE + 1, blocks[i]) == STATUS_INPUT && said.where.at == 2,
           "a longer one: %s", said.message);
    }
}

/* What cat makes of all samples is one stream, and merging it again changes nothing. */
static void test_samples(void)
{
    size_t count;
    const struct sample_file *all = samples(&count);
    struct buf text = {0};
    for (size_t i = 0; i < count; i++)
        buf_add(&text, all[i].rows);
    struct str together = str_copy(buf_str(&text));
    tidy();
    struct job first = {.input = together};
    struct str once = job_result(job_profcat, &first);
    struct job second = {.input = once};
    struct str twice = job_result(job_profcat, &second);
    ok(str_equal(once, twice), "merging what has been merged changes nothing");
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        struct job job = {.input = all[i].rows};
        struct str found = job_result(job_profcat, &job);
        wrong += !each(str_equal(found, all[i].rows), "%s", all[i].name);
        str_free(found);
    }
    ok(wrong == 0, "a profile of ours passes as it is");
    str_free(once);
    str_free(twice);
    str_free(together);
}

int main(void)
{
    test_merged();
    test_refused();
    test_gaps();
    test_length();
    test_samples();
    return tap_done();
}
