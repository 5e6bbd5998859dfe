/* stats.h - the functions of statistics that the test of runs needs, to about 1e-12 of their values. */
#ifndef PROFPIPE_STATS_H
#define PROFPIPE_STATS_H

#include <stddef.h>

/* The first and second derivative of log gamma, of X > 0: both are taken to X of 12 or more by the recurrences
 * digamma(x) = digamma(x + 1) - 1/x and trigamma(x) = trigamma(x + 1) + 1/x^2, and are there the series
 * in 1/x^2 with Bernoulli's numbers. */
double stats_digamma(double x);
double stats_trigamma(double x);

/* The X > 0 whose trigamma is Y > 0: by Newton's iteration on 1/trigamma, which is nearly straight; 1/sqrt(Y) above
 * 1e7 and 1/Y below 1e-6, as limma has it. */
double stats_trigamma_inverse(double y);

/* The probability that Student's t with DF > 0 degrees of freedom is further from 0 than T, on either side: the
 * regularised incomplete beta function I_x(df / 2, 1 / 2) of x = df / (df + t^2), by its continued fraction and
 * the method of Lentz.  Beyond 1e6 degrees of freedom T is made a normal deviate (G. W. Hill, Algorithm 395, 1970:
 * two terms are exact there); DF may be INFINITY, which is the normal distribution. */
double stats_t_two_sided(double t, double df);

/* The T >= 0 that is exceeded, on one side, with the probability P, above 0 and at most a half. */
double stats_t_quantile(double p, double df);

/* What P, COUNT probabilities, are after Holm's and Benjamini's and Hochberg's corrections for there being so
 * many, in *TO.  Those that are NAN stay so, and do not count.  Holm's may divide what it allows by WEIGHTS, above 0,
 * which must not depend on what P tells (S. Holm, A simple sequentially rejective multiple test procedure, 1979); NULL:
 * all alike. */
void stats_holm(const double *p, const double *weights, size_t count, double *to);
void stats_benjamini_hochberg(const double *p, size_t count, double *to);

#endif
