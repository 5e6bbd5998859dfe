#include "job.h"

#include "base/buf.h"
#include "feed/run.h"
#include "filters/filters.h"
#include "filters/profsort.h"
#include "tools/report.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

/* All output is held in memory: inputs may not grow by more bytes. */
enum { MANY = 4 << 20 };

/* What JOB asks of readers. */
static struct read_request reads_of(const struct job *job)
{
    struct read_request read = job->read;
    if (read.max_size == 0)
        read.max_size = MANY;
    return read;
}

static struct in *open_input(const struct job *job)
{
    return in_open_bytes("input", job->input, job->block == 0 ? SIZE_MAX : job->block);
}

static void run_job(struct job *job, const struct stage *stage, const void *options,
                    const struct format *only)
{
    struct inputs *inputs = inputs_of_one(open_input(job), 1);
    struct out *out = out_open_buf(&job->out);
    struct feed_request feeds = {.only = only, .read = reads_of(job)};
    struct rules rules = {0};
    if (job->rules.n > 0) {
        struct in *lines = in_open_bytes("rules", job->rules, SIZE_MAX);
        rules_read(&rules, lines);
        in_close(lines);
        feeds.rules = &rules;
    }
    run_stage(stage, options, inputs, &feeds, out);
    out_close(out);
    inputs_free(inputs);
}

void job_read(void *with)
{
    run_job(with, &filter_pass, NULL, ((struct job *)with)->only);
}

void job_rprof(void *with)
{
    run_job(with, &filter_pass, NULL, &format_rprof);
}

void job_rprofmem(void *with)
{
    run_job(with, &filter_pass, NULL, &format_rprofmem);
}

void job_folded(void *with)
{
    run_job(with, &filter_pass, NULL, &format_folded);
}

void job_perf(void *with)
{
    run_job(with, &filter_pass, NULL, &format_perf);
}

void job_speedscope(void *with)
{
    run_job(with, &filter_pass, NULL, &format_speedscope);
}

void job_perun(void *with)
{
    run_job(with, &filter_pass, NULL, &format_perun);
}

void job_sqlite(void *with)
{
    run_job(with, &filter_pass, NULL, &format_sqlite);
}

void job_from_pprof(void *with)
{
    run_job(with, &filter_pass, NULL, &format_pprof);
}

void job_profcat(void *with)
{
    run_job(with, &filter_cat, NULL, NULL);
}

void job_proffilter(void *with)
{
    run_job(with, &filter_select, ((struct job *)with)->select, NULL);
}

void job_prof1to2(void *with)
{
    run_job(with, &filter_pass, NULL, NULL);
}

void job_prof2to1(void *with)
{
    run_job(with, &filter_2to1, NULL, NULL);
}

void job_profsort(void *with)
{
    struct job *job = with;
    struct inputs *inputs = inputs_of_one(open_input(job), 1);
    struct out *out = out_open_buf(&job->out);
    profsort(inputs, &(struct feed_request){.read = job->read}, 0, out);
    out_close(out);
    inputs_free(inputs);
}

/* What the merge passes on as it is: stacks in which something inlined stands alone, and dotted
 * columns that do not hold what they must. */
static const unsigned passed_on = 1u << RULE_INNER_FIRST | 1u << RULE_INLINED | 1u << RULE_TYPE |
                                  1u << RULE_RANGE | 1u << RULE_COLUMN;

static void run_validate(struct job *job, bool any_order, unsigned unasked)
{
    struct inputs *inputs = inputs_of_one(open_input(job), 1);
    struct out *out = out_open_buf(&job->out);
    struct report report = {.findings = {report_found}, .max = 0, .rules = ~unasked};
    struct validate_request request = {.any_order = any_order, .pass = any_order ? NULL : out};
    validate(inputs, &request, &report.findings, &report.counts);
    report_end(&report);
    out_close(out);
    inputs_free(inputs);
}

void job_profvalidate(void *with)
{
    run_validate(with, false, passed_on);
}

void job_profvalidate_any_order(void *with)
{
    run_validate(with, true, passed_on);
}

void job_profvalidate_all(void *with)
{
    run_validate(with, false, 0);
}

