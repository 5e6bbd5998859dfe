/* Options, and the stage that collects both sides and writes the comparison. */
#include "compare/compare.h"

#include "base/mem.h"
#include "base/words.h"
#include "compare/guard.h"
#include "compare/judge.h"
#include "compare/operations.h"
#include "compare/table.h"
#include "feed/attempt.h"
#include "summary/request.h"

#include <stdlib.h>

struct compare {
    struct sink sink;
    struct out *out;
    const struct compare_options *options;
    struct table_request table;
    struct gates gates;
    struct str *units; /* that gates name, each once */
    size_t unit_count;
    struct buf shown; /* the argument of --type, or the first of these, and a 0; empty: neither */
    struct judge judge;
    struct operations operations; /* of --per-op-from */
    struct sides sides;
};

/* --- options --- */

const char *const compare_measures[] = {"share", "cost"};

/* --measure: whether to compare shares. */
static bool parse_measure(const char *text)
{
    return text == NULL || words_find("measure", text, compare_measures, 2) == 0;
}

const char *const compare_tests[] = {"t", "rank"};

/* --test: whether to compare ranks. */
static bool parse_test(const char *text)
{
    return text != NULL && words_find("test", text, compare_tests, 2) == 1;
}

const char *const compare_per_words[] = {
    [SIDES_PER_RUN] = "run", [SIDES_PER_SECOND] = "second", [SIDES_PER_OP] = "op"};

/* --per, --per-op and --per-op-from: what cost refers to. */
static enum sides_per parse_per(const struct compare_options *o)
{
    const char *option = o->per_op != NULL        ? "per-op"
                         : o->per_op_from != NULL ? "per-op-from"
                                                  : NULL;
    enum sides_per per =
        o->per == NULL ? SIDES_PER_RUN : words_find("per", o->per, compare_per_words, 3);
    if (o->per_op != NULL && o->per_op_from != NULL)
        die(CODE_OPTIONS_CLASH, "--per-op-from cannot be used with --per-op");
    if (o->per_op_from != NULL && (o->sides != NULL || o->runs != NULL))
        die(CODE_OPTIONS_CLASH, "--per-op-from cannot be used with --%s",
            o->sides != NULL ? "sides" : "runs");
    if (option != NULL && o->per != NULL && per != SIDES_PER_OP)
        die(CODE_OPTIONS_CLASH, "--%s cannot be used with --per=%s", option, o->per);
    if (option == NULL && per == SIDES_PER_OP)
        die(CODE_OPTIONS_CLASH,
            "--per=op needs --per-op, the number of operations in a run, or --per-op-from");
    return option != NULL ? SIDES_PER_OP : per;
}

/* --per-op: the number of operations of each run. */
static double parse_operations(const struct compare_options *o)
{
    const double number = request_number("per-op", o->per_op, "a number of operations");
    if (!(number > 0))
        die(CODE_BAD_ARGUMENT, "--per-op: expected a number of operations, found \"%s\"",
            o->per_op);
    return number;
}

static struct sides_how parse_how(const struct compare_options *o)
{
    return (struct sides_how){.per = parse_per(o),
                              .normalize = o->normalize,
                              .allow_equal = o->allow_equal,
                              .no_pairs = o->no_pairs,
                              .ranks = parse_test(o->test)};
}

static struct request_rows parse_by(const struct compare_options *o)
{
    const struct request_rows rows = request_rows(o->by);
    bool has_source = rows.by == COLLECT_BY_SOURCE;
    for (size_t i = 0; i < rows.level_count; i++)
        has_source |= rows.levels[i].by == COLLECT_BY_SOURCE;
    if (has_source && o->sides == NULL)
        die(CODE_BAD_OPERANDS, "--by=%s: no source is in both base and new", o->by);
    if (rows.level_count > 0 && rows.levels[0].by == COLLECT_BY_KEY)
        die(CODE_BAD_ARGUMENT, "--by: expected label:KEY, found \"label\"");
    if (rows.by == COLLECT_BY_STACK && o->own != NULL)
        die(CODE_OPTIONS_CLASH, "--own cannot be used with --by=stack");
    return rows;
}

