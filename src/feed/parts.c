#include "feed/parts.h"

#include "base/ahead.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/thread.h"
#include "feed/part.h"

#include <pthread.h>
#include <sys/stat.h>

/* A run has about so many bytes of files, or more: less is done sooner than a thread is started.  A
 * build that is to try runs of small files sets it to 1. */
#ifndef PARTS_RUN_MIN
#    define PARTS_RUN_MIN (128 << 10)
#endif

/* A round has at most so many files for each thread: what a part keeps for each of its inputs is held until
 * the round ends.  A build that is to try rounds of few files sets it to 2. */
#ifndef PARTS_ROUND_FILES
#    define PARTS_ROUND_FILES 16384
#endif

/* The max number of runs in a round. */
enum { RUNS_MAX = 64 };

struct run {
    struct parts *parts;
    size_t first, count; /* its inputs, by index */
    pthread_t thread;
    bool is_started;
    struct mem_heap *heap; /* of the thread */
    struct part *part;     /* NULL: the main thread has to read the inputs */
    size_t end;            /* the first run that the part does not have */
};

struct parts {
    const struct feed_request *request;
    char **paths;
    size_t number; /* of the first input of the round */
    size_t run_count;
    struct run runs[RUNS_MAX]; /* the first is that of the main thread */
    size_t failed; /* the first run without a part: the parts of later ones are in vain */
};

/* --- which inputs --- */

/* Whether REQUEST can be met by several threads. */
static bool may_divide(const struct feed_request *request, const struct merge *merge)
{
    const struct flow *flow = merge->sink.flow;
    return thread_allowed && thread_readers > 1 && !mem_is_short() && flow->takes_sums &&
           flow->provenance == NULL && request->rules == NULL && request->labels == NULL &&
           !request->unites_addresses && request->expect == NULL && request->manifest == NULL &&
           request->read.max_size == 0 && in_on_read == NULL && diag_catch == NULL &&
           diag_skip == NULL;
}

/* The size of the file PATH; 0 if it is none that a thread may open. */
static uint64_t size_of(const char *path)
{
    struct stat file;
    bool is_file = strcmp(path, "-") != 0 && !in_has_instead(path) && stat(path, &file) == 0 &&
                   S_ISREG(file.st_mode);
    return is_file ? (uint64_t)file.st_size : 0;
}

static size_t runs_max(void)
{
    return thread_readers < RUNS_MAX ? thread_readers : RUNS_MAX;
}

/* Divides the COUNT files, of SIZES with the sum TOTAL, into runs of about equal size. */
static void divide(struct parts *ps, const uint64_t *sizes, size_t count, uint64_t total)
{
    uint64_t max = total / PARTS_RUN_MIN, before = 0;
    size_t runs = runs_max();
    runs = runs < max ? runs : (size_t)max;
    struct run *run = ps->runs;
    for (size_t i = 0; i < count; before += sizes[i], i++) {
        /* a file is where the middle of it is */
        size_t at = runs == 0 ? 0 : (size_t)((before + sizes[i] / 2) / (total / runs + 1));
        if (ps->run_count == 0 || at > run->end) {
            run = &ps->runs[ps->run_count++];
            *run = (struct run){.parts = ps, .first = i, .end = at};
        }
        run->count++;
    }
    for (size_t i = 0; i < ps->run_count; i++)
        ps->runs[i].end = i + 1;
    ps->failed = ps->run_count;
}

/* Finds the runs of the next round of INPUTS; fewer than two: there is nothing to divide. Returns how many
 * inputs the round has: a file that no thread may open is one by itself. 0: all that are left, however many
 * those are. */
static size_t find_runs(struct parts *ps, struct inputs *inputs)
{
    const size_t left = inputs_operands(inputs, &ps->paths), most = runs_max() * PARTS_ROUND_FILES;
    const size_t max = left < most ? left : most;
    uint64_t *sizes = mem_alloc((max + 1) * sizeof *sizes), total = 0;
    size_t n = 0;
    for (; n < max; n++) {
        sizes[n] = size_of(ps->paths[n]);
        if (sizes[n] == 0 || sizes[n] >= UINT64_MAX / 4 - total)
            break;
        total += sizes[n];
    }
    ps->number = inputs_number(inputs) + 1;
    ps->run_count = 0;
    if (n > 1)
        divide(ps, sizes, n, total);
    mem_free(sizes);
    return n > 0 || left == 0 ? n : 1;
}

/* --- a thread --- */

/* Notes that the main thread has to read from RUN on. */
static void fail(struct run *run)
{
    size_t at = (size_t)(run - run->parts->runs), *failed = &run->parts->failed;
    size_t before = __atomic_load_n(failed, __ATOMIC_RELAXED);
    run->part = NULL;
    while (at < before && !__atomic_compare_exchange_n(failed, &before, at, true, __ATOMIC_RELAXED,
                                                       __ATOMIC_RELAXED))
        continue;
}

/* Passes what a reader pushes on, unless it is in vain. */
struct valve {
    struct sink sink;
    struct sink *next;
    struct run *run;
};

