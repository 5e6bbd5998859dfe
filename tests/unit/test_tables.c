/* The parts that keep things: arena, intern, idmap, loss, growing arrays. */
#include "base/arena.h"
#include "base/buf.h"
#include "base/idmap.h"
#include "base/intern.h"
#include "base/mem.h"
#include "feed/attempt.h"
#include "job.h"
#include "rows/loss.h"
#include "tap.h"

#include <stdlib.h>

/* --- arena --- */

static void test_arena(void)
{
    enum { COUNT = 5000 };
    static char *blocks[COUNT];
    static size_t sizes[COUNT];
    struct arena a = {0};
    for (int round = 0; round < 3; round++) {
        uint64_t state = 7;
        size_t wrong = 0;
        for (size_t i = 0; i < COUNT; i++) {
            sizes[i] = i == 100 ? 3 << 20 : random_next(&state) % 600;
            blocks[i] = arena_alloc(&a, sizes[i]);
            memset(blocks[i], (int)i, sizes[i]);
            wrong += (uintptr_t)blocks[i] % 8 != 0;
        }
        for (size_t i = 0; i < COUNT; i++)
            for (size_t j = 0; j < sizes[i]; j++)
                wrong += blocks[i][j] != (char)i;
        ok(wrong == 0, "blocks keep apart, round %d", round);
        arena_clear(&a);
    }
    struct str copy = arena_copy(&a, STR("abc")), empty = arena_copy(&a, (struct str){NULL, 0});
    ok(str_equal(copy, STR("abc")) && empty.n == 0 && empty.p != NULL, "copies");
    arena_free(&a);
    arena_free(&a);
    ok(a.chunks == NULL, "an empty arena may be freed");
}

/* --- intern --- */

static void test_intern(void)
{
    enum { COUNT = 100000 };
    struct intern t = {0};
    size_t wrong = 0;
    char text[64];
    ok(intern_find(&t, STR("x")) == 0, "nothing is in an empty table");
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t i = 1; i <= COUNT; i++) {
            int n = snprintf(text, sizeof text, "%*u", (int)(i % 40), i);
            bool is_new;
            uint32_t id = intern_add(&t, (struct str){text, (size_t)n}, &is_new);
            wrong += id != i || is_new != (pass == 0);
            wrong += intern_find(&t, (struct str){text, (size_t)n}) != i;
            wrong += !str_equal(intern_get(&t, i), (struct str){text, (size_t)n});
        }
    ok(wrong == 0 && t.count == COUNT, "numbers in order of appearance");
    ok(intern_find(&t, STR("not there")) == 0, "what is not there");
    intern_free(&t);

    /* every prefix of these differs in its length alone */
    static const char zeros[200];
    for (size_t n = 0; n < sizeof zeros; n++)
        wrong += intern_add(&t, (struct str){zeros, n}, NULL) != n + 1;
    for (size_t n = 0; n < sizeof zeros; n++)
        wrong += intern_add(&t, (struct str){zeros, n}, NULL) != n + 1;
    ok(wrong == 0, "strings of NULs, the empty one included");
    intern_free(&t);
}

/* --- idmap --- */

/* Ids in an order and with gaps that send them to the array, the hash table, and both. */
static uint64_t id_of(int kind, uint64_t i)
{
    switch (kind) {
    case 0: return i;                                    /* dense */
    case 1: return 1 + i * 1000003;                      /* sparse */
    case 2: return ((uint64_t)1 << 53) - i;              /* huge, downwards */
    case 3: return 200001 - i;                           /* dense, downwards */
    default: return i % 2 == 0 ? i : i * 0x9e3779b97f4u; /* both */
    }
}

static void test_idmap(void)
{
    enum { COUNT = 100000 };
    struct idmap m = {0};
    ok(idmap_get(&m, 1) == 0 && idmap_get(&m, 0) == 0 && idmap_get(&m, UINT64_MAX) == 0,
       "nothing is in an empty map");
    for (int kind = 0; kind < 5; kind++) {
        size_t wrong = 0;
        for (uint32_t i = 1; i <= COUNT; i++) {
            wrong += idmap_get(&m, id_of(kind, i)) != 0;
            idmap_put(&m, id_of(kind, i), i);
            wrong += idmap_get(&m, id_of(kind, i)) != i;
        }
        for (uint32_t i = 1; i <= COUNT; i++)
            wrong += idmap_get(&m, id_of(kind, i)) != i;
        wrong += idmap_get(&m, 0) != 0;
        ok(wrong == 0, "ids of kind %d", kind);
        idmap_clear(&m);
        for (uint32_t i = 1; i <= COUNT; i++)
            wrong += idmap_get(&m, id_of(kind, i)) != 0;
        ok(wrong == 0 && m.used == 0, "and none after clearing");
    }
    idmap_put(&m, 5, 1);
    idmap_put(&m, (uint64_t)1 << 40, 2);
    idmap_clear(&m);
    ok(m.dense != NULL && idmap_get(&m, 5) == 0 && idmap_get(&m, (uint64_t)1 << 40) == 0,
       "a small map keeps its memory and forgets its ids");
    for (uint32_t i = 1; i <= 10000; i++)
        idmap_put(&m, i % 2 == 0 ? i : (uint64_t)i << 40, i);
    size_t large = m.dense_count + m.sparse_count;
    idmap_clear(&m);
    ok(large > 16384 && m.dense_count + m.sparse_count <= large, "a large map is cleared once");
    idmap_put(&m, 5, 1);
    idmap_clear(&m);
    ok(m.dense_count + m.sparse_count < 4096, "and later ones cost what they hold");
    idmap_put(&m, ((uint64_t)1 << 53) - 1, 9);
    ok(m.dense_count < 10000 && idmap_get(&m, ((uint64_t)1 << 53) - 1) == 9,
       "one huge id costs nothing");
    idmap_free(&m);
}

