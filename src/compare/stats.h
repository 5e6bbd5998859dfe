/* stats.h - statistical functions for the test of runs, with an error of about 1e-12 relative. */
#ifndef PROFPIPE_STATS_H
#define PROFPIPE_STATS_H

#include <stddef.h>

/* The first and second derivative of log gamma, for X > 0. The recurrences digamma(x) = digamma(x +
 * 1) - 1/x and trigamma(x) = trigamma(x + 1) + 1/x^2 raise X to at least 12. From there on a series
 * in 1/x^2 with Bernoulli numbers is used. */
double stats_digamma(double x);
double stats_trigamma(double x);

/* The X > 0 with trigamma(X) = Y, for Y > 0: Newton's iteration on 1/trigamma, which is nearly
 * linear. As in limma, 1/sqrt(Y) above 1e7 and 1/Y below 1e-6. */
double stats_trigamma_inverse(double y);

/* The two-sided tail probability of Student's t distribution with DF > 0 degrees of freedom: the
 * regularised incomplete beta function I_x(df / 2, 1 / 2) at x = df / (df + t^2), by its continued
 * fraction and the method of Lentz. Beyond 1e6 degrees of freedom T is converted to a normal
 * deviate (G. W. Hill, Algorithm 395, 1970: two terms are exact there). DF may be INFINITY: the
 * normal distribution. */
double stats_t_two_sided(double t, double df);

/* The T >= 0 whose one-sided tail probability is P, with 0 < P <= 0.5. */
double stats_t_quantile(double p, double df);

/* Correct COUNT probabilities P for multiple tests, by Holm and by Benjamini and Hochberg; results
 * go to TO. NAN stays NAN and does not count. Holm's correction may be weighted by WEIGHTS, above
 * 0, which must not depend on P (S. Holm, A simple sequentially rejective multiple test procedure,
 * 1979); NULL: all equal. */
void stats_holm(const double *p, const double *weights, size_t count, double *to);
void stats_benjamini_hochberg(const double *p, size_t count, double *to);

#endif
