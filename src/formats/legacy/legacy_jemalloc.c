/* Heap profiles of jemalloc: "heap_v2/524288", sums of all threads and of each, and stacks with the
 * same. */
#include "base/mem.h"
#include "formats/legacy/legacy_go.h"

#define ALL STR("t*")

/* A line of counts: of a thread, or of all. */
struct thread_counts {
    struct str thread; /* as t3, or ALL */
    struct legacy_counts counts;
    struct str name; /* of the thread, in the head of the file */
};

/* Reads "t0: 1771: 16106772 [0: 0] name". */
static bool take_counts(struct str line, struct thread_counts *c)
{
    const char *colon = line.n < 2 || line.p[0] != 't' ? NULL : memchr(line.p, ':', line.n);
    if (colon == NULL)
        return false;
    c->thread = (struct str){line.p, (size_t)(colon - line.p)};
    line.p += c->thread.n + 1;
    line.n -= c->thread.n + 1;
    if (!legacy_take_counts(&line, &c->counts))
        return false;
    c->name = str_trim(line);
    return true;
}

/* What is read of a file. */
struct jemalloc {
    struct legacy *l;
    int64_t rate;
    bool has_all;          /* allocations are counted, not only what is in use */
    struct intern threads; /* as t3 */
    uint32_t *names;       /* of threads, by number - 1: numbers of texts, 0: none */
    size_t name_capacity;
    struct buf stack;         /* the current one: numbers of steps */
    bool is_open;             /* its threads have not come so far */
    struct thread_counts sum; /* then: that of all threads */
};

/* Keeps the name of a thread, in the head of the file. */
static void keep_name(struct jemalloc *j, const struct thread_counts *c)
{
    const uint32_t number = intern_add(&j->threads, c->thread, NULL);
    j->names = mem_array_zeroed(j->names, &j->name_capacity, number, sizeof *j->names);
    if (c->name.n > 0)
        j->names[number - 1] = intern_add(&j->l->texts, c->name, NULL);
}

static struct str name_of(const struct jemalloc *j, struct str thread)
{
    const uint32_t number = intern_find(&j->threads, thread);
    return number == 0 || j->names[number - 1] == 0
               ? thread
               : intern_get(&j->l->texts, j->names[number - 1]);
}

/* Adds a sample of the stack with the counts C. */
static void add_sample(struct jemalloc *j, const struct thread_counts *thread)
{
    struct legacy *l = j->l;
    struct legacy_counts c = thread->counts;
    const int64_t each = legacy_each(&c);
    j->has_all |= c.all != 0 || c.all_bytes != 0;
    legacy_unsample(l, &c.all, &c.all_bytes, j->rate, true);
    legacy_unsample(l, &c.in_use, &c.in_use_bytes, j->rate, true);
    legacy_begin_sample(l, (int64_t[]){c.all, c.all_bytes, c.in_use, c.in_use_bytes});
    buf_add(&l->stack, buf_str(&j->stack));
    if (each > 0)
        legacy_label(l, STR("bytes"), (struct str){NULL, 0}, each, STR(""));
    if (!str_equal(thread->thread, ALL))
        legacy_label(l, STR("thread"), name_of(j, thread->thread), 0, STR(""));
    j->is_open = false;
}

/* Ends a stack: what all threads have counts where none is named. */
static void end_stack(struct jemalloc *j)
{
    if (j->is_open)
        add_sample(j, &j->sum);
}

/* Reads the steps of a stack, which each of its threads has. */
static void begin_stack(struct jemalloc *j, struct str addresses)
{
    struct buf *steps = &j->l->stack;
    const size_t before = steps->n; /* those of the last sample are still there */
    legacy_go_addresses(j->l, addresses);
    j->stack.n = 0;
    buf_add(&j->stack, (struct str){buf_str(steps).p + before, steps->n - before});
    steps->n = before;
}

/* Takes the counts C, which follow the head of the file, or a stack. */
static void take_thread(struct jemalloc *j, const struct thread_counts *c, bool is_head)
{
    if (is_head) {
        keep_name(j, c);
    } else if (str_equal(c->thread, ALL)) {
        j->sum = *c;
        j->sum.thread = ALL;
        j->is_open = true;
    } else {
        add_sample(j, c);
    }
}

static void read_head(struct jemalloc *j)
{
    struct str line = STR("");
    legacy_next_line(j->l, &line);
    if (!legacy_take(&line, STR("heap_v2/")) || !legacy_take_number(&line, &j->rate) ||
        line.n > 0 || j->rate < 0)
        legacy_unexpected(j->l, "\"heap_v2/\" and a rate in bytes");
    legacy_set_types(j->l, legacy_heap_types, LEGACY_VALUES);
    j->l->period_type = (struct legacy_type){.name = STR("space"), .unit = STR("bytes")};
    j->l->period = j->rate;
}

void legacy_read_jemalloc(struct legacy *l)
{
    struct jemalloc j = {.l = l};
    struct thread_counts c;
    struct str line;
    bool is_head = true;
    read_head(&j);
    while (legacy_next_line(l, &line) && !legacy_is_map(line)) {
        if (line.n == 0)
            continue;
        if (legacy_take(&line, STR("@"))) {
            end_stack(&j);
            begin_stack(&j, line);
            is_head = false;
        } else if (take_counts(line, &c)) {
            take_thread(&j, &c, is_head);
        } else {
            legacy_unexpected(l, "@ and addresses, or tN: N: BYTES [N: BYTES]");
        }
    }
    end_stack(&j);
    l->unused = j.has_all ? 0 : 3; /* the first two types */
    legacy_read_maps(l);
    intern_free(&j.threads);
    mem_free(j.names);
    buf_free(&j.stack);
}
