/* Rows below rows: the functions of each package, of each value of a label, of each source; or the
 * values of each key of labels. */
#include "base/mem.h"
#include "base/order.h"
#include "summary/request.h"
#include "summary/view.h"

#include <math.h>

/* A row: an entry below another row. No padding: equal rows are equal bytes. */
struct node {
    uint32_t parent; /* number of a node; 0: none */
    uint32_t entry;
};

struct levels {
    struct summary *s;
    struct intern nodes;     /* struct node */
    struct view_line *lines; /* by node - 1; `last` is a level from 1 once all stacks are added */
    size_t capacity;
    struct wide all;
    struct arena names;
    size_t count;  /* of levels */
    bool are_keys; /* of labels: none is innermost, so self and total are one */

    uint32_t *order;   /* nodes, those of one parent one after the other, sorted */
    uint32_t *first;   /* by node: where its rows begin in order; of 0, the outermost ones */
    uint32_t *rows;    /* nodes, as they are shown */
    uint32_t *missing; /* by node: how many rows below it are not shown */
    uint64_t missing_rows;
    size_t row_count;
    struct sheet_column *columns;
    size_t column_count;
    struct buf text, heading;
};

static struct node node_of(const struct levels *l, uint32_t number)
{
    struct node node;
    memcpy(&node, intern_get(&l->nodes, number).p, sizeof node);
    return node;
}

/* --- sums --- */

/* Adds the rows of frame I of STACK. Rows of what samples have, such as a label, are about all frames:
 * they have no more than what is the samples' own. */
static void add_frame(struct levels *l, const struct stacks_stack *stack, size_t i,
                      const struct collect_sum *sum)
{
    const struct collect_sum own = collect_sum_of(sum->self, sum->has_self);
    uint32_t items[COLLECT_LEVELS];
    struct node node = {0, 0};
    collect_levels_of(&l->s->collect, stack, i, items);
    for (size_t level = 0; level < l->count && items[level] != 0; level++) {
        node.entry = items[level];
        const uint32_t number =
            intern_add(&l->nodes, (struct str){(char *)&node, sizeof node}, NULL);
        l->lines = mem_array_zeroed(l->lines, &l->capacity, number, sizeof *l->lines);
        view_add(&l->lines[number - 1], stack, i == 0,
                 collect_is_of_samples(l->s->collect.levels[level].by) ? &own : sum);
        node.parent = number;
    }
}

static void add_stack(void *to, const struct stacks_stack *stack, const struct collect_sum *sum)
{
    struct levels *l = to;
    for (size_t i = 0; i < stack->depth; i++)
        add_frame(l, stack, i, sum);
}

/* --- order --- */

/* The entry of the row NUMBER, which is by time. */
static struct collect_key time_of(const struct levels *l, uint32_t number)
{
    return collect_key_of(&l->s->collect, node_of(l, number).entry);
}

/* In order of time; none is the last. */
static int compare_times(struct collect_key x, struct collect_key y)
{
    if (x.string != y.string)
        return x.string == 0 ? -1 : 1;
    return (x.line > y.line) - (x.line < y.line);
}

/* By parent, then by time if rows are by time, else as all tables. */
static int compare(const void *a, const void *b, void *with)
{
    const struct levels *l = with;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const struct view_line *line = &l->lines[x - 1], *other = &l->lines[y - 1];
    if (line->entry != other->entry)
        return line->entry < other->entry ? -1 : 1;
    if (l->s->collect.levels[line->last - 1].by == COLLECT_BY_TIME)
        return compare_times(time_of(l, x), time_of(l, y));
    return view_compare(line, other, l->s->plan->by_total);
}

/* Names the rows, and sorts those of each parent. From here on the entry of a line is its
 * parent. */
