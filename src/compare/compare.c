/* Options, and the stage that collects both sides and writes what became of one. */
#include "compare/compare.h"

#include "compare/guard.h"
#include "compare/judge.h"
#include "compare/table.h"
#include "summary/request.h"

#include <stdlib.h>

struct compare {
    struct sink sink;
    struct out *out;
    const struct compare_options *options;
    struct table_request table;
    struct sides sides;
};

/* --- options --- */

/* --measure: whether the table is about shares. */
static bool parse_measure(const char *text)
{
    bool is_cost = text != NULL && strcmp(text, "cost") == 0;
    if (text != NULL && !is_cost && strcmp(text, "share") != 0)
        die(STATUS_USAGE, "--measure: expected share or cost, found \"%s\"", text);
    return !is_cost;
}

static enum collect_by parse_by(const struct compare_options *o, struct str *label)
{
    enum collect_by by = request_by(o->by, label);
    if (by == COLLECT_BY_SOURCE)
        die(STATUS_USAGE,
            "--by: each source is a run of its own, and is in one of the sides alone");
    return by;
}

static struct table_request parse_table(const struct compare_options *o)
{
    struct table_request r = {.min_share = SIDES_SHARE, .per_op = 1};
    r.sheet = request_sheet(o->format, "most", o->most, o->min_share);
    r.is_total = request_sort(o->sort);
    r.are_shares = parse_measure(o->measure);
    if (o->min_share != NULL)
        r.min_share = r.sheet.min_share;
    if (o->per_op != NULL)
        r.per_op = request_number("per-op", o->per_op, "a number of operations");
    if (!(r.per_op > 0))
        die(STATUS_USAGE, "--per-op: expected a number of operations, found \"%s\"", o->per_op);
    return r;
}

/* Makes OWN the expression of --own, if there is one. */
static bool open_own(const struct compare_options *o, struct match *own)
{
    if (o->own != NULL)
        match_open_text(own, "own", o->own, (struct match_how){0});
    return o->own != NULL;
}

/* --rows writes no table. */
static void check_rows(const struct compare_options *o)
{
    const struct {
        const char *name, *value;
    } others[] = {{"by", o->by},         {"sort", o->sort},           {"measure", o->measure},
                  {"format", o->format}, {"min-share", o->min_share}, {"per-op", o->per_op},
                  {"own", o->own},       {"fail-if", o->fail_if},     {"type", o->type}};
    for (size_t i = 0; o->rows && i < sizeof others / sizeof *others; i++)
        if (others[i].value != NULL)
            die(STATUS_USAGE, "--%s is about a table: it does not go with --rows", others[i].name);
    if (o->rows && o->most != NULL)
        die(STATUS_USAGE, "-n is about a table: it does not go with --rows");
}

void compare_check(const struct compare_options *o)
{
    struct str label;
    struct match own = {0};
    struct gate gate = {0};
    check_rows(o);
    choice_check(o->type);
    parse_by(o, &label);
    parse_table(o);
    open_own(o, &own);
    match_free(&own);
    if (o->fail_if != NULL)
        gate_open(&gate, o->fail_if, true);
    if (o->fail_if != NULL && o->normalize && gate.of == GATE_COST)
        die(STATUS_USAGE, "--fail-if: with --normalize both sides cost the same");
    gate_free(&gate);
}

/* --- the stage --- */

static void take_row(struct sink *to, struct row *row)
{
    sides_row(&((struct compare *)to)->sides, row);
}

static void take_sample(struct sink *to, struct sample *sample)
{
    sides_sample(&((struct compare *)to)->sides, sample);
}

static void open_compare(void *to, struct flow *flow, const void *options, struct out *out)
{
    struct compare *c = to;
    c->sink = (struct sink){flow, take_row, take_sample};
    c->out = out;
    c->options = options;
    c->table = parse_table(c->options);
    c->sides.base_inputs = c->options->base_count;
    c->sides.collect.by = parse_by(c->options, &c->sides.collect.label);
    c->sides.has_own = open_own(c->options, &c->sides.own);
    sides_open(&c->sides, flow, c->options->type);
}

/* A review wants two tables: totals in one's own files, where files are known, and self over all. */
static void write_tables(const struct compare *c)
{
    struct table_request r = c->table;
    bool are_two = r.sheet.format == SHEET_FORMAT_MARKDOWN && c->options->sort == NULL;
    r.is_own = c->options->own != NULL;
    if (are_two) {
        r.is_total = true;
        r.is_own = c->sides.has_files;
        table_write(&c->sides, &r, c->out);
        out_write(c->out, STR("\n"));
        r.is_total = r.is_own = false;
        r.is_second = true;
    }
    table_write(&c->sides, &r, c->out);
}

static void close_compare(void *to)
{
    struct compare *c = to;
    struct gate gate = {0};
    bool is_gate = c->options->fail_if != NULL;
    sides_settle(&c->sides, c->options->normalize);
    if (is_gate) {
        gate_open(&gate, c->options->fail_if, true);
        judge_check(&gate, &c->sides);
    }
    write_tables(c);
    bool fails = guard_finds(&c->sides, SIDES_SHARE, is_gate);
    if (is_gate)
        fails |= judge_finds(&gate, &c->sides, !c->table.are_shares, c->table.min_share);
    if (is_gate && fails)
        c->options->fail();
    gate_free(&gate);
    sides_free(&c->sides);
}

const struct stage compare_stage = {
    .takes = STAGE_TAKES_MERGED,
    .leaves_rows = true,
    .state_size = sizeof(struct compare),
    .open = open_compare,
    .close = close_compare,
};
