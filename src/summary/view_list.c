/* The source lines of matching functions with self and total of each line, like pprof's -list.
 * Lines without a value are shown around them, if the file can be read. */
#include "base/mem.h"
#include "base/order.h"
#include "profile/match.h"
#include "rows/text.h"
#include "summary/lines.h"
#include "summary/view.h"

#include <unistd.h>

/* The number of lines shown around lines with a value. If more than BETWEEN lines are between two
 * of them, only the lines around each. */
enum { AROUND = 5, BETWEEN = 100 };

/* Identifies a call: what a line calls. No padding: equal ones are equal bytes. */
struct call_key {
    uint32_t caller; /* an entry */
    uint32_t callee; /* the number of a routine */
};

/* A call, and its value: the total of its line. */
struct call {
    struct call_key key;
    struct view_line line;
};

/* A function of a file. */
struct routine {
    struct collect_key key; /* LINE is not set */
    bool is_picked;
    int64_t start;       /* its start line; 0: unknown */
    size_t first, count; /* its rows */
};

struct list_row {
    const struct view_line *cost; /* NULL: no value */
    const struct routine *of;
    int64_t line;    /* 0: unknown */
    struct str text; /* null p: none */
    bool is_heading;
};

struct list {
    struct summary *s;
    struct intern keys; /* of routines */
    struct routine *routines;
    struct view_line *sums; /* of routines; the entry is the number, from 1 */
    size_t routine_capacity, sum_capacity;

    uint32_t *routine_of; /* by entry - 1, where entries are lines of functions */
    struct view_line *costs;
    uint32_t *order; /* entries with values, by file, routine and line */
    size_t cost_count;
    struct wide all; /* the sum that shares refer to */

    bool has_calls; /* rows can be opened */
    struct intern call_keys;
    struct call *calls; /* by key - 1; later by caller, the largest first */
    size_t call_capacity;
    size_t *first_call; /* by entry - 1: the index of its first call; one more behind the last */

    struct list_row *rows; /* rows of one routine are adjacent */
    size_t count, capacity;

    struct lines_search search;
    struct buf folders; /* to search, unless options name others */
    struct lines lines;
    struct arena arena;
    struct buf text; /* of the last cell */
};

/* --- sums --- */

/* The number of the routine of KEY, a line of a function. */
static uint32_t routine_of(struct list *l, struct collect_key key)
{
    bool is_new;
    key.line = 0;
    uint32_t id = intern_add(&l->keys, (struct str){(const char *)&key, sizeof key}, &is_new);
    if (!is_new)
        return id;
    l->routines = mem_array(l->routines, &l->routine_capacity, id, sizeof *l->routines);
    l->sums = mem_array(l->sums, &l->sum_capacity, id, sizeof *l->sums);
    struct str name = profile_string_of(&l->s->collect.profile, key.string);
    l->routines[id - 1] =
        (struct routine){.key = key, .is_picked = match_bytes(&l->s->plan->match, name)};
    l->sums[id - 1] = (struct view_line){.entry = id, .name = name};
    return id;
}

/* Finds the routines and their start lines. */
static void find_routines(struct list *l)
{
    const struct collect *c = &l->s->collect;
    l->routine_of = mem_alloc(((size_t)c->entries.count + 1) * sizeof *l->routine_of);
    for (uint32_t i = 0; i < c->entries.count; i++)
        l->routine_of[i] = routine_of(l, collect_key_of(c, i + 1));
    for (size_t i = 0; i < c->location_count; i++) {
        uint32_t function = c->profile.locations[i].function;
        int64_t start = function == 0 ? 0 : c->profile.functions[function - 1].start_line;
        struct routine *r = &l->routines[l->routine_of[c->frames[i] - 1] - 1];
        r->start = r->start == 0 || (start > 0 && start < r->start) ? start : r->start;
    }
}

