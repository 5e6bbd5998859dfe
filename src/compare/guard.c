#include "compare/guard.h"

#include "base/mem.h"
#include "base/units.h"
#include "base/wide.h"
#include "profile/naming.h"
#include "rows/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

struct guard {
    const struct sides *s;
    bool is_gate, has_found;
};

/* Says what no gate may be passed with. */
__attribute__((format(printf, 2, 3))) static void find(struct guard *g, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (g->is_gate)
        diag_error("--fail-if: %s", text);
    else
        warn("%s", text);
    g->has_found = true;
}

/* --- what is missing --- */

static const char *name_of(bool is_new)
{
    return is_new ? "new" : "base";
}

/* Says of each run what it lacks; a side without anything is said once. */
static void find_empty(struct guard *g)
{
    const struct sides *s = g->s;
    const struct choice *choice = &s->collect.choice;
    for (int side = 0; side < 2; side++)
        if (!(sides_mean(s, s->all, side) > 0))
            find(g, "%s is empty: there is nothing to compare", name_of(side));
    for (size_t i = 0; i < s->run_count; i++) {
        const struct sides_run *run = &s->runs[i];
        if (s->all[run->place] > 0 || !(sides_mean(s, s->all, run->is_new) > 0))
            continue;
        struct buf name = {0};
        text_escape(&name, s->collect.profile.sources[i].uri);
        if (run->sample_count == 0)
            find(g, "a run of %s is empty: \"%.*s\"", name_of(run->is_new),
                 STR_ARG(buf_str(&name)));
        else
            find(g, "a run of %s has no value of \"%.*s\": \"%.*s\"", name_of(run->is_new),
                 STR_ARG(value_types_get(choice->names, choice->chosen)->type),
                 STR_ARG(buf_str(&name)));
        buf_free(&name);
    }
}

/* --- what differs --- */

/* What one sample of OF stands for. */
static void add_period(struct buf *to, const struct profile_source *of)
{
    char number[32];
    if (!of->has_period) {
        buf_add(to, STR("nothing that is known"));
        return;
    }
    text_escape(to, of->period_type);
    int n = snprintf(number, sizeof number, " %" PRId64 " ", of->period);
    buf_add(to, (struct str){number, (size_t)n});
    text_escape(to, of->period_unit);
}

/* Whether WHOLE is PART times FACTOR, which is not 0. */
static bool is_product(int64_t whole, int64_t part, int64_t factor)
{
    struct wide product = wide_multiply(wide_of(part), wide_of(factor));
    return factor != 0 && wide_compare(product, wide_of(whole)) == 0;
}

static bool is_same_period(const struct profile_source *a, const struct profile_source *b)
{
    if (!a->has_period || !b->has_period)
        return a->has_period == b->has_period;
    int64_t a_in_b = units_in(a->period_unit, b->period_unit);
    int64_t b_in_a = units_in(b->period_unit, a->period_unit);
    return str_equal(a->period_type, b->period_type) &&
           (is_product(b->period, a->period, a_in_b) || is_product(a->period, b->period, b_in_a));
}

static bool is_same_kind(const struct profile_source *a, const struct profile_source *b)
{
    return str_equal(a->kind, b->kind);
}

static void add_kind(struct buf *to, const struct profile_source *of)
{
    text_escape(to, of->kind);
}

/* Hosts are the same where one is not known. */
static bool is_same_host(const struct profile_source *a, const struct profile_source *b)
{
    return a->host.n == 0 || b->host.n == 0 || str_equal(a->host, b->host);
}

static void add_host(struct buf *to, const struct profile_source *of)
{
    text_escape(to, of->host);
}

/* What the sources of runs must have in common. */
static const struct {
    const char *name;
    bool (*is_same)(const struct profile_source *a, const struct profile_source *b);
    void (*add)(struct buf *to, const struct profile_source *of);
} commons[] = {
    {"their type", is_same_kind, add_kind},
    {"what a sample stands for", is_same_period, add_period},
    {"their host", is_same_host, add_host},
};

/* The first source that differs in what commons[I] is from *OTHER, one before it, whose host is known if any is; NULL
 * where all are the same. */
