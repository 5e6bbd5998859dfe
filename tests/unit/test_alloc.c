/* The allocations of every stage, each refused once: the tool says so with status 3, and nothing that it has written
 * looks whole. With PROFPIPE_LONG in the environment all of them, also where they are many; with PROFPIPE_QUICK
 * a third. */
#include "base/buf.h"
#include "job.h"
#include "model/model.h"
#include "tap.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

/* Whether what STAGE wrote before it died could be taken for the WHOLE output. */
static bool looks_whole(const struct job *job, struct str whole)
{
    struct str out = buf_str(&job->out);
    if (job->write == NULL) /* or else in gzip */
        return out.n == whole.n ||
               memmem(out.p, out.n, STR("\".end\"").p, STR("\".end\"").n) != NULL;
    struct str plain = gunzipped(out);
    str_free(plain);
    return plain.p != NULL;
}

/* SQLite does without some of what it asks for. */
static bool does_without(const struct job *job, struct str whole)
{
    return job->uses_sqlite && str_equal(buf_str(&job->out), whole);
}

static bool takes_all, takes_few;

static void test_stage(const char *name, void (*stage)(void *), struct job model)
{
    struct job job = model;
    ok(survive(stage, &job) == STATUS_OK, "%s: %s", name, said.message);
    struct str whole = str_copy(buf_str(&job.out));
    uint64_t count = survive_allocations;
    tidy();
    /* SQLite has thousands, for tables alone. A sanitizer sees what is wrong with memory in any of them, and each try takes
     * ten times as long. */
#ifdef __SANITIZE_ADDRESS__
    enum { STEP = 3, SQLITE_STEP = 41, LAST = 100 };
#else
    enum { STEP = 1, SQLITE_STEP = 29, LAST = 200 };
#endif
    size_t wrong = 0;
    uint64_t step = 1;
    for (uint64_t n = 1; n <= count && wrong < 5; n += step) {
        step = takes_all ? 1 : !job.uses_sqlite ? STEP : n + LAST < count ? SQLITE_STEP : 1;
        if (takes_few)
            step *= 3;
        job = model;
        survive_refuse = n;
        enum status status = survive(stage, &job);
        if (status == STATUS_OK && does_without(&job, whole)) {
            tidy();
            continue;
        }
        wrong += !each(status == STATUS_SYSTEM, "%s: allocation %" PRIu64 ": status %d, \"%s\"",
                       name, n, (int)status, said.message);
        wrong += !each(!looks_whole(&job, whole),
                       "%s: allocation %" PRIu64 ": the output looks whole", name, n);
        tidy();
    }
    ok(wrong == 0, "%s: %s %" PRIu64 " allocations refused", name,
       takes_all || (!job.uses_sqlite && STEP == 1 && !takes_few) ? "each of" : "some of", count);
    str_free(whole);
}

/* Rows that only jansson takes, with what the samples have not: labels, gauges, doubles. */
static const char slow_rows[] =
    "{ \"value\":\"2.0\", \"key\":\"version\", \"table\":\"meta\", \".note\":\"x\" }\n"
    "{\"table\":\"sources\",\"source_id\":5,\"source_type\":\"t\",\"source_uri\":\"a\\u0041\","
    "\"source_timestamp\":1.5,\".value_types\":[ {\"type\":\"g\",\"unit\":\"u\",\"gauge\":true} "
    "]}\n"
    "{\"table\":\"functions\",\"function_id\":1,\"name\":\"\\u00e4\",\"system_name\":\"b\","
    "\"filename\":\"\",\"start_line\":0 }\n"
    "{\"table\":\"locations\",\"location_id\":1000000,\"function_id\":1,\"line\":null }\n"
    "{\"table\":\"samples\",\"sample_id\":1,\"source_id\":5,\".labels\":[ "
    "{\"key\":\"k\",\"str\":\"v\""
    "},{\"key\":\"n\",\"num\":1,\"unit\":\"u\"}] }\n"
    "{\"table\":\"sample_values\",\"sample_id\":1,\"type\":\"g\",\"unit\":\"u\",\"value\":2.5}\n"
    "{\"table\":\"sample_values\",\"sample_id\":1,\"type\":\"h\",\"unit\":\"u\",\"value\":2.5 }\n"
    "{\"table\":\"sample_locations\",\"sample_id\":1,\"depth\":1,\"location_id\":1000000 }\n"
    "{\"table\":\".other\",\"sample_id\":1,\"a\":[ 1 ]}\n";

