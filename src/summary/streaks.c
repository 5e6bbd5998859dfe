#include "summary/streaks.h"

#include "base/mem.h"

struct streaks *streaks_open(void)
{
    struct streaks *r = mem_alloc_zeroed(sizeof *r);
    r->spool = spool_open();
    r->at = SIZE_MAX;
    return r;
}

struct str streaks_stack(const struct streaks *r, uint64_t number)
{
    return number == 0 ? STR("") : intern_get(&r->stacks, (uint32_t)number);
}

/* Counts the streaks that begin with a stack of DEPTH entries, whose outermost SAME entries continue a
 * streak. */
static void count_depths(struct streaks *r, size_t depth, size_t same)
{
    if (depth > r->capacity)
        r->by_depth = mem_array_zeroed(r->by_depth, &r->capacity, depth, sizeof *r->by_depth);
    r->depth = depth > r->depth ? depth : r->depth;
    for (size_t i = same; i < depth; i++)
        r->by_depth[i]++;
}

size_t streaks_common(struct str a, struct str b)
{
    const size_t size = sizeof(uint32_t);
    size_t n = 0;
    while ((n + 1) * size <= a.n && (n + 1) * size <= b.n &&
           memcmp(a.p + a.n - (n + 1) * size, b.p + b.n - (n + 1) * size, size) == 0)
        n++;
    return n;
}

void streaks_add(struct streaks *r, const uint32_t *stack, size_t depth, int64_t samples)
{
    struct str frames = {(const char *)stack, depth * sizeof *stack};
    uint32_t number = intern_add(&r->stacks, frames, NULL);
    wide_add_to(&r->all, samples);
    if (number == r->last.stack) {
        r->last.samples += samples;
        return;
    }
    count_depths(r, depth, streaks_common(frames, streaks_stack(r, r->last.stack)));
    if (r->count++ > 0)
        spool_write(r->spool, (struct str){(const char *)&r->last, sizeof r->last});
    r->last = (struct streak){number, samples};
}

struct streak streaks_at(struct streaks *r, size_t row)
{
    if (row == r->at)
        return r->read;
    if (row == 0 || row != r->at + 1)
        spool_seek(r->spool, (uint64_t)row * sizeof r->read);
    r->at = row;
    if (row + 1 == r->count || !spool_read(r->spool, &r->read, sizeof r->read))
        r->read = r->last;
    return r->read;
}

void streaks_free(struct streaks *r)
{
    spool_close(r->spool);
    intern_free(&r->stacks);
    mem_free(r->by_depth);
    mem_free(r);
}