static void check(const struct valve *v)
{
    const struct run *run = v->run;
    if (__atomic_load_n(&run->parts->failed, __ATOMIC_RELAXED) < (size_t)(run - run->parts->runs))
        diag_main_only();
}

static void pass_row(struct sink *to, struct row *row)
{
    struct valve *v = (struct valve *)to;
    check(v);
    sink_row(v->next, row);
}

static void pass_sample(struct sink *to, struct sample *sample)
{
    struct valve *v = (struct valve *)to;
    check(v);
    sink_sample(v->next, sample);
}

static void read_run(struct run *run)
{
    struct parts *ps = run->parts;
    struct inputs *inputs = inputs_run(ps->paths + run->first, run->count, ps->number + run->first);
    struct part *part = part_open();
    struct sink *sink = part_sink(part);
    struct valve valve = {{sink->flow, pass_row, pass_sample}, sink, run};
    part_enter(part);
    feed(inputs, ps->request, &valve.sink);
    part_finish(part);
    inputs_free(inputs);
    run->part = part;
}

/* Waits for the runs that this one is to be united with, and adds their parts: the run at a
 * multiple of 2, 4, ... beyond the first gets the next 1, 2, ... */
static void unite(struct run *run)
{
    struct parts *ps = run->parts;
    size_t at = (size_t)(run - ps->runs) - 1;
    for (size_t step = 1; at % (2 * step) == 0 && at + step + 1 < ps->run_count; step *= 2) {
        struct run *other = run + step;
        if (other->is_started)
            pthread_join(other->thread, NULL);
        other->is_started = false;
        if (run->part == NULL || run->end != (size_t)(other - ps->runs) || other->part == NULL)
            continue;
        struct part *whole = run->part;
        run->part = NULL; /* until it is whole again */
        part_push_into(other->part, whole);
        part_finish(whole);
        part_free(other->part);
        run->part = whole;
        run->end = other->end;
        other->part = NULL;
    }
}

static void *work(void *with)
{
    struct run *run = with;
    jmp_buf left;
    mem_heap_use(run->heap);
    diag_leave = &left;
    if (setjmp(left) == 0)
        read_run(run);
    else
        fail(run);
    if (setjmp(left) == 0)
        unite(run);
    else
        fail(run);
    return NULL;
}

/* --- the main thread --- */

/* Starts the threads; those that others wait for come first. */
static void start(struct parts *ps)
{
    for (size_t i = ps->run_count; i-- > 1;) {
        struct run *run = &ps->runs[i];
        run->heap = mem_heap_open();
        run->is_started = run->heap != NULL && thread_start(&run->thread, work, run);
        if (!run->is_started)
            fail(run);
    }
}

/* Waits for the threads, and frees what those have that have failed, or come after one that has;
 * the memory of other parts becomes ours. */
static void join(struct parts *ps)
{
    for (size_t i = 1; i < ps->run_count; i++)
        if (ps->runs[i].is_started)
            pthread_join(ps->runs[i].thread, NULL);
    size_t next = 1; /* the next run that is in no part yet */
    for (size_t i = 1; i < ps->run_count; i++) {
        struct run *run = &ps->runs[i];
        if (i == next && run->part != NULL) {
            next = run->end;
            mem_heap_join(run->heap);
        } else {
            run->part = NULL;
            if (run->heap != NULL)
                mem_heap_drop(run->heap);
        }
    }
}

/* Pushes the parts to MERGE; returns how many inputs they have. */
static size_t push(struct parts *ps, struct merge *merge)
{
    size_t count = 0;
    for (size_t i = 1; i < ps->run_count && ps->runs[i].part != NULL; i = ps->runs[i].end) {
        for (size_t j = i; j < ps->runs[i].end; j++)
            count += ps->runs[j].count;
        part_push(ps->runs[i].part, merge);
        part_free(ps->runs[i].part);
    }
    return count;
}

/* Feeds the inputs of a round, of which all but those of the first run have been put off: REST. */
static void feed_round(struct parts *ps, struct inputs *inputs, struct merge *merge, size_t rest)
{
    hash_seed();
    ahead_pause(true);
    start(ps);
    feed(inputs, ps->request, &merge->sink);
    join(ps);
    ahead_pause(false);
    size_t done = push(ps, merge);
    inputs_skip(inputs, done);
    inputs_resume(inputs, rest - done);
    if (done < rest)
        feed(inputs, ps->request, &merge->sink);
}

void parts_feed(struct inputs *inputs, const struct feed_request *request, struct merge *merge)
{
    struct parts *ps = mem_alloc_zeroed(sizeof *ps);
    size_t later;
    ps->request = request;
    do {
        size_t count = may_divide(request, merge) ? find_runs(ps, inputs) : 0;
        later = count == 0 ? 0 : inputs_put_off(inputs, count);
        if (ps->run_count < 2)
            feed(inputs, request, &merge->sink);
        else
            feed_round(ps, inputs, merge, inputs_put_off(inputs, ps->runs[0].count));
        inputs_resume(inputs, later);
        ps->run_count = 0;
    } while (later > 0);
    mem_free(ps);
}