static void sort_rows(struct levels *l)
{
    const uint32_t count = l->nodes.count;
    l->order = mem_alloc(((size_t)count + 1) * sizeof *l->order);
    l->first = mem_alloc_zeroed(((size_t)count + 2) * sizeof *l->first);
    for (uint32_t i = 1; i <= count; i++) {
        const struct node node = node_of(l, i);
        struct view_line *line = &l->lines[i - 1];
        l->text.n = 0;
        line->entry = node.parent;
        line->self = l->are_keys ? line->total : line->self;
        view_limit(line, &l->s->collect, node.entry,
                   node.parent == 0 ? l->all : l->lines[node.parent - 1].total);
        line->last = node.parent == 0 ? 1 : l->lines[node.parent - 1].last + 1;
        collect_add_name_by(&l->s->collect, l->s->collect.levels[line->last - 1].by, node.entry,
                            &l->text);
        line->name = arena_copy(&l->names, buf_str(&l->text));
        l->order[i - 1] = i;
    }
    order_items_with(l->order, count, sizeof *l->order, compare, l);
    for (uint32_t i = count; i > 0; i--)
        l->first[l->lines[l->order[i - 1] - 1].entry] = i;
}

/* Takes the rows of PARENT that are shown, each with those below it. Returns how many rows of the
 * last level are not. The depth is that of levels. */
static uint64_t take_rows(struct levels *l, uint32_t parent, bool is_shown)
{
    const struct sheet_request *r = &l->s->plan->request;
    const size_t level = parent == 0 ? 1 : l->lines[parent - 1].last + 1;
    uint64_t missing = 0, kept = 0;
    for (size_t i = l->first[parent]; i > 0 && i <= l->nodes.count; i++) {
        const uint32_t number = l->order[i - 1];
        const struct view_line *line = &l->lines[number - 1];
        if (line->entry != parent)
            break;
        const double share = fabs(wide_share(line->total, l->all));
        const bool is_kept =
            is_shown && share >= r->min_share && (level < l->count || kept < r->max);
        kept += is_kept;
        if (is_kept)
            l->rows[l->row_count++] = number;
        else if (is_shown)
            l->missing[parent]++;
        missing += level == l->count ? !is_kept : take_rows(l, number, is_kept);
    }
    return missing;
}

/* --- the table --- */

enum { GROUP_SHARE = VIEW_OWN, LEVELS };

static const struct sheet_column sums[] = {
    [VIEW_NAME] = {COLUMN_NONE, STR("name"), SHEET_TEXT, STR(""), 0},
    [VIEW_SELF] = VIEW_COLUMN(SELF, "self", VALUE),
    [VIEW_SELF_SHARE] = VIEW_COLUMN(SELF_PCT, "self", SHARE),
    [VIEW_TOTAL] = VIEW_COLUMN(TOTAL, "total", VALUE),
    [VIEW_TOTAL_SHARE] = VIEW_COLUMN(TOTAL_PCT, "total", SHARE),
    [GROUP_SHARE] = VIEW_COLUMN(TOTAL_PCT_GROUP, "of group", SHARE),
};

/* The node of ROW, or of the row above it, that COLUMN is about; 0: it is about rows below. */
static uint32_t node_at(const struct levels *l, size_t row, const struct sheet_column *column)
{
    uint32_t number = l->rows[row];
    while (number != 0 && (column->levels & 1u << (l->lines[number - 1].last - 1)) == 0)
        number = l->lines[number - 1].entry;
    return number;
}

/* The cell of a level for programs: a name, or a part of one. */
static struct sheet_cell level_cell(struct levels *l, size_t row, size_t column)
{
    const struct sheet_column *of = &l->columns[column];
    const uint32_t number = node_at(l, row, of);
    const bool is_number = of->id == COLUMN_LINE || of->id == COLUMN_TIME;
    struct sheet_cell cell = {.is_json = is_number, .is_none = number == 0};
    l->text.n = 0;
    if (number == 0)
        return cell;
    const enum collect_by by = l->s->collect.levels[l->lines[number - 1].last - 1].by;
    collect_add_part(&l->s->collect, by, node_of(l, number).entry, of->id, &l->text);
    cell.text = buf_str(&l->text);
    cell.is_none = (is_number || collect_columns(by)[1] != COLUMN_NONE) && cell.text.n == 0;
    return cell;
}

