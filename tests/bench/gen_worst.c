/* gen_worst - inputs that cost as much as their few bytes can:
 *
 *   gen_worst KIND COUNT
 *
 * writes one to standard output.  Each KIND is a line of the table at the end. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void repeat(const char *text, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        fputs(text, stdout);
}

/* --- pprof --- */

struct message {
    unsigned char *bytes;
    size_t n, capacity;
};

static void add_byte(struct message *m, unsigned byte)
{
    if (m->n == m->capacity) {
        m->capacity = m->capacity == 0 ? 64 : 2 * m->capacity;
        m->bytes = realloc(m->bytes, m->capacity);
        if (m->bytes == NULL)
            exit(1);
    }
    m->bytes[m->n++] = (unsigned char)byte;
}

static void add_varint(struct message *m, uint64_t number)
{
    for (; number > 127; number >>= 7)
        add_byte(m, (unsigned)(number & 127) | 128);
    add_byte(m, (unsigned)number);
}

static void add_number(struct message *m, unsigned field, uint64_t number)
{
    add_varint(m, field << 3);
    add_varint(m, number);
}

static void add_bytes(struct message *m, unsigned field, const void *bytes, size_t n)
{
    add_varint(m, field << 3 | 2);
    add_varint(m, n);
    for (size_t i = 0; i < n; i++)
        add_byte(m, ((const unsigned char *)bytes)[i]);
}

/* Makes INNER, which is empty then, a field of M. */
static void add_message(struct message *m, unsigned field, struct message *inner)
{
    add_bytes(m, field, inner->bytes, inner->n);
    inner->n = 0;
}

static void add_text(struct message *m, const char *text)
{
    add_bytes(m, 6, text, strlen(text));
}

static void end_file(struct message *m)
{
    fwrite(m->bytes, 1, m->n, stdout);
    free(m->bytes);
}

/* A file with the strings "", "n", "count" and one type of samples. */
static struct message begin_file(void)
{
    struct message m = {0}, inner = {0};
    add_number(&inner, 1, 1);
    add_number(&inner, 2, 2);
    add_message(&m, 1, &inner);
    add_text(&m, "");
    add_text(&m, "n");
    add_text(&m, "count");
    free(inner.bytes);
    return m;
}

static void add_function(struct message *m, uint64_t id, uint64_t name, uint64_t filename)
{
    struct message inner = {0};
    add_number(&inner, 1, id);
    add_number(&inner, 2, name);
    if (filename != 0)
        add_number(&inner, 4, filename);
    add_message(m, 5, &inner);
    free(inner.bytes);
}

/* The location ID with LINES lines in FUNCTIONS functions. */
static void add_location(struct message *m, uint64_t id, uint64_t lines, uint64_t functions)
{
    struct message inner = {0}, line = {0};
    add_number(&inner, 1, id);
    for (uint64_t i = 0; i < lines; i++) {
        add_number(&line, 1, i % functions + 1);
        add_number(&line, 2, i + 1);
        add_message(&inner, 4, &line);
    }
    add_message(m, 4, &inner);
    free(inner.bytes);
    free(line.bytes);
}

/* A sample with a value and COUNT times LOCATION, and behind that LAST, unless that is 0. */
static void add_sample(struct message *m, uint64_t count, uint64_t location, uint64_t last)
{
    struct message inner = {0}, ids = {0};
    for (uint64_t i = 0; i < count; i++)
        add_varint(&ids, location);
    if (last != 0)
        add_varint(&ids, last);
    add_message(&inner, 1, &ids);
    add_number(&inner, 2, 1);
    add_message(m, 2, &inner);
    free(inner.bytes);
    free(ids.bytes);
}

/* A few samples of a million frames, of COUNT bytes in all, no two of which are equal. */
static void pprof_deep(uint64_t count)
{
    enum { FRAMES = 1000000 };
    struct message m = begin_file();
    uint64_t lines = count / 100, times = (FRAMES - 1) / lines;
    add_function(&m, 1, 1, 0);
    add_location(&m, 1, lines, 1);
    for (uint64_t i = 0; m.n + times < count; i++) {
        add_location(&m, i + 2, 1, 1);
        add_sample(&m, times, 1, i + 2);
    }
    end_file(&m);
}

