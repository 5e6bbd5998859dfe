#include "compare/sides.h"

#include "base/mem.h"
#include "base/port.h"
#include "base/units.h"
#include "compare/admit.h"
#include "compare/pairs.h"
#include "compare/rank.h"
#include "compare/stats.h"
#include "profile/naming.h"

#include <math.h>
#include <stdlib.h>

/* --- rows and samples --- */

/* Files of libraries, if --own does not say which files are the user's. Go's own packages have no
 * folder in programs built with -trimpath. */
static const char libraries[] =
    "^(/usr|/lib|/opt|/nix)|/pkg/mod/|/vendor/|/site-packages/|/node_modules/|/rustc/|/[.]cargo/|"
    "^[<[]|^(archive|bufio|bytes|cmp|compress|container|context|crypto|database|debug|embed|"
    "encoding|errors|"
    "expvar|flag|fmt|go|hash|html|image|index|internal|io|iter|log|maps|math|mime|net|os|path|"
    "plugin|reflect|"
    "regexp|runtime|slices|sort|strconv|strings|sync|syscall|testing|text|time|unicode|unique|weak)"
    "/"
    ".*[.](go|s)$";

void sides_open(struct sides *s, struct flow *flow, const char *type)
{
    s->collect.keeps_runs = true;
    flow->adds_up = true;
    if (!s->has_own)
        match_open_text(&s->own, NULL, libraries, (struct regex_how){0});
    collect_open(&s->collect, flow, type);
}

/* Adds the facts of a source to the run that it is part of. */
static void join(struct sides *s, uint32_t part_number)
{
    const struct split_part part = split_part_of(&s->split, part_number);
    s->runs = mem_array_zeroed(s->runs, &s->run_capacity, part.run, sizeof *s->runs);
    struct sides_run *run = &s->runs[part.run - 1];
    run->is_new = split_is_new(&s->split, part.run);
    if (run->source == 0) {
        run->source = part.source;
        run->time = s->facts[part.source - 1].time;
    }
    admit_join(run, &s->facts[part.source - 1]);
}

static void add_source(struct sides *s, const struct row *row)
{
    size_t id = s->collect.profile.source_count;
    s->facts = mem_array(s->facts, &s->facts_capacity, id, sizeof *s->facts);
    s->facts[id - 1] = admit_facts(row, s->collect.flow->where);
    s->facts[id - 1].is_new = s->collect.flow->input > s->base_inputs;
    if (!split_is_on(&s->split))
        join(s, split_add_source(&s->split, (uint32_t)id, s->facts[id - 1].is_new));
}

/* Records whether the last location, of ENTRY, is in a file of the user's own. */
static void note_file(struct sides *s, const struct profile_location *l, uint32_t entry)
{
    uint32_t file = naming_file(&s->collect.profile, l);
    if (entry == 0 || file == 0)
        return;
    s->has_files = true;
    s->is_own = mem_array_zeroed(s->is_own, &s->own_capacity, entry, sizeof *s->is_own);
    if (!s->is_own[entry - 1])
        s->is_own[entry - 1] =
            match_bytes(&s->own, profile_string_of(&s->collect.profile, file)) == s->has_own;
}

void sides_row(struct sides *s, const struct row *row)
{
    collect_row(&s->collect, row);
    if (row->table == TABLE_SOURCES)
        add_source(s, row);
    if (row->table == TABLE_LOCATIONS) {
        size_t at = (size_t)row->location.location_id - 1;
        s->seen = mem_array_zeroed(s->seen, &s->seen_capacity, at + 1, sizeof *s->seen);
        note_file(s, &s->collect.profile.locations[at], s->collect.frames[at]);
    }
}

/* The number of the run that SAMPLE belongs to; 0: it is of neither side. */
static uint32_t run_of(struct sides *s, const struct sample *sample)
{
    struct sides_facts *facts = &s->facts[sample->source_id - 1];
    facts->has_samples = true;
    if (!split_is_on(&s->split))
        return (uint32_t)sample->source_id;
    const uint32_t known = s->split.parts.count;
    const uint32_t part =
        split_find(&s->split, &s->collect.profile, sample, facts->is_new, s->collect.flow->where);
    if (part > known)
        join(s, part);
    return part == 0 ? 0 : split_part_of(&s->split, part).run;
}

