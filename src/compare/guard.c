#include "compare/guard.h"

#include "base/mem.h"
#include "base/units.h"
#include "base/wide.h"
#include "compare/admit.h"
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

/* Reports a problem that no gate may pass. */
__attribute__((format(printf, 2, 3))) static void find(struct guard *g, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (g->is_gate)
        diag_error(CODE_NOT_CHECKED, "--fail-if: %s", text);
    else
        warn(CODE_UNSAFE_COMPARISON, "%s", text);
    g->has_found = true;
}

/* --- what is missing --- */

static const char *name_of(bool is_new)
{
    return is_new ? "new" : "base";
}

/* The shown type of the first run of a side that has one, canonical text; empty: none. */
static struct str shown_type(const struct sides *s, bool is_new)
{
    const struct choice *choice = &s->collect.choice;
    for (uint32_t i = 1; i <= s->split.parts.count; i++) {
        const struct split_part part = split_part_of(&s->split, i);
        uint32_t number = choice_shown(choice, part.source);
        if (s->runs[part.run - 1].is_new == is_new && number != 0)
            return value_types_get(choice->names, number)->type;
    }
    return STR("");
}

/* Reports that a side shows another type than the compared one; true if so and the side has no
 * values of the compared type. */
static bool find_other_type(struct guard *g, bool is_new)
{
    const struct sides *s = g->s;
    const struct choice *choice = &s->collect.choice;
    struct str shown = shown_type(s, is_new);
    if (choice->chosen == 0 || choice->wanted_type.n > 0 || shown.n == 0)
        return false;
    struct str compared = value_types_get(choice->names, choice->chosen)->type;
    bool is_empty = (is_new ? s->new_count : s->base_count) == 0;
    if (str_equal(shown, compared))
        return false;
    if (is_empty)
        find(g, "%s has \"%.*s\", and no \"%.*s\" as %s has: --type names one that both have",
             name_of(is_new), STR_ARG(shown), STR_ARG(compared), name_of(!is_new));
    else
        find(g,
             "%s shows \"%.*s\" by itself: \"%.*s\" is compared, as %s has it (--type names "
             "another)",
             name_of(is_new), STR_ARG(shown), STR_ARG(compared), name_of(!is_new));
    return is_empty;
}

/* Reports files that are not part of any run, or of one that has no values of the compared type
 * there: a run of several files would cost less, and say nothing. */
static void find_missing_parts(struct guard *g)
{
    const struct sides *s = g->s;
    const struct choice *choice = &s->collect.choice;
    struct buf name = {0};
    for (size_t i = 0; i < s->collect.profile.source_count; i++) {
        const struct str uri = s->collect.profile.sources[i].uri;
        const bool has_type = choice->chosen == 0 || choice_has(choice, i + 1);
        if (s->facts[i].has_samples && has_type)
            continue;
        name.n = 0;
        text_escape(&name, uri);
        if (!s->facts[i].has_samples)
            find(g, "a file has no samples, and is of no run: \"%.*s\"", STR_ARG(buf_str(&name)));
        else
            find(g, "a file has no value of \"%.*s\", and is a part of its run: \"%.*s\"",
                 STR_ARG(value_types_get(choice->names, choice->chosen)->type),
                 STR_ARG(buf_str(&name)));
    }
    buf_free(&name);
}