/* COUNT inlined lines in a location, COUNT times in one sample. */
static void pprof_square(uint64_t count)
{
    struct message m = begin_file();
    add_function(&m, 1, 1, 0);
    add_location(&m, 1, count, 1);
    add_sample(&m, count, 1, 0);
    end_file(&m);
}

/* The same in COUNT samples, no two of which are equal. */
static void pprof_cube(uint64_t count)
{
    struct message m = begin_file();
    add_function(&m, 1, 1, 0);
    add_location(&m, 1, count, 1);
    for (uint64_t i = 0; i < count; i++) {
        add_location(&m, i + 2, 1, 1);
        add_sample(&m, count, 1, i + 2);
    }
    end_file(&m);
}

/* COUNT lines, each in a function of its own, in one location, in COUNT samples. */
static void pprof_functions_square(uint64_t count)
{
    struct message m = begin_file();
    char name[32];
    for (uint64_t i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%" PRIx64, i);
        add_text(&m, name);
        add_function(&m, i + 1, i + 3, 0);
    }
    add_location(&m, 1, count, count);
    for (uint64_t i = 0; i < count; i++) {
        add_location(&m, i + 2, 1, 1);
        add_sample(&m, 1, 1, i + 2);
    }
    end_file(&m);
}

/* A string of COUNT bytes, which is the file of COUNT / 10 functions, label of as many samples, and their type. */
static void pprof_long_string(uint64_t count)
{
    struct message m = {0}, inner = {0}, label = {0};
    char *text = malloc(count);
    if (text == NULL)
        exit(1);
    memset(text, 'x', count);
    add_number(&inner, 1, 1);
    add_message(&m, 1, &inner);
    add_text(&m, "");
    add_bytes(&m, 6, text, count);
    for (uint64_t i = 1; i <= count / 10; i++) {
        add_function(&m, i, 1, 1);
        add_location(&m, i, 1, i);
        add_varint(&inner, 1 << 3);
        add_varint(&inner, i);
        add_number(&inner, 2, 1);
        add_number(&label, 1, 1);
        add_number(&label, 2, 1);
        add_message(&inner, 3, &label);
        add_message(&m, 2, &inner);
    }
    end_file(&m);
    free(text);
    free(inner.bytes);
    free(label.bytes);
}

static void pprof_empty_strings(uint64_t count)
{
    struct message m = begin_file();
    for (uint64_t i = 0; i < count; i++)
        add_text(&m, "");
    add_sample(&m, 0, 0, 0);
    end_file(&m);
}

/* COUNT samples without anything but a value. */
static void pprof_empty_samples(uint64_t count)
{
    struct message m = begin_file();
    for (uint64_t i = 0; i < count; i++)
        add_bytes(&m, 2, "\x10\x01", 2);
    end_file(&m);
}

static void pprof_functions(uint64_t count)
{
    struct message m = begin_file();
    for (uint64_t i = 1; i <= count; i++)
        add_function(&m, i, 1, 0);
    add_sample(&m, 0, 0, 0);
    end_file(&m);
}

static void pprof_locations(uint64_t count)
{
    struct message m = begin_file();
    add_function(&m, 1, 1, 0);
    for (uint64_t i = 1; i <= count; i++) {
        add_location(&m, i, 1, 1);
        add_sample(&m, 1, i, 0);
    }
    end_file(&m);
}

/* COUNT types, a function, and a sample. */
static void pprof_types(uint64_t count)
{
    struct message m = {0}, inner = {0};
    char name[32];
    add_text(&m, "");
    for (uint64_t i = 1; i <= count; i++) {
        snprintf(name, sizeof name, "%" PRIx64, i);
        add_text(&m, name);
        add_number(&inner, 1, i);
        add_message(&m, 1, &inner);
    }
    for (uint64_t i = 1; i <= count; i++)
        add_number(&inner, 2, i);
    add_message(&m, 2, &inner);
    end_file(&m);
    free(inner.bytes);
}

