/* Calls: the sum of samples in which one entry calls the other, and of those where the callee is
 * innermost. A call counts once per stack. As in pprof a call of an entry to itself does not
 * count. */
#include "base/mem.h"
#include "summary/view.h"

/* --- sums --- */

static void add_stack(void *to, const struct stacks_stack *stack, const struct collect_sum *sum)
{
    struct view_calls *c = to;
    calls_begin(&c->calls, stack->depth);
    for (size_t i = 0; i + 1 < stack->depth; i++) {
        const uint32_t callee = stacks_frame(stack, i), caller = stacks_frame(stack, i + 1);
        if (caller != callee)
            calls_add(&c->calls, caller, callee, i == 0);
    }
    calls_finish(&c->calls);
    c->lines = mem_array_zeroed(c->lines, &c->capacity, calls_count(&c->calls), sizeof *c->lines);
    for (size_t i = 0; i < c->calls.stack_count; i++)
        __builtin_prefetch(&c->lines[c->calls.stack[i].number - 1], 1);
    for (size_t i = 0; i < c->calls.stack_count; i++) {
        const struct calls_call *call = &c->calls.stack[i];
        struct view_line *line = &c->lines[call->number - 1];
        line->entry = call->number;
        view_add_call(line, stack, call->is_marked, sum);
    }
}

struct view_calls view_calls_of(const struct summary *s)
{
    struct view_calls c = {0};
    c.all = collect_each_stack(&s->collect, add_stack, &c);
    for (uint32_t i = 0; i < calls_count(&c.calls); i++)
        view_limit(&c.lines[i], &s->collect, 0, c.all);
    return c;
}

void view_free_calls(struct view_calls *c)
{
    mem_free(c->lines);
    calls_free(&c->calls);
}

/* --- the table --- */

struct call_table {
    const struct collect *collect;
    struct view_calls calls;
    struct arena names;
    struct buf *text; /* of the last cell */
};

enum { CALLER = VIEW_OWN, CALLEE, COLUMNS };

static const struct sheet_column columns[COLUMNS] = {
    VIEW_COLUMNS(NONE, "call"),
    [CALLER] = VIEW_COLUMN(CALLER, "caller", TEXT),
    [CALLEE] = VIEW_COLUMN(CALLEE, "callee", TEXT),
};

static void name_lines(struct call_table *t)
{
    const struct calls *calls = &t->calls.calls;
    for (uint32_t number = 1; number <= calls_count(calls); number++) {
        t->text->n = 0;
        collect_add_name(t->collect, calls_caller(calls, number), t->text);
        buf_add(t->text, STR(" -> "));
        collect_add_name(t->collect, calls_callee(calls, number), t->text);
        t->calls.lines[number - 1].name = arena_copy(&t->names, buf_str(t->text));
    }
}

static struct sheet_cell cell_of(const void *from, size_t row, size_t column)
{
    const struct call_table *t = from;
    const struct view_line *line = &t->calls.lines[row];
    struct sheet_cell cell = view_cell(line, t->calls.all, column);
    if (column == CALLER || column == CALLEE) {
        const struct calls *calls = &t->calls.calls;
        t->text->n = 0;
        collect_add_name(t->collect,
                         column == CALLER ? calls_caller(calls, line->entry)
                                          : calls_callee(calls, line->entry),
                         t->text);
        cell.text = buf_str(t->text);
    }
    return cell;
}

void view_call_table(struct summary *s)
{
    struct buf text = {0};
    struct call_table t = {.collect = &s->collect, .calls = view_calls_of(s), .text = &text};
    name_lines(&t);
    view_sort(t.calls.lines, calls_count(&t.calls.calls), s->plan->by_total);
    struct sheet sheet = {
        .columns = columns,
        .column_count = COLUMNS,
        .row_count = calls_count(&t.calls.calls),
        .cell = cell_of,
        .from = &t,
        .judged = VIEW_TOTAL_SHARE,
        .drawn = s->plan->by_total ? VIEW_TOTAL_SHARE : VIEW_SELF_SHARE,
        .reported = VIEW_SELF_SHARE,
    };
    view_write(s, &sheet, t.calls.all);
    view_free_calls(&t.calls);
    arena_free(&t.names);
    buf_free(&text);
}
