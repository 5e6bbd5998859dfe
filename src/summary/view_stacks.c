/* Distinct stacks, and the number of samples of each. */
#include "base/mem.h"
#include "base/order.h"
#include "summary/view.h"

struct stack_lines {
    const struct collect *collect;
    struct view_stack_sum *lines;
    size_t count;
    struct wide all;
    struct buf *text; /* of the last cell that is a single name */
    struct view_path *path;
};

enum { STACK, VALUE, SHARE, DEPTH, ROOT, LEAF, COLUMNS };

static const struct sheet_column columns[COLUMNS] = {
    [STACK] = VIEW_COLUMN(STACK, "stack, outermost first", TEXT),
    [VALUE] = VIEW_COLUMN(VALUE, "self", VALUE),
    [SHARE] = VIEW_COLUMN(VALUE_PCT, "self", SHARE),
    [DEPTH] = VIEW_COLUMN(DEPTH, "depth", COUNT),
    [ROOT] = VIEW_COLUMN(ROOT, "root", TEXT),
    [LEAF] = VIEW_COLUMN(LEAF, "leaf", TEXT),
};

/* The name of frame FRAME of STACK; 0 is the innermost. */
static struct str frame_name(const struct stack_lines *l, const struct stacks_stack *stack,
                             size_t frame)
{
    l->text->n = 0;
    collect_add_name(l->collect, stacks_frame(stack, frame), l->text);
    return buf_str(l->text);
}

static struct sheet_cell stack_name(const struct stack_lines *l, const struct stacks_stack *stack)
{
    view_path_begin(l->path);
    for (size_t i = stack->depth; i-- > 0;)
        view_path_add(l->path, stacks_frame(stack, i));
    view_path_end(l->path);
    return view_path_cell(l->path);
}

static struct sheet_cell cell_of(const void *from, size_t row, size_t column)
{
    const struct stack_lines *l = from;
    const struct view_stack_sum *line = &l->lines[row];
    struct wide sum = wide_of(line->sum);
    struct sheet_cell cell = {.number = sum, .share = wide_share(sum, l->all)};
    switch (column) {
    case STACK: return stack_name(l, &line->stack);
    case ROOT: cell.text = frame_name(l, &line->stack, line->stack.depth - 1); break;
    case LEAF: cell.text = frame_name(l, &line->stack, 0); break;
    case DEPTH: cell.number = wide_of_unsigned(line->stack.depth); break;
    default: break;
    }
    return cell;
}

/* --- sums --- */

struct stack_sums {
    struct view_stack_sum *items;
    size_t count;
};

static int compare(const void *a, const void *b)
{
    const struct view_stack_sum *x = a, *y = b;
    if (x->sum != y->sum)
        return x->sum < y->sum ? 1 : -1;
    return (x->stack.number > y->stack.number) - (x->stack.number < y->stack.number);
}

static void add_stack(void *to, const struct stacks_stack *stack, const struct collect_sum *sum)
{
    struct stack_sums *s = to;
    if (sum->has_self)
        s->items[s->count++] = (struct view_stack_sum){*stack, sum->self};
}

struct view_stack_sum *view_stack_sums(const struct summary *s, size_t *count, struct wide *all)
{
    const size_t max = s->collect.profile.stacks.count;
    struct stack_sums sums = {.items = mem_alloc((max + 1) * sizeof *sums.items)};
    *all = collect_each_stack(&s->collect, add_stack, &sums);
    order_items(sums.items, sums.count, sizeof *sums.items, compare);
    *count = sums.count;
    return sums.items;
}

void view_stacks(struct summary *s)
{
    struct buf text = {0};
    struct view_path path = view_path_of(&s->collect, s->plan->request.format);
    struct stack_lines l = {.collect = &s->collect, .text = &text, .path = &path};
    l.lines = view_stack_sums(s, &l.count, &l.all);
    struct sheet sheet = {
        .columns = columns,
        .column_count = COLUMNS,
        .row_count = l.count,
        .cell = cell_of,
        .from = &l,
        .judged = SHARE,
        .drawn = SHARE,
        .reported = SHARE,
    };
    view_write(s, &sheet, l.all);
    mem_free(l.lines);
    buf_free(&text);
    view_path_free(&path);
}
