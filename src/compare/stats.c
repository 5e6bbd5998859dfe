#include "compare/stats.h"

#include "base/mem.h"
#include "base/order.h"

#include <float.h>
#include <math.h>

/* --- derivatives of log gamma --- */

/* From here on the series are exact enough. */
static const double large = 12;

double stats_digamma(double x)
{
    /* B(2n) / 2n */
    static const double terms[] = {1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
                                   1.0 / 132, -691.0 / 32760, 1.0 / 12};
    double sum = 0;
    for (; x < large; x++)
        sum -= 1 / x;
    double power = 1;
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        power /= x * x;
        sum -= terms[i] * power;
    }
    return sum + log(x) - 0.5 / x;
}

double stats_trigamma(double x)
{
    /* B(2n) */
    static const double terms[] = {1.0 / 6,  -1.0 / 30,     1.0 / 42, -1.0 / 30,
                                   5.0 / 66, -691.0 / 2730, 7.0 / 6};
    double sum = 0;
    for (; x < large; x++)
        sum += 1 / (x * x);
    double power = 1 / x;
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        power /= x * x;
        sum += terms[i] * power;
    }
    return sum + 1 / x + 0.5 / (x * x);
}

/* The derivative of trigamma, with the recurrence of -2/x^3. */
static double tetragamma(double x)
{
    /* -(2n + 1) B(2n) */
    static const double terms[] = {-3.0 / 6, 5.0 / 30,   -7.0 / 42,
                                   9.0 / 30, -55.0 / 66, 13.0 * 691.0 / 2730};
    double sum = 0;
    for (; x < large; x++)
        sum -= 2 / (x * x * x);
    double power = 1 / (x * x);
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        power /= x * x;
        sum += terms[i] * power;
    }
    return sum - 1 / (x * x) - 1 / (x * x * x);
}

double stats_trigamma_inverse(double y)
{
    enum { STEPS = 50 };
    if (y > 1e7)
        return 1 / sqrt(y);
    if (y < 1e-6)
        return 1 / y;
    double x =
        0.5 + 1 / y; /* below the root: 1/trigamma is convex, so steps approach from one side */
    for (int i = 0; i < STEPS; i++) {
        double value = stats_trigamma(x);
        double step = value * (1 - value / y) / tetragamma(x);
        x += step;
        if (fabs(step) < 1e-14 * x)
            break;
    }
    return x;
}

/* --- Student's t --- */

/* The continued fraction of I_x(a, b), which converges fast for x < (a + 1) / (a + b + 2). */
static double beta_fraction(double x, double a, double b)
{
    enum { STEPS = 10000 };
    const double tiny = DBL_MIN / DBL_EPSILON;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double value = d;
    for (int m = 1; m < STEPS; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double before = value;
        for (int i = 0; i < 2; i++) {
            double term = i == 0 ? even : odd;
            d = 1 + term * d;
            c = 1 + term / c;
            d = 1 / (fabs(d) < tiny ? tiny : d);
            c = fabs(c) < tiny ? tiny : c;
            value *= d * c;
        }
        if (fabs(value - before) <= DBL_EPSILON * fabs(value))
            break;
    }
    return value;
}

/* log gamma(a + 1/2) - log gamma(a), without subtracting two large numbers for large A. */
static double half_step(double a)
{
    enum { MANY = 50 };
    if (a < MANY)
        return lgamma(a + 0.5) - lgamma(a);
    double square = 1 / (a * a);
    return 0.5 * log(a) - (1.0 / 8 - (1.0 / 192 - square / 640) * square) / a;
}

/* I_x(a, 1/2); REST is 1 - X. */
static double beta_half(double x, double rest, double a)
{
    const double log_pi = 1.1447298858494002;
    if (rest <= 0)
        return 1;
    double log_x = x > 0.5 ? log1p(-rest) : log(x);
    double front = exp(half_step(a) - log_pi / 2 + a * log_x + log(rest) / 2);
    if (x < (a + 1) / (a + 2.5))
        return front * beta_fraction(x, a, 0.5) / a;
    return 1 - front * beta_fraction(rest, 0.5, a) * 2;
}

double stats_t_two_sided(double t, double df)
{
    const double many = 1e6;
    double z = fabs(t), square = t * t;
    if (isnan(t) || isnan(df))
        return NAN;
    if (isinf(t))
        return 0;
    if (df <= many)
        return beta_half(df / (df + square), square / (df + square), df / 2);
    if (!isinf(df)) {
        double a = df - 0.5;
        z = sqrt(a * log1p(square / df));
        z += z * (z * z + 3) / (48 * a * a);
    }
    return erfc(z / sqrt(2));
}

double stats_t_quantile(double p, double df)
{
    /* enough halvings from the largest to the smallest double, then for its bits */
    enum { STEPS = DBL_MAX_EXP - DBL_MIN_EXP + DBL_MANT_DIG };
    double low = 0, high = 1, middle = 0;
    if (p >= 0.5)
        return 0;
    while (stats_t_two_sided(high, df) > 2 * p && high < DBL_MAX / 2)
        high *= 2;
    for (int i = 0; i < STEPS; i++) {
        middle = low + (high - low) / 2;
        if (middle <= low || middle >= high)
            break; /* a register may have more bits than a double */
        if (stats_t_two_sided(middle, df) > 2 * p)
            low = middle;
        else
            high = middle;
    }
    return middle;
}

/* --- many tests at once --- */

/* A probability and its index. */
struct ranked {
    double p;
    size_t position;
};

static int by_probability(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->p != y->p)
        return x->p < y->p ? -1 : 1;
    return (x->position > y->position) - (x->position < y->position);
}

/* The numbers in P, sorted, smallest first; sets *RANKED_COUNT. The caller frees the result. */
static struct ranked *rank(const double *p, size_t count, size_t *ranked_count)
{
    struct ranked *ranked = mem_alloc((count + 1) * sizeof *ranked);
    *ranked_count = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(p[i]))
            ranked[(*ranked_count)++] = (struct ranked){p[i], i};
    order_items(ranked, *ranked_count, sizeof *ranked, by_probability);
    return ranked;
}

void stats_holm(const double *p, const double *weights, size_t count, double *to)
{
    size_t n;
    double *each = mem_alloc((count + 1) * sizeof *each);
    double left = 0, min = 0;
    for (size_t i = 0; i < count; i++) {
        double weight = weights == NULL ? 1 : weights[i];
        each[i] = p[i] / weight;
        left += isnan(p[i]) ? 0 : weight;
        to[i] = NAN;
    }
    struct ranked *ranked = rank(each, count, &n);
    for (size_t i = 0; i < n; i++) {
        double corrected = fmin(1, ranked[i].p * left);
        min = corrected > min ? corrected : min;
        to[ranked[i].position] = min;
        left -= weights == NULL ? 1 : weights[ranked[i].position];
    }
    mem_free(ranked);
    mem_free(each);
}

void stats_benjamini_hochberg(const double *p, size_t count, double *to)
{
    size_t n;
    struct ranked *ranked = rank(p, count, &n);
    double max = 1;
    for (size_t i = 0; i < count; i++)
        to[i] = NAN;
    for (size_t i = n; i-- > 0;) {
        double corrected = ranked[i].p * (double)n / (double)(i + 1);
        max = corrected < max ? corrected : max;
        to[ranked[i].position] = max;
    }
    mem_free(ranked);
}