/* Reports what each run lacks; a side without any values is reported once. */
static void find_empty(struct guard *g)
{
    const struct sides *s = g->s;
    const struct choice *choice = &s->collect.choice;
    size_t counts[] = {s->base_count, s->new_count};
    for (int side = 0; side < 2; side++)
        if (!find_other_type(g, side) && counts[side] == 0)
            find(g, "%s is empty: there is nothing to compare", name_of(side));
    if (!g->is_gate && counts[0] > 0 && counts[1] > 0 && sides_have_nothing(s))
        warn(CODE_UNSAFE_COMPARISON, "no run has any \"%.*s\": there is nothing to compare",
             STR_ARG(value_types_get(choice->names, choice->chosen)->type));
    if (s->split.how.run.is_set)
        find_missing_parts(g);
    for (size_t i = 0; i < sides_known(s); i++) {
        const struct sides_run *run = &s->runs[i];
        if ((run->state != SIDES_RUN_EMPTY && run->state != SIDES_RUN_LACKS) ||
            counts[run->is_new] == 0)
            continue;
        struct buf name = {0};
        admit_add_name(s, run, &name);
        if (run->state == SIDES_RUN_EMPTY)
            find(g, "a run of %s has measured nothing, and is left out: \"%.*s\"",
                 name_of(run->is_new), STR_ARG(buf_str(&name)));
        else
            find(g, "a run of %s has no value of \"%.*s\", and is left out: \"%.*s\"",
                 name_of(run->is_new),
                 STR_ARG(value_types_get(choice->names, choice->chosen)->type),
                 STR_ARG(buf_str(&name)));
        buf_free(&name);
    }
}

/* --- what differs --- */

/* Appends what one sample of OF stands for. */
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

/* An unknown host counts as the same. */
static bool is_same_host(const struct profile_source *a, const struct profile_source *b)
{
    return a->host.n == 0 || b->host.n == 0 || str_equal(a->host, b->host);
}

static void add_host(struct buf *to, const struct profile_source *of)
{
    text_escape(to, of->host);
}

/* What the sources of all runs must have in common. */
static const struct {
    const char *name;
    bool (*is_same)(const struct profile_source *a, const struct profile_source *b);
    void (*add)(struct buf *to, const struct profile_source *of);
} commons[] = {
    {"their type", is_same_kind, add_kind},
    {"what a sample stands for", is_same_period, add_period},
    {"their host", is_same_host, add_host},
};

/* The first source that differs in commons[I] from *OTHER, an earlier one (with a known host if
 * there is one); NULL if all agree. Sources that measured nothing are skipped. */
static const struct profile_source *different(const struct sides *s, size_t i,
                                              const struct profile_source **other)
{
    *other = NULL;
    for (uint32_t k = 1; k <= s->split.parts.count; k++) {
        const struct profile_source *source;
        if (sides_part(s, k, &source)->state != SIDES_RUN_COUNTS)
            continue;
        if (*other != NULL && !commons[i].is_same(*other, source))
            return source;
        if (*other == NULL || source->host.n > 0)
            *other = source;
    }
    return NULL;
}

/* Reports the first difference of each kind. */
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

/* --- the share of frames without a name --- */

/* Whether ITEM, which is called NAME, is NO_NAME or a stack with such a function. */
static bool has_name(const struct sides *s, uint32_t item, struct str name, struct str no_name)
{
    const struct str path = collect_path(&s->collect, sides_entry(s, item));
    for (size_t i = 0; i < path.n / sizeof(uint32_t); i++)
        if (str_equal(collect_path_name(&s->collect, path, i), no_name))
            return true;
    return path.n == 0 && str_equal(name, no_name);
}

/* The total share of frames without a name in a side; 0 if entries do not show it. */
static double unknown_share(const struct sides *s, bool is_new)
{
    if (s->collect.by == COLLECT_BY_LINE || s->collect.by == COLLECT_BY_LABEL ||
        s->collect.by == COLLECT_BY_PACKAGE || s->collect.by == COLLECT_BY_LEVELS)
        return 0;
    static const char *const names[] = {"[unknown]", "<unknown>"};
    double all = sides_mean(s, s->all, is_new), share = 0;
    struct buf name = {0};
    for (uint32_t item = 1; item <= s->item_count; item++) {
        name.n = 0;
        sides_add_name(s, item, &name);
        for (int i = 0; i < 2; i++)
            if (has_name(s, item, buf_str(&name), str_of(names[i])))
                share += sides_mean(s, sides_values(s, item, true), is_new) / all;
    }
    buf_free(&name);
    return share;
}

