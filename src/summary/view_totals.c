/* Self and total of each entry: the sum of samples in which it is innermost, and of those in which
 * it occurs. It counts once per stack. */
#include "base/mem.h"
#include "base/order.h"
#include "summary/view.h"

/* --- sums --- */

static void add_stack(void *to, const struct stacks_stack *stack, const struct collect_sum *sum)
{
    struct view_totals *t = to;
    for (size_t i = 0; i < stack->depth; i++) {
        uint32_t entry = stacks_frame(stack, i);
        struct view_line *line = &t->lines[entry - 1];
        line->entry = entry;
        line->is_leaf |= i == 0;
        line->is_root |= i + 1 == stack->depth;
        view_add(line, stack, i == 0, sum);
    }
}

/* Keeps the lines that have a stack, and sets their names. */
static void keep_lines(struct view_totals *t, const struct collect *c)
{
    struct buf name = {0};
    for (size_t i = 0; i < c->entries.count; i++) {
        if (t->lines[i].entry == 0)
            continue;
        struct view_line *line = &t->lines[t->count++];
        *line = t->lines[i];
        view_limit(line, c, line->entry, t->all);
        name.n = 0;
        collect_add_name(c, line->entry, &name);
        line->name = arena_copy(&t->names, buf_str(&name));
        t->totals = wide_add(t->totals, wide_size(line->total));
    }
    buf_free(&name);
}

int view_compare(const struct view_line *a, const struct view_line *b, bool by_total)
{
    /* what a difference lost says as much as what it gained */
    int self = wide_compare(wide_size(b->self), wide_size(a->self));
    int total = wide_compare(wide_size(b->total), wide_size(a->total));
    int order = by_total ? total : self;
    if (order == 0)
        order = by_total ? self : total;
    return order != 0 ? order : str_compare(a->name, b->name);
}

static int by_self(const void *a, const void *b)
{
    return view_compare(a, b, false);
}

static int by_total(const void *a, const void *b)
{
    return view_compare(a, b, true);
}

void view_sort(struct view_line *lines, size_t count, bool total)
{
    order_items(lines, count, sizeof *lines, total ? by_total : by_self);
}

const struct view_totals *view_totals_of(struct summary *s)
{
    struct view_totals *t = &s->totals;
    if (t->lines != NULL)
        return t;
    t->lines = mem_alloc_zeroed(((size_t)s->collect.entries.count + 1) * sizeof *t->lines);
    t->all = collect_each_stack(&s->collect, add_stack, t);
    keep_lines(t, &s->collect);
    view_sort(t->lines, t->count, s->plan->by_total);
    return t;
}

void view_forget_totals(struct summary *s)
{
    mem_free(s->totals.lines);
    arena_free(&s->totals.names);
    s->totals = (struct view_totals){0};
}

/* --- the tables --- */

enum { ROOT = VIEW_OWN, LEAF, COLUMNS };

static const struct sheet_column columns[ROOT] = {VIEW_COLUMNS(FUNCTION, "name")};

static const struct sheet_column node_columns[COLUMNS] = {
    VIEW_SUMS(FUNCTION, "name", TOTAL_PCT_TOTALS),
    [ROOT] = VIEW_COLUMN(IS_ROOT, "root", FLAG),
    [LEAF] = VIEW_COLUMN(IS_LEAF, "leaf", FLAG),
};

struct sheet_cell view_cell(const struct view_line *line, struct wide all, size_t column)
{
    bool is_self = column == VIEW_SELF || column == VIEW_SELF_SHARE;
    struct wide value = is_self ? line->self : line->total;
    return (struct sheet_cell){
        .text = line->name, .number = value, .share = wide_share(value, all)};
}

static struct sheet_cell cell_of(const void *from, size_t row, size_t column)
{
    const struct view_totals *t = from;
    return view_cell(&t->lines[row], t->all, column);
}

/* Shares of totals refer to the sum of all totals. */
static struct sheet_cell node_cell(const void *from, size_t row, size_t column)
{
    const struct view_totals *t = from;
    const struct view_line *line = &t->lines[row];
    struct sheet_cell cell = cell_of(from, row, column);
    if (column == VIEW_TOTAL_SHARE)
        cell.share = wide_share(line->total, t->totals);
    else if (column == ROOT || column == LEAF)
        cell.number = wide_of(column == ROOT ? line->is_root : line->is_leaf);
    return cell;
}

static uint32_t entry_of(const void *from, size_t row)
{
    return ((const struct view_totals *)from)->lines[row].entry;
}

static void write_totals(struct summary *s, bool are_nodes)
{
    const struct view_totals *t = view_totals_of(s);
    struct sheet sheet = {
        .columns = are_nodes ? node_columns : columns,
        .column_count = are_nodes ? COLUMNS : ROOT,
        .row_count = t->count,
        .cell = are_nodes ? node_cell : cell_of,
        .from = t,
        .judged = VIEW_TOTAL_SHARE,
        .drawn = s->plan->by_total ? VIEW_TOTAL_SHARE : VIEW_SELF_SHARE,
        .reported = VIEW_SELF_SHARE,
    };
    view_write_entries(s, &sheet, t->all, entry_of);
}

void view_totals(struct summary *s)
{
    write_totals(s, false);
}

void view_nodes(struct summary *s)
{
    write_totals(s, true);
}