/* COUNT types of one unit, a string of 20 bytes for each. */
static void pprof_unit(uint64_t count)
{
    struct message m = {0}, inner = {0};
    char name[32], *text = malloc(20 * count);
    if (text == NULL)
        exit(1);
    memset(text, 'x', 20 * count);
    add_text(&m, "");
    add_bytes(&m, 6, text, 20 * count);
    for (uint64_t i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%" PRIx64, i);
        add_text(&m, name);
        add_number(&inner, 1, i + 2);
        add_number(&inner, 2, 1);
        add_message(&m, 1, &inner);
    }
    end_file(&m);
    free(text);
    free(inner.bytes);
}

/* --- OTLP --- */

/* A string of 20 bytes for each of COUNT entries of TABLE, whose FIELD refers to it: all are equal. */
static void otlp_string(uint64_t count, unsigned table, unsigned field)
{
    struct message m = {0}, dictionary = {0}, inner = {0};
    char *text = malloc(20 * count);
    if (text == NULL)
        exit(1);
    memset(text, 'x', 20 * count);
    add_bytes(&dictionary, 5, "", 0);
    add_bytes(&dictionary, 5, text, 20 * count);
    add_bytes(&dictionary, table, "", 0);
    for (uint64_t i = 0; i < count; i++) {
        add_number(&inner, field, 1);
        add_message(&dictionary, table, &inner);
    }
    add_bytes(&m, 1, "\x12\x06\x12\x04\x12\x02\x20\x01", 8); /* a sample */
    add_message(&m, 2, &dictionary);
    end_file(&m);
    free(text);
    free(dictionary.bytes);
    free(inner.bytes);
}

/* The same in OTLP, with a profile of each type. */
static void otlp_unit(uint64_t count)
{
    struct message m = {0}, dictionary = {0}, profiles = {0}, inner = {0}, type = {0};
    char name[32], *text = malloc(20 * count);
    if (text == NULL)
        exit(1);
    memset(text, 'x', 20 * count);
    add_bytes(&dictionary, 5, "", 0);
    add_bytes(&dictionary, 5, text, 20 * count);
    for (uint64_t i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%" PRIx64, i);
        add_bytes(&dictionary, 5, name, strlen(name));
        add_number(&type, 1, i + 2);
        add_number(&type, 2, 1);
        add_message(&inner, 1, &type);
        add_message(&profiles, 2, &inner);
    }
    add_message(&inner, 2, &profiles);
    add_message(&m, 1, &inner);
    add_message(&m, 2, &dictionary);
    end_file(&m);
    free(text);
    free(dictionary.bytes);
    free(profiles.bytes);
    free(inner.bytes);
    free(type.bytes);
}

static void otlp_functions(uint64_t count)
{
    otlp_string(count, 3, 1);
}

static void otlp_mappings(uint64_t count)
{
    otlp_string(count, 1, 4);
}

/* --- text --- */

static void rows_old(uint64_t count)
{
    printf("{\"table\":\"meta\",\"key\":\"version\",\"value\":\"1.0\"}\n"
           "{\"table\":\"sample_types\",\"type\":\"samples\",\"unit\":\"count\"}\n"
           "{\"table\":\"functions\",\"function_id\":1,\"name\":\"f\",\"system_name\":\"f\","
           "\"filename\":\"\",\"start_line\":0}\n"
           "{\"table\":\"locations\",\"location_id\":1,\"function_id\":1,\"line\":0}\n"
           "{\"table\":\"samples\",\"value\":%" PRIu64 ",\"locations\":[{\"location_id\":1}]}\n",
           count);
}

static const char meta[] = "{\"table\":\"meta\",\"key\":\"version\",\"value\":\"2.0\"}\n";

