#include "compare/judge.h"

#include "base/mem.h"
#include "base/order.h"
#include "compare/stats.h"
#include "rows/text.h"

#include <math.h>
#include <stdio.h>

enum { NEEDS_SIZE = 256 };

/* Writes to TEXT what a test needs, and what S has. */
static void say_needs(const struct sides *s, char text[NEEDS_SIZE])
{
    size_t base = sides_count(s, false, SIDES_RUN_COPY), new = sides_count(s, true, SIDES_RUN_COPY);
    if (base + new == 0)
        snprintf(text, NEEDS_SIZE, "three runs on each side, found %zu and %zu", s->base_count,
                 s->new_count);
    else
        snprintf(text, NEEDS_SIZE,
                 "three different runs on each side, found %zu of %zu and %zu of %zu: equal runs "
                 "count once",
                 s->base_count, s->base_count + base, s->new_count, s->new_count + new);
}

bool judge_is_about(const struct gate *g, const struct sides *s, bool is_shown)
{
    const struct choice *choice = &s->collect.choice;
    return g->unit.n == 0
               ? is_shown
               : choice->chosen != 0 && choice_is_called(choice, choice->chosen, g->unit);
}

void judge_check(const struct gates *g, const struct sides *s, bool is_shown)
{
    char needs[NEEDS_SIZE];
    say_needs(s, needs);
    for (size_t i = 0; i < g->count; i++)
        if (g->items[i].is_significant && judge_is_about(&g->items[i], s, is_shown) &&
            !sides_can_test(s))
            die(CODE_BAD_ARGUMENT, "--fail-if: \"significant\" needs %s", needs);
}

/* What a gate judges: an item or whole runs. */
struct judge_item {
    const struct gate *gate;
    size_t name, name_size; /* for messages, in the names; only if growth is beyond the limit */
    double growth, p;       /* p is NAN if it is not tested */
    double weight;          /* see judge.h */
    bool is_beyond;         /* growth is beyond the limit */
    bool can_test;          /* runs are enough for a test */
    bool is_level;
    bool is_known;   /* base has it, if only as a caller */
    struct str unit; /* of growth, if that is an amount */
};

/* The judge while it takes what gates say of one type. */
struct taking {
    struct judge *judge;
    const struct sides *s;
    const struct judge_how *how;
    struct sides_verdict *verdicts[2][2]; /* index: totals, shares; NULL: not computed yet */
    bool are_equal;                       /* both sides are equal */
};

/* --- what is judged --- */

static const struct sides_verdict *verdicts_of(struct taking *t, const struct gate *g)
{
    bool is_total = g->of != GATE_SELF, are_shares = !g->is_growth && !g->is_amount;
    struct sides_verdict **v = &t->verdicts[is_total][are_shares];
    if (*v == NULL)
        *v = sides_judge(t->s, is_total, are_shares, t->how->min_share);
    return *v;
}

/* The growth in T: relative, or in points of share. */
static double growth_of(const struct gate *g, const struct moderate_test *t)
{
    return g->is_growth ? sides_growth(t->base, t->new) : t->new - t->base;
}

/* Appends the name of ITEM, or of whole runs if it is 0, to TO for messages. */
static void add_subject(const struct sides *s, uint32_t item, struct buf *to)
{
    struct buf name = {0};
    if (item == 0) {
        buf_add(to, STR("the cost of "));
        buf_add(to, str_of(sides_per_name(s->per)));
        return;
    }
    sides_add_names(s, item, &name);
    text_escape(to, buf_str(&name));
    buf_free(&name);
}

/* The unit of the compared type, which stays valid when another is. */
static struct str unit_of(const struct choice *choice)
{
    return choice->chosen == 0 ? STR("") : value_types_get(choice->names, choice->chosen)->unit;
}