static struct table_request parse_table(const struct compare_options *o)
{
    struct table_request r = {.min_share = SIDES_SHARE};
    if (o->columns && (o->fail_if.count > 0 || o->rows))
        die(CODE_OPTIONS_CLASH, "--columns cannot be used with --fail-if or --rows");
    r.sheet = request_sheet(o->format, "max-rows", o->max, o->min_share, o->columns);
    r.is_total = request_sort(o->sort);
    r.are_shares = parse_measure(o->measure);
    if (o->min_share != NULL)
        r.min_share = r.sheet.min_share;
    return r;
}

/* Sets OWN to the expression of --own, if given. */
static bool open_own(const struct compare_options *o, struct match *own)
{
    if (o->own != NULL)
        match_open_text(own, "own", o->own, (struct regex_how){0});
    return o->own != NULL;
}

/* --rows writes no table. */
static void check_rows(const struct compare_options *o)
{
    const struct {
        const char *name, *value;
    } others[] = {{"by", o->by},
                  {"sort", o->sort},
                  {"measure", o->measure},
                  {"test", o->test},
                  {"format", o->format},
                  {"min-share", o->min_share},
                  {"per", o->per},
                  {"per-op", o->per_op},
                  {"per-op-from", o->per_op_from},
                  {"sides", o->sides},
                  {"runs", o->runs},
                  {"own", o->own},
                  {"type", o->type},
                  {"fail-if", o->fail_if.count > 0 ? "" : NULL}};
    for (size_t i = 0; o->rows && i < sizeof others / sizeof *others; i++)
        if (others[i].value != NULL)
            die(CODE_OPTIONS_CLASH, "--%s cannot be used with --rows", others[i].name);
    if (o->rows && o->max != NULL)
        die(CODE_OPTIONS_CLASH, "-n cannot be used with --rows");
}

static void check_gate(const struct compare_options *o, const struct gate *g)
{
    if (o->normalize && g->of == GATE_COST)
        die(CODE_OPTIONS_CLASH, "--fail-if: with --normalize both sides cost the same");
    if (o->measure != NULL && parse_measure(o->measure) && g->is_growth && g->of != GATE_COST)
        die(CODE_OPTIONS_CLASH,
            "--fail-if: \"%s\": %% is of cost; with --measure=share the limit is a number of "
            "points",
            g->text);
}