/* COUNT types, each in a row of its own, of one sample. */
static void rows_types(uint64_t count)
{
    fputs(meta, stdout);
    puts("{\"table\":\"sources\",\"source_id\":1,\"source_type\":\"\",\"source_uri\":null,"
         "\"source_timestamp\":null}\n{\"table\":\"samples\",\"sample_id\":1,\"source_id\":1}");
    for (uint64_t i = 0; i < count; i++)
        printf("{\"table\":\"sample_values\",\"sample_id\":1,\"type\":\"%" PRIx64
               "\",\"unit\":\"\",\"value\":1}\n",
               i);
}

/* COUNT sources, each with a sample of a type of its own. */
static void rows_sources(uint64_t count)
{
    fputs(meta, stdout);
    for (uint64_t i = 1; i <= count; i++)
        printf("{\"table\":\"sources\",\"source_id\":%" PRIu64
               ",\"source_type\":\"\",\"source_uri\":null,\"source_timestamp\":null}\n",
               i);
    for (uint64_t i = 1; i <= count; i++)
        printf("{\"table\":\"samples\",\"sample_id\":%" PRIu64 ",\"source_id\":%" PRIu64
               "}\n{\"table\":\"sample_values\",\"sample_id\":%" PRIu64 ",\"type\":\"%" PRIx64
               "\",\"unit\":\"\",\"value\":1}\n",
               i, i, i, i);
}

/* COUNT types of one sample, which are equal where blanks become '_', and COUNT samples of the first, each
 * in a function of its own. */
static void rows_alike(uint64_t count)
{
    fputs(meta, stdout);
    puts("{\"table\":\"sources\",\"source_id\":1,\"source_type\":\"\",\"source_uri\":null,"
         "\"source_timestamp\":null}");
    for (uint64_t i = 1; i <= count; i++) {
        printf("{\"table\":\"functions\",\"function_id\":%" PRIu64 ",\"name\":\"%" PRIx64
               "\",\"system_name\":\"%" PRIx64 "\",\"filename\":\"\",\"start_line\":0}\n",
               i, i, i);
        printf("{\"table\":\"locations\",\"location_id\":%" PRIu64 ",\"function_id\":%" PRIu64
               ",\"line\":1}\n",
               i, i);
    }
    for (uint64_t i = 1; i <= count; i++) {
        printf("{\"table\":\"samples\",\"sample_id\":%" PRIu64 ",\"source_id\":1}\n", i);
        for (uint64_t k = 0; k < (i == 1 ? count : 1); k++) {
            char name[21] = "";
            for (int bit = 0; bit < 20; bit++)
                name[bit] = k >> bit & 1 ? '_' : ' ';
            printf("{\"table\":\"sample_values\",\"sample_id\":%" PRIu64
                   ",\"type\":\"%s\",\"unit\":\"\",\"value\":1}\n",
                   i, name);
        }
        printf("{\"table\":\"sample_locations\",\"sample_id\":%" PRIu64
               ",\"depth\":1,\"location_id\":%" PRIu64 "}\n",
               i, i);
    }
}

static void rows_functions(uint64_t count)
{
    fputs(meta, stdout);
    for (uint64_t i = 1; i <= count; i++)
        printf("{\"table\":\"functions\",\"function_id\":%" PRIu64 ",\"name\":\"%" PRIx64
               "\",\"system_name\":\"%" PRIx64 "\",\"filename\":\"\",\"start_line\":0}\n",
               i, i, i);
}

static void rows_blank(uint64_t count)
{
    fputs(meta, stdout);
    repeat("\n", count);
}

static void folded_lines(uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        printf("a;%" PRIx64 " 1\n", i);
}

/* COUNT frames in a line. */
static void folded_deep(uint64_t count)
{
    repeat("a;", count - 1);
    puts("a 1");
}

/* Lines of 1000 frames that only begin alike, COUNT in all. */
static void folded_wide(uint64_t count)
{
    for (uint64_t i = 0; i < count / 1000; i++) {
        printf("%" PRIx64, i);
        repeat(";a", 999);
        puts(" 1");
    }
}