bool sides_sample(struct sides *s, struct sample *sample)
{
    s->collect.run = run_of(s, sample);
    if (s->collect.run == 0)
        return false;
    struct sides_run *run = &s->runs[s->collect.run - 1];
    admit_sample(run, sample, s->collect.flow->where);
    for (size_t i = 0; i < sample->depth; i++)
        s->seen[sample->locations[i] - 1] |= run->is_new ? SIDES_NEW : SIDES_BASE;
    if (!collect_sample(&s->collect, sample))
        return false;
    run->sample_count++;
    run->cut_count += sample_is_cut(sample);
    return true;
}

/* --- sums --- */

/* Adds SUM, of the side IS_NEW, to each call of stack NUMBER, once. */
static void add_calls(struct sides *s, uint32_t number, double sum, bool is_new)
{
    calls_finish(&s->calls);
    s->costs =
        mem_array_zeroed(s->costs, &s->cost_capacity, calls_count(&s->calls), sizeof *s->costs);
    for (size_t i = 0; i < s->calls.stack_count; i++)
        __builtin_prefetch(&s->costs[s->calls.stack[i].number - 1], 1);
    for (size_t i = 0; i < s->calls.stack_count; i++) {
        struct sides_cost *cost = &s->costs[s->calls.stack[i].number - 1];
        if (cost->last != number + 1)
            cost->sums[is_new] += sum;
        cost->last = number + 1;
    }
}

/* The cell of ITEM for the run at PLACE: stacks of one run are mostly adjacent. */
static struct sides_cell *cell_of(struct sides *s, uint32_t item, size_t position)
{
    uint32_t *last = &s->cell[item - 1];
    if (*last != 0 && s->cells[*last - 1].position == position)
        return &s->cells[*last - 1];
    s->cells = mem_array(s->cells, &s->cell_capacity, s->cell_count + 1, sizeof *s->cells);
    s->cells[s->cell_count] = (struct sides_cell){.position = (uint32_t)position, .before = *last};
    *last = (uint32_t)++s->cell_count;
    return &s->cells[*last - 1];
}

const double *sides_values(const struct sides *s, uint32_t item, bool is_total)
{
    double *values = s->values[is_total];
    for (size_t i = 0; i < s->run_count; i++)
        values[i] = s->is_level ? NAN : 0;
    for (uint32_t i = s->cell[item - 1]; i != 0; i = s->cells[i - 1].before) {
        const struct sides_cell *cell = &s->cells[i - 1];
        const double value = is_total ? cell->total : cell->self;
        values[cell->position] =
            isnan(values[cell->position]) ? value : values[cell->position] + value;
    }
    return values;
}

/* Ends the tool: a row would have several values of a run, which say nothing together. */
static _Noreturn void die_level(const struct sides *s)
{
    const struct choice *choice = &s->collect.choice;
    die(CODE_WRONG_TYPE,
        "\"%.*s\" is a level, which cannot be added up: some row has several values of a run",
        STR_ARG(value_types_get(choice->names, choice->chosen)->type));
}

/* Adds VALUE, a level, of the innermost frame of STACK. */
static void add_level(void *to, const struct stacks_stack *stack, double value)
{
    struct sides *s = to;
    const struct sides_run *run = sides_run_of(s, stack);
    s->value_count++;
    if (run->state != SIDES_RUN_COUNTS)
        return;
    struct sides_cell *cell =
        cell_of(s, s->item_of[run->is_new][stacks_frame(stack, 0) - 1], run->position);
    cell->values++;
    cell->self = cell->total = value;
    s->all[run->position] = NAN;
}

/* Ends the tool if a row has several values of a run: in one stack, in one cell, or in several. */
static void check_levels(const struct sides *s)
{
    uint32_t *last = mem_alloc_zeroed((s->run_count + 1) * sizeof *last);
    bool are_single = s->value_count == choice_count(&s->collect.choice);
    for (uint32_t item = 1; item <= s->item_count; item++)
        for (uint32_t i = s->cell[item - 1]; i != 0; i = s->cells[i - 1].before) {
            const struct sides_cell *cell = &s->cells[i - 1];
            are_single &= cell->values == 1 && last[cell->position] != item;
            last[cell->position] = item;
        }
    mem_free(last);
    if (!are_single)
        die_level(s);
}

