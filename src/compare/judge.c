#include "compare/judge.h"

#include "base/mem.h"
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

void judge_check(const struct gates *g, const struct sides *s)
{
    char needs[NEEDS_SIZE];
    say_needs(s, needs);
    for (size_t i = 0; i < g->count; i++)
        if (g->items[i].is_significant && !sides_can_test(s))
            die(CODE_BAD_ARGUMENT, "--fail-if: \"significant\" needs %s", needs);
}

/* What a gate judges: an item or whole runs. */
struct judged {
    const struct gate *gate;
    uint32_t item; /* 0: whole runs */
    struct moderate_test test;
    double weight; /* see judge.h */
};

struct judge {
    const struct sides *s;
    const struct judge_how *how;
    struct sides_verdict *verdicts[2][2]; /* index: totals, shares; NULL: not computed yet */
    bool are_equal;                       /* both sides are equal */
    struct judged *all;
    size_t count, capacity;
};

/* --- what is judged --- */

static const struct sides_verdict *verdicts_of(struct judge *j, const struct gate *g)
{
    bool is_total = g->of != GATE_SELF, are_shares = !g->is_growth && !g->is_amount;
    struct sides_verdict **v = &j->verdicts[is_total][are_shares];
    if (*v == NULL)
        *v = sides_judge(j->s, is_total, are_shares, j->how->min_share);
    return *v;
}

static void add(struct judge *j, const struct gate *g, uint32_t item, const struct sides_verdict *v)
{
    const double min = 1e-9; /* min share, so that weights are above 0 */
    j->all = mem_array(j->all, &j->capacity, j->count + 1, sizeof *j->all);
    j->all[j->count++] = (struct judged){
        .gate = g, .item = item, .test = v->test, .weight = sqrt(fmax(v->share, min))};
}