static void add(const struct taking *t, const struct gate *g, uint32_t item,
                const struct sides_verdict *v)
{
    const double min = 1e-9;    /* min share, so that weights are above 0 */
    const double error = 1e-12; /* of what 10.3 is above 10 */
    struct judge *j = t->judge;
    struct judge_item judged = {.gate = g,
                                .name = j->names.n,
                                .growth = growth_of(g, &v->test),
                                .p = v->test.is_tested ? v->test.p : NAN,
                                .weight = sqrt(fmax(v->share, min)),
                                .can_test = sides_can_test(t->s),
                                .is_level = t->s->is_level,
                                .unit = unit_of(&t->s->collect.choice)};
    judged.is_beyond =
        judged.growth - g->limit > error * fmax(fabs(g->limit), fmin(1, fabs(judged.growth)));
    if (judged.is_beyond && item != 0)
        judged.is_known = sides_has(t->s, sides_values(t->s, item, true), false);
    if (judged.is_beyond)
        add_subject(t->s, item, &j->names);
    judged.name_size = j->names.n - judged.name;
    j->items = mem_array(j->items, &j->capacity, j->count + 1, sizeof *j->items);
    j->items[j->count++] = judged;
}

/* Matches the names of all items, new and old ones, against G. */
static void name_items(struct gates *g, const struct sides *s)
{
    struct buf name = {0};
    gates_forget(g);
    for (uint32_t item = 1; item <= s->item_count && gates_need_names(g); item++) {
        name.n = 0;
        sides_add_name(s, item, &name);
        gates_take(g, item, buf_str(&name));
        if (!sides_is_renamed(s, item))
            continue;
        name.n = 0;
        sides_add_old_name(s, item, &name);
        gates_take(g, item, buf_str(&name));
    }
    buf_free(&name);
}

/* Reports that everything G names is too small to be judged, or cannot be tested. */
static bool find_nothing(const struct taking *t, const struct gate *g, bool is_any_judged)
{
    if (is_any_judged) {
        diag_error(CODE_NOT_CHECKED, "--fail-if: \"%s\": nothing that it names can be tested",
                   g->text);
        return true;
    }
    const char *format = "--fail-if: \"%s\": nothing is judged: what it names has less than %g %% "
                         "of both sides together (--min-share)";
    if (t->how->absent_ok)
        warn(CODE_NOT_CHECKED, format, g->text, 100 * t->how->min_share);
    else
        diag_error(CODE_NOT_CHECKED, format, g->text, 100 * t->how->min_share);
    return !t->how->absent_ok;
}

/* Collects what G judges; true if that is nothing, which is an error. */
static bool collect(struct taking *t, const struct gate *g)
{
    const struct sides *s = t->s;
    bool is_any_judged = false, is_any_tested = false;
    if (g->of == GATE_COST && !g->has_match) {
        struct sides_verdict cost = sides_judge_cost(s);
        add(t, g, 0, &cost);
        return false;
    }
    const struct sides_verdict *v = verdicts_of(t, g);
    size_t count = g->has_match ? g->named_count : s->item_count;
    for (size_t i = 0; i < count; i++) {
        uint32_t item = g->has_match ? g->named[i] : (uint32_t)i + 1;
        if (!v[item - 1].is_judged)
            continue;
        is_any_judged = true;
        is_any_tested |= v[item - 1].test.is_tested;
        if (!v[item - 1].is_same) /* no noise could be taken for a difference of these */
            add(t, g, item, &v[item - 1]);
    }
    if (count == 0)
        return gate_misses_all(g, t->how->absent_ok);
    if (!is_any_judged || (sides_can_test(s) && !is_any_tested && !t->are_equal))
        return find_nothing(t, g, is_any_judged);
    return false;
}