static void add_stack(void *to, const struct stacks_stack *stack, const struct collect_sum *value)
{
    struct sides *s = to;
    const struct sides_run *run = sides_run_of(s, stack);
    const uint32_t *item_of = s->item_of[run->is_new];
    const double self = sides_sum(s, value->self) * run->weight;
    if (run->state != SIDES_RUN_COUNTS)
        return;
    s->all[run->position] += fabs(self);
    /* whole stacks have no caller that cost could move under */
    const bool has_calls = s->collect.by != COLLECT_BY_STACK;
    calls_begin(&s->calls, stack->depth);
    for (size_t i = 0; i < stack->depth; i++) {
        const uint32_t item = item_of[stacks_frame(stack, i) - 1];
        const uint32_t caller = i + 1 < stack->depth ? item_of[stacks_frame(stack, i + 1) - 1] : 0;
        __builtin_prefetch(&s->cell[item - 1]);
        __builtin_prefetch(&s->last[item - 1], 1);
        if (has_calls && caller != item)
            calls_add(&s->calls, caller, item, false);
    }
    for (size_t i = 0; i < stack->depth; i++) {
        const uint32_t item = item_of[stacks_frame(stack, i) - 1];
        struct sides_cell *cell = cell_of(s, item, run->position);
        cell->self += i == 0 ? self : 0;
        if (s->last[item - 1] != stack->number + 1) {
            const struct collect_total *total = i == 0 ? &value->innermost : &value->outer;
            cell->total += sides_sum(s, total->value) * run->weight;
            cell->bound += sides_sum(s, total->bound) * run->weight;
        }
        s->last[item - 1] = stack->number + 1;
    }
    add_calls(s, stack->number, sides_sum(s, value->call) * run->weight, run->is_new);
}

/* Whether ITEM joins functions. */
static bool joins(const struct sides *s, const struct sides_item *item)
{
    return collect_joins(&s->collect, item->base) || collect_joins(&s->collect, item->new);
}

/* Limits the totals of inclusive values, as collect_limit does. */
static void limit_totals(struct sides *s)
{
    for (size_t i = 0; s->collect.has_inclusive && i < s->item_count; i++) {
        const bool is_bounded = s->collect.has_bounds && joins(s, &s->items[i]);
        for (uint32_t at = s->cell[i]; at != 0; at = s->cells[at - 1].before) {
            struct sides_cell *cell = &s->cells[at - 1];
            if (is_bounded)
                cell->total = fmin(cell->total, cell->bound);
            cell->total = fmax(fmin(cell->total, s->all[cell->position]), cell->self);
        }
    }
}

/* The value of one sample in the unit of values, if all runs agree. */
static double sample_of(const struct sides *s)
{
    const struct choice *choice = &s->collect.choice;
    double found = 1;
    bool has_one = false;
    for (uint32_t i = 1; i <= s->split.parts.count; i++) {
        const struct profile_source *of;
        if (sides_part(s, i, &of)->state != SIDES_RUN_COUNTS)
            continue;
        bool is_same =
            choice->chosen != 0 && of->has_period &&
            str_equal(of->period_type, value_types_get(choice->names, choice->chosen)->type);
        double each =
            is_same ? (double)of->period * (double)units_in(of->period_unit, choice->unit) : 0;
        if (!(each > 0) || (has_one && each != found))
            return 1;
        found = each;
        has_one = true;
    }
    return found;
}

/* Copies the values of one side that are there, divided by UNIT, to TO; returns how many. */
static size_t pack(const struct sides *s, const double *values, bool is_new, double unit,
                   double *to)
{
    size_t from = is_new ? s->base_count : 0, end = is_new ? s->run_count : s->base_count, n = 0;
    for (size_t i = from; i < end; i++)
        if (!isnan(values[i]))
            to[n++] = values[i] / unit;
    return n;
}

/* The median of VALUES over the runs of one side. */
static double median_of(const struct sides *s, const double *values, bool is_new)
{
    double *there = mem_alloc((s->run_count + 1) * sizeof *there);
    const double median = rank_median(there, pack(s, values, is_new, 1, there));
    mem_free(there);
    return median;
}