void job_pprof(void *with)
{
    run_job(with, &pprof_writer, ((struct job *)with)->write, NULL);
}

void job_to_rprof(void *with)
{
    run_job(with, &rprof_writer, NULL, NULL);
}

void job_to_folded(void *with)
{
    run_job(with, &folded_writer, ((struct job *)with)->folded, NULL);
}

void job_to_cpuprofile(void *with)
{
    run_job(with, &cpuprofile_writer, NULL, NULL);
}

void job_to_firefox(void *with)
{
    run_job(with, &firefox_writer, NULL, NULL);
}

void job_to_otlp(void *with)
{
    run_job(with, &otlp_writer, ((struct job *)with)->otlp, NULL);
}

void job_to_speedscope(void *with)
{
    run_job(with, &speedscope_writer, ((struct job *)with)->speedscope, NULL);
}

void job_to_perun(void *with)
{
    run_job(with, &perun_writer, ((struct job *)with)->perun, NULL);
}

void job_to_sqlite(void *with)
{
    run_job(with, &sqlite_writer, ((struct job *)with)->sqlite, NULL);
}

void job_profsum(void *with)
{
    run_job(with, &summary_stage, ((struct job *)with)->summary, NULL);
}

void job_profflame(void *with)
{
    static const struct flame_options none;
    const struct flame_options *options = ((struct job *)with)->flame;
    run_job(with, &flame_draw_stage, options == NULL ? &none : options, NULL);
}

void job_profagg(void *with)
{
    run_job(with, &filter_agg, ((struct job *)with)->agg, NULL);
}

/* Makes PATH the name of a file in memory, *FD, that holds BYTES. */
static void name_bytes(char path[64], int *fd, struct str bytes)
{
    if (*fd == 0)
        *fd = memfd_create("input", MFD_CLOEXEC);
    ssize_t wrote = ftruncate(*fd, 0);
    for (size_t n = 0; wrote >= 0 && n < bytes.n; n += (size_t)wrote)
        wrote = pwrite(*fd, bytes.p + n, bytes.n - n, (off_t)n);
    if (wrote < 0)
        die_errno("cannot write", "a file in memory");
    snprintf(path, 64, "/proc/self/fd/%d", *fd);
}

/* Two inputs are two files, as they can be named while they are open. */
void job_profdiff(void *with)
{
    static const struct compare_options none = {.base_count = 1};
    static char names[2][64], *paths[] = {names[0], names[1]};
    static int fds[2];
    struct job *job = with;
    const struct compare_options *options = job->compare == NULL ? &none : job->compare;
    name_bytes(names[0], &fds[0], job->input);
    name_bytes(names[1], &fds[1], job->other.p == NULL ? job->input : job->other);
    struct inputs *inputs = inputs_of(paths, 2, NULL, false);
    struct out *out = out_open_buf(&job->out);
    struct feed_request feeds = {.read = reads_of(job)};
    run_stage(options->rows ? &compare_rows_stage : &compare_stage, options, inputs, &feeds, out);
    out_close(out);
    inputs_free(inputs);
}

struct str job_result(void (*stage)(void *), struct job *job)
{
    enum status status = survive(stage, job);
    if (status != STATUS_OK) {
        printf("Bail out! status %d: %s\n", (int)status, said.message);
        exit(1);
    }
    struct str result = str_copy(buf_str(&job->out));
    job->out = (struct buf){0};
    tidy();
    return result;
}

struct str str_copy(struct str s)
{
    char *copy = malloc(s.n);
    if (s.n != 0)
        memcpy(copy, s.p, s.n);
    return (struct str){copy, s.n};
}

void str_free(struct str s)
{
    free((void *)(uintptr_t)s.p);
}

struct str gzipped(struct str bytes)
{
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)bytes.p, .avail_in = (uInt)bytes.n};
    deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    size_t room = deflateBound(&z, bytes.n);
    unsigned char *packed = malloc(room);
    z.next_out = packed;
    z.avail_out = (uInt)room;
    deflate(&z, Z_FINISH);
    deflateEnd(&z);
    return (struct str){(char *)packed, z.total_out};
}

