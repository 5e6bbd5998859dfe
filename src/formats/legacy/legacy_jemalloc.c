/* Heap profiles of jemalloc: "heap_v2/524288", sums of all threads and of each, and stacks with the
 * same. */
#include "base/mem.h"
#include "formats/legacy/legacy_go.h"

#define ALL STR("t*")

/* A line of counts: of a thread, or of all. */
struct thread_counts {
    struct str thread; /* as t3, or ALL */
    int64_t in_use, in_use_bytes, all, all_bytes;
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
    if (!legacy_take_number(&line, &c->in_use) || !legacy_take(&line, STR(":")) ||
        !legacy_take_number(&line, &c->in_use_bytes) || !legacy_take(&line, STR("[")) ||
        !legacy_take_number(&line, &c->all) || !legacy_take(&line, STR(":")) ||
        !legacy_take_number(&line, &c->all_bytes) || !legacy_take(&line, STR("]")))
        return false;
    c->name = legacy_trim(line);
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
    struct buf stack;         /* the current one, as text */
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
static void add_sample(struct jemalloc *j, struct thread_counts c)
{
    struct legacy *l = j->l;
    const int64_t each =
        c.in_use != 0 ? legacy_each(c.in_use, c.in_use_bytes) : legacy_each(c.all, c.all_bytes);
    j->has_all |= c.all != 0 || c.all_bytes != 0;
    legacy_unsample(l, &c.all, &c.all_bytes, j->rate, true);
    legacy_unsample(l, &c.in_use, &c.in_use_bytes, j->rate, true);
    legacy_begin_sample(l, (int64_t[]){c.all, c.all_bytes, c.in_use, c.in_use_bytes});
    legacy_go_addresses(l, buf_str(&j->stack));
    if (each > 0)
        legacy_label(l, STR("bytes"), (struct str){NULL, 0}, each, STR(""));
    if (!str_equal(c.thread, ALL))
        legacy_label(l, STR("thread"), name_of(j, c.thread), 0, STR(""));
    j->is_open = false;
}

/* Ends a stack: what all threads have counts where none is named. */
static void end_stack(struct jemalloc *j)
{
    if (j->is_open)
        add_sample(j, j->sum);
}

static void begin_stack(struct jemalloc *j, struct str addresses)
{
    j->stack.n = 0;
    buf_add(&j->stack, addresses);
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
        add_sample(j, *c);
    }
}

static void set_types(struct legacy *l)
{
    static const struct legacy_type types[] = {
        {.name = STR("alloc_objects"), .unit = STR("count")},
        {.name = STR("alloc_space"), .unit = STR("bytes")},
        {.name = STR("inuse_objects"), .unit = STR("count")},
        {.name = STR("inuse_space"), .unit = STR("bytes")},
    };
    legacy_set_types(l, types, 4);
    l->period_type = (struct legacy_type){.name = STR("space"), .unit = STR("bytes")};
}

static void read_head(struct jemalloc *j)
{
    struct str line = STR("");
    legacy_next_line(j->l, &line);
    if (!legacy_take(&line, STR("heap_v2/")) || !legacy_take_number(&line, &j->rate) ||
        line.n > 0 || j->rate < 0)
        legacy_unexpected(j->l, "\"heap_v2/\" and a rate in bytes");
    set_types(j->l);
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
