/* Distinct stacks and their sums, against the list of what was added. */
#include "base/mem.h"
#include "job.h"
#include "profile/stacks.h"
#include "tap.h"

enum { STACKS = 3000, ADDED = 60000, COLUMNS = 12 };

/* A stack, all of whose frames follow from these, and the sums of what was added to it. */
struct model {
    uint32_t labels, first, step;
    size_t depth;
    uint32_t place; /* in order of appearance, from 1; 0: not there yet */
    struct wide sums[COLUMNS];
};

/* The frames of M, until tidy(). */
static const uint32_t *frames_of(const struct model *m)
{
    uint32_t *frames = mem_alloc((m->depth + 1) * sizeof *frames);
    for (size_t i = 0; i < m->depth; i++)
        frames[i] = m->first + (uint32_t)i * m->step;
    return frames;
}

/* Models that differ in little: in one of labels, depth, and the numbers of frames, of 1 to 4 bytes. */
static void make_models(struct model *models)
{
    static const uint32_t firsts[] = {0,       1,         255, 256, 65535, 65536, (1 << 24) - 1,
                                      1 << 24, UINT32_MAX};
    enum { FIRSTS = sizeof firsts / sizeof *firsts };
    for (uint32_t i = 0; i < STACKS; i++)
        models[i] = (struct model){
            .first = firsts[i % FIRSTS],
            .labels = i / FIRSTS % 4 * 70000,
            .depth = i / FIRSTS / 4,
            .step = 1,
        };
    for (uint32_t i = 0; i < 4 * FIRSTS; i++) /* so far they were alike: without frames */
        models[i].depth = 1000 + i;
}

/* Gives the stack of M a sample of its own values. */
static void add(struct stacks *t, struct model *m, uint64_t *state)
{
    struct sums_part parts[4];
    size_t count = random_next(state) % 5;
    for (size_t i = 0; i < count; i++) {
        uint64_t n = random_next(state);
        parts[i] = (struct sums_part){
            .column = (uint32_t)(n >> 8) % COLUMNS,
            .n = n % 3 == 0 ? INT64_MAX - (int64_t)(n >> 40) : (int64_t)(n >> 20) - (1 << 20),
        };
        wide_add_to(&m->sums[parts[i].column], parts[i].n);
    }
    const uint32_t *frames = frames_of(m);
    stacks_add(t, m->labels, frames, m->depth, parts, count);
    mem_free((void *)(uintptr_t)frames);
}

/* Whether the stack at PLACE of T is M, and has its sums. */
static bool is_model(const struct stacks *t, stacks_offset place, const struct model *m)
{
    struct stacks_stack stack = stacks_at(t, place);
    const uint32_t *expected = frames_of(m);
    uint32_t *frames = NULL;
    size_t capacity = 0;
    frames = stacks_frames(&stack, frames, &capacity);
    bool good = stack.labels == m->labels && stack.depth == m->depth &&
                memcmp(frames, expected, m->depth * sizeof *frames) == 0;
    struct wide sums[COLUMNS] = {0};
    struct sums_walk walk = {.row = stack.number};
    struct sums_part part;
    while (sums_next(&t->sums, &walk, &part))
        sums[part.column] = wide_add(sums[part.column], sums_value(&part));
    mem_free(frames);
    mem_free((void *)(uintptr_t)expected);
    return good && memcmp(sums, m->sums, sizeof sums) == 0;
}

static void test_models(void)
{
    static struct model models[STACKS];
    static uint32_t order[STACKS]; /* models in order of appearance */
    struct stacks t = {0};
    uint64_t state = 7;
    uint32_t count = 0;
    make_models(models);
    for (int i = 0; i < ADDED; i++) {
        struct model *m = &models[random_next(&state) % STACKS];
        if (m->place == 0) {
            order[count++] = (uint32_t)(m - models);
            m->place = count;
        }
        add(&t, m, &state);
    }
    stacks_finish(&t);
    ok(t.count == count, "%" PRIu32 " distinct stacks of %" PRIu32, t.count, count);
    struct stacks_pass pass = {0};
    stacks_offset place;
    size_t wrong = 0;
    uint32_t seen = 0;
    for (; stacks_next(&t, &pass, &place) && seen < count; seen++)
        wrong += stacks_at(&t, place).number != seen || !is_model(&t, place, &models[order[seen]]);
    ok(seen == count && wrong == 0, "each as it was, in order of appearance, with its sums");
    stacks_free(&t);
}

/* So many that some share their hashes, and many what the table keeps of these. */
static void test_many(void)
{
    enum { COUNT = 400000 };
    struct stacks t = {0};
    struct sums_part part = {.n = 1};
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < COUNT; i++)
            stacks_add(&t, 0, &i, 1, &part, 1);
    stacks_finish(&t);
    size_t wrong = 0;
    for (uint32_t i = 0; i < t.count; i++)
        wrong += sums_first(&t.sums, i)[0] != 2;
    ok(t.count == COUNT && wrong == 0, "%d stacks of one frame, each twice", COUNT);
    ok(t.chunk_count < COUNT / 4000, "at 16 bytes each");
    stacks_free(&t);
}

static void test_deep(void)
{
    enum { DEPTH = 3000000 };
    struct stacks t = {0};
    struct model deep[] = {{.first = 70000, .depth = DEPTH, .step = 1},
                           {.first = 70000, .depth = DEPTH - 1, .step = 1},
                           {.first = 9, .depth = 20000, .step = 3},
                           {.first = 9, .depth = 1}};
    uint64_t state = 3;
    for (size_t i = 0; i < 11; i++)
        add(&t, &deep[i % 4], &state);
    ok(t.count >= 3, "deep stacks do not wait");
    stacks_finish(&t);
    struct stacks_pass pass = {0};
    stacks_offset place;
    size_t seen = 0, wrong = 0;
    for (; stacks_next(&t, &pass, &place) && seen < 4; seen++)
        wrong += !is_model(&t, place, &deep[seen]);
    ok(t.count == 4 && seen == 4 && wrong == 0, "stacks larger than a chunk of memory");
    stacks_free(&t);
}

static void test_empty(void)
{
    struct stacks t = {0};
    struct stacks_pass pass = {0};
    stacks_offset place;
    stacks_finish(&t);
    ok(!stacks_next(&t, &pass, &place) && t.count == 0, "nothing is in an empty table");
    stacks_add(&t, 5, NULL, 0, NULL, 0);
    stacks_finish(&t);
    ok(stacks_next(&t, &pass, &place) && stacks_at(&t, place).depth == 0 &&
           stacks_at(&t, place).labels == 5 && !stacks_next(&t, &pass, &place),
       "a stack without frames, of a sample without values");
    stacks_free(&t);
}

int main(void)
{
    test_empty();
    test_models();
    test_many();
    test_deep();
    return tap_done();
}