/* A file of COUNT bytes, in which COUNT / 10 functions stand. */
static void rprof_long_file(uint64_t count)
{
    puts("line profiling: sample.interval=20000");
    fputs("#File 1: ", stdout);
    repeat("x", count);
    puts("");
    for (uint64_t i = 0; i < count / 10; i++)
        printf("1#1 \"%" PRIx64 "\" \n", i);
}

static void rprof_functions(uint64_t count)
{
    puts("sample.interval=20000");
    for (uint64_t i = 0; i < count; i++)
        printf("\"%" PRIx64 "\" \n", i);
}

static void rprofmem_lines(uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        printf("%" PRIu64 " :\"%" PRIx64 "\" \n", i, i);
}

static void perf_samples(uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        printf("a 1 1.0: 1 cycles:\n\t%" PRIx64 " f (b)\n\n", i + 1);
}

/* A name of 20 bytes for each of COUNT lines that give it a number again, as that of a function with a
 * caller. */
static void callgrind_name(uint64_t count)
{
    fputs("events: Ir\nfl=(1) a\nfn=(1) ", stdout);
    repeat("12345678901234567890", count);
    puts("\n1 1");
    repeat("fn=(2) (1)'(1)\n", count);
    puts("1 1\ntotals: 2");
}

/* COUNT events, and as many lines of totals. */
static void callgrind_totals(uint64_t count)
{
    fputs("events:", stdout);
    for (uint64_t i = 0; i < count; i++)
        printf(" %" PRIx64, i);
    puts("\nfl=(1) a\nfn=(1) b\n1 1");
    repeat("totals: 1\n", count);
}

/* A name of 20 bytes for each of COUNT calls of that function. */
static void xdebug_name(uint64_t count)
{
    fputs("version: 1\ncreator: xdebug 3\nevents: T\nfl=(2) a\nfn=(3) ", stdout);
    repeat("12345678901234567890", count);
    puts("\n1 1");
    repeat("fn=(3)\n1 1\n", count - 1);
    puts("summary: 1");
}

/* COUNT functions, and as many runs of one of them. */
static void xdebug_runs(uint64_t count)
{
    puts("version: 1\ncreator: xdebug 3\nevents: T\nfl=(2) a");
    for (uint64_t i = 3; i < count + 3; i++)
        printf("fn=(%" PRIu64 ") %" PRIx64 "\n1 1\n", i, i);
    repeat("summary: 1\nevents: T\nfn=(3)\n1 1\n", count);
    puts("summary: 1");
}

static void put_number(uint32_t number)
{
    for (int i = 0; i < 4; i++)
        putchar((int)(number >> 8 * i & 255));
}

/* A function whose name has 20 bytes for each of COUNT callers, all of that name. */
static void pstats_name(uint64_t count)
{
    fputs("{\251\3a\1", stdout);
    fwrite("\0\0\0fi\1\0\0\0\341", 1, 10, stdout);
    put_number((uint32_t)(20 * count));
    repeat("12345678901234567890", count);
    for (int i = 0; i < 4; i++) {
        fputs(i == 0 ? ")\5i" : "i", stdout);
        put_number(1);
    }
    putchar('{');
    for (uint64_t i = 0; i < count; i++)
        fwrite(")\3z\1fi\1\0\0\0r\1\0\0\0i\1\0\0", 1, 20, stdout);
    fputs("00", stdout);
}

/* A number, addresses and a backtrace of some 20 bytes for each of COUNT rows that refer to them, but
 * without a frame. */