#define LATIN1                                                                                     \
    &(struct rprof_read_options)                                                                   \
    {                                                                                              \
        "ISO-8859-1"                                                                               \
    }
#define PPROF(...)                                                                                 \
    &(struct pprof_write_options)                                                                  \
    {                                                                                              \
        .level = 6, __VA_ARGS__                                                                    \
    }

/* Steps of each kind that holds something in memory. */
static struct select_request steps[] = {
    {SELECT_LABEL, "k=v|1"}, {SELECT_HIDE, "line:[13]$"},  {SELECT_TYPE, "h"},
    {SELECT_SOURCE, "*"},    {SELECT_TRIM_LEAF, "1"},      {SELECT_THIN, "1/3"},
    {SELECT_SAMPLES, "1:9"}, {SELECT_IGNORE, "file:none"},
};
#define STEPS(from, n)                                                                             \
    &(struct select_options)                                                                       \
    {                                                                                              \
        .requests = steps + (from), .count = (n)                                                   \
    }

static void test_sample(const struct sample_file *sample)
{
    char name[128];
    struct str packed = gzipped(sample->text);
    snprintf(name, sizeof name, "rprof2ndjson %s", sample->name);
    test_stage(name, job_rprof, (struct job){.input = sample->text});
    snprintf(name, sizeof name, "rprof2ndjson --from-code %s.gz", sample->name);
    test_stage(name, job_rprof, (struct job){.input = packed, .read.options = LATIN1});
    snprintf(name, sizeof name, "profcat %s", sample->name);
    test_stage(name, job_profcat, (struct job){.input = sample->rows});
    snprintf(name, sizeof name, "prof2to1 %s", sample->name);
    test_stage(name, job_prof2to1, (struct job){.input = sample->rows});
    snprintf(name, sizeof name, "profsort %s", sample->name);
    test_stage(name, job_profsort, (struct job){.input = sample->rows});
    snprintf(name, sizeof name, "profvalidate --pass %s", sample->name);
    test_stage(name, job_profvalidate, (struct job){.input = sample->rows});
    struct job job = {.input = sample->rows};
    struct str old = job_result(job_prof2to1, &job);
    snprintf(name, sizeof name, "prof1to2 %s", sample->name);
    test_stage(name, job_prof1to2, (struct job){.input = old});
    str_free(old);
    snprintf(name, sizeof name, "ndjson2rprof %s", sample->name);
    test_stage(name, job_to_rprof, (struct job){.input = sample->rows});
    snprintf(name, sizeof name, "ndjson2pprof %s", sample->name);
    test_stage(name, job_pprof, (struct job){.input = sample->rows, .write = PPROF()});
    snprintf(name, sizeof name, "ndjson2pprof --no-aggregate %s", sample->name);
    test_stage(name, job_pprof, (struct job){.input = sample->rows, .write = PPROF(.each = true)});
    snprintf(name, sizeof name, "ndjson2pprof --canonical %s", sample->name);
    test_stage(name, job_pprof,
               (struct job){.input = sample->rows, .write = PPROF(.canonical = true)});
    str_free(packed);
}

