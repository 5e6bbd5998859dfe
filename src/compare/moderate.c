#include "compare/moderate.h"

#include "base/mem.h"
#include "compare/rank.h"
#include "compare/stats.h"

#include <math.h>
#include <string.h>

/* --- what all variances have in common --- */

static double median_of(const double *values, size_t count)
{
    double *sorted = mem_alloc(count * sizeof *sorted);
    memcpy(sorted, values, count * sizeof *sorted);
    const double median = rank_median(sorted, count);
    mem_free(sorted);
    return median;
}

struct moderate_prior moderate_fit(const double *phi, size_t count, double df)
{
    const double small = 1e-5; /* relative to the median */
    if (count < 2)
        return (struct moderate_prior){count == 0 ? 0 : phi[0], 0};
    double median = median_of(phi, count);
    double min = small * (median > 0 ? median : 1);
    double mean = 0, square = 0, plain = 0;
    const double shift = log(df / 2) - stats_digamma(df / 2);
    for (size_t i = 0; i < count; i++) {
        mean += (log(fmax(phi[i], min)) + shift) / (double)count;
        plain += fmax(phi[i], min) / (double)count;
    }
    for (size_t i = 0; i < count; i++)
        square += pow(log(fmax(phi[i], min)) + shift - mean, 2);
    double rest = square / (double)(count - 1) - stats_trigamma(df / 2);
    if (!(rest > 0))
        return (struct moderate_prior){plain, INFINITY};
    double prior = 2 * stats_trigamma_inverse(rest);
    return (struct moderate_prior){exp(mean + stats_digamma(prior / 2) - log(prior / 2)), prior};
}

double moderate_squeeze(double phi, double df, struct moderate_prior prior)
{
    if (isinf(prior.df))
        return prior.scale;
    return (df * phi + prior.df * prior.scale) / (df + prior.df);
}

/* --- tests --- */

/* The value of run I for the test. */
static double value_of(const struct moderate_runs *runs, size_t i, bool are_shares)
{
    if (!are_shares)
        return runs->values[i];
    return runs->all[i] > 0 ? runs->values[i] / runs->all[i] : 0;
}

/* Whether all COUNT values are the same: so is their mean, which a sum of fractions may miss. */
static bool are_equal(const double *values, size_t count)
{
    size_t i = 0;
    while (i < count && values[i] == values[0])
        i++;
    return count > 0 && i == count;
}

static double mean_of(const struct moderate_runs *runs, size_t from, size_t count, bool are_shares)
{
    double sum = 0;
    if (!are_shares && are_equal(runs->values + from, count))
        return runs->values[from];
    for (size_t i = from; i < from + count; i++)
        sum += value_of(runs, i, are_shares);
    return sum / (double)count;
}

struct moderate_test moderate_begin(const struct moderate_runs *runs, bool are_shares)
{
    const size_t count = runs->base_count + runs->new_count;
    struct moderate_test t = {
        .base = mean_of(runs, 0, runs->base_count, are_shares),
        .new = mean_of(runs, runs->base_count, runs->new_count, are_shares),
        .df = (double)count - 2,
        .low = NAN,
        .high = NAN,
        .p = NAN,
        .min = NAN,
        .dispersion = NAN,
    };
    double sum = 0, all = 0, square = 0;
    bool is_good = runs->base_count >= MODERATE_RUNS && runs->new_count >= MODERATE_RUNS;
    for (size_t i = 0; i < count; i++) {
        sum += runs->values[i];
        all += runs->all[i];
        is_good = is_good && runs->values[i] >= 0 && (!are_shares || runs->all[i] > 0);
        double mean = i < runs->base_count ? t.base : t.new;
        square += pow(value_of(runs, i, are_shares) - mean, 2);
    }
    double share = sum / all;
    t.binomial = are_shares ? share * (1 - share) / (all / (double)count) : sum / (double)count;
    t.is_tested = is_good && t.binomial > 0;
    t.is_alone = !are_shares && share >= MODERATE_ALONE;
    if (t.is_tested)
        t.dispersion = square / t.df / t.binomial;
    return t;
}

/* X rounded to 12 digits: logarithms of C libraries differ in the last bits, and results should
 * not. */
static double rounded(double x)
{
    enum { BITS = 40 };
    int exponent;
    double fraction = frexp(x, &exponent);
    return isfinite(x) ? ldexp(rint(ldexp(fraction, BITS)), exponent - BITS) : x;
}

/* Student's t distribution: its quantiles for 2.5 % and 20 %. */
struct student {
    double df, quantile, other;
};

static struct student student_of(double df)
{
    return (struct student){df, rounded(stats_t_quantile(0.025, df)),
                            rounded(stats_t_quantile(0.2, df))};
}

/* Finishes the test T, whose difference has the standard error ERROR, with STUDENT. */
static void finish_one(struct moderate_test *t, double error, const struct student *student)
{
    double difference = t->new - t->base;
    t->df = student->df;
    t->low = difference - student->quantile * error;
    t->high = difference + student->quantile * error;
    t->min = (student->quantile + student->other) * error;
    t->p = difference == 0 ? 1 : stats_t_two_sided(difference / error, student->df);
}

void moderate_finish(struct moderate_test *t, size_t count, size_t base_count, size_t new_count)
{
    double *phi = mem_alloc((count + 1) * sizeof *phi);
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (t[i].is_tested)
            phi[n++] = t[i].dispersion;
    double df = (double)(base_count + new_count) - 2;
    double runs = 1 / (double)base_count + 1 / (double)new_count;
    struct moderate_prior prior = moderate_fit(phi, n, df);
    prior = (struct moderate_prior){rounded(prior.scale), rounded(prior.df)};
    struct student alone = {0}, together = {0};
    if (n > 0) {
        alone = student_of(df);
        together = student_of(df + prior.df);
    }
    for (size_t i = 0; i < count; i++) {
        if (!t[i].is_tested)
            continue;
        if (!t[i].is_alone)
            t[i].dispersion = moderate_squeeze(t[i].dispersion, df, prior);
        finish_one(&t[i], sqrt(t[i].dispersion * t[i].binomial * runs),
                   t[i].is_alone ? &alone : &together);
    }
    mem_free(phi);
}
