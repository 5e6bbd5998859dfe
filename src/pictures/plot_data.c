/* The figures of plots as tables for programs. */
#include "pictures/plot_parts.h"

/* --- shared --- */

/* The number of the empty stack, which is no row of its own; 0: there is none. */
static uint64_t empty_stack(const struct plot *p)
{
    return intern_find(&p->streaks->stacks, STR(""));
}

uint64_t plot_stack_id(const struct plot *p, uint64_t stack)
{
    const uint64_t empty = empty_stack(p);
    return stack == empty ? 0 : stack - (empty != 0 && stack > empty);
}

void plot_write_samples(struct plot *p, struct sheet *sheet)
{
    struct buf all = {0}, no_stack = {0};
    sheet_add_count(&all, (uint64_t)(p->samples - p->stackless));
    sheet_add_count(&no_stack, p->summary.collect.no_stack_count);
    const struct sheet_fact facts[] = {{COLUMN_TYPE, STR("samples"), false},
                                       {COLUMN_UNIT, STR("count"), false},
                                       {COLUMN_ALL, buf_str(&all), true},
                                       {COLUMN_NO_STACK, buf_str(&no_stack), true}};
    sheet->unit = STR("count");
    sheet->facts = facts;
    sheet->fact_count = sizeof facts / sizeof *facts;
    plot_write_sheet(p, sheet);
    buf_free(&all);
    buf_free(&no_stack);
}

void plot_write_sheet(struct plot *p, struct sheet *sheet)
{
    sheet->drawn = sheet->reported = SHEET_NO_COLUMN; /* they are for people */
    sheet_write(sheet, &p->summary.plan->request, p->out);
}

struct sheet_cell plot_time_cell(const struct plot *p, struct wide samples)
{
    return (struct sheet_cell){.number = wide_multiply(samples, wide_of_double(p->period)),
                               .is_none = p->period <= 0};
}

/* --- functions --- */

void plot_write_nodes(struct plot *p, bool is_empty)
{
    (void)is_empty; /* then there are no functions */
    p->summary.out = p->out;
    view_totals(&p->summary);
}

/* --- streaks over time --- */

/* The last streak that was asked for; streaks are asked for in order. Where samples have times each is a
 * streak. */
struct series {
    struct plot *p;
    struct view_path path;
    size_t row;
    struct streak streak;
    struct wide start; /* samples before it */
    bool is_timed;
    struct plot_moment moment; /* of the streak */
};

enum { NAME, TIME, LANE, START, SAMPLES, DEPTH, STACK_ID, COLUMNS };

static const struct sheet_column event_columns[COLUMNS] = {
    [NAME] = VIEW_COLUMN(STACK, "stack, outermost first", TEXT),
    [TIME] = VIEW_COLUMN(TIME, "time", COUNT),
    [LANE] = VIEW_COLUMN(LANE, "lane", TEXT),
    [START] = VIEW_COLUMN(START, "start", COUNT),
    [SAMPLES] = VIEW_COLUMN(SAMPLES, "samples", COUNT),
    [DEPTH] = VIEW_COLUMN(DEPTH, "depth", COUNT),
    [STACK_ID] = VIEW_COLUMN(STACK_ID, "stack", COUNT),
};

static const struct sheet_column depth_columns[STACK_ID] = {
    [NAME] = VIEW_COLUMN(LEAF, "innermost", TEXT),
    [TIME] = VIEW_COLUMN(TIME, "time", COUNT),
    [LANE] = VIEW_COLUMN(LANE, "lane", TEXT),
    [START] = VIEW_COLUMN(START, "start", COUNT),
    [SAMPLES] = VIEW_COLUMN(SAMPLES, "samples", COUNT),
    [DEPTH] = VIEW_COLUMN(DEPTH, "depth", COUNT),
};

/* go_to for samples with times. */
static void go_to_moment(struct series *s, size_t row)
{
    if (row == 0) {
        s->start = wide_of(0);
        plot_times_rewind(s->p->times);
        plot_times_next(s->p->times, &s->moment);
    }
    for (; s->row < row; s->row++) {
        wide_add_to(&s->start, s->moment.samples);
        plot_times_next(s->p->times, &s->moment);
    }
    s->row = row;
    s->streak = (struct streak){s->moment.stack, s->moment.samples};
}

static void go_to(struct series *s, size_t row)
{
    if (s->is_timed) {
        go_to_moment(s, row);
        return;
    }
    if (row == 0)
        s->start = wide_of(0);
    for (; s->row < row; s->row++) {
        s->streak = streaks_at(s->p->streaks, s->row);
        wide_add_to(&s->start, s->streak.samples);
    }
    s->streak = streaks_at(s->p->streaks, row);
}