bool judge_take(struct judge *j, struct gates *g, const struct sides *s, bool is_shown,
                const struct judge_how *how)
{
    struct taking t = {.judge = j, .s = s, .how = how, .are_equal = sides_are_equal(s)};
    bool has_found = false;
    if (s->base_count == 0 || s->new_count == 0)
        return true; /* already reported by the guard */
    if (sides_have_nothing(s)) {
        const struct choice *choice = &s->collect.choice;
        struct str type = value_types_get(choice->names, choice->chosen)->type;
        if (how->absent_ok)
            warn(CODE_NOT_CHECKED, "--fail-if: no run has any \"%.*s\": nothing is judged",
                 STR_ARG(type));
        else
            diag_error(CODE_NOT_CHECKED,
                       "--fail-if: no run has any \"%.*s\": nothing is judged" HINT
                       "--absent-ok accepts that",
                       STR_ARG(type));
        return !how->absent_ok;
    }
    if (!t.are_equal && !sides_can_test(s) && !how->untested) {
        char needs[NEEDS_SIZE];
        say_needs(s, needs);
        if (!j->is_untested)
            diag_error(CODE_NOT_CHECKED,
                       "--fail-if: not tested: that needs %s" HINT
                       "--untested judges differences as they stand",
                       needs);
        return j->is_untested = true;
    }
    name_items(g, s);
    for (size_t i = 0; i < g->count; i++)
        if (judge_is_about(&g->items[i], s, is_shown))
            has_found |= collect(&t, &g->items[i]);
    if (t.are_equal && !how->allow_equal)
        warn(CODE_NOT_CHECKED, "--fail-if: no difference: base and new hold the same runs");
    for (int i = 0; i < 4; i++)
        mem_free(t.verdicts[i / 2][i % 2]);
    return has_found;
}

/* --- what exceeds a limit --- */

/* Reports that what I is about exceeds its limit, with P after the correction. */
static void report(const struct judge *j, const struct judge_item *i, double p)
{
    const struct gate *g = i->gate;
    const struct str name = {j->names.p + i->name, i->name_size};
    char chance[64] = "", by[64];
    if (!isnan(p))
        snprintf(chance, sizeof chance, " (p %.3g)", p);
    else if (i->can_test)
        snprintf(chance, sizeof chance, " (which cannot be tested)");
    if (g->is_amount)
        snprintf(by, sizeof by, "%.6g %.*s", i->growth, STR_ARG(i->unit));
    else
        snprintf(by, sizeof by, "%.2f %s", 100 * i->growth, g->is_growth ? "%" : "points");
    if (isinf(i->growth))
        diag_error(CODE_CHECK_FAILED, "--fail-if: \"%s\": %.*s %s%s", g->text, STR_ARG(name),
                   i->is_level   ? "is no longer 0"
                   : i->is_known ? "had no self cost in base"
                                 : "is new",
                   chance);
    else
        diag_error(CODE_CHECK_FAILED, "--fail-if: \"%s\": %.*s has grown by %s%s", g->text,
                   STR_ARG(name), by, chance);
}

/* Gates are in one list, in the order in which they were given. Of each comes first what costs
 * most. */
static int compare_items(const void *a, const void *b)
{
    const struct judge_item *x = a, *y = b;
    if (x->gate != y->gate)
        return x->gate > y->gate ? 1 : -1;
    return (x->weight < y->weight) - (x->weight > y->weight);
}

bool judge_decide(struct judge *j)
{
    order_items(j->items, j->count, sizeof *j->items, compare_items);
    double *p = mem_alloc((j->count + 1) * sizeof *p);
    double *weights = mem_alloc((j->count + 1) * sizeof *weights);
    double *corrected = mem_alloc((j->count + 1) * sizeof *corrected);
    bool has_found = false;
    for (size_t i = 0; i < j->count; i++) {
        p[i] = j->items[i].p;
        weights[i] = j->items[i].weight;
    }
    stats_holm(p, weights, j->count, corrected);
    for (size_t i = 0; i < j->count; i++) {
        const struct judge_item *item = &j->items[i];
        /* where runs can be tested, a difference that is not significant is none */
        if (!item->is_beyond || (item->can_test && corrected[i] >= SIDES_LEVEL))
            continue;
        report(j, item, corrected[i]);
        has_found = true;
    }
    mem_free(p);
    mem_free(weights);
    mem_free(corrected);
    mem_free(j->items);
    buf_free(&j->names);
    return has_found;
}