void compare_check(const struct compare_options *o)
{
    struct match own = {0};
    struct gates gates = {0};
    check_rows(o);
    choice_check(o->type);
    parse_by(o);
    split_parse(o->sides, o->runs);
    parse_table(o);
    parse_how(o);
    if (o->per_op != NULL)
        parse_operations(o);
    open_own(o, &own);
    match_free(&own);
    gates_open(&gates, &o->fail_if, true);
    for (size_t i = 0; i < gates.count; i++)
        check_gate(o, &gates.items[i]);
    gates_free(&gates);
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

/* Opens the gates and finds the types that they, or --type, name. */
static void open_gates(struct compare *c)
{
    gates_open(&c->gates, &c->options->fail_if, true);
    c->units = mem_alloc((c->gates.count + 1) * sizeof *c->units);
    for (size_t i = 0; i < c->gates.count; i++) {
        const struct str unit = c->gates.items[i].unit;
        size_t j = 0;
        while (j < c->unit_count && !str_equal(c->units[j], unit))
            j++;
        if (unit.n > 0 && j == c->unit_count)
            c->units[c->unit_count++] = unit;
    }
    if (c->options->type != NULL)
        buf_add(&c->shown, str_of(c->options->type));
    else if (c->unit_count > 0)
        buf_add(&c->shown, c->units[0]);
    if (c->shown.n > 0)
        buf_add(&c->shown, (struct str){"", 1});
}

static void open_compare(void *to, struct flow *flow, const void *options, struct out *out)
{
    struct compare *c = to;
    c->sink = (struct sink){flow, take_row, take_sample};
    c->out = out;
    c->options = options;
    c->table = parse_table(c->options);
    if (c->options->per_op_from != NULL && !c->options->columns && !attempt_is_on())
        operations_read(&c->operations, c->options->per_op_from, c->options->read);
    c->sides.base_inputs = c->options->base_count;
    c->sides.split.how = split_parse(c->options->sides, c->options->runs);
    const struct request_rows rows = parse_by(c->options);
    request_set_rows(&rows, &c->sides.collect);
    c->sides.has_own = open_own(c->options, &c->sides.own);
    c->sides.collect.choice.takes_levels = true;
    c->sides.collect.choice.is_judged = c->options->fail_if.count > 0 && !attempt_is_on();
    open_gates(c);
    c->sides.collect.choice.units = c->units;
    c->sides.collect.choice.unit_count = c->unit_count;
    sides_open(&c->sides, flow, c->shown.p);
}

/* A review needs two tables: totals in the user's own files, if files are known, and self of
 * all. */
static void write_tables(const struct compare *c)
{
    struct table_request r = c->table;
    /* self and total of a whole stack are the same */
    bool are_two = r.sheet.format == SHEET_FORMAT_MARKDOWN && c->options->sort == NULL &&
                   c->sides.collect.by != COLLECT_BY_STACK && !c->sides.is_level;
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

/* Ends the tool if something is asked for that levels have not. */
static void check_level(const struct compare *c, const struct sides_how *how, bool is_shown)
{
    const char *what = how->normalize                                       ? "--normalize"
                       : how->per == SIDES_PER_SECOND                       ? "--per"
                       : c->options->per_op_from != NULL                    ? "--per-op-from"
                       : how->per == SIDES_PER_OP                           ? "--per-op"
                       : c->table.are_shares && c->options->measure != NULL ? "--measure=share"
                                                                            : NULL;
    for (size_t i = 0; i < c->gates.count && what == NULL; i++) {
        const struct gate *g = &c->gates.items[i];
        if (judge_is_about(g, &c->sides, is_shown) &&
            (g->of == GATE_COST || g->of == GATE_TOTAL || (!g->is_growth && !g->is_amount)))
            what = g->text;
    }
    if (what != NULL)
        die(CODE_OPTIONS_CLASH, "\"%s\": levels have no sum and no share: self in %% can be judged",
            what);
}

/* Has gates judge the type that is compared, which is in the table if IS_SHOWN. Returns true if
 * they could not judge something. */
static bool take(struct compare *c, bool is_shown)
{
    const struct judge_how how = {.min_share = c->table.min_share,
                                  .untested = c->options->untested,
                                  .absent_ok = c->options->absent_ok,
                                  .allow_equal = c->options->allow_equal || !is_shown};
    return judge_take(&c->judge, &c->gates, &c->sides, is_shown, &how);
}

/* Whether a gate limits the cost of functions, of whatever type the table shows. */
static bool is_cost_gated(const struct compare *c)
{
    for (size_t i = 0; i < c->gates.count; i++) {
        const struct gate *g = &c->gates.items[i];
        if (g->is_growth && g->of != GATE_COST && g->unit.n == 0)
            return true;
    }
    return false;
}

/* Whether a gate names TYPE. */
static bool is_gated(const struct compare *c, uint32_t type)
{
    for (size_t i = 0; i < c->unit_count; i++)
        if (choice_is_called(&c->sides.collect.choice, type, c->units[i]))
            return true;
    return false;
}

static void set_text(struct buf *to, struct str text)
{
    to->n = 0;
    buf_add(to, text);
}

/* Sets TO to the number TYPE as --type names it. */
static void set_type(const struct compare *c, uint32_t type, struct buf *to)
{
    const struct value_type *t = value_types_get(c->sides.collect.choice.names, type);
    set_text(to, t->type);
    buf_add(to, STR("/"));
    buf_add(to, t->unit);
}

/* Ends the tool if a gate names a type that is not there: what it would judge is not known. */
static void check_units(const struct compare *c)
{
    const struct choice *choice = &c->sides.collect.choice;
    for (size_t i = 0; i < c->unit_count && choice->chosen != 0; i++) {
        uint32_t type = 1;
        while (type <= choice->type_capacity && !choice_is_called(choice, type, c->units[i]))
            type++;
        if (type > choice->type_capacity)
            die(CODE_NOT_CHECKED, "--fail-if: no source has values in \"%.*s\"",
                STR_ARG(c->units[i]));
    }
}

/* Compares, as HOW says, the types that gates name besides the one that is shown, and then that
 * again. Returns true if something could not be judged. */
static bool take_others(struct compare *c, struct sides_how how)
{
    const struct choice *choice = &c->sides.collect.choice;
    const uint32_t shown = choice->chosen;
    bool fails = false, is_any = false;
    struct buf name = {0};
    check_units(c);
    how.allow_equal = true; /* equal runs have been reported */
    for (uint32_t type = 1; type <= choice->type_capacity && shown != 0; type++) {
        if (type == shown || !is_gated(c, type))
            continue;
        set_type(c, type, &name);
        sides_again(&c->sides, buf_str(&name), &how);
        if (c->sides.is_level)
            check_level(c, &how, false);
        judge_check(&c->gates, &c->sides, false);
        fails |= guard_finds_missing(&c->sides);
        fails |= take(c, false);
        is_any = true;
    }
    if (is_any && choice_is_called(choice, shown, str_of(c->shown.p)))
        set_type(c, shown, &name); /* several types may be called so */
    else if (is_any)
        set_text(&name, str_of(c->shown.p));
    if (is_any)
        sides_again(&c->sides, buf_str(&name), &how);
    buf_free(&name);
    return fails;
}

/* Reports what gates find, or OTHERS_FAIL; without gates, problems of the sides. */
static void judge(struct compare *c, bool others_fail)
{
    bool is_gate = c->gates.count > 0, fails = guard_finds(&c->sides, SIDES_SHARE, is_gate);
    if (!is_gate)
        return;
    fails |= take(c, true);
    fails |= judge_decide(&c->judge);
    if (fails || others_fail)
        diag_fail(STATUS_CHECK);
}

/* The number of operations of each run, by its number - 1; the caller frees it. */
static double *make_operations(const struct compare *c)
{
    if (c->options->per_op_from != NULL && !c->options->columns)
        return operations_of_runs(&c->operations, &c->sides);
    const size_t count = sides_known(&c->sides);
    const double each = c->options->columns ? 1 : parse_operations(c->options);
    double *operations = mem_alloc((count + 1) * sizeof *operations);
    for (size_t i = 0; i < count; i++)
        operations[i] = each;
    return operations;
}

static void close_compare(void *to)
{
    struct compare *c = to;
    struct sides_how how = parse_how(c->options);
    if (attempt_is_on()) /* of one run: results of others say nothing of it */
        how.per = SIDES_PER_RUN;
    double *operations = how.per == SIDES_PER_OP ? make_operations(c) : NULL;
    how.operations = operations;
    bool others_fail = false;
    if (!attempt_is_on())
        split_check(&c->sides.split, c->gates.count > 0);
    sides_finish(&c->sides, &how);
    if (c->sides.is_level)
        check_level(c, &how, true);
    if (!attempt_is_on()) {
        judge_check(&c->gates, &c->sides, true);
        others_fail = take_others(c, how);
    }
    if (c->options->measure == NULL)
        c->table.are_shares = !c->sides.is_level && sides_can_test(&c->sides) && !is_cost_gated(c);
    write_tables(c);
    if (!attempt_is_on())
        judge(c, others_fail);
    gates_free(&c->gates);
    mem_free(c->units);
    buf_free(&c->shown);
    mem_free(operations);
    operations_free(&c->operations);
    sides_free(&c->sides);
}

const struct stage compare_stage = {
    .takes = STAGE_TAKES_MERGED,
    .leaves_rows = true,
    .state_size = sizeof(struct compare),
    .open = open_compare,
    .close = close_compare,
};