static void xctrace_references(uint64_t count)
{
    fputs("<?xml version=\"1.0\"?>\n<trace-query-result><node><schema name=\"s\"/>\n"
          "<row><sample-time id=\"1\">",
          stdout);
    repeat("00000000000000000000", count);
    fputs("</sample-time><kperf-bt><text-addresses id=\"2\">", stdout);
    repeat("0 0 0 0 0 0 0 0 0 0 ", count);
    fputs("</text-addresses></kperf-bt></row>\n"
          "<row><sample-time>0</sample-time><backtrace id=\"3\">",
          stdout);
    repeat("<a/>", count);
    puts("</backtrace></row>");
    for (uint64_t i = 0; i < count; i++)
        puts(i % 2 == 0
                 ? "<row><sample-time ref=\"1\"/><kperf-bt><text-addresses ref=\"2\"/></kperf-bt>"
                   "</row>"
                 : "<row><sample-time ref=\"1\"/><tagged-backtrace><backtrace ref=\"3\"/>"
                   "</tagged-backtrace></row>");
    puts("</node></trace-query-result>");
}

/* --- JSON --- */

static void speedscope_begin(const char *type)
{
    printf("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"shared\":{"
           "\"frames\":[{\"name\":\"f\"}]},\"profiles\":[{\"type\":\"%s\",\"name\":\"p\",\"unit\":"
           "\"none\","
           "\"startValue\":0,\"endValue\":",
           type);
}

/* COUNT frames, each opened in the one before. */
static void speedscope_deep(uint64_t count)
{
    speedscope_begin("evented");
    printf("%" PRIu64 ",\"events\":[", 2 * count);
    for (uint64_t i = 0; i < count; i++)
        printf("%s{\"type\":\"O\",\"frame\":0,\"at\":%" PRIu64 "}", i > 0 ? "," : "", i);
    for (uint64_t i = 0; i < count; i++)
        printf(",{\"type\":\"C\",\"frame\":0,\"at\":%" PRIu64 "}", count + i);
    puts("]}]}");
}

/* COUNT frames, each opened in the one before, and COUNT times another one in the innermost: all of
 * these stacks differ. */
static void speedscope_tips(uint64_t count)
{
    fputs("{\"$schema\":\"https://www.speedscope.app/"
          "file-format-schema.json\",\"shared\":{\"frames\":[",
          stdout);
    for (uint64_t i = 0; i < count; i++)
        printf("%s{\"name\":\"%" PRIu64 "\"}", i > 0 ? "," : "", i);
    printf(
        "]},\"profiles\":[{\"type\":\"evented\",\"name\":\"p\",\"unit\":\"none\",\"startValue\":0,"
        "\"endValue\":%" PRIu64 ",\"events\":[",
        4 * count);
    uint64_t at = 0;
    for (uint64_t i = 0; i < count; i++)
        printf("%s{\"type\":\"O\",\"frame\":%" PRIu64 ",\"at\":%" PRIu64 "}", i > 0 ? "," : "", i,
               at++);
    for (uint64_t i = 0; i < count; i++, at += 2)
        printf(",{\"type\":\"O\",\"frame\":%" PRIu64 ",\"at\":%" PRIu64 "}"
               ",{\"type\":\"C\",\"frame\":%" PRIu64 ",\"at\":%" PRIu64 "}",
               i, at, i, at + 1);
    for (uint64_t i = count; i > 0; i--)
        printf(",{\"type\":\"C\",\"frame\":%" PRIu64 ",\"at\":%" PRIu64 "}", i - 1, at++);
    puts("]}]}");
}

static void speedscope_empty(uint64_t count)
{
    speedscope_begin("sampled");
    printf("%" PRIu64 ",\"samples\":[[]", count);
    repeat(",[]", count - 1);
    fputs("],\"weights\":[1", stdout);
    repeat(",1", count - 1);
    puts("]}]}");
}

/* COUNT profiles without anything. */
static void speedscope_profiles(uint64_t count)
{
    fputs("{\"$schema\":\"https://www.speedscope.app/"
          "file-format-schema.json\",\"shared\":{\"frames\":"
          "[]},\"profiles\":[",
          stdout);
    for (uint64_t i = 0; i < count; i++)
        printf("%s{\"type\":\"sampled\",\"name\":\"\",\"unit\":\"none\",\"startValue\":0,"
               "\"endValue\":0,"
               "\"samples\":[],\"weights\":[]}",
               i > 0 ? "," : "");
    puts("]}");
}

