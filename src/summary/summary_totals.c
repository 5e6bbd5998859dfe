/* Self and total of each entry: what the samples had in which it stands innermost, and at all.  It counts once
 * in a stack, however often it stands there. */
#include "base/mem.h"
#include "rows/loss.h"
#include "summary/collect.h"
#include "summary/sheet.h"
#include "summary/summary.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

struct line {
    uint32_t entry; /* 0: no stack with a value has it */
    uint32_t last;  /* the number of the last stack that had it, from 1 */
    __int128 self, total;
    struct str name;
};

struct totals {
    struct sink sink;
    struct out *out;
    struct sheet_request request;
    bool by_total; /* how rows are sorted */
    struct collect collect;
    struct arena names;
    struct line *lines; /* by entry - 1, then sorted */
    size_t line_count;
    __int128 all; /* what percents are of */
};

/* --- options --- */

static enum collect_by parse_by(const char *text, struct str *label)
{
    static const char *const names[] = {
        [COLLECT_BY_FUNCTION] = "function", [COLLECT_BY_LINE] = "line",
        [COLLECT_BY_FILE] = "file",         [COLLECT_BY_MAPPING] = "mapping",
        [COLLECT_BY_SOURCE] = "source",
    };
    struct str rest = str_of(text == NULL ? names[COLLECT_BY_FUNCTION] : text);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (str_equal(rest, str_of(names[i])))
            return (enum collect_by)i;
    if (!str_take(&rest, STR("label:")) || rest.n == 0)
        die(STATUS_USAGE,
            "--by: expected function, line, file, mapping, source or label:KEY, found \"%s\"",
            text);
    *label = rest;
    return COLLECT_BY_LABEL;
}

static bool parse_sort(const char *text)
{
    bool by_total = text != NULL && strcmp(text, "total") == 0;
    if (text != NULL && !by_total && strcmp(text, "self") != 0)
        die(STATUS_USAGE, "--sort: expected self or total, found \"%s\"", text);
    return by_total;
}

static enum sheet_format parse_format(const char *text)
{
    for (unsigned i = 0; i < SHEET_FORMAT_COUNT; i++)
        if (text == NULL || strcmp(text, sheet_formats[i]) == 0)
            return (enum sheet_format)i;
    die(STATUS_USAGE, "--format: expected text, tsv, csv, json, ndjson or markdown, found \"%s\"",
        text);
}

/* The number TEXT, the argument of OPTION. */
static double parse_number(const char *option, const char *text, const char *expected)
{
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || errno != 0 || !(value >= 0) || isinf(value))
        die(STATUS_USAGE, "--%s: expected %s, found \"%s\"", option, expected, text);
    return value;
}

static struct sheet_request parse_request(const struct summary_options *o)
{
    struct sheet_request r = {.format = parse_format(o->format), .most = SIZE_MAX};
    if (o->most != NULL) {
        double most = parse_number("rows", o->most, "a number of rows");
        if (most != floor(most) || most > 1e15)
            die(STATUS_USAGE, "--rows: expected a number of rows, found \"%s\"", o->most);
        r.most = (size_t)most;
    }
    if (o->min_share != NULL)
        r.min_share = parse_number("min-share", o->min_share, "a number of percent") / 100;
    return r;
}

void summary_check(const struct summary_options *o)
{
    struct str label;
    choice_check(o->type);
    parse_by(o->by, &label);
    parse_sort(o->sort);
    parse_request(o);
}

/* --- sums --- */

/* Adds the stack at PLACE. */
static void add_stack(struct totals *t, const struct stacks_stack *stack)
{
    int64_t sum = collect_sum(&t->collect, stack->number);
    if (sum == 0)
        return;
    t->all += sum < 0 ? -(__int128)sum : sum;
    for (size_t i = 0; i < stack->depth; i++) {
        uint32_t entry = stacks_frame(stack, i);
        struct line *line = &t->lines[entry - 1];
        line->entry = entry;
        line->self += i == 0 ? sum : 0;
        line->total += line->last == stack->number + 1 ? 0 : sum;
        line->last = stack->number + 1;
    }
}

static void add_stacks(struct totals *t)
{
    const struct stacks *stacks = &t->collect.profile.stacks;
    struct stacks_pass pass = {0};
    stacks_place place;
    while (stacks_next(stacks, &pass, &place)) {
        struct stacks_stack stack = stacks_at(stacks, place);
        add_stack(t, &stack);
    }
}

/* Leaves those lines alone that have a stack, and gives them their names. */
static void keep_lines(struct totals *t)
{
    struct buf name = {0};
    for (size_t i = 0; i < t->collect.entries.count; i++) {
        if (t->lines[i].entry == 0)
            continue;
        struct line *line = &t->lines[t->line_count++];
        *line = t->lines[i];
        name.n = 0;
        collect_add_name(&t->collect, line->entry, &name);
        line->name = arena_copy(&t->names, buf_str(&name));
    }
    buf_free(&name);
}

