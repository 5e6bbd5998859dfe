#include "compare/operations.h"

#include "base/mem.h"
#include "compare/admit.h"
#include "rows/text.h"
#include "run/run.h"

/* --- results --- */

/* The stage that takes results. */
struct taker {
    struct sink sink;
    struct operations *to;
};

static void take_row(struct sink *from, struct row *row)
{
    struct operations *o = ((struct taker *)from)->to;
    struct buf file = {0};
    if (row->table != TABLE_SOURCES)
        return;
    text_unescape(&file, row->source.source_uri);
    o->results = mem_array(o->results, &o->capacity, o->count + 1, sizeof *o->results);
    o->results[o->count++] =
        (struct operations_result){.file = intern_add(&o->files, buf_str(&file), NULL)};
    buf_free(&file);
}

static void take_sample(struct sink *from, struct sample *sample)
{
    struct operations *o = ((struct taker *)from)->to;
    struct operations_result *result = &o->results[sample->source_id - 1];
    for (size_t i = 0; i < sample->value_count; i++) {
        const struct value_type *type = value_types_get(&from->flow->types, sample->values[i].type);
        if (!str_equal(type->type, STR("operations")))
            continue;
        if (result->count > 0)
            die_at(sample_place(sample, from->flow->where, i),
                   "--per-op-from: this run has results of several benchmarks; a profile is of "
                   "one" HINT "go test -bench='^BenchmarkName$'");
        result->count = decimal_to_double(sample_value_exact(&sample->values[i]));
    }
}

static void open_taker(void *state, struct flow *flow, const void *options, struct out *out)
{
    (void)out;
    *(struct taker *)state = (struct taker){.sink = {flow, take_row, take_sample},
                                            .to = *(struct operations *const *)options};
}

void operations_read(struct operations *o, const char *file, const struct read_request *read)
{
    static const struct stage stage = {.takes = STAGE_TAKES_MERGED,
                                       .leaves_rows = true,
                                       .state_size = sizeof(struct taker),
                                       .open = open_taker};
    const struct feed_request request = {.read = *read};
    struct inputs *inputs = inputs_of_none();
    inputs_put_first(inputs, file);
    run_stage(&stage, &o, inputs, &request, NULL);
    inputs_free(inputs);
    for (size_t i = 0; i < o->count; i++)
        if (!(o->results[i].count > 0))
            die(CODE_NO_SUCH_TYPE,
                "--per-op-from: result %zu of %s does not say how many operations it is of" HINT
                "results of benchmarks do, see bench2ndjson(1)",
                i + 1, file);
}

/* --- runs --- */

/* Whether the file RESULTS, such as "a-1.txt", is called as RUN is, such as "a-1.pb.gz": as one but
 * for its last ending, as the other but for any. */
static bool is_called(struct str run, struct str results)
{
    size_t n = results.n;
    while (n > 0 && results.p[n - 1] != '.' && results.p[n - 1] != '/')
        n--;
    n = n == 0 || results.p[n - 1] == '/' ? results.n : n - 1;
    const struct str rest = {run.p + n, run.n - n};
    return n < run.n && memcmp(run.p, results.p, n) == 0 && rest.p[0] == '.' &&
           memchr(rest.p, '/', rest.n) == NULL;
}

static struct str file_of(const struct sides *s, size_t run)
{
    return s->collect.profile.sources[s->runs[run].source - 1].uri;
}

/* Sets FILES, by run, to the number of the file of results that is called as it is; 0: none.
 * Returns how many runs have one; 0 if two runs have the same, or one run has two. */
static size_t find_names(const struct operations *o, const struct sides *s, uint32_t *files)
{
    size_t found = 0;
    bool *is_taken = mem_alloc_zeroed(o->files.count + 1);
    bool is_clear = true;
    for (size_t run = 0; run < sides_known(s); run++)
        for (uint32_t file = 1; file <= o->files.count; file++) {
            if (!is_called(file_of(s, run), intern_get(&o->files, file)))
                continue;
            is_clear &= files[run] == 0 && !is_taken[file];
            files[run] = file;
            is_taken[file] = true;
            found++;
        }
    mem_free(is_taken);
    return is_clear ? found : 0;
}

/* Ends the tool: FILES of only some runs are known. */
static _Noreturn void die_partly(const struct sides *s, const uint32_t *files)
{
    struct buf names[2] = {{0}, {0}};
    for (size_t run = sides_known(s); run-- > 0;) {
        names[files[run] != 0].n = 0;
        text_escape(&names[files[run] != 0], file_of(s, run));
    }
    die(CODE_BAD_OPERANDS,
        "--per-op-from: a file of results is called as \"%.*s\", none as \"%.*s\"",
        STR_ARG(buf_str(&names[1])), STR_ARG(buf_str(&names[0])));
}

double *operations_of_runs(const struct operations *o, const struct sides *s)
{
    const size_t run_count = sides_known(s);
    double *counts = mem_alloc_zeroed((run_count + 1) * sizeof *counts);
    uint32_t *files = mem_alloc_zeroed((run_count + 1) * sizeof *files);
    const size_t found = find_names(o, s, files);
    if (found > 0 && found < run_count)
        die_partly(s, files);
    if (found == 0 && o->count != run_count)
        die(CODE_BAD_OPERANDS,
            "--per-op-from: expected as many results as runs, found %zu and %zu" HINT
            "or a file of results for each run, called alike: a-1.txt for a-1.pb.gz",
            o->count, run_count);
    for (size_t run = 0; run < run_count; run++)
        for (size_t i = 0; i < o->count; i++)
            if (found == 0 ? i == run : o->results[i].file == files[run])
                counts[run] += o->results[i].count;
    mem_free(files);
    return counts;
}

void operations_free(struct operations *o)
{
    intern_free(&o->files);
    mem_free(o->results);
}