/* Adds SUM to the call from frame I of STACK, once for each stack. */
static void add_call(struct list *l, const struct stacks_stack *stack, size_t i,
                     const struct collect_sum *sum)
{
    const struct call_key key = {stacks_frame(stack, i),
                                 l->routine_of[stacks_frame(stack, i - 1) - 1]};
    const uint32_t id =
        intern_add(&l->call_keys, (struct str){(const char *)&key, sizeof key}, NULL);
    l->calls = mem_array_zeroed(l->calls, &l->call_capacity, id, sizeof *l->calls);
    l->calls[id - 1].key = key;
    view_add_call(&l->calls[id - 1].line, stack, false, sum);
}

static void add_stack(void *to, const struct stacks_stack *stack, const struct collect_sum *sum)
{
    struct list *l = to;
    for (size_t i = 0; i < stack->depth; i++) {
        uint32_t entry = stacks_frame(stack, i);
        l->costs[entry - 1].entry = entry;
        view_add(&l->costs[entry - 1], stack, i == 0, sum);
        view_add(&l->sums[l->routine_of[entry - 1] - 1], stack, i == 0, sum);
        if (l->has_calls && i > 0 && l->routines[l->routine_of[entry - 1] - 1].is_picked)
            add_call(l, stack, i, sum);
    }
}

/* Limits all totals to what they can be. */
static void limit_totals(struct list *l)
{
    const struct collect *c = &l->s->collect;
    for (uint32_t i = 0; i < c->entries.count; i++)
        view_limit(&l->costs[i], c, i + 1, l->all);
    for (uint32_t i = 0; i < l->keys.count; i++)
        view_limit(&l->sums[i], c, 0, l->all);
    for (uint32_t i = 0; i < l->call_keys.count; i++)
        view_limit(&l->calls[i].line, c, 0, l->all);
}

static int compare_calls(const void *a, const void *b, void *with)
{
    const struct list *l = with;
    const struct call *x = a, *y = b;
    if (x->key.caller != y->key.caller)
        return x->key.caller < y->key.caller ? -1 : 1;
    const int order = wide_compare(y->line.total, x->line.total);
    return order != 0
               ? order
               : str_compare(l->sums[x->key.callee - 1].name, l->sums[y->key.callee - 1].name);
}

/* Sorts the calls, and finds those of each line. */
static void sort_calls(struct list *l)
{
    const uint32_t count = l->s->collect.entries.count;
    size_t next = 0;
    order_items_with(l->calls, l->call_keys.count, sizeof *l->calls, compare_calls, l);
    l->first_call = mem_alloc(((size_t)count + 1) * sizeof *l->first_call);
    for (uint32_t entry = 1; entry <= count + 1; entry++) {
        while (next < l->call_keys.count && l->calls[next].key.caller < entry)
            next++;
        l->first_call[entry - 1] = next;
    }
}

static int compare(const void *a, const void *b, void *with)
{
    const struct list *l = with;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    uint32_t of_x = l->routine_of[x - 1], of_y = l->routine_of[y - 1];
    uint32_t file_x = l->routines[of_x - 1].key.number, file_y = l->routines[of_y - 1].key.number;
    if (file_x != file_y)
        return file_x < file_y ? -1 : 1;
    if (of_x != of_y)
        return of_x < of_y ? -1 : 1;
    int64_t line_x = collect_key_of(&l->s->collect, x).line,
            line_y = collect_key_of(&l->s->collect, y).line;
    return (line_x > line_y) - (line_x < line_y);
}

/* Sorts the lines with values in matching routines. */
static void sort_costs(struct list *l)
{
    uint32_t count = l->s->collect.entries.count;
    l->order = mem_alloc(((size_t)count + 1) * sizeof *l->order);
    for (uint32_t i = 0; i < count; i++)
        if (l->costs[i].entry != 0 && l->routines[l->routine_of[i] - 1].is_picked)
            l->order[l->cost_count++] = i + 1;
    order_items_with(l->order, l->cost_count, sizeof *l->order, compare, l);
}

/* --- rows --- */

/* Reads the file of R, if it has one. Those without come first, when there are no lines yet. */
static void read_file(struct list *l, const struct routine *r)
{
    struct str file = profile_string_of(&l->s->collect.profile, r->key.number);
    if (file.n > 0)
        lines_try(&l->lines, &l->search, file, "--list");
}

