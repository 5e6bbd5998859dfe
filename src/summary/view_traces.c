/* Stacks as people read them: a block each, with its value, its labels if it has any, and a line for
 * each frame. */
#include "base/mem.h"
#include "base/order.h"
#include "rows/emit.h"
#include "summary/view.h"

struct block {
    struct stacks_stack stack;
    int64_t sum;
    bool has_labels; /* they are its first row */
    size_t first;    /* the number of its first row */
};

struct traces {
    const struct collect *collect;
    struct block *blocks;
    size_t count;
    struct wide all;
    struct buf text; /* of the last cell */
    size_t at;       /* the block of the last row that was asked for */
};

static void add_stack(void *to, const struct stacks_stack *stack, int64_t sum)
{
    struct traces *t = to;
    if (sum != 0)
        t->blocks[t->count++] = (struct block){.stack = *stack, .sum = sum};
}

/* By value, the largest first; then by first appearance. */
static int compare(const void *a, const void *b)
{
    const struct block *x = a, *y = b;
    if (x->sum != y->sum)
        return x->sum < y->sum ? 1 : -1;
    return (x->stack.number > y->stack.number) - (x->stack.number < y->stack.number);
}

/* Appends the labels of STACK: "user: anna, request: GET /". */
static void add_labels(const struct collect *c, const struct stacks_stack *stack, struct buf *to)
{
    size_t count;
    const struct label *labels =
        labels_get(&c->profile.labels, collect_set_of(c, stack).labels, &count);
    for (size_t i = 0; i < count; i++) {
        if (labels[i].key == LABELS_NO_KEY)
            continue;
        buf_add(to, to->n > 0 ? STR(", ") : STR(""));
        buf_add(to, profile_string_of(&c->profile, labels[i].key));
        buf_add(to, STR(": "));
        label_key_add_value(&c->profile, &labels[i], to);
    }
}

/* Cuts the blocks that REQUEST leaves out, and numbers the rows of the others. Returns how many rows
 * there are. */
static size_t number_rows(struct traces *t, const struct sheet_request *request)
{
    size_t kept = 0, rows = 0;
    for (size_t i = 0; i < t->count && kept < request->max; i++) {
        struct block *block = &t->blocks[i];
        const double share = wide_share(wide_of(block->sum), t->all);
        if ((share < 0 ? -share : share) < request->min_share)
            continue;
        t->text.n = 0;
        add_labels(t->collect, &block->stack, &t->text);
        block->has_labels = t->text.n > 0;
        block->first = rows;
        rows += block->has_labels + block->stack.depth;
        t->blocks[kept++] = *block;
    }
    t->count = kept;
    return rows;
}

/* The block of ROW: rows are mostly asked for in order. */
static const struct block *block_of(struct traces *t, size_t row)
{
    if (row < t->blocks[t->at].first)
        t->at = 0;
    while (t->at + 1 < t->count && t->blocks[t->at + 1].first <= row)
        t->at++;
    return &t->blocks[t->at];
}

/* --- cells --- */

enum { STACK, VALUE, SHARE, COLUMNS };

static const struct sheet_column columns[COLUMNS] = {
    [STACK] = VIEW_COLUMN(NONE, "stack, innermost first", TEXT),
    [VALUE] = VIEW_COLUMN(NONE, "value", VALUE),
    [SHARE] = VIEW_COLUMN(NONE, "value", SHARE),
};

/* Appends the name of frame I, from 0, of STACK. */
static void add_frame(struct traces *t, const struct stacks_stack *stack, size_t i)
{
    const uint32_t entry = stacks_frame(stack, i);
    const size_t before = t->text.n;
    collect_add_function(t->collect, entry, &t->text); /* of a line */
    buf_add(&t->text, t->text.n > before ? STR(" in ") : STR(""));
    collect_add_name(t->collect, entry, &t->text);
}

static struct sheet_cell cell_of(const void *from, size_t row, size_t column)
{
    struct traces *t = (struct traces *)(uintptr_t)from;
    const struct block *block = block_of(t, row);
    const struct wide sum = wide_of(block->sum);
    const bool is_heading = row == block->first;
    struct sheet_cell cell = {.number = sum,
                              .share = wide_share(sum, t->all),
                              .is_none = !is_heading,
                              .is_blank = !is_heading,
                              .is_heading = is_heading};
    if (column != STACK)
        return cell;
    t->text.n = 0;
    if (is_heading && block->has_labels)
        add_labels(t->collect, &block->stack, &t->text);
    else
        add_frame(t, &block->stack, row - block->first - block->has_labels);
    cell.text = buf_str(&t->text);
    return cell;
}

void view_traces(struct summary *s)
{
    struct traces t = {.collect = &s->collect};
    t.blocks = mem_alloc(((size_t)s->collect.profile.stacks.count + 1) * sizeof *t.blocks);
    t.all = collect_each_stack(&s->collect, add_stack, &t);
    order_items(t.blocks, t.count, sizeof *t.blocks, compare);
    const size_t all = t.count;
    struct sheet sheet = {
        .columns = columns,
        .column_count = COLUMNS,
        .row_count = number_rows(&t, &s->plan->request),
        .cell = cell_of,
        .from = &t,
        .judged = SHARE,
        .drawn = SHEET_NO_COLUMN,
        .reported = SHEET_NO_COLUMN,
        .is_listing = true,
        .is_cut = true,
        .missing_rows = all - t.count,
        .missing_name = "stack",
    };
    view_write(s, &sheet, t.all);
    mem_free(t.blocks);
    buf_free(&t.text);
}