static struct sheet_cell cell_of(const void *from, size_t row, size_t column)
{
    struct levels *l = (struct levels *)(uintptr_t)from;
    if (column >= LEVELS)
        return level_cell(l, row, column);
    const struct view_line *line = &l->lines[l->rows[row] - 1];
    struct sheet_cell cell = view_cell(line, l->all, column);
    if (column == GROUP_SHARE) {
        const struct wide above = line->entry == 0 ? l->all : l->lines[line->entry - 1].total;
        cell.share = wide_sign(above) == 0 ? NAN : wide_share(line->total, above);
    }
    if (column == VIEW_NAME) {
        l->text.n = 0;
        for (size_t i = 1; i < line->last; i++)
            buf_add(&l->text, STR("  "));
        buf_add(&l->text, line->name);
        cell.text = buf_str(&l->text);
        cell.is_heading = line->last < l->count;
    }
    return cell;
}

static size_t level_of(const void *from, size_t row)
{
    const struct levels *l = from;
    return l->lines[l->rows[row] - 1].last;
}

static uint64_t missing_of(const void *from, size_t row)
{
    const struct levels *l = from;
    return l->missing[l->rows[row]];
}

/* The columns of sums, and those that name the rows of each level. */
static void make_columns(struct levels *l)
{
    const struct collect *c = &l->s->collect;
    struct collect_column names[COLLECT_COLUMNS];
    const size_t count = collect_name_columns(c, names);
    l->columns = mem_alloc((LEVELS + COLLECT_COLUMNS) * sizeof *l->columns);
    memcpy(l->columns, sums, sizeof sums);
    l->column_count = LEVELS + count;
    for (size_t i = 0; i < count; i++)
        l->columns[LEVELS + i] = (struct sheet_column){names[i].id, STR(""), SHEET_TEXT,
                                                       names[i].words, names[i].levels};
    if (l->count == 1) /* there are no groups */
        l->columns[GROUP_SHARE] = (struct sheet_column){.id = COLUMN_NONE, .kind = SHEET_TEXT};
    for (size_t i = VIEW_SELF; i <= VIEW_SELF_SHARE && l->are_keys; i++)
        l->columns[i] = (struct sheet_column){.id = COLUMN_NONE, .kind = SHEET_TEXT};
    for (size_t i = 0; i < l->count; i++) {
        const struct collect_level *level = &c->levels[i];
        buf_add(&l->heading, i > 0 ? STR(", ") : STR(""));
        if (level->by == COLLECT_BY_LABEL)
            columns_add_name(&l->heading, COLUMN_LABELS, level->label.key);
        else
            buf_add(&l->heading, request_by_name(level->by));
    }
    l->columns[VIEW_NAME].heading = buf_str(&l->heading);
}

void view_levels(struct summary *s)
{
    static const enum column_id families[] = {COLUMN_LABELS, COLUMN_NONE};
    struct levels l = {.s = s,
                       .count = s->collect.level_count,
                       .are_keys = s->collect.levels[0].by == COLLECT_BY_KEY};
    l.all = collect_each_stack(&s->collect, add_stack, &l);
    sort_rows(&l);
    l.rows = mem_alloc(((size_t)l.nodes.count + 1) * sizeof *l.rows);
    l.missing = mem_alloc_zeroed(((size_t)l.nodes.count + 1) * sizeof *l.missing);
    l.missing_rows = take_rows(&l, 0, true);
    make_columns(&l);
    struct sheet sheet = {
        .columns = l.columns,
        .column_count = l.column_count,
        .row_count = l.row_count,
        .families = families,
        .cell = cell_of,
        .from = &l,
        .level = level_of,
        .missing = missing_of,
        .level_count = l.count,
        .is_cut = true,
        .missing_rows = l.missing_rows,
        .judged = VIEW_TOTAL_SHARE,
        .drawn = s->plan->by_total ? VIEW_TOTAL_SHARE : VIEW_SELF_SHARE,
        .reported = SHEET_NO_COLUMN,
    };
    view_write(s, &sheet, l.all);
    intern_free(&l.nodes);
    arena_free(&l.names);
    mem_free(l.lines);
    mem_free(l.order);
    mem_free(l.first);
    mem_free(l.rows);
    mem_free(l.missing);
    mem_free(l.columns);
    buf_free(&l.text);
    buf_free(&l.heading);
}