static void test_pprof(const struct sample_file *sample)
{
    char name[128];
    struct str packed = gzipped(sample->text);
    snprintf(name, sizeof name, "pprof2ndjson %s", sample->name);
    test_stage(name, job_from_pprof, (struct job){.input = packed, .block = 100});
    snprintf(name, sizeof name, "profcat %s", sample->name);
    test_stage(name, job_profcat, (struct job){.input = sample->rows});
    snprintf(name, sizeof name, "prof2to1 %s", sample->name);
    test_stage(name, job_prof2to1, (struct job){.input = sample->rows});
    snprintf(name, sizeof name, "profsort %s", sample->name);
    test_stage(name, job_profsort, (struct job){.input = sample->rows});
    snprintf(name, sizeof name, "profvalidate --pass %s", sample->name);
    test_stage(name, job_profvalidate, (struct job){.input = sample->rows});
    snprintf(name, sizeof name, "proffilter %s", sample->name);
    test_stage(name, job_proffilter, (struct job){.input = sample->rows, .select = STEPS(1, 1)});
    snprintf(name, sizeof name, "ndjson2rprof %s", sample->name);
    if (strcmp(sample->name, "everything") != 0) /* whose counts no text could hold */
        test_stage(name, job_to_rprof, (struct job){.input = sample->rows});
    snprintf(name, sizeof name, "ndjson2pprof --no-aggregate %s", sample->name);
    test_stage(name, job_pprof, (struct job){.input = sample->rows, .write = PPROF(.each = true)});
    snprintf(name, sizeof name, "ndjson2pprof --canonical --label-source %s", sample->name);
    test_stage(name, job_pprof,
               (struct job){.input = sample->rows,
                            .write = PPROF(.canonical = true, .source_key = "input")});
    str_free(packed);
}

/* --- databases --- */

static sqlite3_mem_methods sqlite_memory;

static void *alloc_for_sqlite(int size)
{
    return survive_refuses() ? NULL : sqlite_memory.xMalloc(size);
}

static void *resize_for_sqlite(void *block, int size)
{
    return survive_refuses() ? NULL : sqlite_memory.xRealloc(block, size);
}

/* A database whose text is not as we have it, so that SQLite converts all of it. */
static void test_utf_16(void)
{
    sqlite3 *db;
    sqlite3_int64 size;
    struct buf sql = {0};
    buf_add(&sql, STR("PRAGMA encoding = 'UTF-16';"));
    model_add_sql(&sql, true);
    buf_add(&sql, STR("INSERT INTO meta VALUES ('version', '2.0', NULL);"
                      "INSERT INTO sources VALUES (1, 't', 'u', 1.5, NULL);"
                      "INSERT INTO functions VALUES (1, 'f', 'g', 'h', 2, '{\".x\":1}');"));
    buf_add(&sql, (struct str){"", 1});
    sqlite3_open(":memory:", &db);
    int code = sqlite3_exec(db, sql.p, NULL, NULL, NULL);
    ok(code == SQLITE_OK, "a database in UTF-16: %s", sqlite3_errmsg(db));
    buf_free(&sql);
    unsigned char *image = sqlite3_serialize(db, "main", &size, 0);
    test_stage("sqlite2ndjson, UTF-16", job_sqlite,
               (struct job){.input = {(char *)image, (size_t)size}, .uses_sqlite = true});
    sqlite3_free(image);
    sqlite3_close(db);
}

/* Rows to a database, stored in each way, and back; what SQLite allocates may be refused, too. */
static void test_sqlite(struct str rows)
{
    sqlite3_config(SQLITE_CONFIG_GETMALLOC, &sqlite_memory);
    sqlite3_mem_methods refusing = sqlite_memory;
    refusing.xMalloc = alloc_for_sqlite;
    refusing.xRealloc = resize_for_sqlite;
    sqlite3_config(SQLITE_CONFIG_MALLOC, &refusing);
    for (int plain = 0; plain < 2; plain++) {
        struct job job = {.input = rows,
                          .sqlite = &(struct sqlite_write_options){.plain = plain},
                          .uses_sqlite = true};
        struct str database = job_result(job_to_sqlite, &job);
        test_stage(plain ? "ndjson2sqlite --plain" : "ndjson2sqlite", job_to_sqlite, job);
        test_stage(plain ? "sqlite2ndjson, plain" : "sqlite2ndjson", job_sqlite,
                   (struct job){.input = database, .uses_sqlite = true});
        str_free(database);
    }
    test_utf_16();
}

