/* What plots of many samples draw together. */
#include "base/buf.h"
#include "pictures/plot_boxes.h"
#include "tap.h"

/* --- votes --- */

static void test_votes(void)
{
    struct plot_votes v = {0};
    plot_votes_add(&v, 3, 1);
    plot_votes_add(&v, 2, 2);
    plot_votes_add(&v, 3, 1);
    ok(plot_votes_winner(&v) == 2, "of equal ones the first wins");
    plot_votes_add(&v, 3, 0.5);
    ok(plot_votes_winner(&v) == 3, "or the one with most");
    plot_votes_add(&v, 0, 4.5);
    ok(plot_votes_winner(&v) == 3, "nothing does not win with half of all");
    plot_votes_add(&v, 0, 0.1);
    ok(plot_votes_winner(&v) == 0, "but with more");
    plot_votes_free(&v);
    for (unsigned i = 0; i < 1000000; i++)
        plot_votes_add(&v, i % 10 + 1, i % 10 == 7 ? 1.5 : 1);
    ok(plot_votes_winner(&v) == 8 && v.capacity <= 64, "many votes for few take little memory");
    plot_votes_free(&v);
}

/* --- boxes --- */

/* Boxes as text: level, entry, from and to, and "*" where several are one. */
static void note_box(void *to, size_t level, const struct plot_box *box)
{
    char text[64];
    int n = snprintf(text, sizeof text, "%zu:%u %g-%g%s ", level, box->entry, box->start, box->end,
                     box->merged > 1 ? "*" : "");
    buf_add(to, (struct str){text, (size_t)n});
}

struct given {
    const char *stack; /* a digit for each entry, innermost first */
    double length;
};

/* What is drawn of the COUNT stacks GIVEN, where less than MIN is too short. */
static struct str drawn(const struct given *given, size_t count, double min, size_t levels)
{
    static struct buf text;
    text.n = 0;
    struct plot_boxes b = {.min = min, .levels_max = levels, .draw = note_box, .to = &text};
    for (size_t i = 0; i < count; i++) {
        uint32_t frames[8];
        size_t depth = strlen(given[i].stack);
        for (size_t k = 0; k < depth; k++)
            frames[k] = (uint32_t)(given[i].stack[k] - '0');
        plot_boxes_add(&b, (struct str){(char *)frames, depth * sizeof *frames}, given[i].length);
    }
    plot_boxes_finish(&b);
    text.n -= text.n > 0;
    return buf_str(&text);
}
#define DRAWN(min, levels, ...)                                                                    \
    drawn((const struct given[]){__VA_ARGS__},                                                     \
          sizeof(const struct given[]){__VA_ARGS__} / sizeof(struct given), min, levels)

static void test_boxes(void)
{
    is(DRAWN(1, 9, {"1", 2}, {"21", 3}, {"31", 4}, {"1", 5}), STR("1:2 2-5 0:1 0-14 1:3 5-9"),
       "a box goes on as long as all below it");
    is(DRAWN(1, 9, {"21", 2}, {"23", 2}), STR("0:1 0-2 0:3 2-4 1:2 0-2 1:2 2-4"),
       "and ends with what is below it");
    is(DRAWN(1, 9, {"1", 2}, {"", 3}, {"1", 2}), STR("0:1 0-2 0:1 5-7"), "or with nothing");
    is(DRAWN(1, 1, {"21", 2}, {"31", 2}), STR("0:1 0-4"), "what is too deep is left out");
    is(DRAWN(1, 9, {"1", 5}, {"2", 0.4}, {"3", 0.5}, {"2", 0.3}, {"1", 5}),
       STR("0:1 0-5 0:2 5-6.2* 0:1 6.2-11.2"), "what is too short is drawn with its neighbours");
    is(DRAWN(1, 9, {"1", 5}, {"2", 0.4}, {"1", 5}), STR("0:1 0-5 0:2 5-5.4 0:1 5.4-10.4"),
       "if it has any");
    is(DRAWN(1, 9, {"1", 0.5}, {"2", 0.6}, {"1", 0.6}, {"2", 0.5}), STR("0:2 0-1.1* 0:1 1.1-2.2*"),
       "no more than is long enough");
    is(DRAWN(1, 9, {"1", 0.5}, {"1", 0.1}, {"2", 0.5}, {"1", 0.8}, {"2", 0.5}), STR("0:1 0-2.4*"),
       "neighbours that come out the same are one");
    is(DRAWN(1, 9, {"1", 0.4}, {"", 0.7}, {"1", 3}), STR("0:1 1.1-4.1"),
       "and mostly nothing is nothing");
    is(drawn(NULL, 0, 1, 9), STR(""), "of nothing there is none");
}

/* --- any sequence --- */

struct sums {
    double length[16];
    size_t count;
};

static void add_length(void *to, size_t level, const struct plot_box *box)
{
    struct sums *s = to;
    (void)level;
    s->length[box->entry] += box->end - box->start;
    s->count++;
}

static void test_limits(void)
{
    enum { SAMPLES = 200000, PIXELS = 100, DEPTH = 5 };
    struct sums exact = {0}, merged = {0};
    struct plot_boxes all = {.min = 0, .levels_max = 9, .draw = add_length, .to = &exact};
    struct plot_boxes few = {
        .min = SAMPLES / PIXELS, .levels_max = 9, .draw = add_length, .to = &merged};
    double expected = 0;
    for (unsigned i = 0; i < SAMPLES; i++) {
        uint32_t frames[DEPTH];
        size_t depth = i * 7919u % DEPTH + 1;
        for (size_t k = 0; k < depth; k++)
            frames[k] = (uint32_t)((i / (k + 1) * 31 + k) % 15 + 1);
        struct str stack = {(char *)frames, depth * sizeof *frames};
        plot_boxes_add(&all, stack, 1);
        plot_boxes_add(&few, stack, 1);
        expected += (double)depth;
    }
    plot_boxes_finish(&all);
    plot_boxes_finish(&few);
    double sum = 0;
    for (size_t i = 0; i < 16; i++)
        sum += exact.length[i];
    ok(sum == expected, "boxes that are all drawn have all that samples have");
    ok(merged.count > 0 && merged.count <= 2 * PIXELS * DEPTH, "others are as few as pixels: %zu",
       merged.count);
}

int main(void)
{
    test_votes();
    test_boxes();
    test_limits();
    return tap_done();
}
