/* Hot paths: a tree of stacks from the outermost frame, the largest branch first. */
#include "base/mem.h"
#include "base/order.h"
#include "profile/stack_tree.h"
#include "summary/view.h"

struct path_line {
    uint32_t depth; /* number of entries, including this one */
    struct wide self, total;
    /* for people: children that are shown; forks above; whether it is the only child that is
     * shown */
    uint32_t shown, forks;
    bool is_only;
};

struct paths {
    const struct collect *collect;
    struct stack_tree tree;  /* of entries */
    struct path_line *lines; /* by node - 1 */
    size_t capacity;
    size_t max_depth;
    struct stack_tree deeper; /* what would be lines beyond that, below numbers of lines */
    uint32_t deeper_count;
    struct wide deeper_self;
    uint32_t *order; /* numbers of lines in the order shown */
    struct wide all;
    struct buf *text;       /* of the last cell, for people */
    struct view_path *path; /* for programs */
    uint32_t *parents;      /* of the last cell, outermost first */
    bool is_human;          /* show names, not whole paths */
};

/* --- sums --- */

/* The line of ENTRY below the line *NUMBER, 0: below none; *NUMBER becomes its own. */
static struct path_line *line_of(struct paths *p, uint32_t entry, uint32_t *number)
{
    bool is_new;
    const uint32_t parent = *number;
    *number = stack_tree_add(&p->tree, parent, entry, &is_new);
    p->lines = mem_array(p->lines, &p->capacity, *number, sizeof *p->lines);
    struct path_line *line = &p->lines[*number - 1];
    if (is_new)
        *line = (struct path_line){.depth = parent == 0 ? 1 : p->lines[parent - 1].depth + 1};
    return line;
}

/* Counts the lines of a stack for its COUNT innermost frames, which are beyond the max depth; the
 * next outer frame is line PARENT. */
static void count_deeper(struct paths *p, const struct stacks_stack *stack, size_t count,
                         uint32_t parent)
{
    uint32_t number = stack_tree_add(&p->deeper, 0, parent, NULL);
    for (size_t i = count; i-- > 0;) {
        bool is_new;
        number = stack_tree_add(&p->deeper, number, stacks_frame(stack, i), &is_new);
        p->deeper_count += is_new;
    }
}

static void add_stack(void *to, const struct stacks_stack *stack, const struct collect_sum *sum)
{
    struct paths *p = to;
    uint32_t parent = 0;
    if (!sum->has_self)
        return;
    size_t deeper = stack->depth > p->max_depth ? stack->depth - p->max_depth : 0;
    for (size_t i = stack->depth; i-- > deeper;) {
        struct path_line *line = line_of(p, stacks_frame(stack, i), &parent);
        wide_add_to(&line->total, sum->self);
        wide_add_to(&line->self, i == 0 ? sum->self : 0);
    }
    wide_add_to(&p->deeper_self, deeper > 0 ? sum->self : 0);
    if (deeper > 0)
        count_deeper(p, stack, deeper, parent);
}

/* --- order --- */

/* By parent, then by total: siblings are then adjacent. */
static int compare(const void *a, const void *b, void *paths)
{
    const struct paths *p = paths;
    const uint32_t x = *(const uint32_t *)a - 1, y = *(const uint32_t *)b - 1;
    const struct stack_node *node = &p->tree.nodes[x], *other = &p->tree.nodes[y];
    if (node->parent != other->parent)
        return node->parent < other->parent ? -1 : 1;
    int total = wide_compare(p->lines[y].total, p->lines[x].total);
    if (total != 0)
        return total;
    return (node->frame > other->frame) - (node->frame < other->frame);
}

/* Sets p->order to a walk of the tree, parents first. */
static void walk(struct paths *p)
{
    uint32_t count = p->tree.count, filled = 0, waiting = 0;
    uint32_t *sorted = mem_alloc(((size_t)count + 1) * sizeof *sorted);
    /* first child, by parent */
    uint32_t *first = mem_alloc_zeroed(((size_t)count + 2) * sizeof *first);
    uint32_t *stack = mem_alloc(((size_t)count + 1) * sizeof *stack);
    p->order = mem_alloc(((size_t)count + 1) * sizeof *p->order);
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = i + 1;
    order_items_with(sorted, count, sizeof *sorted, compare, p);
    for (uint32_t i = count; i-- > 0;)
        first[p->tree.nodes[sorted[i] - 1].parent] = i + 1;
    /* the stack holds indexes in SORTED, each followed by its next siblings */
    if (count > 0)
        stack[waiting++] = 0;
    while (waiting > 0) {
        uint32_t at = stack[--waiting], number = sorted[at];
        p->order[filled++] = number;
        if (at + 1 < count &&
            p->tree.nodes[sorted[at + 1] - 1].parent == p->tree.nodes[number - 1].parent)
            stack[waiting++] = at + 1;
        if (first[number] != 0)
            stack[waiting++] = first[number] - 1;
    }
    mem_free(sorted);
    mem_free(first);
    mem_free(stack);
}