static void add_row(struct list *l, struct list_row row)
{
    l->rows = mem_array(l->rows, &l->capacity, l->count + 1, sizeof *l->rows);
    l->rows[l->count++] = row;
}

/* Adds the existing lines FIRST to LAST of R, which have no values. */
static void add_lines(struct list *l, const struct routine *r, int64_t first, int64_t last)
{
    int64_t count = (int64_t)l->lines.count;
    for (int64_t i = first < 1 ? 1 : first; i <= last && i <= count; i++)
        add_row(l,
                (struct list_row){.of = r, .line = i, .text = lines_copy(&l->lines, i, &l->arena)});
}

/* The same for the lines between BEFORE and BEHIND. */
static void add_between(struct list *l, const struct routine *r, int64_t before, int64_t behind)
{
    if (behind - before - 1 <= BETWEEN) {
        add_lines(l, r, before + 1, behind - 1);
        return;
    }
    add_lines(l, r, before + 1, before + AROUND);
    add_lines(l, r, behind - AROUND, behind - 1);
}

/* Adds the rows of the routine with the COUNT lines at ORDER. */
static void add_routine(struct list *l, const uint32_t *order, size_t count)
{
    uint32_t id = l->routine_of[*order - 1];
    struct routine *r = &l->routines[id - 1];
    int64_t last = 0; /* last line written */
    r->first = l->count;
    if (sheet_is_for_humans(l->s->plan->request.format))
        add_row(l, (struct list_row){.cost = &l->sums[id - 1], .of = r, .is_heading = true});
    for (size_t i = 0; i < count; i++) {
        int64_t line = collect_key_of(&l->s->collect, order[i]).line;
        if (line > 0 && last == 0)
            last = r->start > 0 && r->start <= line ? r->start - 1 : line - AROUND - 1;
        if (line > 0)
            add_between(l, r, last, line);
        add_row(l, (struct list_row){.cost = &l->costs[order[i] - 1],
                                     .of = r,
                                     .line = line,
                                     .text = lines_copy(&l->lines, line, &l->arena)});
        last = line;
    }
    if (last > 0 && (uint64_t)last < l->lines.count)
        add_lines(l, r, last + 1, last + AROUND);
    r->count = l->count - r->first;
}

/* Adds the rows of all routines, file by file. */
static void add_routines(struct list *l)
{
    uint32_t last = 0;
    for (size_t i = 0, n; i < l->cost_count; i += n) {
        uint32_t id = l->routine_of[l->order[i] - 1];
        const struct routine *r = &l->routines[id - 1];
        for (n = 1; i + n < l->cost_count && l->routine_of[l->order[i + n] - 1] == id;)
            n++;
        if (i == 0 || r->key.number != last)
            read_file(l, r);
        last = r->key.number;
        add_routine(l, l->order + i, n);
    }
}

/* Sorts routines by their sums, the largest first. */
static void sort_rows(struct list *l)
{
    struct list_row *rows = mem_alloc((l->count + 1) * sizeof *rows);
    size_t count = 0;
    struct view_line *sorted = mem_alloc(((size_t)l->keys.count + 1) * sizeof *sorted);
    for (uint32_t i = 0; i < l->keys.count; i++)
        sorted[i] = l->sums[i];
    view_sort(sorted, l->keys.count, l->s->plan->by_total);
    for (uint32_t i = 0; i < l->keys.count; i++) {
        const struct routine *r = &l->routines[sorted[i].entry - 1];
        for (size_t k = 0; k < r->count; k++)
            rows[count++] = l->rows[r->first + k];
    }
    mem_free(sorted);
    mem_free(l->rows);
    l->rows = rows;
}

/* --- the table --- */

enum { FILE_NAME = VIEW_OWN, LINE, TEXT, COLUMNS };

static const struct sheet_column columns[COLUMNS] = {
    VIEW_COLUMNS(FUNCTION, "source"),
    [FILE_NAME] = VIEW_COLUMN(FILE, "file", TEXT),
    [LINE] = VIEW_COLUMN(LINE, "line", COUNT),
    [TEXT] = VIEW_COLUMN(TEXT, "text", TEXT),
};

