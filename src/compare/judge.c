#include "compare/judge.h"

#include "base/mem.h"
#include "compare/stats.h"
#include "rows/text.h"

#include <math.h>
#include <stdio.h>

void judge_check(const struct gate *g, const struct sides *s)
{
    if (g->is_significant && !sides_can_test(s))
        die(STATUS_USAGE,
            "--fail-if: \"significant\" needs three runs on each side, found %zu and %zu",
            s->base_count, s->new_count);
}

/* By how much V has grown: of what it was, or in points of share. */
static double growth_of(const struct gate *g, const struct moderate_test *t)
{
    if (!g->is_growth)
        return t->new - t->base;
    if (t->base > 0)
        return t->new / t->base - 1;
    return t->new > 0 ? INFINITY : 0;
}

/* Whether what T has tested, with p CORRECTED, is more than G allows; if so says so of NAME.  Where runs CAN be
 * TESTED, what is not significant is none. */
static bool is_beyond(const struct gate *g, const struct moderate_test *t, bool can_test,
                      double corrected, struct str name)
{
    char chance[64] = "";
    double growth = growth_of(g, t);
    if (!(growth > g->limit) || (can_test && corrected >= SIDES_LEVEL))
        return false;
    struct buf text = {0};
    text_escape(&text, name);
    if (!isnan(corrected))
        snprintf(chance, sizeof chance, " (p %.3g)", corrected);
    else if (can_test)
        snprintf(chance, sizeof chance, " (which cannot be tested)");
    if (isinf(growth))
        diag_error("--fail-if: \"%s\": %.*s is new%s", g->text, STR_ARG(buf_str(&text)), chance);
    else
        diag_error("--fail-if: \"%s\": %.*s has grown by %.2f %s%s", g->text,
                   STR_ARG(buf_str(&text)), 100 * growth, g->is_growth ? "%" : "points", chance);
    buf_free(&text);
    return true;
}

/* The same of each function that G judges among the verdicts V, which have P. */
static bool judge_all(struct gate *g, const struct sides *s, const struct sides_verdict *v,
                      double *p)
{
    size_t count = s->collect.entries.count;
    double *corrected = mem_alloc((count + 1) * sizeof *corrected);
    bool *is_judged = mem_alloc_zeroed(count + 1);
    bool has_any = false, is_any_beyond = false;
    struct buf name = {0};
    for (uint32_t i = 0; i < count; i++) {
        name.n = 0;
        collect_add_name(&s->collect, i + 1, &name);
        bool is_named = gate_has(g, buf_str(&name));
        has_any |= is_named;
        is_judged[i] = is_named && v[i].is_judged;
        p[i] = is_judged[i] && v[i].test.is_tested ? v[i].test.p : NAN;
    }
    stats_holm(p, count, corrected);
    for (uint32_t i = 0; i < count; i++) {
        name.n = 0;
        collect_add_name(&s->collect, i + 1, &name);
        if (is_judged[i])
            is_any_beyond |=
                is_beyond(g, &v[i].test, sides_can_test(s), corrected[i], buf_str(&name));
    }
    if (!has_any)
        gate_warn_nobody(g);
    buf_free(&name);
    mem_free(corrected);
    mem_free(is_judged);
    return is_any_beyond;
}

bool judge_finds(struct gate *g, const struct sides *s, bool by_cost, double min_share)
{
    if (g->of == GATE_COST && !g->has_match) {
        struct sides_verdict v = sides_judge_cost(s);
        return is_beyond(g, &v.test, sides_can_test(s), v.holm, STR("the cost of a run"));
    }
    bool are_shares = g->of != GATE_COST && !(g->is_growth && by_cost);
    struct sides_verdict *v = sides_judge(s, g->of != GATE_SELF, are_shares, min_share);
    double *p = mem_alloc(((size_t)s->collect.entries.count + 1) * sizeof *p);
    bool found = judge_all(g, s, v, p);
    mem_free(p);
    mem_free(v);
    return found;
}