static const struct profile_source *different(const struct sides *s, size_t i,
                                              const struct profile_source **other)
{
    const struct profile_source *sources = s->collect.profile.sources;
    *other = &sources[0];
    for (size_t k = 1; k < s->run_count; k++) {
        if (!commons[i].is_same(*other, &sources[k]))
            return &sources[k];
        if (sources[k].host.n > 0)
            *other = &sources[k];
    }
    return NULL;
}

/* Says the first difference between sources of each kind. */
static void find_different(struct guard *g)
{
    for (size_t i = 0; i < sizeof commons / sizeof *commons; i++) {
        const struct profile_source *a, *b = different(g->s, i, &a);
        struct buf texts[2] = {{0}, {0}};
        if (b == NULL)
            continue;
        commons[i].add(&texts[0], a);
        commons[i].add(&texts[1], b);
        find(g, "runs differ in %s: %.*s, and %.*s", commons[i].name, STR_ARG(buf_str(&texts[0])),
             STR_ARG(buf_str(&texts[1])));
        buf_free(&texts[0]);
        buf_free(&texts[1]);
    }
}

/* --- shares of what says little --- */

/* The share of the frames without a name in a side, in all; 0 where entries do not tell. */
static double unknown_share(const struct sides *s, bool is_new)
{
    if (s->collect.by == COLLECT_BY_LINE || s->collect.by == COLLECT_BY_LABEL)
        return 0;
    static const char *const names[] = {"[unknown]", "<unknown>"};
    double all = sides_mean(s, s->all, is_new), share = 0;
    struct buf name = {0};
    for (uint32_t entry = 1; entry <= s->collect.entries.count; entry++) {
        name.n = 0;
        collect_add_name(&s->collect, entry, &name);
        for (int i = 0; i < 2; i++)
            if (str_equal(buf_str(&name), str_of(names[i])))
                share += sides_mean(s, sides_values(s, entry, true), is_new) / all;
    }
    buf_free(&name);
    return share;
}

static double cut_share(const struct sides *s, bool is_new)
{
    uint64_t cut = 0, all = 0;
    for (size_t i = 0; i < s->run_count; i++) {
        cut += s->runs[i].is_new == is_new ? s->runs[i].cut_count : 0;
        all += s->runs[i].is_new == is_new ? s->runs[i].sample_count : 0;
    }
    return all == 0 ? 0 : (double)cut / (double)all;
}

/* --- how runs were taken --- */

/* Whether all runs of one side were taken before those of the other, as far as is known. */
static bool are_blocks(const struct sides *s)
{
    double first[2] = {INFINITY, INFINITY}, last[2] = {-INFINITY, -INFINITY};
    if (s->base_count < 2 || s->new_count < 2)
        return false;
    for (size_t i = 0; i < s->run_count; i++) {
        const struct sides_run *run = &s->runs[i];
        if (isnan(run->time))
            return false;
        first[run->is_new] = fmin(first[run->is_new], run->time);
        last[run->is_new] = fmax(last[run->is_new], run->time);
    }
    return last[0] < first[1] || last[1] < first[0];
}

bool guard_finds(const struct sides *s, double min_share, bool is_gate)
{
    struct guard g = {s, is_gate, false};
    find_empty(&g);
    find_different(&g);
    double base = sides_mean(s, s->all, false), new = sides_mean(s, s->all, true) / s->scale;
    if (!(base > 0 && new > 0))
        return g.has_found;
    double unknown[] = {unknown_share(s, false), unknown_share(s, true)};
    double cut[] = {cut_share(s, false), cut_share(s, true)};
    if (unknown[1] > 2 * unknown[0] && unknown[1] - unknown[0] >= min_share)
        find(&g, "the share of frames without a name has grown from %.2f to %.2f %%",
             100 * unknown[0], 100 * unknown[1]);
    if (cut[1] > 2 * cut[0] && cut[1] - cut[0] >= min_share)
        warn("the share of stacks that were cut has grown from %.2f to %.2f %%", 100 * cut[0],
             100 * cut[1]);
    if (new > 2 * base || base > 2 * new)
        warn("a run of new costs %.2f times what one of base does: do both measure the same?",
             new / base);
    if (are_blocks(s))
        warn("all runs of one side are older than those of the other: taken alternately, both "
             "would have "
             "seen the same machine");
    return g.has_found;
}