double sides_mean(const struct sides *s, const double *values, bool is_new)
{
    size_t from = is_new ? s->base_count : 0, end = is_new ? s->run_count : s->base_count;
    size_t count = 0;
    double sum = 0, first = NAN;
    bool are_equal = true; /* then their mean is one of them, whatever a sum of fractions says */
    if (s->ranks)
        return median_of(s, values, is_new);
    for (size_t i = from; i < end; i++) {
        if (isnan(values[i]))
            continue;
        first = count++ == 0 ? values[i] : first;
        are_equal &= values[i] == first;
        sum += values[i];
    }
    return count == 0 ? 0 : are_equal ? first : sum / (double)count;
}

bool sides_have_nothing(const struct sides *s)
{
    return !s->is_level && !(sides_mean(s, s->all, false) > 0) &&
           !(sides_mean(s, s->all, true) > 0);
}

double sides_mean_share(const struct sides *s, const double *values, bool is_new)
{
    size_t from = is_new ? s->base_count : 0, count = is_new ? s->new_count : s->base_count;
    double sum = 0;
    for (size_t i = from; i < from + count; i++)
        sum += s->all[i] > 0 ? values[i] / s->all[i] : 0;
    return count == 0 ? 0 : sum / (double)count;
}

bool sides_has(const struct sides *s, const double *values, bool is_new)
{
    size_t from = is_new ? s->base_count : 0, to = is_new ? s->run_count : s->base_count;
    while (from < to && (s->is_level ? isnan(values[from]) : values[from] == 0))
        from++;
    return from < to;
}

/* Computes all sums of the chosen type. */
static void add_up(struct sides *s, const struct sides_how *how)
{
    s->is_level = choice_is_level(&s->collect.choice);
    s->ranks = how->ranks;
    admit_runs(s, how);
    pairs_make_items(s, how->no_pairs || s->is_level);
    s->all = mem_alloc_zeroed((s->run_count + 1) * sizeof *s->all);
    s->cell = mem_alloc_zeroed((s->item_count + 1) * sizeof *s->cell);
    for (int i = 0; i < 2; i++)
        s->values[i] = mem_alloc((s->run_count + 1) * sizeof *s->values[i]);
    s->last = mem_alloc_zeroed((s->item_count + 1) * sizeof *s->last);
    s->is_own = mem_array_zeroed(s->is_own, &s->own_capacity, s->collect.entries.count + 1,
                                 sizeof *s->is_own);
    if (s->is_level) {
        collect_each_level(&s->collect, add_level, s);
        check_levels(s);
    } else {
        collect_each_stack(&s->collect, add_stack, s);
        limit_totals(s);
    }
    s->sample = sample_of(s);
    for (size_t i = 0; i < calls_count(&s->calls); i++) {
        s->costs[i].sums[0] /= (double)(s->base_count > 0 ? s->base_count : 1);
        s->costs[i].sums[1] /= (double)(s->new_count > 0 ? s->new_count : 1);
    }
}

void sides_finish(struct sides *s, const struct sides_how *how)
{
    collect_finish(&s->collect);
    add_up(s, how);
}

/* Forgets what add_up has computed. */
static void forget(struct sides *s)
{
    mem_free(s->items);
    mem_free(s->all);
    mem_free(s->cells);
    mem_free(s->cell);
    mem_free(s->last);
    mem_free(s->costs);
    calls_free(&s->calls);
    for (int side = 0; side < 2; side++) {
        mem_free(s->item_of[side]);
        mem_free(s->values[side]);
    }
    s->items = NULL;
    s->cells = NULL;
    s->value_count = 0;
    s->costs = NULL;
    s->item_count = s->cell_count = s->cell_capacity = s->cost_capacity = 0;
}

void sides_again(struct sides *s, struct str type, const struct sides_how *how)
{
    forget(s);
    for (size_t i = 0; i < sides_known(s); i++) {
        struct sides_run *run = &s->runs[i];
        run->state = SIDES_RUN_COUNTS;
        run->has_type = run->is_sampled = false;
        run->cost = 0;
        run->original = run->twin = 0;
    }
    collect_again(&s->collect, type);
    add_up(s, how);
}