/* --- blocks that are given back together --- */

struct holder {
    size_t *dropped;
};

static void drop_holder(void *block)
{
    ++*((struct holder *)block)->dropped;
}

static struct holder *new_holder(size_t *dropped)
{
    struct holder *h = mem_alloc_holder(sizeof *h, drop_holder);
    h->dropped = dropped;
    return h;
}

struct trial {
    char *old;
    size_t dropped;
    bool bad;
};

static void try_input(void *with)
{
    struct trial *t = with;
    t->old = mem_resize(t->old, 100000); /* of before, and moved: it is not given back */
    memset(t->old, 'o', 100000);
    struct holder *freed = new_holder(&t->dropped), *h = new_holder(&t->dropped);
    mem_free(freed);
    h = mem_resize(h, 5000);
    mem_alloc(10);
    if (t->bad)
        die(CODE_INVALID, "on purpose");
}

static void test_attempt(void)
{
    struct trial t = {.old = mem_alloc(10), .bad = true};
    diag_catch = &(jmp_buf){0}; /* nothing is printed; the jump goes elsewhere */
    bool went = attempt(try_input, &t);
    diag_catch = NULL;
    ok(!went && t.dropped == 1, "an attempt that fails gives back what it holds, once");
    ok(t.old[99999] == 'o', "and nothing that was there before");
    t.bad = false;
    ok(attempt(try_input, &t) && t.dropped == 1, "one that succeeds keeps it");
    mem_free_all();
    ok(t.dropped == 2, "until all is given back");
}

/* --- loss --- */

static void drop(void *lossless)
{
    loss_add(LOSS_GAUGES, STR("a"), 3);
    loss_add(LOSS_DOTTED_COLUMNS, STR("samples..x"), 1);
    loss_add(LOSS_GAUGES, STR("b"), 4);
    loss_add(LOSS_GAUGES, STR("a"), 1);
    loss_report(*(bool *)lossless);
}

static void drop_names(void *names)
{
    for (const char *const *name = names; *name != NULL; name++)
        loss_add(LOSS_UNKNOWN_FIELDS, str_of(*name), 2);
    loss_report(false);
}

static void drop_own(void *lossless)
{
    loss_add(LOSS_OWN, STR(".rprof"), 2);
    loss_report(*(bool *)lossless);
}

static void drop_nothing(void *lossless)
{
    loss_report(*(bool *)lossless);
}

static void test_loss(void)
{
    bool lossless = false;
    ok(survive(drop, &lossless) == STATUS_OK && said.warnings == 2, "one line for each kind");
    is(str_of(said.message), STR("not in the output: 1 value of an extra column (samples..x)"),
       "with its count and name");
    const char *many[] = {"first", "second", "third", "fourth", NULL};
    ok(survive(drop_names, many) == STATUS_OK && said.warnings == 1, "one line for many names");
    is(str_of(said.message),
       STR("not in the output: 8 unknown fields (first, second, third ...; -v lists all)"),
       "with the first few of them");
    const char *long_one[] = {
        "0123456789012345678901234567890123456789012345678901234567890123456789", NULL};
    survive(drop_names, long_one);
    is(str_of(said.message), STR("not in the output: 2 unknown fields (-v lists them)"),
       "and no long one");
    const char *known[] = {"functions.filename", NULL};
    survive(drop_names, known);
    is(str_of(said.message), STR("not in the output: 2 file names"), "or in words");
    ok(survive(drop_nothing, &lossless) == STATUS_OK && said.warnings == 0,
       "the counts are forgotten");
    ok(survive(drop_own, &lossless) == STATUS_OK && said.warnings == 0,
       "what only its own format could use is not told");
    lossless = true;
    ok(survive(drop_nothing, &lossless) == STATUS_OK, "no loss is no error");
    ok(survive(drop, &lossless) == STATUS_INPUT, "loss is one under --lossless");
    is(str_of(said.message),
       STR("--lossless: not in the output: 1 value of an extra column (samples..x)"),
       "which says what");
    tidy();
    ok(survive(drop_own, &lossless) == STATUS_INPUT, "what only one format uses is one");
    tidy();
}

/* --- memory --- */

static void ask_too_much(void *with)
{
    size_t capacity = 0;
    switch (*(int *)with) {
    case 0: mem_alloc(SIZE_MAX - 8); break;
    case 1: mem_array(NULL, &capacity, SIZE_MAX / 4, 8); break;
    case 2: buf_reserve(&(struct buf){0}, SIZE_MAX - 3); break;
    default: mem_resize(mem_alloc(8), SIZE_MAX - 8);
    }
}

static void test_memory(void)
{
    for (int way = 0; way < 4; way++) {
        ok(survive(ask_too_much, &way) == STATUS_SYSTEM, "too much: %s", said.message);
        tidy();
    }
}

int main(void)
{
    test_arena();
    test_intern();
    test_idmap();
    test_attempt();
    test_loss();
    test_memory();
    return tap_done();
}
