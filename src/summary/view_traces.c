/* Stacks as people read them: a block each, with its value, its labels if it has any, and a line
 * for each frame. */
#include "base/mem.h"
#include "summary/view.h"

#include <math.h>

struct block {
    const struct view_stack_sum *of;
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

/* Appends the labels of STACK: "user: anna, request: GET /". */
static void add_labels(const struct collect *c, const struct stacks_stack *stack, struct buf *to)
{
    size_t count;
    const struct label *labels =
        labels_get(&c->profile.labels, collect_set_of(c, stack).labels, &count);
    for (size_t i = 0; i < count; i++) {
        buf_add(to, to->n > 0 ? STR(", ") : STR(""));
        buf_add(to, profile_string_of(&c->profile, labels[i].key));
        buf_add(to, STR(": "));
        label_key_add_value(&c->profile, &labels[i], to);
    }
}

/* Makes the blocks of the stacks that REQUEST shows, out of COUNT. Sets *MISSING to the number
 * of others that have a value; returns how many rows there are. */
static size_t make_blocks(struct traces *t, const struct view_stack_sum *stacks, size_t count,
                          const struct sheet_request *request, uint64_t *missing)
{
    size_t rows = 0;
    t->blocks = mem_alloc((count + 1) * sizeof *t->blocks);
    for (size_t i = 0; i < count; i++) {
        const double share = fabs(wide_share(wide_of(stacks[i].sum), t->all));
        if (stacks[i].sum == 0)
            continue;
        if (t->count >= request->max || share < request->min_share) {
            ++*missing;
            continue;
        }
        t->text.n = 0;
        add_labels(t->collect, &stacks[i].stack, &t->text);
        t->blocks[t->count++] = (struct block){&stacks[i], t->text.n > 0, rows};
        rows += (t->text.n > 0) + stacks[i].stack.depth;
    }
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
    const struct wide sum = wide_of(block->of->sum);
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
        add_labels(t->collect, &block->of->stack, &t->text);
    else
        add_frame(t, &block->of->stack, row - block->first - block->has_labels);
    cell.text = buf_str(&t->text);
    return cell;
}

void view_traces(struct summary *s)
{
    struct traces t = {.collect = &s->collect};
    size_t count;
    uint64_t missing = 0;
    struct view_stack_sum *stacks = view_stack_sums(s, &count, &t.all);
    struct sheet sheet = {
        .columns = columns,
        .column_count = COLUMNS,
        .row_count = make_blocks(&t, stacks, count, &s->plan->request, &missing),
        .cell = cell_of,
        .from = &t,
        .judged = SHARE,
        .drawn = SHEET_NO_COLUMN,
        .reported = SHEET_NO_COLUMN,
        .is_listing = true,
        .is_cut = true,
        .missing_rows = missing,
        .missing_name = "stack",
    };
    view_write(s, &sheet, t.all);
    mem_free(stacks);
    mem_free(t.blocks);
    buf_free(&t.text);
}