/* The rows of the sample NAME of pprof. */
static struct str pprof_rows(const char *name)
{
    size_t count;
    const struct sample_file *all = pprof_samples(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i].name, name) == 0)
            return all[i].rows;
    return (struct str){NULL, 0};
}

/* Each way that profagg adds up. */
static void test_profagg(struct str rows)
{
    struct agg_scale scales[] = {
        {.type = STR("alloc"), .factor = {wide_of(15), -1}},
        {.type = STR("none"), .factor = {wide_of(1), 0}},
    };
    static struct str keys[] = {STR("k")}, source_and_type[] = {STR("source"), STR("type")};
    const struct agg_keys one = {keys, 1, 1};
    const struct agg_options ways[] = {
        {.by = NULL},
        {.consecutive = true, .gauge = "mean"},
        {.across_sources = true, .drops_labels = true},
        {.gauge = "max", .drops_labels = true, .dropped = one},
        {.roots = one, .leaves = {source_and_type, 2, 2}},
        {.by = "line", .drops_inlined = true, .leaves = one},
        {.scales = scales, .scale_count = 2},
        {.by = "function"},
        {.by = "line", .gauge = "last"},
        {.by = "file", .across_sources = true},
        {.by = "mapping"},
        {.by = "source", .consecutive = true},
        {.by = "group"},
        {.normalizes = true},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char name[64];
        snprintf(name, sizeof name, "profagg, way %zu", i);
        test_stage(name, job_profagg, (struct job){.input = rows, .agg = &ways[i]});
    }
}

/* Rules of each kind, on rows that some of them match. */
static void test_rules(struct str rows)
{
    const struct str rules =
        STR("name\t(.)$\t\\1&\nfile\t^\t/x\nmapping\t[a-z]\t\ngroup\tf\tgroup &\n"
            "group\tline:#\t\n");
    test_stage("proffilter --rules", job_proffilter, (struct job){.input = rows, .rules = rules});
    test_stage("profsum --rules", job_profsum,
               (struct job){.input = rows,
                            .rules = rules,
                            .summary = &(struct summary_options){.by = "group"}});
}

/* Three runs of "g" called by "f", and of what FUNC calls. */
#define RUN(more) "sample.interval=20000\n\"g\" \"f\" \n\"f\" \n" more
#define RUNS(func)                                                                                 \
    RUN("") RUN("\"g\" \"f\" \n\"" func "\" \"f\" \n") RUN("\"" func "\" \"f\" \n\"f\" \n")

/* Each way that profdiff compares, of three runs with other ones, one of whose functions is renamed, and with what it
 * looks for. */
static void test_profdiff(struct str rows)
{
#define GATES(...)                                                                                 \
    {                                                                                              \
        .items = (const char *[]){__VA_ARGS__}, .count = 2                                         \
    }
    const struct compare_options ways[] = {
        {.base_count = 1},
        {.base_count = 1, .measure = "cost", .per_op = "3", .format = "markdown"},
        {.base_count = 1, .by = "line", .own = "a", .sort = "total", .format = "csv", .max = "2"},
        {.base_count = 1,
         .fail_if = GATES("self(f) > 0 % and significant", "total > 1 points"),
         .format = "json"},
        {.base_count = 1, .fail_if = GATES("cost > 0 %", "self(x) > 0 %"), .by = "label:k"},
        {.base_count = 1, .no_pairs = true, .normalize = true, .format = "tsv"},
        {.base_count = 1, .rows = true},
        {.base_count = 1, .rows = true, .normalize = true},
    };
    struct job job = {.input = STR(RUNS("m.func1")), .other = STR(RUNS("m.func2"))};
    struct str three = job_result(job_rprof, &job);
    job.input = job.other;
    struct str other = job_result(job_rprof, &job);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char name[64];
        struct compare_options way = ways[i];
        snprintf(name, sizeof name, "profdiff, way %zu", i);
        test_stage(name, job_profdiff,
                   (struct job){.input = three, .other = other, .compare = &way});
        if (way.fail_if.count == 0) /* which rows of one run cannot be asked */
            test_stage(name, job_profdiff, (struct job){.input = rows, .compare = &way});
    }
    str_free(three);
    str_free(other);
}

