/* moderate.h - what the spread of a few runs says of a difference, where many functions are tested at once: the
 * moderated t test (G. K. Smyth, Linear models and empirical Bayes methods, 2004), as limma does it.
 *
 * Of the runs of a function, k1 of base with the mean m1 and k2 of new with the mean m2, s^2 is the variance
 * within the two sides, with k1 + k2 - 2 degrees of freedom.  It is given in units of the variance b that
 * counting alone would have,
 *
 *     phi = s^2 / b,   b = p (1 - p) / N for shares, where p is the share of all runs together and N the mean
 *                      cost of a run, and b = the mean of all runs for cost;
 *
 * all phi together say how far such a spread may be trusted: it is drawn towards what they have in common,
 *
 *     phi* = (d0 phi0 + d phi) / (d0 + d),   t = (m2 - m1) / sqrt(phi* b (1 / k1 + 1 / k2)),
 *
 * which has d0 + d degrees of freedom.
 *
 * The cost of what has half of all or more is tested alone, with phi and d, as that of whole runs is: it varies as runs
 * do, which small functions say nothing of.  Drawn towards them, 10 to 15 % of equal runs had p < 0.05. */
#ifndef PROFPIPE_MODERATE_H
#define PROFPIPE_MODERATE_H

#include <stdbool.h>
#include <stddef.h>

/* Fewer runs on a side are not tested. */
enum { MODERATE_RUNS = 3 };

/* The share of all from which on cost is tested alone. */
#define MODERATE_ALONE 0.5

/* What all variances have in common: the scale phi0, and how many degrees of freedom it is worth: 0 to INFINITY. */
struct moderate_prior {
    double scale, df;
};

/* Fits that to the COUNT variances PHI, each with DF degrees of freedom, by the moments of their logarithms:
 * with e = log phi - digamma(d/2) + log(d/2), trigamma(d0/2) is the variance of e less trigamma(d/2), and
 * log phi0 their mean + digamma(d0/2) - log(d0/2).  Where that leaves nothing d0 is INFINITY and phi0 the mean
 * of all phi.  As in limma, a phi below 1e-5 of the median counts as that, 1e-5 where the median is 0, and a single one has
 * nothing to learn from: d0 is 0. */
struct moderate_prior moderate_fit(const double *phi, size_t count, double df);

/* PHI, with DF degrees of freedom, drawn towards PRIOR. */
double moderate_squeeze(double phi, double df, struct moderate_prior prior);

/* The runs of one function: each has VALUE of ALL. */
struct moderate_runs {
    const double *values, *all; /* those of base first */
    size_t base_count, new_count;
};

/* A function that is tested. */
struct moderate_test {
    bool
        is_tested; /* it has runs enough, no value below 0, and neither nothing nor all of every run */
    bool is_alone;     /* phi is not drawn towards those of others */
    double base, new;  /* the means */
    double binomial;   /* b */
    double dispersion; /* phi, and once it is done phi* */
    double df;
    double low,
        high;   /* the difference that is at most and at least there, with a probability of 95 % */
    double p;   /* that there would be such a difference, or a larger one, without any cause */
    double min; /* the difference that had been found in four of five such comparisons, at 5 % */
};

/* Begins the test of RUNS, of their shares of ALL or of their values.  */
struct moderate_test moderate_begin(const struct moderate_runs *runs, bool are_shares);

/* Does the COUNT tests T, of BASE_COUNT and NEW_COUNT runs, which IS_TESTED says, together.  The smallest difference that can be found is
 * (t of 2.5 % + t of 20 %) times the standard error: 80 % power at a level of 5 %. */
void moderate_finish(struct moderate_test *t, size_t count, size_t base_count, size_t new_count);

#endif