struct str gunzipped(struct str bytes)
{
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)bytes.p, .avail_in = (uInt)bytes.n};
    inflateInit2(&z, 15 + 16);
    size_t n = 0, room = 1 << 16;
    char *plain = malloc(room);
    int result = Z_OK;
    while (z.avail_in > 0 && (result == Z_OK || result == Z_STREAM_END)) {
        if (result == Z_STREAM_END)
            inflateReset(&z);
        if (n == room)
            plain = realloc(plain, room *= 2);
        z.next_out = (unsigned char *)plain + n;
        z.avail_out = (uInt)(room - n);
        result = inflate(&z, Z_NO_FLUSH);
        n = room - z.avail_out;
        /* all input may be in while output still waits */
        while (result == Z_OK && z.avail_out == 0) {
            plain = realloc(plain, room *= 2);
            z.next_out = (unsigned char *)plain + n;
            z.avail_out = (uInt)(room - n);
            result = inflate(&z, Z_NO_FLUSH);
            n = room - z.avail_out;
        }
    }
    inflateEnd(&z);
    if (result == Z_STREAM_END)
        return (struct str){plain, n};
    free(plain);
    return (struct str){NULL, 0};
}

static struct str read_file(const char *path)
{
    static char buffer[1 << 20];
    FILE *f = fopen(path, "rb");
    size_t n = f == NULL ? 0 : fread(buffer, 1, sizeof buffer, f);
    if (n == 0 || n == sizeof buffer) {
        printf("Bail out! cannot read %s\n", path);
        exit(1);
    }
    fclose(f);
    return str_copy((struct str){buffer, n});
}

static void load(struct sample_file *sample, const char *path, void (*read)(void *))
{
    snprintf(sample->name, sizeof sample->name, "%s", strrchr(path, '/') + 1);
    sample->text = read_file(path);
    struct str plain = gunzipped(sample->text);
    if (plain.p != NULL) {
        str_free(sample->text);
        sample->text = plain;
    }
    struct job job = {.input = sample->text};
    sample->rows = job_result(read, &job);
}

static struct loaded {
    struct sample_file *samples;
    size_t count;
} rprof_loaded, pprof_loaded;

static void unload_one(struct loaded *loaded)
{
    for (size_t i = 0; i < loaded->count; i++) {
        str_free(loaded->samples[i].text);
        str_free(loaded->samples[i].rows);
    }
    free(loaded->samples);
}

static void unload(void)
{
    unload_one(&rprof_loaded);
    unload_one(&pprof_loaded);
}

/* Loads what FOUND has, by READ. */
static void load_all(struct loaded *loaded, glob_t *found, void (*read)(void *))
{
    if (rprof_loaded.samples == NULL && pprof_loaded.samples == NULL)
        atexit(unload);
    loaded->samples = calloc(found->gl_pathc, sizeof *loaded->samples);
    for (; loaded->count < found->gl_pathc; loaded->count++)
        load(&loaded->samples[loaded->count], found->gl_pathv[loaded->count], read);
    globfree(found);
}

static void find(const char *pattern, int flags, glob_t *found)
{
    if (glob(pattern, flags, NULL, found) != 0) {
        printf("Bail out! no samples: %s\n", pattern);
        exit(1);
    }
}

const struct sample_file *samples(size_t *count)
{
    if (rprof_loaded.samples == NULL) {
        glob_t found;
        find(TEST_ROOT "/samples/rprof/*.out", 0, &found);
        load_all(&rprof_loaded, &found, job_rprof);
    }
    *count = rprof_loaded.count;
    return rprof_loaded.samples;
}

const struct sample_file *pprof_samples(size_t *count)
{
    if (pprof_loaded.samples == NULL) {
        glob_t found;
        find(TEST_ROOT "/samples/pprof/*.gz", 0, &found);
        find(TEST_ROOT "/tests/fuzz/corpus/pprof/*", GLOB_APPEND, &found);
        load_all(&pprof_loaded, &found, job_from_pprof);
    }
    *count = pprof_loaded.count;
    return pprof_loaded.samples;
}

uint64_t random_next(uint64_t *state)
{
    uint64_t v = *state += 0x9e3779b97f4a7c15u;
    v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9u;
    v = (v ^ v >> 27) * 0x94d049bb133111ebu;
    return v ^ v >> 31;
}
