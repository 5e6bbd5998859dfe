/* Stores stacks in a spool: each as the number of outer frames shared with the one before, and the
 * remaining frames. Equal strands of stacks have equal bytes. */
#include "base/limits.h"
#include "base/mem.h"
#include "formats/speedscope/speedscope_read.h"

/* Precedes the frames of a stack that are not shared with the one before. */
struct head {
    uint32_t same, more;
};

uint32_t *speedscope_reserve(struct speedscope_stack *stack, size_t count)
{
    size_t needed = stack->depth + count + 1; /* never NULL, even without frames */
    if (stack->capacity < needed)
        stack->frames = mem_array(stack->frames, &stack->capacity, needed, sizeof *stack->frames);
    return stack->frames + stack->depth;
}

uint32_t speedscope_begin_stacks(struct speedscope_reader *r)
{
    r->stack.depth = r->last.depth = 0;
    return spools_begin(r->spools);
}

/* The number of outer frames that A and B share. */
static size_t count_same(const struct speedscope_stack *a, const struct speedscope_stack *b)
{
    size_t max = a->depth < b->depth ? a->depth : b->depth, same = 0;
    while (same < max && a->frames[same] == b->frames[same])
        same++;
    return same;
}

void speedscope_write_stack(struct speedscope_reader *r, uint32_t strand)
{
    struct speedscope_stack *stack = &r->stack, *last = &r->last;
    size_t same = count_same(stack, last), more = stack->depth - same;
    if (stack->depth > LIMITS_FRAMES)
        tokens_die(&r->json, r->json.where, LIMITS_FRAMES_TEXT, LIMITS_FRAMES);
    struct head head = {(uint32_t)same, (uint32_t)more};
    spools_write(r->spools, strand, (struct str){(const char *)&head, sizeof head});
    last->depth = same;
    uint32_t *frames = speedscope_reserve(last, more);
    memcpy(frames, stack->frames + same, more * sizeof *frames);
    spools_write(r->spools, strand, (struct str){(const char *)frames, more * sizeof *frames});
    last->depth = stack->depth;
}

bool speedscope_next_stack(struct spools *spools, struct spools_walk *walk,
                           struct speedscope_stack *stack)
{
    struct head head;
    if (!spools_read(spools, walk, &head, sizeof head))
        return false;
    stack->depth = head.same;
    uint32_t *frames = speedscope_reserve(stack, head.more);
    spools_read(spools, walk, frames, head.more * sizeof *frames);
    stack->depth += head.more;
    return true;
}

bool speedscope_same_stacks(struct spools *spools, uint32_t a, uint32_t b)
{
    struct spools_walk x = {.strand = a}, y = {.strand = b};
    uint32_t of_x, of_y;
    bool same = spools_size(spools, a) == spools_size(spools, b);
    while (same && spools_read(spools, &x, &of_x, sizeof of_x))
        same = spools_read(spools, &y, &of_y, sizeof of_y) && of_x == of_y;
    spools_leave(&x);
    spools_leave(&y);
    return same;
}
