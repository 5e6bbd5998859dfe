/* The sequence of samples: which stack each run of equal ones had, and how long it was.  Runs are as many as
 * samples at worst, so they wait in a spool. */
#include "base/mem.h"
#include "base/spool.h"
#include "rows/emit.h"
#include "summary/view.h"

struct run {
    uint64_t stack; /* by first appearance, from 1 */
    int64_t samples;
};

struct view_runs {
    struct intern stacks; /* entries, innermost first */
    struct spool *spool;  /* of all runs but the last */
    struct run last;
    size_t count;
    __int128 all;
    size_t *by_depth; /* runs of samples with equal outermost frames: one, two, ... */
    size_t depth, capacity;
};

struct view_runs *view_open_runs(void)
{
    struct view_runs *r = mem_alloc_zeroed(sizeof *r);
    r->spool = spool_open();
    return r;
}

static struct str frames_of(const struct view_runs *r, uint64_t stack)
{
    return stack == 0 ? STR("") : intern_get(&r->stacks, (uint32_t)stack);
}

/* Counts the runs that begin with a stack of DEPTH entries of which the outermost SAME went on. */
static void count_depths(struct view_runs *r, size_t depth, size_t same)
{
    if (depth > r->capacity)
        r->by_depth = mem_array_zeroed(r->by_depth, &r->capacity, depth, sizeof *r->by_depth);
    r->depth = depth > r->depth ? depth : r->depth;
    for (size_t i = same; i < depth; i++)
        r->by_depth[i]++;
}

static size_t count_same(struct str a, struct str b)
{
    const size_t size = sizeof(uint32_t);
    size_t n = 0;
    while ((n + 1) * size <= a.n && (n + 1) * size <= b.n &&
           memcmp(a.p + a.n - (n + 1) * size, b.p + b.n - (n + 1) * size, size) == 0)
        n++;
    return n;
}

void view_add_run(struct view_runs *r, const uint32_t *stack, size_t depth, int64_t samples)
{
    struct str frames = {(const char *)stack, depth * sizeof *stack};
    uint32_t number = intern_add(&r->stacks, frames, NULL);
    r->all += samples;
    if (number == r->last.stack) {
        r->last.samples += samples;
        return;
    }
    count_depths(r, depth, count_same(frames, frames_of(r, r->last.stack)));
    if (r->count++ > 0)
        spool_write(r->spool, (struct str){(const char *)&r->last, sizeof r->last});
    r->last = (struct run){number, samples};
}

void view_free_runs(struct view_runs *r)
{
    spool_close(r->spool);
    intern_free(&r->stacks);
    mem_free(r->by_depth);
    mem_free(r);
}

void view_add_path(const struct collect *c, struct str frames, struct buf *to)
{
    for (size_t i = frames.n / sizeof(uint32_t); i-- > 0;) {
        uint32_t entry;
        memcpy(&entry, frames.p + i * sizeof entry, sizeof entry);
        collect_add_name(c, entry, to);
        buf_add(to, i > 0 ? STR(";") : STR(""));
    }
}

/* --- the table --- */

struct run_table {
    const struct summary *s;
    struct view_runs *runs;
    struct run run; /* number AT, from 0 */
    size_t at;
    struct buf text; /* of the last cell */
};

enum { NAME, SELF, SELF_SHARE, STACK, LENGTH, COLUMNS };

static const struct sheet_column columns[COLUMNS] = {
    [NAME] = {STR("name"), STR("stack, outermost first"), SHEET_TEXT},
    [SELF] = {STR("self"), STR("samples"), SHEET_COUNT},
    [SELF_SHARE] = {STR("self_pct"), STR("samples"), SHEET_SHARE},
    [STACK] = {STR("stack"), STR("stack"), SHEET_COUNT},
    [LENGTH] = {STR("length"), STR("length"), SHEET_COUNT},
};

/* Reads run number ROW: rows are mostly asked for one after the other. */
static void go_to(struct run_table *t, size_t row)
{
    if (row == t->at)
        return;
    if (row != t->at + 1)
        spool_seek(t->runs->spool, row * sizeof t->run);
    t->at = row;
    if (row + 1 == t->runs->count || !spool_read(t->runs->spool, &t->run, sizeof t->run))
        t->run = t->runs->last;
}

static struct sheet_cell cell_of(const void *from, size_t row, size_t column)
{
    struct run_table *t = (struct run_table *)(uintptr_t)from;
    go_to(t, row);
    struct str frames = frames_of(t->runs, t->run.stack);
    size_t depth = frames.n / sizeof(uint32_t);
    struct sheet_cell cell = {.number = t->run.samples,
                              .share = (double)t->run.samples / (double)t->runs->all};
    if (column == STACK || column == LENGTH)
        cell.number = column == STACK ? t->run.stack : (__int128)depth;
    t->text.n = 0;
    if (column == NAME)
        view_add_path(&t->s->collect, frames, &t->text);
    cell.text = buf_str(&t->text);
    return cell;
}

/* Says how many runs there are of samples that agree in their outermost frames. */
static void add_depths(const struct view_runs *r, struct buf *to)
{
    buf_add(to, STR("runs by depth:"));
    for (size_t i = 0; i < r->depth; i++) {
        buf_add(to, STR(" "));
        emit_number(to, (int64_t)r->by_depth[i]);
    }
}

void view_run_table(struct summary *s)
{
    struct run_table t = {.s = s, .runs = s->runs, .at = SIZE_MAX};
    struct buf title = {0}, note = {0};
    add_depths(s->runs, &note);
    sheet_add_number(&title, s->runs->all);
    buf_add(&title, STR(" samples of "));
    sheet_add_number(&title, s->runs->stacks.count);
    buf_add(&title, STR(" stacks in "));
    sheet_add_number(&title, (__int128)s->runs->count);
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
        .told = SELF_SHARE,
    };
    sheet_write(&sheet, &s->plan->request, s->out);
    buf_free(&title);
    buf_free(&note);
    buf_free(&t.text);
}
