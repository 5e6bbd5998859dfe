/* The sequence of samples, as a table. */
#include "base/mem.h"
#include "rows/emit.h"
#include "summary/runs.h"
#include "summary/view.h"

struct run_table {
    struct runs *runs;
    struct view_path path; /* of the last cell */
};

enum { STACK, SAMPLES, SHARE, STACK_ID, DEPTH, COLUMNS };

static const struct sheet_column columns[COLUMNS] = {
    [STACK] = VIEW_COLUMN(STACK, "stack, outermost first", TEXT),
    [SAMPLES] = VIEW_COLUMN(SAMPLES, "samples", COUNT),
    [SHARE] = VIEW_COLUMN(SAMPLES_PCT, "samples", SHARE),
    [STACK_ID] = VIEW_COLUMN(STACK_ID, "stack", COUNT),
    [DEPTH] = VIEW_COLUMN(DEPTH, "depth", COUNT),
};

static struct sheet_cell cell_of(const void *from, size_t row, size_t column)
{
    struct run_table *t = (struct run_table *)(uintptr_t)from;
    struct runs_run run = runs_at(t->runs, row);
    struct str frames = runs_stack(t->runs, run.stack);
    size_t depth = frames.n / sizeof(uint32_t);
    struct wide samples = wide_of(run.samples);
    if (column == STACK) {
        view_path_take(&t->path, frames);
        return view_path_cell(&t->path);
    }
    if (column == STACK_ID || column == DEPTH)
        return (struct sheet_cell){.number = wide_of_unsigned(column == DEPTH ? depth : run.stack)};
    return (struct sheet_cell){.number = samples, .share = wide_share(samples, t->runs->all)};
}

/* Appends how many runs there are of samples with equal outermost frames. */
static void add_depths(const struct runs *r, struct buf *to)
{
    buf_add(to, STR("runs by depth:"));
    for (size_t i = 0; i < r->depth; i++) {
        buf_add(to, STR(" "));
        emit_number(to, (int64_t)r->by_depth[i]);
    }
}

void view_run_table(struct summary *s)
{
    struct run_table t = {.runs = s->runs,
                          .path = view_path_of(&s->collect, s->plan->request.format)};
    struct buf title = {0}, note = {0};
    add_depths(s->runs, &note);
    sheet_add_number(&title, s->runs->all);
    buf_add(&title, STR(" samples of "));
    sheet_add_count(&title, s->runs->stacks.count);
    buf_add(&title, STR(" stacks in "));
    sheet_add_count(&title, s->runs->count);
    buf_add(&title, STR(" runs"));
    struct view_facts facts = view_facts_of(s, s->runs->all);
    struct sheet sheet = {
        .title = buf_str(&title),
        .note = buf_str(&note),
        .columns = columns,
        .column_count = COLUMNS,
        .row_count = s->runs->count,
        .unit = STR("count"),
        .cell = cell_of,
        .from = &t,
        .judged = SHARE,
        .drawn = SHARE,
        .reported = SHARE,
    };
    view_add_facts(&sheet, &facts);
    sheet_write(&sheet, &s->plan->request, s->out);
    view_free_facts(&facts);
    buf_free(&title);
    buf_free(&note);
    view_path_free(&t.path);
}
