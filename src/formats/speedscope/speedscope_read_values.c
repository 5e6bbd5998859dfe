/* Values in a file of speedscope, and stacks in the spool. */
#include "base/limits.h"
#include "base/mem.h"
#include "formats/speedscope/speedscope_read.h"
#include "rows/text.h"

#include <inttypes.h>
#include <stdlib.h>

/* --- values --- */

struct str speedscope_read_string(struct speedscope_reader *r)
{
    if (r->json.token == TOKEN_NULL)
        return (struct str){NULL, 0};
    if (r->json.token != TOKEN_STRING)
        tokens_unexpected(&r->json, "a string");
    r->text.n = 0;
    text_unescape(&r->text, r->json.text);
    return arena_copy(&r->arena, buf_str(&r->text));
}

struct str speedscope_read_number(struct speedscope_reader *r)
{
    if (r->json.token == TOKEN_NULL)
        return (struct str){NULL, 0};
    if (r->json.token != TOKEN_NUMBER)
        tokens_unexpected(&r->json, "a number");
    if (!tokens_is_double(&r->json))
        tokens_unexpected(&r->json, "a number that a double can hold");
    return arena_copy(&r->arena, r->json.text);
}

_Noreturn void speedscope_die_index(const struct speedscope_reader *r, struct tokens_place where,
                                    uint64_t index)
{
    tokens_die(&r->json, where,
               "expected one of the %" PRIu32 " frames, which are numbered from 0, found %" PRIu64,
               r->frame_count, index);
}

uint32_t speedscope_read_index(struct speedscope_reader *r)
{
    struct str text = r->json.text;
    uint32_t index = 0;
    if (r->json.token != TOKEN_NUMBER || text.n > TOKENS_INDEX_MAX)
        tokens_unexpected(&r->json, "the number of a frame");
    for (size_t i = 0; i < text.n; i++) {
        if (!str_is_digit(text.p[i]))
            tokens_unexpected(&r->json, "the number of a frame");
        index = index * 10 + (uint32_t)(text.p[i] - '0');
    }
    if (r->has_frames && index >= r->frame_count)
        speedscope_die_index(r, r->json.where, index);
    if (!r->has_frames && index > r->highest) {
        r->highest = index;
        r->highest_where = r->json.where;
    }
    return index;
}

bool speedscope_is_integer(struct str text, int64_t *integer)
{
    return text_is_integer(text, integer) && *integer != SPEEDSCOPE_TEXT;
}

void speedscope_write_weight(struct speedscope_reader *r, uint32_t strand, struct str text)
{
    int64_t head;
    if (speedscope_is_integer(text, &head)) {
        spools_write(r->spools, strand, (struct str){(const char *)&head, sizeof head});
        return;
    }
    struct str point = decimal_point(text);
    uint64_t size = text.n + point.n;
    head = SPEEDSCOPE_TEXT;
    spools_write(r->spools, strand, (struct str){(const char *)&head, sizeof head});
    spools_write(r->spools, strand, (struct str){(const char *)&size, sizeof size});
    spools_write(r->spools, strand, text);
    spools_write(r->spools, strand, point);
}

/* --- stacks --- */

/* Stores stacks in a spool: each as the number of outer frames shared with the one before, and the
 * remaining frames. Equal strands of stacks have equal bytes. */

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