/* What people see of ROW; for a routine its function and file. */
static struct str shown_text(struct list *l, const struct list_row *row)
{
    const struct profile *p = &l->s->collect.profile;
    if (!row->is_heading)
        return row->text.p != NULL ? row->text : row->line == 0 ? STR("<no line>") : STR("");
    l->text.n = 0;
    buf_add(&l->text, profile_string_of(p, row->of->key.string));
    buf_add(&l->text, row->of->key.number != 0 ? STR(" in ") : STR(""));
    buf_add(&l->text, profile_string_of(p, row->of->key.number));
    return buf_str(&l->text);
}

static struct sheet_cell cell_of(const void *from, size_t number, size_t column)
{
    static const struct view_line nothing;
    struct list *l = (struct list *)(uintptr_t)from;
    const struct list_row *row = &l->rows[number];
    const struct profile *p = &l->s->collect.profile;
    bool is_for_humans = sheet_is_for_humans(l->s->plan->request.format);
    struct sheet_cell cell = view_cell(row->cost == NULL ? &nothing : row->cost, l->all, column);
    if (column == VIEW_NAME) {
        cell.text = is_for_humans ? shown_text(l, row) : profile_string_of(p, row->of->key.string);
        cell.is_heading = row->is_heading;
    } else if (column == FILE_NAME) {
        cell.text = profile_string_of(p, row->of->key.number);
    } else if (column == LINE) {
        cell.number = wide_of(row->line);
        cell.is_none = row->line == 0;
    } else if (column == TEXT) {
        cell.text = row->text;
        cell.is_none = row->text.p == NULL;
    } else {
        bool is_self = column == VIEW_SELF || column == VIEW_SELF_SHARE;
        cell.is_none = is_for_humans && !row->is_heading &&
                       (row->cost == NULL || (is_self && wide_sign(row->cost->self) == 0));
    }
    return cell;
}

/* The calls of the line in row NUMBER. */
static bool inside(const void *from, size_t number, size_t i, struct sheet_item *item)
{
    const struct list *l = from;
    const struct list_row *row = &l->rows[number];
    if (row->cost == NULL || row->is_heading || !l->has_calls)
        return false;
    const size_t *first = &l->first_call[row->cost->entry - 1];
    if (i >= first[1] - first[0])
        return false;
    const struct call *call = &l->calls[first[0] + i];
    *item = (struct sheet_item){.name = l->sums[call->key.callee - 1].name,
                                .value = call->line.total,
                                .share = wide_share(call->line.total, l->all)};
    return true;
}

static void write_list(struct list *l)
{
    struct sheet sheet = {
        .columns = columns,
        .column_count = COLUMNS,
        .row_count = l->count,
        .cell = cell_of,
        .from = l,
        .judged = VIEW_TOTAL_SHARE,
        .drawn = SHEET_NO_COLUMN,
        .reported = VIEW_SELF_SHARE,
        .is_listing = true,
        .is_code = true,
        .inside = inside,
    };
    if (l->cost_count == 0)
        view_found_none(l->s, "list", l->s->options->list);
    view_write(l->s, &sheet, l->all);
    lines_warn(&l->lines, "--list");
}

void view_list(struct summary *s)
{
    struct list l = {.s = s, .has_calls = s->plan->request.format == SHEET_FORMAT_HTML};
    l.search = lines_search_for(&s->collect.profile, s->options->source_path, s->options->trim_path,
                                &l.folders);
    find_routines(&l);
    l.costs = mem_alloc_zeroed(((size_t)s->collect.entries.count + 1) * sizeof *l.costs);
    l.all = collect_each_stack(&s->collect, add_stack, &l);
    limit_totals(&l);
    sort_costs(&l);
    sort_calls(&l);
    add_routines(&l);
    sort_rows(&l);
    write_list(&l);
    intern_free(&l.keys);
    mem_free(l.routines);
    mem_free(l.sums);
    mem_free(l.routine_of);
    mem_free(l.costs);
    mem_free(l.order);
    mem_free(l.rows);
    intern_free(&l.call_keys);
    mem_free(l.calls);
    mem_free(l.first_call);
    lines_free(&l.lines);
    buf_free(&l.folders);
    buf_free(&l.text);
    arena_free(&l.arena);
}