/* A tree of COUNT nodes, each in the one before, and a sample of each. */
static void cpuprofile_deep(uint64_t count)
{
    fputs("{\"nodes\":[", stdout);
    for (uint64_t i = 1; i <= count; i++) {
        printf("%s{\"id\":%" PRIu64
               ",\"callFrame\":{\"functionName\":\"f\",\"scriptId\":\"0\",\"url\":\"\","
               "\"lineNumber\":0,\"columnNumber\":0}",
               i > 1 ? "," : "", i);
        if (i < count)
            printf(",\"children\":[%" PRIu64 "]", i + 1);
        putchar('}');
    }
    fputs("],\"startTime\":0,\"endTime\":1,\"samples\":[1", stdout);
    for (uint64_t i = 2; i <= count; i++)
        printf(",%" PRIu64, i);
    fputs("],\"timeDeltas\":[0", stdout);
    repeat(",0", count - 1);
    puts("]}");
}

/* COUNT resources of one type, with a stack of COUNT frames. */
static void perun_square(uint64_t count)
{
    fputs("{\"origin\":\"\",\"header\":{\"type\":\"memory\",\"units\":{\"memory\":\"B\"},\"cmd\":"
          "\"\","
          "\"args\":\"\",\"workload\":\"\"},\"collector_info\":{\"name\":\"memory\",\"params\":{}},"
          "\"postprocessors\":[],\"resources\":{\"f\":{\"amount\":[1",
          stdout);
    repeat(",1", count - 1);
    fputs("]}},\"resource_type_map\":{\"f\":{\"type\":\"memory\",\"uid\":{\"function\":\"f\","
          "\"source\":"
          "\"\",\"line\":1},\"trace\":[",
          stdout);
    for (uint64_t i = 0; i < count; i++)
        printf("%s{\"function\":\"%" PRIx64 "\",\"source\":\"\",\"line\":1}", i > 0 ? "," : "", i);
    puts("]}}}");
}

static const struct {
    const char *name;
    void (*write)(uint64_t count);
} kinds[] = {
    {"pprof-deep", pprof_deep},
    {"pprof-square", pprof_square},
    {"pprof-cube", pprof_cube},
    {"pprof-functions-square", pprof_functions_square},
    {"pprof-long-string", pprof_long_string},
    {"pprof-empty-strings", pprof_empty_strings},
    {"pprof-empty-samples", pprof_empty_samples},
    {"pprof-functions", pprof_functions},
    {"pprof-locations", pprof_locations},
    {"pprof-types", pprof_types},
    {"otlp-functions", otlp_functions},
    {"otlp-mappings", otlp_mappings},
    {"otlp-unit", otlp_unit},
    {"pprof-unit", pprof_unit},
    {"rows-old", rows_old},
    {"rows-types", rows_types},
    {"rows-sources", rows_sources},
    {"rows-alike", rows_alike},
    {"rows-functions", rows_functions},
    {"rows-blank", rows_blank},
    {"folded-lines", folded_lines},
    {"folded-deep", folded_deep},
    {"folded-wide", folded_wide},
    {"rprof-long-file", rprof_long_file},
    {"rprof-functions", rprof_functions},
    {"rprofmem-lines", rprofmem_lines},
    {"perf-samples", perf_samples},
    {"callgrind-name", callgrind_name},
    {"callgrind-totals", callgrind_totals},
    {"pstats-name", pstats_name},
    {"xctrace-references", xctrace_references},
    {"xdebug-name", xdebug_name},
    {"xdebug-runs", xdebug_runs},
    {"speedscope-deep", speedscope_deep},
    {"speedscope-tips", speedscope_tips},
    {"speedscope-empty", speedscope_empty},
    {"speedscope-profiles", speedscope_profiles},
    {"cpuprofile-deep", cpuprofile_deep},
    {"perun-square", perun_square},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 3 && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(argv[1], kinds[i].name) == 0) {
            kinds[i].write(strtoull(argv[2], NULL, 10));
            return fflush(stdout) != 0;
        }
    return 2;
}
