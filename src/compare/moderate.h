/* moderate.h - tests whether differences between a few runs of each side are more than noise, for many
 * functions at once: the moderated t test (G. K. Smyth, Linear models and empirical Bayes methods, 2004),
 * as in limma.
 *
 * A function has k1 runs of base with mean m1 and k2 runs of new with mean m2. s^2 is the variance within
 * the two sides, with d = k1 + k2 - 2 degrees of freedom. It is expressed in units of the variance b that
 * counting alone would cause:
 *
 *     phi = s^2 / b,   b = p (1 - p) / N for shares, where p is the share of all runs together and N the mean
 *                      cost of a run, and b = the mean of all runs for cost.
 *
 * All phi together show how far one of them can be trusted. Each is moved towards what they have in common:
 *
 *     phi* = (d0 phi0 + d phi) / (d0 + d),   t = (m2 - m1) / sqrt(phi* b (1 / k1 + 1 / k2)),
 *
 * where t has d0 + d degrees of freedom.
 *
 * The cost of a function with half of all or more is tested alone, with phi and d, like the cost of whole
 * runs: it varies as runs do, and small functions say nothing about that. With phi* 10 to 15 % of such
 * functions had p < 0.05 between equal runs. */
#ifndef PROFPIPE_MODERATE_H
#define PROFPIPE_MODERATE_H

#include <stdbool.h>
#include <stddef.h>

/* Min number of runs on each side for a test. */
enum { MODERATE_RUNS = 3 };

/* Functions with at least this share of all are tested alone. */
#define MODERATE_ALONE 0.5

/* What all variances have in common: the scale phi0, and the degrees of freedom it is worth, 0 to
 * INFINITY. */
struct moderate_prior {
    double scale, df;
};

/* Fits the prior to COUNT variances PHI, each with DF degrees of freedom, by the moments of their
 * logarithms. Let e = log phi - digamma(d/2) + log(d/2). Then trigamma(d0/2) is the variance of e
 * minus trigamma(d/2), and log phi0 is the mean of e + digamma(d0/2) - log(d0/2). If that
 * difference is not above 0, d0 is INFINITY and phi0 is the mean of all phi. As in limma, a phi
 * below 1e-5 of the median is replaced by that, or by 1e-5 if the median is 0. A single phi has
 * nothing to learn from: d0 is 0. */
struct moderate_prior moderate_fit(const double *phi, size_t count, double df);

/* Returns PHI, with DF degrees of freedom, moved towards PRIOR. */
double moderate_squeeze(double phi, double df, struct moderate_prior prior);

/* The runs of one function: VALUES[i] of ALL[i] in run i. */
struct moderate_runs {
    const double *values, *all; /* base first */
    size_t base_count, new_count;
};

/* The test of one function. */
struct moderate_test {
    /* it has enough runs, no value below 0, and is neither 0 in every run nor all of every run */
    bool is_tested;
    bool is_alone;     /* phi is not moved towards that of others */
    double base, new;  /* means */
    double binomial;   /* b */
    double dispersion; /* phi; phi* after moderate_finish */
    double df;
    double low, high; /* bounds of the 95 % confidence interval of the difference */
    double p;         /* the probability of at least such a difference if nothing changed */
    double min;       /* the min difference detected with 80 % power at a level of 5 % */
};

/* Begins the test of RUNS: of their shares of ALL if ARE_SHARES, else of their values. */
struct moderate_test moderate_begin(const struct moderate_runs *runs, bool are_shares);

/* Finishes the COUNT tests T together, those with IS_TESTED, for BASE_COUNT and NEW_COUNT runs. The
 * min difference that can be detected is (t of 2.5 % + t of 20 %) times the standard error: 80 %
 * power at a level of 5 %. */
void moderate_finish(struct moderate_test *t, size_t count, size_t base_count, size_t new_count);

#endif