const char *sides_per_name(enum sides_per per)
{
    static const char *const names[] = {[SIDES_PER_RUN] = "a run",
                                        [SIDES_PER_SECOND] = "a second",
                                        [SIDES_PER_OP] = "an operation"};
    return names[per];
}

/* --- items --- */

uint32_t sides_entry(const struct sides *s, uint32_t item)
{
    const struct sides_item *of = &s->items[item - 1];
    return of->new != 0 ? of->new : of->base;
}

void sides_add_name(const struct sides *s, uint32_t item, struct buf *to)
{
    collect_add_name(&s->collect, sides_entry(s, item), to);
}

void sides_add_old_name(const struct sides *s, uint32_t item, struct buf *to)
{
    collect_add_name(&s->collect, s->items[item - 1].base, to);
}

void sides_add_names(const struct sides *s, uint32_t item, struct buf *to)
{
    sides_add_name(s, item, to);
    if (!sides_is_renamed(s, item))
        return;
    buf_add(to, STR(" (was "));
    sides_add_old_name(s, item, to);
    buf_add(to, STR(")"));
}

/* The same for an entry; 0: none. */
static bool is_own(const struct sides *s, uint32_t entry)
{
    return entry != 0 && s->is_own[collect_frame_of(&s->collect, entry) - 1];
}

bool sides_is_own(const struct sides *s, uint32_t item)
{
    const struct sides_item *of = &s->items[item - 1];
    return is_own(s, of->base) || is_own(s, of->new);
}

double sides_growth(double base, double new)
{
    if (base == 0)
        return new > 0 ? INFINITY : 0;
    return (new - base) / fabs(base);
}

size_t sides_count(const struct sides *s, bool is_new, enum sides_run_state state)
{
    size_t count = 0;
    for (size_t i = 0; i < sides_known(s); i++)
        count += s->runs[i].is_new == is_new && s->runs[i].state == state;
    return count;
}

bool sides_are_equal(const struct sides *s)
{
    for (size_t i = 0; i < sides_known(s); i++)
        if (s->runs[i].state == SIDES_RUN_COUNTS && s->runs[i].twin == 0)
            return false;
    return s->base_count > 0 && s->new_count > 0;
}

/* --- verdicts --- */

/* Converts VALUES, by position, to samples. */
static void in_samples(const struct sides *s, const double *values, double *to)
{
    for (size_t i = 0; i < s->run_count; i++)
        to[i] = values[i] / s->sample;
}

/* The sum of absolute VALUES, since base may be below 0 and new above. */
static double size_of(const struct sides *s, const double *values)
{
    double sum = 0;
    for (size_t i = 0; i < s->run_count; i++)
        sum += fabs(values[i]);
    return sum;
}

/* Whether all VALUES, by position, that are there are the same. */
static bool are_same(const struct sides *s, const double *values)
{
    double first = NAN;
    for (size_t i = 0; i < s->run_count; i++) {
        if (isnan(values[i]))
            continue;
        if (!isnan(first) && values[i] != first)
            return false;
        first = values[i];
    }
    return true;
}

/* Whether all values of RUNS, enough for a test, are 0. */
static bool is_zero(const struct moderate_runs *runs)
{
    size_t i = 0;
    while (i < runs->base_count + runs->new_count && runs->values[i] == 0)
        i++;
    return i == runs->base_count + runs->new_count && runs->base_count >= MODERATE_RUNS &&
           runs->new_count >= MODERATE_RUNS;
}

/* The test of VALUES, by position, of ALL, in samples. THERE has room for them. That of a level is
 * finished: each has runs of its own, and is tested alone, since what is small says nothing about
 * what is large. */
static struct moderate_test test_of(const struct sides *s, const double *values, const double *all,
                                    bool are_shares, double *there)
{
    struct moderate_runs runs = {.values = there, .all = s->is_level ? there : all};
    runs.base_count = pack(s, values, false, s->sample, there);
    runs.new_count = pack(s, values, true, s->sample, there + runs.base_count);
    struct moderate_test test = moderate_begin(&runs, are_shares);
    if (s->is_level)
        moderate_finish(&test, 1, runs.base_count, runs.new_count);
    if (s->is_level && is_zero(&runs)) { /* which is known, and no difference */
        test.is_tested = true;
        test.p = 1;
        test.low = test.high = test.min = 0;
    }
    return test;
}

