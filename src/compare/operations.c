#include "compare/operations.h"

#include "base/mem.h"
#include "feed/run.h"
#include "profile/naming.h"
#include "rows/text.h"

/* --- results --- */

/* The stage that takes results. */
struct taker {
    struct sink sink;
    struct operations *to;
};

/* The name FILE up to its last '.', if it has one in its last part. */
static struct str without_ending(struct str file)
{
    size_t n = file.n;
    while (n > 0 && file.p[n - 1] != '.' && file.p[n - 1] != '/')
        n--;
    return n == 0 || file.p[n - 1] == '/' ? file : (struct str){file.p, n - 1};
}

static void take_row(struct sink *from, struct row *row)
{
    struct operations *o = ((struct taker *)from)->to;
    struct buf file = {0};
    if (row->table != TABLE_SOURCES)
        return;
    text_unescape(&file, row->source.source_uri);
    o->results = mem_array(o->results, &o->capacity, o->count + 1, sizeof *o->results);
    o->results[o->count++] = (struct operations_result){
        .name = intern_add(&o->names, without_ending(buf_str(&file)), NULL)};
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

static struct str file_of(const struct sides *s, size_t run)
{
    return s->collect.profile.sources[s->runs[run].source - 1].uri;
}

/* The number of the longest name that FILE, such as "a-1.pb.gz", has without some of its endings;
 * 0: none. */
static uint32_t find_name(const struct intern *names, struct str file)
{
    uint32_t found = 0;
    for (size_t n = file.n; n > 0 && file.p[n - 1] != '/' && found == 0; n--)
        if (file.p[n - 1] == '.')
            found = intern_find(names, (struct str){file.p, n - 1});
    return found;
}

/* Sets NAMES, by run, to the number of the name among KNOWN that its file has, without its folder
 * if ARE_PARTS; 0: none. Returns how many runs have one; 0 if two runs have the same. */
static size_t find_among(const struct intern *known, const struct sides *s, bool are_parts,
                         uint32_t *names)
{
    size_t found = 0;
    bool *is_taken = mem_alloc_zeroed((size_t)known->count + 1);
    bool is_clear = true;
    for (size_t run = 0; run < sides_known(s); run++) {
        const struct str file = file_of(s, run);
        names[run] = find_name(known, are_parts ? naming_base_name(file) : file);
        is_clear &= names[run] == 0 || !is_taken[names[run]];
        is_taken[names[run]] = true;
        found += names[run] != 0;
    }
    mem_free(is_taken);
    return is_clear ? found : 0;
}

/* Sets NAMES, by run, to the number of the name that its file and one of results have, in whatever
 * folder if that is clear; 0: none. Returns how many runs have one. */
static size_t find_names(const struct operations *o, const struct sides *s, uint32_t *names)
{
    const size_t found = find_among(&o->names, s, false, names);
    struct intern parts = {0};
    if (found > 0 || sides_known(s) == 0)
        return found;
    for (uint32_t i = 1; i <= o->names.count; i++)
        intern_add(&parts, naming_base_name(intern_get(&o->names, i)), NULL);
    /* with names in two folders it is not clear which are meant */
    const size_t by_part = parts.count == o->names.count ? find_among(&parts, s, true, names) : 0;
    intern_free(&parts);
    return by_part;
}

/* Ends the tool: only some runs have NAMES. */
static _Noreturn void die_partly(const struct sides *s, const uint32_t *names)
{
    struct buf files[2] = {{0}, {0}};
    for (size_t run = sides_known(s); run-- > 0;) {
        files[names[run] != 0].n = 0;
        text_escape(&files[names[run] != 0], file_of(s, run));
    }
    die(CODE_BAD_OPERANDS,
        "--per-op-from: a file of results is called as \"%.*s\", none as \"%.*s\"",
        STR_ARG(buf_str(&files[1])), STR_ARG(buf_str(&files[0])));
}

double *operations_of_runs(const struct operations *o, const struct sides *s)
{
    const size_t run_count = sides_known(s);
    double *counts = mem_alloc_zeroed((run_count + 1) * sizeof *counts);
    double *sums = mem_alloc_zeroed(((size_t)o->names.count + 1) * sizeof *sums);
    uint32_t *names = mem_alloc_zeroed((run_count + 1) * sizeof *names);
    const size_t found = find_names(o, s, names);
    if (found > 0 && found < run_count)
        die_partly(s, names);
    if (found == 0 && o->count != run_count)
        die(CODE_BAD_OPERANDS,
            "--per-op-from: expected as many results as runs, found %zu and %zu" HINT
            "or a file of results for each run, called alike: a-1.txt for a-1.pb.gz",
            o->count, run_count);
    if (found == 0 && o->count > 1 && o->names.count == o->count)
        warn(CODE_GUESSED, "--per-op-from: results are those of the runs in their order: no files "
                           "are called alike");
    for (size_t i = 0; i < o->count; i++)
        sums[o->results[i].name] += o->results[i].count;
    for (size_t run = 0; run < run_count; run++)
        counts[run] = found == 0 ? o->results[run].count : sums[names[run]];
    mem_free(sums);
    mem_free(names);
    return counts;
}

void operations_free(struct operations *o)
{
    intern_free(&o->names);
    mem_free(o->results);
}