/* --- the table --- */

enum { LEVEL = VIEW_OWN, COLUMNS };

static const struct sheet_column columns[COLUMNS] = {
    VIEW_COLUMNS(STACK, "path"),
    [LEVEL] = VIEW_COLUMN(LEVEL, "level", COUNT),
};

static struct sheet_cell path_of(const struct paths *p, uint32_t number)
{
    const struct path_line *line = &p->lines[number - 1];
    p->text->n = 0;
    if (p->is_human) {
        for (uint32_t i = 0; i < line->forks; i++)
            buf_add(p->text, STR("  "));
        buf_add(p->text, line->is_only ? STR("> ") : STR(""));
        collect_add_name(p->collect, p->tree.nodes[number - 1].frame, p->text);
        return (struct sheet_cell){.text = buf_str(p->text)};
    }
    for (uint32_t i = line->depth, at = number; i > 0; at = p->tree.nodes[at - 1].parent)
        p->parents[--i] = at;
    view_path_begin(p->path);
    for (uint32_t i = 0; i < line->depth; i++)
        view_path_add(p->path, p->tree.nodes[p->parents[i] - 1].frame);
    view_path_end(p->path);
    return view_path_cell(p->path);
}

static struct sheet_cell cell_of(const void *from, size_t row, size_t column)
{
    const struct paths *p = from;
    const struct path_line *line = &p->lines[p->order[row] - 1];
    struct wide value = column == VIEW_SELF || column == VIEW_SELF_SHARE ? line->self : line->total;
    if (column == VIEW_NAME)
        return path_of(p, p->order[row]);
    if (column == LEVEL)
        value = wide_of(line->depth);
    return (struct sheet_cell){
        .number = value,
        .share = wide_share(value, p->all),
    };
}

/* Indents only where the path forks, so that deep ones fit into a line. */
static void indent(struct paths *p, const struct sheet *t, const struct sheet_request *request)
{
    size_t kept = 0;
    for (uint32_t row = 0; row < p->tree.count; row++) {
        const uint32_t parent = p->tree.nodes[p->order[row] - 1].parent;
        if (!sheet_keeps(t, request, row, kept))
            continue;
        kept++;
        if (parent != 0)
            p->lines[parent - 1].shown++;
    }
    for (uint32_t row = 0; row < p->tree.count; row++) {
        struct path_line *line = &p->lines[p->order[row] - 1];
        const uint32_t above = p->tree.nodes[p->order[row] - 1].parent;
        if (above == 0)
            continue;
        const struct path_line *parent = &p->lines[above - 1];
        line->is_only = parent->shown == 1;
        line->forks = parent->forks + !line->is_only;
    }
}

void view_paths(struct summary *s)
{
    struct buf text = {0};
    struct view_path path = view_path_of(&s->collect, s->plan->request.format);
    struct paths p = {
        .collect = &s->collect, .max_depth = s->plan->max_depth, .text = &text, .path = &path};
    p.is_human = sheet_is_human(&s->plan->request);
    p.all = collect_each_stack(&s->collect, add_stack, &p);
    if (s->collect.has_inclusive)
        warn(CODE_NOT_SHOWN,
             "--hot-paths: the input has calls, not stacks: no path is longer than a call" HINT
             "--peek=RE shows who calls a function, and what it calls");
    walk(&p);
    uint32_t deepest = 0;
    for (uint32_t i = 0; i < p.tree.count; i++)
        deepest = p.lines[i].depth > deepest ? p.lines[i].depth : deepest;
    p.parents = mem_alloc(((size_t)deepest + 1) * sizeof *p.parents);
    struct sheet sheet = {
        .columns = columns,
        .column_count = p.is_human ? LEVEL : COLUMNS,
        .row_count = p.tree.count,
        .cell = cell_of,
        .from = &p,
        .judged = VIEW_TOTAL_SHARE,
        .drawn = VIEW_TOTAL_SHARE,
        .reported = VIEW_SELF_SHARE,
        .missing_rows = p.deeper_count,
        .missing_share = wide_share(p.deeper_self, p.all),
    };
    if (p.is_human)
        indent(&p, &sheet, &s->plan->request);
    view_write(s, &sheet, p.all);
    mem_free(p.lines);
    mem_free(p.order);
    mem_free(p.parents);
    stack_tree_free(&p.tree);
    stack_tree_free(&p.deeper);
    buf_free(&text);
    view_path_free(&path);
}