/* The cell of the streak, but for its name. */
static struct sheet_cell streak_cell(const struct series *s, size_t column)
{
    const uint64_t id = plot_stack_id(s->p, s->streak.stack);
    switch (column) {
    case TIME:
        return s->is_timed ? (struct sheet_cell){.number = wide_of(s->moment.time)}
                           : plot_time_cell(s->p, s->start);
    case LANE:
        if (!s->is_timed)
            return (struct sheet_cell){.is_none = true};
        return (struct sheet_cell){.text = intern_get(&s->p->times->names, s->moment.lane)};
    case START: return (struct sheet_cell){.number = s->start};
    case SAMPLES: return (struct sheet_cell){.number = wide_of(s->streak.samples)};
    case STACK_ID: return (struct sheet_cell){.number = wide_of_unsigned(id), .is_none = id == 0};
    default: break;
    }
    const size_t depth = streaks_stack(s->p->streaks, s->streak.stack).n / sizeof(uint32_t);
    return (struct sheet_cell){.number = wide_of_unsigned(depth)};
}

static struct sheet_cell event_cell(const void *from, size_t row, size_t column)
{
    struct series *s = (struct series *)(uintptr_t)from;
    go_to(s, row);
    if (column != NAME)
        return streak_cell(s, column);
    view_path_take(&s->path, streaks_stack(s->p->streaks, s->streak.stack));
    return view_path_cell(&s->path);
}

static struct sheet_cell depth_cell(const void *from, size_t row, size_t column)
{
    struct series *s = (struct series *)(uintptr_t)from;
    go_to(s, row);
    if (column != NAME)
        return streak_cell(s, column);
    const struct str frames = streaks_stack(s->p->streaks, s->streak.stack);
    if (frames.n == 0)
        return (struct sheet_cell){.is_none = true};
    uint32_t leaf;
    memcpy(&leaf, frames.p, sizeof leaf);
    return (struct sheet_cell){.text = plot_name(s->p, leaf)};
}

/* Writes a table of streaks; SHEET has its columns and cells. */
static void write_streaks(struct plot *p, struct sheet sheet, bool is_empty)
{
    struct series s = {.p = p, .is_timed = plot_is_timed(p)};
    s.path = view_path_of(&p->summary.collect, p->summary.plan->request.format);
    sheet.row_count = is_empty ? 0 : s.is_timed ? p->times->count : p->streaks->count;
    sheet.from = &s;
    plot_write_samples(p, &sheet);
    view_path_free(&s.path);
}

void plot_write_events(struct plot *p, bool is_empty)
{
    write_streaks(
        p, (struct sheet){.columns = event_columns, .column_count = COLUMNS, .cell = event_cell},
        is_empty);
}

void plot_write_depth(struct plot *p, bool is_empty)
{
    write_streaks(
        p, (struct sheet){.columns = depth_columns, .column_count = STACK_ID, .cell = depth_cell},
        is_empty);
}

/* --- distinct stacks --- */

struct stacks_of {
    const struct plot *p;
    struct view_path path;
    uint64_t empty;
};

enum { STACK, STACK_NUMBER, STACK_DEPTH, STACK_COLUMNS };

static const struct sheet_column stack_columns[STACK_COLUMNS] = {
    [STACK] = VIEW_COLUMN(STACK, "stack, outermost first", TEXT),
    [STACK_NUMBER] = VIEW_COLUMN(STACK_ID, "stack", COUNT),
    [STACK_DEPTH] = VIEW_COLUMN(DEPTH, "depth", COUNT),
};

static struct sheet_cell stack_cell(const void *from, size_t row, size_t column)
{
    struct stacks_of *s = (struct stacks_of *)(uintptr_t)from;
    const bool is_after = s->empty != 0 && row + 1 >= s->empty;
    const struct str frames = streaks_stack(s->p->streaks, row + 1 + is_after);
    if (column == STACK_NUMBER)
        return (struct sheet_cell){.number = wide_of_unsigned(row + 1)};
    if (column == STACK_DEPTH)
        return (struct sheet_cell){.number = wide_of_unsigned(frames.n / sizeof(uint32_t))};
    view_path_take(&s->path, frames);
    return view_path_cell(&s->path);
}

void plot_write_stack_nodes(struct plot *p, bool is_empty)
{
    struct stacks_of s = {.p = p, .empty = empty_stack(p)};
    struct buf no_stack = {0};
    s.path = view_path_of(&p->summary.collect, p->summary.plan->request.format);
    sheet_add_count(&no_stack, p->summary.collect.no_stack_count);
    const struct sheet_fact fact = {COLUMN_NO_STACK, buf_str(&no_stack), true};
    struct sheet sheet = {.columns = stack_columns,
                          .column_count = STACK_COLUMNS,
                          .row_count = is_empty ? 0 : p->streaks->stacks.count - (s.empty != 0),
                          .unit = STR("count"),
                          .facts = &fact,
                          .fact_count = 1,
                          .cell = stack_cell,
                          .from = &s};
    plot_write_sheet(p, &sheet);
    view_path_free(&s.path);
    buf_free(&no_stack);
}