int main(void)
{
    size_t count;
    char folder[] = "/tmp/test_alloc.XXXXXX"; /* for temporary files */
    setenv("TMPDIR", mkdtemp(folder), 1);
    const char *variable = getenv("PROFPIPE_LONG");
    takes_all = variable != NULL && *variable != '\0';
    variable = getenv("PROFPIPE_QUICK");
    takes_few = !takes_all && variable != NULL && *variable != '\0';
    test_sqlite((struct str){slow_rows, sizeof slow_rows - 1});
    const struct sample_file *all = samples(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i].name, "latin1.out") == 0 || strcmp(all[i].name, "everything.out") == 0)
            test_sample(&all[i]);
    all = pprof_samples(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i].name, "go-inline.pb.gz") == 0 || strcmp(all[i].name, "everything") == 0 ||
            strcmp(all[i].name, "unknown") == 0)
            test_pprof(&all[i]);
    test_stage("rprofmem2ndjson", job_rprofmem,
               (struct job){.input = STR("48 :\"g\" \"two\nlines\" \r\nnew page:new page:\"g\" \n"),
                            .read = {.options = LATIN1, .source_uri = "\xff"}});
    static const struct str stacks = STR("b;c d_[k];e_[i] 1 2\na \xff;b 0 3\nb;c 2 4\n");
    test_stage("folded2ndjson, two columns", job_folded,
               (struct job){.input = stacks, .read = {.source_uri = "\xff"}});
    test_stage(
        "folded2ndjson --columns=1 --type", job_folded,
        (struct job){.input = stacks, .read.options = &(struct folded_read_options){"t/u", "1"}});
    test_stage("ndjson2folded", job_to_folded, (struct job){.input = stacks});
    test_stage("ndjson2folded --no-aggregate --type", job_to_folded,
               (struct job){.input = stacks,
                            .folded = &(struct folded_write_options){.type = "samples/count",
                                                                     .each = true}});
    static const struct str evented =
        STR("{\"profiles\":[{\"type\":\"evented\",\"name\":\"\\ud800\",\"events\":[{\"type\":\"O\","
            "\"frame\":0,\"at\":1},{\"type\":\"C\",\"frame\":0,\"at\":1.5}]},{\"type\":"
            "\"sampled\",\"weights\":[2,1e-05],\"samples\":[[0],[]],\"profpipe\":{\"source\":1,"
            "\"type\":\"a\",\"unit\":\"b\"}}],\"shared\":{\"frames\":[{\"name\":\"f\\u0000\","
            "\"file\":\"x\",\"line\":3}]},\"name\":\"n\",\"$schema\":"
            "\"https://www.speedscope.app/file-format-schema.json\",\"other\":1}");
    test_stage("speedscope2ndjson", job_speedscope,
               (struct job){.input = evented, .read = {.source_uri = "\xff"}});
    test_stage("ndjson2speedscope", job_to_speedscope, (struct job){.input = evented});
    test_stage("ndjson2speedscope --aggregate", job_to_speedscope,
               (struct job){.input = evented,
                            .speedscope = &(struct speedscope_write_options){.aggregate = true}});
    static const struct str mapped =
        STR("{\"resources\":{\"f\":{\"amount\":[1,\"2\",NaN],\"order\":[1,2]},\"g\":{}},"
            "\"resource_type_map\":{\"f\":{\"uid\":\"f\\u00e9\",\"trace\":[{\"func\":\"\\ud800\","
            "\"m\":1}]},"
            "\"g\":{\"uid\":\"g\"}},\"header\":{\"units\":{}},\"snapshots\":[{\"models\":[1],"
            "\"resources\":[{\"uid\":\"h\",\"amount\":0.5,\"exclusive\":1}]}]}");
    test_stage("perun2ndjson", job_perun,
               (struct job){.input = mapped, .read = {.source_uri = "\xff"}});
    test_stage("ndjson2perun", job_to_perun, (struct job){.input = mapped});
    test_stage("ndjson2perun --cmd=x", job_to_perun,
               (struct job){.input = mapped, .perun = &(struct perun_write_options){.cmd = "x"}});
    static const struct str utf_16 = STR("\xff\xfe"
                                         "a\0;\0b\0 \0\x31\0\n\0");
    test_stage("folded2ndjson, UTF-16", job_folded, (struct job){.input = utf_16});
    static const struct str perf =
        STR("# \xff\n\na b 1/2 [003] K 1.000001: 5 e\xff: x\n\t 12 f\xff+0x1 (inlined)\n"
            "\t 12 g+0x2 (/a b)\n  a.c:3\n\n a 1 1.000002: cycles:      55b56daab1ac g+0x2 (/a)\n");
    test_stage("perf2ndjson", job_perf,
               (struct job){.input = perf, .read = {.source_uri = "\xff"}});
    struct str slow = {slow_rows, sizeof slow_rows - 1};
    test_stage("profcat, rows for jansson", job_profcat, (struct job){.input = slow});
    test_stage("proffilter, rows for jansson", job_proffilter,
               (struct job){.input = slow, .select = STEPS(0, sizeof steps / sizeof *steps)});
    test_stage("ndjson2speedscope, rows for jansson", job_to_speedscope,
               (struct job){.input = slow});
    test_stage("ndjson2perun, rows for jansson", job_to_perun, (struct job){.input = slow});
    test_stage("ndjson2otlp, rows for jansson", job_to_otlp, (struct job){.input = slow});
    test_stage("ndjson2otlp --format=json", job_to_otlp,
               (struct job){.input = slow, .otlp = &(struct otlp_write_options){.is_json = true}});
    test_stage("profsum, rows for jansson", job_profsum, (struct job){.input = slow});
    test_stage("profagg, rows for jansson", job_profagg, (struct job){.input = slow});
    test_profagg(pprof_rows("everything"));
    test_profagg(slow);
    test_rules(pprof_rows("everything"));
    test_rules(slow);
    test_profdiff(slow);
    static const struct summary_options views[] = {
        {.format = "markdown"},
        {.by = "line", .format = "csv"},
        {.by = "label:k", .format = "json", .type = "alloc"},
        {.by = "source", .max = "1"},
        {.by = "mapping", .min_share = "50", .sort = "total"},
        {.nodes = true},
        {.stacks = true, .format = "tsv"},
        {.calls = true, .format = "ndjson"},
        {.hot_paths = true},
        {.profile = true},
        {.samples = true},
        {.samples = true, .format = "json"},
        {.peek = "."},
        {.list = ".", .source_path = "/usr/include"},
        {.hot_paths = true, .format = "tsv"},
    };
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        char name[64];
        snprintf(name, sizeof name, "profsum, view %zu", i);
        test_stage(name, job_profsum,
                   (struct job){.input = pprof_rows("everything"), .summary = &views[i]});
    }
    const struct flame_options pictures[] = {
        {.format = "html", .is_inverted = true, .prune = "0.1"},
        {.format = "svg", .lines = true},
        {.format = "text"},
    };
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        char name[64];
        snprintf(name, sizeof name, "profflame --format=%s", pictures[i].format);
        test_stage(name, job_profflame,
                   (struct job){.input = pprof_rows("everything"), .flame = &pictures[i]});
    }
    test_stage("ndjson2folded, rows for jansson", job_to_folded, (struct job){.input = slow});
    test_stage("ndjson2pprof, rows for jansson", job_pprof,
               (struct job){.input = slow, .write = PPROF()});
    test_stage("ndjson2pprof --types, rows for jansson", job_pprof,
               (struct job){.input = slow, .write = PPROF(.each = true, .types = "h/u")});
    ok(rmdir(folder) == 0, "no temporary file is left");
    return tap_done();
}