static double cut_share(const struct sides *s, bool is_new)
{
    uint64_t cut = 0, all = 0;
    for (size_t i = 0; i < sides_known(s); i++) {
        if (s->runs[i].state != SIDES_RUN_COUNTS)
            continue;
        cut += s->runs[i].is_new == is_new ? s->runs[i].cut_count : 0;
        all += s->runs[i].is_new == is_new ? s->runs[i].sample_count : 0;
    }
    return all == 0 ? 0 : (double)cut / (double)all;
}

/* --- how runs were taken --- */

/* Whether all runs of one side were taken before those of the other, as far as known. */
static bool are_blocks(const struct sides *s)
{
    double first[2] = {INFINITY, INFINITY}, last[2] = {-INFINITY, -INFINITY};
    if (s->base_count < 2 || s->new_count < 2)
        return false;
    for (size_t i = 0; i < sides_known(s); i++) {
        const struct sides_run *run = &s->runs[i];
        if (run->state != SIDES_RUN_COUNTS)
            continue;
        if (isnan(run->time))
            return false;
        first[run->is_new] = fmin(first[run->is_new], run->time);
        last[run->is_new] = fmax(last[run->is_new], run->time);
    }
    return last[0] < first[1] || last[1] < first[0];
}

/* The mean duration of the runs of a side; NAN if one that counts has none. */
static double mean_seconds(const struct sides *s, bool is_new)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < sides_known(s); i++)
        if (s->runs[i].state == SIDES_RUN_COUNTS && s->runs[i].is_new == is_new) {
            sum += s->runs[i].seconds;
            count++;
        }
    return count == 0 ? NAN : sum / (double)count;
}

/* Warns if runs of one side took longer: they may cost more only because they were measured for
 * longer. */
static void warn_of_duration(const struct sides *s)
{
    const double tolerance = 0.05;
    double base = mean_seconds(s, false), new = mean_seconds(s, true);
    if (s->per == SIDES_PER_RUN && fmax(new, base) / fmin(new, base) > 1 + tolerance)
        warn(CODE_UNSAFE_COMPARISON,
             "a run of base took %.4g s, one of new %.4g s: longer ones cost more of the same; "
             "--per=second compares costs of a second",
             base, new);
}

/* Reports other problems of the sides. */
static void find_others(struct guard *g, double min_share)
{
    const struct sides *s = g->s;
    find_different(g);
    double base = sides_mean(s, s->all, false), new = sides_mean(s, s->all, true) / s->scale;
    if (!(base > 0 && new > 0))
        return;
    double unknown[] = {unknown_share(s, false), unknown_share(s, true)};
    double cut[] = {cut_share(s, false), cut_share(s, true)};
    if (unknown[1] > 2 * unknown[0] && unknown[1] - unknown[0] >= min_share)
        find(g, "the share of frames without a name has grown from %.2f to %.2f %%",
             100 * unknown[0], 100 * unknown[1]);
    if (cut[1] > 2 * cut[0] && cut[1] - cut[0] >= min_share)
        warn(CODE_UNSAFE_COMPARISON,
             "the share of stacks that were cut has grown from %.2f to %.2f %%", 100 * cut[0],
             100 * cut[1]);
    if (new > 2 * base || base > 2 * new)
        warn(CODE_UNSAFE_COMPARISON,
             "a run of new costs %.2f times what one of base does: do both measure the same?",
             new / base);
    warn_of_duration(s);
    if (are_blocks(s))
        warn(CODE_UNSAFE_COMPARISON,
             "all runs of one side are older than those of the other: taken alternately, both "
             "would have seen the same machine");
}

bool guard_finds_missing(const struct sides *s)
{
    struct guard g = {s, true, false};
    find_empty(&g);
    return g.has_found;
}

bool guard_finds(const struct sides *s, double min_share, bool is_gate)
{
    struct guard g = {s, is_gate, false}, reported = {s, false, false};
    find_empty(&g);
    /* a problem of both sides is not a difference */
    find_others(sides_are_equal(s) ? &reported : &g, min_share);
    return g.has_found;
}