/* Replaces the result of TEST, of VALUES by position, by that of their ranks, which know no
 * range. */
static void use_ranks(const struct sides *s, const double *values, bool are_shares,
                      struct moderate_test *test)
{
    double *shown = mem_alloc((s->run_count + 1) * sizeof *shown);
    double *there = mem_alloc((s->run_count + 1) * sizeof *there);
    size_t counts[2];
    for (size_t i = 0; i < s->run_count; i++)
        shown[i] = are_shares && s->all[i] > 0 ? values[i] / s->all[i]
                   : are_shares                ? 0
                                               : values[i] / s->sample;
    counts[0] = pack(s, shown, false, 1, there);
    counts[1] = pack(s, shown, true, 1, there + counts[0]);
    test->p = test->is_tested ? rank_test(there, counts) : NAN;
    test->low = test->high = test->min = test->dispersion = test->df = NAN;
    test->base = rank_median(there, counts[0]);
    test->new = rank_median(there + counts[0], counts[1]);
    mem_free(shown);
    mem_free(there);
}

struct sides_verdict *sides_judge(const struct sides *s, bool is_total, bool are_shares,
                                  double min_share)
{
    size_t count = s->item_count;
    struct sides_verdict *v = mem_alloc_zeroed((count + 1) * sizeof *v);
    struct moderate_test *tests = mem_alloc_zeroed((count + 1) * sizeof *tests);
    double *all = mem_alloc((s->run_count + 1) * sizeof *all);
    double *there = mem_alloc((s->run_count + 1) * sizeof *there);
    double *p = mem_alloc((count + 1) * sizeof *p), *corrected = mem_alloc((count + 1) * sizeof *p);
    in_samples(s, s->all, all);
    for (uint32_t item = 1; item <= count; item++) {
        const double *values = sides_values(s, item, is_total);
        v[item - 1].share = s->is_level ? 1 : size_of(s, values) / size_of(s, s->all);
        v[item - 1].is_judged = v[item - 1].share >= min_share;
        v[item - 1].is_same = are_same(s, values) && (!are_shares || are_same(s, s->all));
        tests[item - 1] = test_of(s, values, all, are_shares, there);
        tests[item - 1].is_tested &= v[item - 1].is_judged;
    }
    if (!s->is_level)
        moderate_finish(tests, count, s->base_count, s->new_count);
    for (size_t i = 0; i < count; i++) {
        if (s->ranks)
            use_ranks(s, sides_values(s, (uint32_t)i + 1, is_total), are_shares, &tests[i]);
        v[i].test = tests[i];
        p[i] = tests[i].is_tested ? tests[i].p : NAN;
    }
    stats_benjamini_hochberg(p, count, corrected);
    for (size_t i = 0; i < count; i++)
        v[i].q = corrected[i];
    stats_holm(p, NULL, count, corrected);
    for (size_t i = 0; i < count; i++)
        v[i].holm = corrected[i];
    mem_free(tests);
    mem_free(all);
    mem_free(there);
    mem_free(p);
    mem_free(corrected);
    return v;
}

struct sides_verdict sides_judge_cost(const struct sides *s)
{
    double *all = mem_alloc((s->run_count + 1) * sizeof *all);
    in_samples(s, s->all, all);
    const struct moderate_runs runs = {all, all, s->base_count, s->new_count};
    struct sides_verdict v = {.test = moderate_begin(&runs, false), .share = 1, .is_judged = true};
    moderate_finish(&v.test, 1, s->base_count, s->new_count);
    if (s->ranks)
        use_ranks(s, s->all, false, &v.test);
    v.q = v.holm = v.test.p;
    mem_free(all);
    return v;
}

void sides_free(struct sides *s)
{
    forget(s);
    mem_free(s->runs);
    mem_free(s->facts);
    split_free(&s->split);
    mem_free(s->is_own);
    mem_free(s->seen);
    match_free(&s->own);
    collect_free(&s->collect);
}