/* The order of two numbers, the larger first. */
static int downwards(__int128 a, __int128 b)
{
    return (a < b) - (a > b);
}

static int compare_lines(const void *a, const void *b, void *totals)
{
    const struct line *x = a, *y = b;
    int self = downwards(x->self, y->self), total = downwards(x->total, y->total);
    bool by_total = ((const struct totals *)totals)->by_total;
    int order = by_total ? total : self;
    if (order == 0)
        order = by_total ? self : total;
    return order != 0 ? order : str_compare(x->name, y->name);
}

/* --- the table --- */

enum { NAME, SELF, SELF_SHARE, TOTAL, TOTAL_SHARE, COLUMNS };

static struct sheet_cell cell_of(const void *from, size_t row, size_t column)
{
    const struct totals *t = from;
    const struct line *line = &t->lines[row];
    __int128 value = column == SELF || column == SELF_SHARE ? line->self : line->total;
    return (struct sheet_cell){
        .text = line->name, .number = value, .share = (double)value / (double)t->all};
}

static void add_samples(struct buf *to, uint64_t count)
{
    sheet_add_number(to, count);
    buf_add(to, count == 1 ? STR(" sample") : STR(" samples"));
}

/* What the table is about. */
static void make_title(const struct totals *t, struct str unit, struct buf *to)
{
    const struct choice *choice = &t->collect.choice;
    if (choice->chosen == 0) {
        buf_add(to, STR("no values"));
    } else {
        struct sheet_scale scale = sheet_scale_of(unit, t->all);
        buf_add(to, value_types_get(choice->names, choice->chosen)->type);
        buf_add(to, STR(": "));
        sheet_add_scaled(to, t->all, &scale);
        buf_add(to, scale.unit.n > 0 ? STR(" ") : STR(""));
        buf_add(to, scale.unit);
        buf_add(to, STR(" in "));
        add_samples(to, t->collect.sample_count);
    }
    if (t->collect.stackless_count > 0) {
        buf_add(to, STR(", besides "));
        add_samples(to, t->collect.stackless_count);
        buf_add(to, STR(" without a stack"));
    }
}

static void write_table(struct totals *t)
{
    static const struct sheet_column columns[COLUMNS] = {
        [NAME] = {STR("name"), STR("name"), SHEET_TEXT},
        [SELF] = {STR("self"), STR("self"), SHEET_VALUE},
        [SELF_SHARE] = {STR("self_pct"), STR("self"), SHEET_SHARE},
        [TOTAL] = {STR("total"), STR("total"), SHEET_VALUE},
        [TOTAL_SHARE] = {STR("total_pct"), STR("total"), SHEET_SHARE},
    };
    struct buf title = {0};
    struct str unit = t->collect.choice.chosen == 0 ? STR("count") : t->collect.choice.unit;
    make_title(t, unit, &title);
    struct sheet table = {
        .title = buf_str(&title),
        .columns = columns,
        .column_count = COLUMNS,
        .row_count = t->line_count,
        .unit = unit,
        .cell = cell_of,
        .from = t,
        .judged = TOTAL_SHARE,
        .drawn = t->by_total ? TOTAL_SHARE : SELF_SHARE,
        .told = SELF_SHARE,
    };
    sheet_write(&table, &t->request, t->out);
    buf_free(&title);
}

/* --- the stage --- */

static void take_row(struct sink *to, struct row *row)
{
    collect_row(&((struct totals *)to)->collect, row);
}

static void take_sample(struct sink *to, struct sample *sample)
{
    collect_sample(&((struct totals *)to)->collect, sample);
}

static void open_totals(void *to, struct flow *flow, const void *with, struct out *out)
{
    static const struct summary_options none;
    const struct summary_options *options = with == NULL ? &none : with;
    struct totals *t = to;
    t->sink = (struct sink){flow, take_row, take_sample};
    t->out = out;
    t->by_total = parse_sort(options->sort);
    t->request = parse_request(options);
    t->collect.by = parse_by(options->by, &t->collect.label);
    flow->adds_up = true;
    collect_open(&t->collect, flow, options->type);
}

static void close_totals(void *to)
{
    struct totals *t = to;
    collect_settle(&t->collect);
    t->lines = mem_alloc_zeroed((t->collect.entries.count + 1) * sizeof *t->lines);
    add_stacks(t);
    keep_lines(t);
    qsort_r(t->lines, t->line_count, sizeof *t->lines, compare_lines, t);
    write_table(t);
    mem_free(t->lines);
    arena_free(&t->names);
    collect_free(&t->collect);
}

const struct stage summary_totals = {
    .takes = STAGE_TAKES_MERGED,
    .leaves_rows = true,
    .state_size = sizeof(struct totals),
    .open = open_totals,
    .close = close_totals,
};