/* Matches the names of all items, new and old ones, against G. */
static void name_items(struct gates *g, const struct sides *s)
{
    struct buf name = {0};
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
static bool find_nothing(const struct judge *j, const struct gate *g, bool is_any_judged)
{
    if (is_any_judged) {
        diag_error(CODE_NOT_CHECKED, "--fail-if: \"%s\": nothing that it names can be tested",
                   g->text);
        return true;
    }
    const char *format = "--fail-if: \"%s\": nothing is judged: what it names has less than %g %% "
                         "of both sides together (--min-share)";
    if (j->how->absent_ok)
        warn(CODE_NOT_CHECKED, format, g->text, 100 * j->how->min_share);
    else
        diag_error(CODE_NOT_CHECKED, format, g->text, 100 * j->how->min_share);
    return !j->how->absent_ok;
}

/* Collects what G judges; true if that is nothing, which is an error. */
static bool collect(struct judge *j, const struct gate *g)
{
    const struct sides *s = j->s;
    bool is_any_judged = false, is_any_tested = false;
    if (g->of == GATE_COST && !g->has_match) {
        struct sides_verdict cost = sides_judge_cost(s);
        add(j, g, 0, &cost);
        return false;
    }
    const struct sides_verdict *v = verdicts_of(j, g);
    size_t count = g->has_match ? g->named_count : s->item_count;
    for (size_t i = 0; i < count; i++) {
        uint32_t item = g->has_match ? g->named[i] : (uint32_t)i + 1;
        if (!v[item - 1].is_judged)
            continue;
        is_any_judged = true;
        is_any_tested |= v[item - 1].test.is_tested;
        add(j, g, item, &v[item - 1]);
    }
    if (count == 0)
        return gate_misses_all(g, j->how->absent_ok);
    if (!is_any_judged || (sides_can_test(s) && !is_any_tested && !j->are_equal))
        return find_nothing(j, g, is_any_judged);
    return false;
}

/* --- what exceeds a limit --- */

/* The growth in T: relative, or in points of share. */
static double growth_of(const struct gate *g, const struct moderate_test *t)
{
    return g->is_growth ? sides_growth(t->base, t->new) : t->new - t->base;
}

/* Appends the name of JUDGED for messages. */
static void add_subject(const struct judge *j, const struct judged *judged, struct buf *to)
{
    struct buf name = {0};
    if (judged->item == 0) {
        buf_add(to, STR("the cost of "));
        buf_add(to, str_of(sides_per_name(j->s->per)));
        return;
    }
    sides_add_names(j->s, judged->item, &name);
    text_escape(to, buf_str(&name));
    buf_free(&name);
}

/* Whether JUDGED, with the corrected p CORRECTED, exceeds its gate; if so reports it. If runs can
 * be tested, a difference that is not significant never does. */
static bool is_beyond(const struct judge *j, const struct judged *judged, double corrected)
{
    char chance[64] = "";
    const struct gate *g = judged->gate;
    bool can_test = sides_can_test(j->s);
    double growth = growth_of(g, &judged->test);
    char by[64];
    const double error = 1e-12; /* of what 10.3 is above 10 */
    if (!(growth - g->limit > error * fmax(fabs(g->limit), fmin(1, fabs(growth)))) ||
        (can_test && corrected >= SIDES_LEVEL))
        return false;
    struct buf text = {0};
    add_subject(j, judged, &text);
    if (!isnan(corrected))
        snprintf(chance, sizeof chance, " (p %.3g)", corrected);
    else if (can_test)
        snprintf(chance, sizeof chance, " (which cannot be tested)");
    if (g->is_amount)
        snprintf(by, sizeof by, "%.6g %.*s", growth, STR_ARG(g->unit));
    else
        snprintf(by, sizeof by, "%.2f %s", 100 * growth, g->is_growth ? "%" : "points");
    if (isinf(growth))
        diag_error(CODE_CHECK_FAILED, "--fail-if: \"%s\": %.*s is %s%s", g->text,
                   STR_ARG(buf_str(&text)), j->s->is_level ? "no longer 0" : "new", chance);
    else
        diag_error(CODE_CHECK_FAILED, "--fail-if: \"%s\": %.*s has grown by %s%s", g->text,
                   STR_ARG(buf_str(&text)), by, chance);
    buf_free(&text);
    return true;
}

static bool judge_all(const struct judge *j)
{
    double *p = mem_alloc((j->count + 1) * sizeof *p);
    double *weights = mem_alloc((j->count + 1) * sizeof *weights);
    double *corrected = mem_alloc((j->count + 1) * sizeof *corrected);
    bool has_found = false;
    for (size_t i = 0; i < j->count; i++) {
        p[i] = j->all[i].test.is_tested ? j->all[i].test.p : NAN;
        weights[i] = j->all[i].weight;
    }
    stats_holm(p, weights, j->count, corrected);
    for (size_t i = 0; i < j->count; i++)
        has_found |= is_beyond(j, &j->all[i], corrected[i]);
    mem_free(p);
    mem_free(weights);
    mem_free(corrected);
    return has_found;
}

/* --- the whole --- */

bool judge_finds(struct gates *g, const struct sides *s, const struct judge_how *how)
{
    struct judge j = {.s = s, .how = how, .are_equal = sides_are_equal(s)};
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
    if (!j.are_equal && !sides_can_test(s) && !how->untested) {
        char needs[NEEDS_SIZE];
        say_needs(s, needs);
        diag_error(CODE_NOT_CHECKED,
                   "--fail-if: not tested: that needs %s" HINT
                   "--untested judges differences as they stand",
                   needs);
        return true;
    }
    name_items(g, s);
    for (size_t i = 0; i < g->count; i++)
        has_found |= collect(&j, &g->items[i]);
    if (!j.are_equal)
        has_found |= judge_all(&j);
    else if (!how->allow_equal)
        warn(CODE_NOT_CHECKED, "--fail-if: no difference: base and new hold the same runs");
    mem_free(j.all);
    for (int i = 0; i < 4; i++)
        mem_free(j.verdicts[i / 2][i % 2]);
    return has_found;
}
