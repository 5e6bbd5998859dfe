/* The sequence of samples, as a table. */
#include "base/mem.h"
#include "rows/emit.h"
#include "summary/runs.h"
#include "summary/view.h"

struct run_table {
    struct runs *runs;
    struct view_path path; /* of the last cell */
};

enum { NAME, SELF, SELF_SHARE, STACK, LENGTH, COLUMNS };

static const struct sheet_column columns[COLUMNS] = {
    [NAME] = {STR("name"), STR("stack, outermost first"), SHEET_TEXT},
    [SELF] = {STR("self"), STR("samples"), SHEET_COUNT},
    [SELF_SHARE] = {STR("self_pct"), STR("samples"), SHEET_SHARE},
    [STACK] = {STR("stack"), STR("stack"), SHEET_COUNT},
    [LENGTH] = {STR("length"), STR("length"), SHEET_COUNT},
};

static struct sheet_cell cell_of(const void *from, size_t row, size_t column)
{
    struct run_table *t = (struct run_table *)(uintptr_t)from;
    struct runs_run run = runs_at(t->runs, row);
    struct str frames = runs_stack(t->runs, run.stack);
    size_t depth = frames.n / sizeof(uint32_t);
    struct wide samples = wide_of(run.samples);
    if (column == NAME) {
        view_path_take(&t->path, frames);
        return view_path_cell(&t->path);
    }
    if (column == STACK || column == LENGTH)
        return (struct sheet_cell){.number = wide_of_unsigned(column == STACK ? run.stack : depth)};
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
    struct run_table t = {.runs = s->runs, .path = view_path_of(s)};
    struct buf title = {0}, note = {0};
    add_depths(s->runs, &note);
    sheet_add_number(&title, s->runs->all);
    buf_add(&title, STR(" samples of "));
    sheet_add_count(&title, s->runs->stacks.count);
    buf_add(&title, STR(" stacks in "));
    sheet_add_count(&title, s->runs->count);
    buf_add(&title, STR(" runs"));
    struct sheet sheet = {
        .title = buf_str(&title),
        .note = buf_str(&note),
        .columns = columns,
        .column_count = COLUMNS,
        .row_count = s->runs->count,
        .unit = STR("count"),
        .cell = cell_of,
        .from = &t,
        .judged = SELF_SHARE,
        .drawn = SELF_SHARE,
        .reported = SELF_SHARE,
    };
    sheet_write(&sheet, &s->plan->request, s->out);
    buf_free(&title);
    buf_free(&note);
    view_path_free(&t.path);
}
