#include "formats/rprof/rprof_known.h"

#include "base/hash.h"
#include "base/mem.h"

/* A power of two. */
enum { STACKS = 8192 };

/* Followed by the bytes of the text, then the ids. */
struct rprof_known_stack {
    struct buf bytes;
    size_t text_size;
};

static struct rprof_known_stack *slot_of(const struct rprof_known *k, struct str text)
{
    return &k->stacks[hash_bytes(text) % STACKS];
}

size_t rprof_known_find(const struct rprof_known *k, struct str text, int64_t *stack)
{
    if (k->stacks == NULL || text.n == 0)
        return 0;
    const struct rprof_known_stack *known = slot_of(k, text);
    if (!str_equal((struct str){known->bytes.p, known->text_size}, text))
        return 0;
    size_t size = known->bytes.n - text.n;
    memcpy(stack, known->bytes.p + text.n, size);
    return size / sizeof *stack;
}

void rprof_known_add(struct rprof_known *k, struct str text, const int64_t *stack, size_t depth)
{
    if (k->stacks == NULL)
        k->stacks = mem_alloc_zeroed(STACKS * sizeof *k->stacks);
    struct rprof_known_stack *known = slot_of(k, text);
    known->bytes.n = 0;
    buf_add(&known->bytes, text);
    buf_add(&known->bytes, (struct str){(const char *)stack, depth * sizeof *stack});
    known->text_size = text.n;
}

void rprof_known_forget(struct rprof_known *k)
{
    for (size_t i = 0; k->stacks != NULL && i < STACKS; i++)
        buf_free(&k->stacks[i].bytes);
    mem_free(k->stacks);
    k->stacks = NULL;
}
