/* The sequence of samples, as a table. */
#include "base/mem.h"
#include "rows/emit.h"
#include "summary/heading.h"
#include "summary/streaks.h"
#include "summary/view.h"

struct streak_table {
    struct streaks *streaks;
    struct view_path path; /* of the last cell */
};

const struct sheet_column view_stack_columns[VIEW_STACK_COLUMNS] = {
    [VIEW_STACK] = VIEW_COLUMN(STACK, "stack, outermost first", TEXT),
    [VIEW_STACK_SAMPLES] = VIEW_COLUMN(SAMPLES, "samples", COUNT),
    [VIEW_STACK_SHARE] = VIEW_COLUMN(SAMPLES_PCT, "samples", SHARE),
    [VIEW_STACK_ID] = VIEW_COLUMN(STACK_ID, "stack", COUNT),
    [VIEW_STACK_DEPTH] = VIEW_COLUMN(DEPTH, "depth", COUNT),
};

struct sheet_cell view_stack_cell(struct view_path *path, const struct view_stack *stack,
                                  size_t column)
{
    switch (column) {
    case VIEW_STACK: view_path_take(path, stack->frames); return view_path_cell(path);
    case VIEW_STACK_ID: return (struct sheet_cell){.number = wide_of_unsigned(stack->id)};
    case VIEW_STACK_DEPTH:
        return (struct sheet_cell){.number = wide_of_unsigned(stack->frames.n / sizeof(uint32_t))};
    default:
        return (struct sheet_cell){.number = stack->samples,
                                   .share = wide_share(stack->samples, stack->all)};
    }
}

static struct sheet_cell cell_of(const void *from, size_t row, size_t column)
{
    struct streak_table *t = (struct streak_table *)(uintptr_t)from;
    const struct streak streak = streaks_at(t->streaks, row);
    const struct view_stack stack = {streaks_stack(t->streaks, streak.stack), streak.stack,
                                     wide_of(streak.samples), t->streaks->all};
    return view_stack_cell(&t->path, &stack, column);
}

/* Appends how many streaks there are of samples with equal outermost frames. */
static void add_depths(const struct streaks *r, struct buf *to)
{
    buf_add(to, STR("streaks by depth:"));
    for (size_t i = 0; i < r->depth; i++) {
        buf_add(to, STR(" "));
        emit_number(to, (int64_t)r->by_depth[i]);
    }
}

void view_streak_table(struct summary *s)
{
    struct streak_table t = {.streaks = s->streaks,
                             .path = view_path_of(&s->collect, s->plan->request.format)};
    struct buf title = {0}, note = {0};
    add_depths(s->streaks, &note);
    heading_add_origin(&title, &s->collect.profile);
    sheet_add_grouped(&title, s->streaks->all);
    buf_add(&title, STR(" samples of "));
    sheet_add_grouped_count(&title, s->streaks->stacks.count);
    buf_add(&title, STR(" stacks in "));
    sheet_add_grouped_count(&title, s->streaks->count);
    buf_add(&title, STR(" streaks"));
    struct view_facts facts = view_facts_of(s, s->streaks->all);
    struct sheet sheet = {
        .title = buf_str(&title),
        .note = buf_str(&note),
        .columns = view_stack_columns,
        .column_count = VIEW_STACK_COLUMNS,
        .row_count = s->streaks->count,
        .unit = STR("count"),
        .cell = cell_of,
        .from = &t,
        .judged = VIEW_STACK_SHARE,
        .drawn = VIEW_STACK_SHARE,
        .reported = VIEW_STACK_SHARE,
    };
    view_add_facts(&sheet, &facts);
    sheet_write(&sheet, &s->plan->request, s->out);
    view_free_facts(&facts);
    buf_free(&title);
    buf_free(&note);
    view_path_free(&t.path);
}
