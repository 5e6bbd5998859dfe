/* rank.h - the rank test of Mann, Whitney and Wilcoxon, as benchstat has it: whether the values of
 * one side are mostly above those of the other. It asks nothing of how values vary, and needs more
 * runs than the t test for that. */
#ifndef PROFPIPE_RANK_H
#define PROFPIPE_RANK_H

#include <stddef.h>

/* The two-sided probability of ranks as far apart as those of the COUNTS[0] values at VALUES and
 * the COUNTS[1] after them, if nothing changed: exact for up to 50 values on a side, or 25 where
 * some are equal; else by the normal distribution, with the correction for equal values and for
 * continuity. 1 if all are equal. */
double rank_test(const double *values, const size_t counts[2]);

/* The median of COUNT values, which it sorts; 0 if there are none. */
double rank_median(double *values, size_t count);

#endif
