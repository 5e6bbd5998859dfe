/* Callers and callees of matching functions: each function with its callers above and its callees
 * below, like pprof's -peek. */
#include "base/mem.h"
#include "base/order.h"
#include "profile/match.h"
#include "summary/view.h"

struct peek_line {
    enum { CALLER, PICKED, CALLEE } relation;
    const struct view_line *of;   /* the matching function */
    const struct view_line *line; /* its line, or that of the call */
    uint32_t entry;               /* of which NAME is the name */
    struct str name;
};

/* Calls sorted by one of their ends, then by size, the larger first. */
struct ends {
    enum { CALLER_OF, CALLEE_OF } of;
    uint32_t *keys;
    uint32_t *first; /* by entry: its first call; one more marks the end */
};

struct peek {
    const struct summary *s;
    const struct view_totals *totals;
    struct view_calls calls;
    size_t *functions; /* by entry - 1: its line among the totals */
    struct ends callers, callees;
    struct peek_line *lines;
    size_t count, capacity;
    struct buf text; /* of the last cell */
};

/* For the call KEY: the entry that E is sorted by, that at the other end, and its name. */
static uint32_t end_of(const struct peek *p, const struct ends *e, uint32_t key)
{
    const struct calls *calls = &p->calls.calls;
    return e->of == CALLER_OF ? calls_callee(calls, key) : calls_caller(calls, key);
}

static uint32_t other_end(const struct peek *p, const struct ends *e, uint32_t key)
{
    const struct calls *calls = &p->calls.calls;
    return e->of == CALLER_OF ? calls_caller(calls, key) : calls_callee(calls, key);
}

static struct str other_name(const struct peek *p, const struct ends *e, uint32_t key)
{
    return p->totals->lines[p->functions[other_end(p, e, key) - 1]].name;
}

struct order {
    const struct peek *peek;
    const struct ends *ends;
};

static int compare(const void *a, const void *b, void *with)
{
    const struct peek *p = ((struct order *)with)->peek;
    const struct ends *e = ((struct order *)with)->ends;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    uint32_t end_x = end_of(p, e, x), end_y = end_of(p, e, y);
    int total = wide_compare(p->calls.lines[y - 1].total, p->calls.lines[x - 1].total);
    if (end_x != end_y)
        return end_x < end_y ? -1 : 1;
    if (total != 0)
        return total;
    return str_compare(other_name(p, e, x), other_name(p, e, y));
}

static void sort_ends(const struct peek *p, struct ends *e)
{
    uint32_t count = calls_count(&p->calls.calls), entries = p->s->collect.entries.count;
    struct order order = {p, e};
    e->keys = mem_alloc(((size_t)count + 1) * sizeof *e->keys);
    e->first = mem_alloc_zeroed(((size_t)entries + 2) * sizeof *e->first);
    for (uint32_t i = 0; i < count; i++) {
        e->keys[i] = i + 1;
        e->first[end_of(p, e, i + 1) + 1]++;
    }
    for (uint32_t i = 1; i <= entries + 1; i++)
        e->first[i] += e->first[i - 1];
    order_items_with(e->keys, count, sizeof *e->keys, compare, &order);
}

static void free_ends(struct ends *e)
{
    mem_free(e->keys);
    mem_free(e->first);
}

static void add_line(struct peek *p, struct peek_line line)
{
    p->lines = mem_array(p->lines, &p->capacity, p->count + 1, sizeof *p->lines);
    p->lines[p->count++] = line;
}

/* Adds the calls of the function OF in E. */
static void add_calls(struct peek *p, const struct ends *e, const struct view_line *of)
{
    for (uint32_t i = e->first[of->entry]; i < e->first[of->entry + 1]; i++) {
        const uint32_t key = e->keys[i];
        add_line(p, (struct peek_line){e->of == CALLER_OF ? CALLER : CALLEE, of,
                                       &p->calls.lines[key - 1], other_end(p, e, key),
                                       other_name(p, e, key)});
    }
}

/* --- the table --- */

enum { OF_SHARE = VIEW_OWN, RELATION, OF, COLUMNS };

static const struct sheet_column columns[COLUMNS] = {
    VIEW_COLUMNS(FUNCTION, "name"),
    [OF_SHARE] = VIEW_COLUMN(TOTAL_PCT_OF, "of it", SHARE),
    [RELATION] = VIEW_COLUMN(RELATION, "relation", TEXT),
    [OF] = VIEW_COLUMN(OF, "of", TEXT),
};

/* For people an arrow shows the direction of the call. */
static struct str shown_name(struct peek *p, const struct peek_line *line)
{
    if (!sheet_is_for_humans(p->s->plan->request.format))
        return line->name;
    p->text.n = 0;
    buf_add(&p->text, line->relation == CALLEE   ? STR("    -> ")
                      : line->relation == PICKED ? STR("  ")
                                                 : STR(""));
    buf_add(&p->text, line->name);
    buf_add(&p->text, line->relation == CALLER ? STR(" ->") : STR(""));
    return buf_str(&p->text);
}

static struct sheet_cell cell_of(const void *from, size_t row, size_t column)
{
    static const struct str relations[] = {STR("caller"), STR("self"), STR("callee")};
    struct peek *p = (struct peek *)(uintptr_t)from;
    const struct peek_line *line = &p->lines[row];
    struct sheet_cell cell =
        view_cell(line->line, column == OF_SHARE ? line->of->total : p->totals->all, column);
    if (column == VIEW_NAME)
        cell.text = shown_name(p, line);
    else if (column == RELATION)
        cell.text = relations[line->relation];
    else if (column == OF)
        cell.text = line->of->name;
    return cell;
}

static uint32_t entry_of(const void *from, size_t row)
{
    return ((const struct peek *)from)->lines[row].entry;
}

/* Adds the lines of all matching functions. */
static void pick(struct peek *p)
{
    for (size_t i = 0; i < p->totals->count; i++) {
        const struct view_line *line = &p->totals->lines[i];
        if (!match_bytes(&p->s->plan->match, line->name))
            continue;
        add_calls(p, &p->callers, line);
        add_line(p, (struct peek_line){PICKED, line, line, line->entry, line->name});
        add_calls(p, &p->callees, line);
    }
}

void view_peek(struct summary *s)
{
    struct peek p = {.s = s, .totals = view_totals_of(s), .calls = view_calls_of(s)};
    p.functions = mem_alloc_zeroed(((size_t)s->collect.entries.count + 1) * sizeof *p.functions);
    for (size_t i = 0; i < p.totals->count; i++)
        p.functions[p.totals->lines[i].entry - 1] = i;
    p.callers.of = CALLER_OF;
    p.callees.of = CALLEE_OF;
    sort_ends(&p, &p.callers);
    sort_ends(&p, &p.callees);
    pick(&p);
    struct sheet sheet = {
        .columns = columns,
        .column_count = COLUMNS,
        .row_count = p.count,
        .cell = cell_of,
        .from = &p,
        .judged = VIEW_TOTAL_SHARE,
        .drawn = OF_SHARE,
        .reported = VIEW_SELF_SHARE,
    };
    if (p.count == 0)
        view_found_none(s, "peek", s->options->peek);
    view_write_entries(s, &sheet, p.totals->all, entry_of);
    free_ends(&p.callers);
    free_ends(&p.callees);
    view_free_calls(&p.calls);
    mem_free(p.functions);
    mem_free(p.lines);
    buf_free(&p.text);
}
