/* Sums of equal stacks, with the option for that. */
#include "base/mem.h"
#include "base/order.h"
#include "formats/speedscope/speedscope_write.h"

/* Columns of sums, two per entry: its values, and a count of values that are 0, so that a stack
 * with only zeros is written too. */
enum { VALUES, ZEROS, COLUMNS };

/* --- samples --- */

void speedscope_add_part(struct speedscope_writer *w, const struct speedscope_entry *entry,
                         struct decimal x)
{
    uint32_t column = (uint32_t)(entry - w->entries) * COLUMNS;
    w->parts =
        mem_array(w->parts, &w->part_capacity, w->part_count + AMOUNT_PARTS, sizeof *w->parts);
    if (decimal_sign(x) != 0)
        w->part_count += amount_split(&w->digits, column + VALUES, x, w->parts + w->part_count);
    else
        w->parts[w->part_count++] = (struct sums_part){.column = column + ZEROS, .n = 1};
}

void speedscope_keep_sample(struct speedscope_writer *w)
{
    stacks_add(&w->profile.stacks, 0, w->stack, w->depth, w->parts, w->part_count);
    w->part_count = 0;
}

/* --- order --- */

struct order {
    const struct speedscope_writer *w;
    uint32_t *ranks; /* of frames */
};

static int by_name(const void *a, const void *b, void *with)
{
    const struct speedscope_writer *w = with;
    const struct speedscope_frame *x = &w->frames[*(const uint32_t *)a],
                                  *y = &w->frames[*(const uint32_t *)b];
    int order = str_compare(profile_string_of(&w->profile, x->name),
                            profile_string_of(&w->profile, y->name));
    if (order == 0)
        order = str_compare(profile_string_of(&w->profile, x->file),
                            profile_string_of(&w->profile, y->file));
    if (order == 0)
        order = (x->line > y->line) - (x->line < y->line);
    if (order == 0)
        order = (x->col > y->col) - (x->col < y->col);
    return order != 0 ? order : (x > y) - (x < y);
}

static void rank_frames(struct speedscope_writer *w, struct order *order)
{
    uint32_t *frames = mem_alloc((w->frame_count + 1) * sizeof *frames);
    order->ranks = mem_alloc((w->frame_count + 1) * sizeof *order->ranks);
    for (uint32_t i = 0; i < w->frame_count; i++)
        frames[i] = i;
    order_items_with(frames, w->frame_count, sizeof *frames, by_name, w);
    for (uint32_t i = 0; i < w->frame_count; i++)
        order->ranks[frames[i]] = i;
    mem_free(frames);
}

static int by_frames(const void *a, const void *b, void *with)
{
    const struct order *order = with;
    const struct stacks *stacks = &order->w->profile.stacks;
    struct stacks_stack x = stacks_at(stacks, *(const stacks_offset *)a);
    struct stacks_stack y = stacks_at(stacks, *(const stacks_offset *)b);
    for (size_t i = 0; i < x.depth && i < y.depth; i++) {
        uint32_t of_x = order->ranks[stacks_frame(&x, i)], of_y = order->ranks[stacks_frame(&y, i)];
        if (of_x != of_y)
            return of_x < of_y ? -1 : 1;
    }
    return (x.depth > y.depth) - (x.depth < y.depth);
}

/* --- sums --- */

/* Adds PART to the sum of its entry, and returns the entry. */
static struct speedscope_entry *add_part(struct speedscope_writer *w, const struct sums_part *part)
{
    uint32_t column = amount_column(&w->digits, part);
    struct speedscope_entry *entry = &w->entries[column / COLUMNS];
    if (!entry->is_summed)
        entry->sum = (struct amount){0};
    if (column % COLUMNS == VALUES)
        amount_add(&entry->sum, &w->digits, part, 1);
    return entry;
}

/* Writes the sum of ENTRY for the current stack. */
static void write_sum(struct speedscope_writer *w, struct speedscope_entry *entry)
{
    int64_t integer;
    struct decimal sum = amount_decimal(&entry->sum);
    entry->is_summed = false;
    if (decimal_sign(sum) < 0) {
        entry->left_out++;
        return;
    }
    w->inexact += decimal_is_integer(sum, &integer) && integer > SPEEDSCOPE_EXACT_MAX;
    decimal_add(&entry->parts, sum);
    w->number.n = 0;
    decimal_write(&w->number, sum);
    speedscope_add_sample(w, entry, buf_str(&w->number));
}

/* Writes the sums of STACK. SUMMED has room for all numbers of entries. */
static void write_stack(struct speedscope_writer *w, const struct stacks_stack *stack,
                        uint32_t *summed)
{
    struct sums_walk walk = {.row = stack->number};
    struct sums_part part;
    size_t count = 0, same = 0;
    while (sums_next(&w->profile.stacks.sums, &walk, &part)) {
        struct speedscope_entry *entry = add_part(w, &part);
        if (!entry->is_summed)
            summed[count++] = (uint32_t)(entry - w->entries);
        entry->is_summed = true;
    }
    w->stack = mem_array(w->stack, &w->stack_capacity, stack->depth, sizeof *w->stack);
    while (w->has_text && same < stack->depth && same < w->depth &&
           w->stack[same] == stacks_frame(stack, same))
        same++;
    for (size_t i = same; i < stack->depth; i++)
        w->stack[i] = stacks_frame(stack, i);
    w->depth = stack->depth;
    speedscope_spell_stack(w, same, stack->depth);
    for (size_t i = 0; i < count; i++)
        write_sum(w, &w->entries[summed[i]]);
}

void speedscope_finish_sums(struct speedscope_writer *w)
{
    struct order order = {.w = w};
    struct stacks *stacks = &w->profile.stacks;
    stacks_finish(stacks);
    rank_frames(w, &order);
    stacks_offset *offsets = mem_alloc(((size_t)stacks->count + 1) * sizeof *offsets);
    uint32_t *summed = mem_alloc((w->entry_count + 1) * sizeof *summed);
    struct stacks_pass pass = {0};
    size_t count = 0;
    while (stacks_next(stacks, &pass, &offsets[count]))
        count++;
    order_items_with(offsets, count, sizeof *offsets, by_frames, &order);
    for (size_t i = 0; i < count; i++) {
        struct stacks_stack stack = stacks_at(stacks, offsets[i]);
        write_stack(w, &stack, summed);
    }
    mem_free(summed);
    mem_free(offsets);
    mem_free(order.ranks);
}
