/* The statistics of profdiff, against what R says: digamma, trigamma, pt, qt, p.adjust, and limma's trigammaInverse
 * and squeezeVar.  profdiff.bats asks R itself of whole tables. */
#include "compare/moderate.h"
#include "compare/stats.h"
#include "job.h"
#include "tap.h"

#include <math.h>

/* Within 1e-9 of EXPECTED, or both are the same infinity. */
static bool is_near(double found, double expected)
{
    return found == expected || fabs(found - expected) <= 1e-9 * fabs(expected);
}

static void test_gamma(void)
{
    static const double table[][3] = {
        {0.001, -1000.5755719318104, 1000001.6425331959},
        {0.5, -1.963510026021423, 4.934802200544679},
        {1, -0.5772156649015323, 1.6449340668482264},
        {1.4616321449683622, 4.440892098500626e-16, 0.9676722454476212},
        {4, 1.2561176684318007, 0.28382295573711525},
        {11.999, 2.442574774329119, 0.08690942073224082},
        {12, 2.442661679975812, 0.08690187287176838},
        {250, 5.519459584531046, 0.004008010666632536},
        {1000000, 13.81551005796419, 1.0000005000001672e-06},
        {1000000000000, 27.631021115928046, 1.000000000000501e-12},
    };
    static const double inverses[][2] = {
        {1000000000, 3.1622776601683795e-05},
        {20000000, 0.00022360679774997895},
        {9000000, 0.00033333336378024595},
        {100, 0.10072375880005269},
        {1.6449340668482264, 1},
        {0.1, 10.491681821078421},
        {0.001, 1000.4999166666823},
        {1.1e-06, 909091.4090908173},
        {9e-07, 1111111.1111111112},
        {1e-12, 1000000000000},
    };
    bool good = true;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const double *row = table[i];
        /* at its root digamma is what is left of numbers near 1 */
        bool is_same = is_near(1 + stats_digamma(row[0]), 1 + row[1]);
        good &= each(is_same, "digamma(%g): %.17g", row[0], stats_digamma(row[0]));
        good &= each(is_near(stats_trigamma(row[0]), row[2]), "trigamma(%g): %.17g", row[0],
                     stats_trigamma(row[0]));
    }
    ok(good, "digamma and trigamma");
    good = true;
    for (size_t i = 0; i < sizeof inverses / sizeof *inverses; i++)
        good &= each(is_near(stats_trigamma_inverse(inverses[i][0]), inverses[i][1]),
                     "trigamma_inverse(%g): %.17g", inverses[i][0],
                     stats_trigamma_inverse(inverses[i][0]));
    ok(good, "the inverse of trigamma");
}

static void test_t(void)
{
    static const double table[][3] = {
        /* t, df, p on both sides */
        {1e-08, 0.5, 0.9999999946064739},
        {0.7, 0.5, 0.6854006625207667},
        {2.3, 0.5, 0.417191798468837},
        {9, 0.5, 0.21360327842077334},
        {37, 0.5, 0.10544005539862635},
        {1e-08, 1, 0.9999999936338022},
        {0.7, 1, 0.6111997755715706},
        {2.3, 1, 0.2610951741772454},
        {9, 1, 0.07044657495455454},
        {37, 1, 0.017201752210866304},
        {1e-08, 4, 0.9999999925},
        {0.7, 4, 0.5225001655934504},
        {2.3, 4, 0.08293903711238237},
        {9, 4, 0.0008438325176012782},
        {37, 4, 3.1859019854653685e-06},
        {1e-08, 8, 0.9999999922660197},
        {0.7, 8, 0.5037710520185448},
        {2.3, 8, 0.050470832640481966},
        {9, 8, 1.85311842964301e-05},
        {37, 8, 3.122439381909242e-10},
        {1e-08, 14.28, 0.9999999921595129},
        {0.7, 14.28, 0.4951740462279747},
        {2.3, 14.28, 0.03701830748758889},
        {9, 14.28, 2.899529054906641e-07},
        {37, 14.28, 1.3728266229576986e-15},
        {1e-08, 98, 0.9999999920414824},
        {0.7, 98, 0.4855857109438786},
        {2.3, 98, 0.023569190495852863},
        {9, 98, 1.7888539935438545e-14},
        {37, 98, 2.1623414010314687e-59},
        {1e-08, 99.7, 0.9999999920411362},
        {0.7, 99.7, 0.4855574876214278},
        {2.3, 99.7, 0.02353253371130123},
        {9, 99.7, 1.571161063952225e-14},
        {37, 99.7, 4.7840612262199434e-60},
        {1e-08, 9999, 0.9999999920213538},
        {0.7, 9999, 0.48394358980862195},
        {2.3, 9999, 0.021468715424602137},
        {9, 9999, 2.66788763094417e-19},
        {37, 9999, 5.644892618949732e-281},
        {1e-08, 10001, 0.9999999920213538},
        {0.7, 10001, 0.4839435865519368},
        {2.3, 10001, 0.021468711325342227},
        {9, 10001, 2.6677989175547087e-19},
        {37, 10001, 5.600461708948133e-281},
        {1e-08, 1000000, 0.9999999920211564},
        {0.7, 1000000, 0.4839274672865419},
        {2.3, 1000000, 0.021448424947276043},
        {9, 1000000, 2.260973033492836e-19},
        {37, 1000000, 1.8299730861800904e-299},
        {1e-08, 100000000000, 0.9999999920211544},
        {0.7, 100000000000, 0.4839273044477741},
        {2.3, 100000000000, 0.02144822004540066},
        {9, 100000000000, 2.257176849840051e-19},
        {37, 100000000000, 1.1451196176740859e-299},
        {1e-08, INFINITY, 0.9999999920211544},
        {0.7, INFINITY, 0.48392730444614596},
        {2.3, INFINITY, 0.02144822004335162},
        {9, INFINITY, 2.2571768119076816e-19},
        {37, INFINITY, 1.1451142445049154e-299},
    };
    static const double quantiles[][3] = {
        /* p on one side, df, t */
        {0.2, 0.5, 2.512717953665927},        {0.025, 0.5, 164.55767348049446},
        {0.2, 1, 1.3763819204711736},         {0.025, 1, 12.706204736174707},
        {0.2, 4, 0.9409645772351811},         {0.025, 4, 2.7764451051977943},
        {0.2, 8, 0.8888895177670197},         {0.025, 8, 2.3060041352041662},
        {0.2, 14.28, 0.8675217743986042},     {0.025, 14.28, 2.140847978428877},
        {0.2, 98, 0.8453043896234143},        {0.025, 98, 1.984467454508482},
        {0.2, 9999, 0.8416571827367169},      {0.025, 9999, 1.9602012636213573},
        {0.2, 10001, 0.8416571755473077},     {0.025, 10001, 1.9602012161646405},
        {0.2, 100000000, 0.8416212371673235}, {0.025, 100000000, 1.9599640082627663},
        {0.2, INFINITY, 0.8416212335729142},  {0.025, INFINITY, 1.9599639845400538},
    };
    bool good = true;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const double *row = table[i];
        good &= each(is_near(stats_t_two_sided(row[0], row[1]), row[2]), "t %g, df %g: %.17g",
                     row[0], row[1], stats_t_two_sided(row[0], row[1]));
        good &= each(stats_t_two_sided(-row[0], row[1]) == stats_t_two_sided(row[0], row[1]),
                     "t %g, df %g: the other sign", row[0], row[1]);
        good &= each(stats_t_two_sided(0, row[1]) == 1, "t 0, df %g", row[1]);
        good &= each(stats_t_two_sided(INFINITY, row[1]) == 0, "t inf, df %g", row[1]);
    }
    ok(good, "Student's t");
    good = isnan(stats_t_two_sided(NAN, 4));
    for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++)
        good &= each(is_near(stats_t_quantile(quantiles[i][0], quantiles[i][1]), quantiles[i][2]),
                     "p %g, df %g: %.17g", quantiles[i][0], quantiles[i][1],
                     stats_t_quantile(quantiles[i][0], quantiles[i][1]));
    ok(good, "quantiles of Student's t");
}

static void test_fit(void)
{
    static const struct {
        size_t count;
        double phi[6], df, scale, prior, last; /* LAST: the last one, squeezed */
    } fits[] = {
        {6, {1, 2, 3, 8, 0.5, 30}, 8, 1.7979049957322397, 1.8236765279216098, 24.764536622178486},
        {4, {2, 2, 2, 2}, 8, 2, INFINITY, 2},
        {4, {0, 0, 0, 1}, 4, 3.5619044154694932e-06, 0.35809842708289918, 0.9178317888955474},
        {4, {0, 0, 0, 0}, 4, 1e-05, INFINITY, 1e-05},
        {4, {0, 1, 2, 50}, 4, 0.0019506108726421189, 0.31279270073770493, 46.373805562839301},
        {4,
         {1e-09, 1e+09, 1, 5},
         4,
         0.00053033408637419115,
         0.15513255918043789,
         4.8133439757283876},
        {2, {1.1, 0.9}, 4, 1, INFINITY, 1},
        {1, {3}, 8, 3, 0, 3},
        {1, {0}, 8, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof fits / sizeof *fits; i++) {
        struct moderate_prior prior = moderate_fit(fits[i].phi, fits[i].count, fits[i].df);
        double last = moderate_squeeze(fits[i].phi[fits[i].count - 1], fits[i].df, prior);
        ok(is_near(prior.scale, fits[i].scale) && is_near(prior.df, fits[i].prior) &&
               is_near(last, fits[i].last),
           "%zu variances: scale %.17g, df %.17g, %.17g", fits[i].count, prior.scale, prior.df,
           last);
    }
}

static void test_corrections(void)
{
    static const double p[] = {0.01, 0.04, NAN, 0.03, 0.005, 0.9, 0.04};
    static const double holm[] = {0.05, 0.12, NAN, 0.12, 0.03, 0.9, 0.12};
    static const double hochberg[] = {0.03, 0.048, NAN, 0.048, 0.03, 0.9, 0.048};
    enum { COUNT = sizeof p / sizeof *p };
    double by_holm[COUNT], by_hochberg[COUNT];
    bool good = true;
    stats_holm(p, NULL, COUNT, by_holm);
    stats_benjamini_hochberg(p, COUNT, by_hochberg);
    for (size_t i = 0; i < COUNT; i++)
        good &= isnan(p[i]) ? isnan(by_holm[i]) && isnan(by_hochberg[i])
                            : is_near(by_holm[i], holm[i]) && is_near(by_hochberg[i], hochberg[i]);
    ok(good, "Holm's, and Benjamini's and Hochberg's correction");
    stats_holm(p, NULL, 0, by_holm);
    static const double few[] = {0.03, 0.04, 0.5}, weights[] = {1, 4, 1};
    static const double weighed[] = {0.06, 0.06, 0.5};
    stats_holm(few, weights, 3, by_holm);
    ok(is_near(by_holm[0], weighed[0]) && is_near(by_holm[1], weighed[1]) &&
           is_near(by_holm[2], weighed[2]),
       "Holm's correction with weights: %g %g %g", by_holm[0], by_holm[1], by_holm[2]);
}

/* The tests of functions whose runs of three against three are ROWS, of all of 100 each. */
static void run_tests(const double rows[][6], size_t count, bool are_shares,
                      struct moderate_test *tests)
{
    static const double all[] = {100, 100, 100, 100, 100, 100};
    for (size_t i = 0; i < count; i++) {
        struct moderate_runs runs = {rows[i], all, 3, 3};
        tests[i] = moderate_begin(&runs, are_shares);
    }
    moderate_finish(tests, count, 3, 3);
}

static void test_extremes(void)
{
    static const double rows[][6] = {
        {0, 0, 0, 5, 6, 7},             /* nothing on one side */
        {100, 100, 100, 100, 100, 100}, /* all of every run */
        {0, 0, 0, 0, 0, 0},             /* nothing */
        {10, 10, 10, 10, 10, 10},       /* the same */
        {-1, 2, 3, 4, 5, 6},            /* no counts */
        {20, 22, 24, 20, 22, 24},
    };
    struct moderate_test t[6];
    run_tests(rows, 6, true, t);
    ok(t[0].is_tested && t[0].p > 0 && t[0].p < 0.05 && t[0].low > 0 && t[0].min > 0,
       "one side is 0");
    ok(!t[1].is_tested && !t[2].is_tested && !t[4].is_tested, "what cannot be tested");
    ok(isnan(t[1].p) && isnan(t[4].low) && t[4].base > 0, "and has no p");
    ok(t[3].p == 1 && t[5].p == 1 && t[3].low < 0 && t[3].high > 0, "what did not change");
    run_tests(rows, 6, false, t);
    ok(t[1].is_tested && t[1].p == 1 && !t[2].is_tested && !t[4].is_tested, "cost can be all");
    static const double max[][6] = {
        {50, 52, 54, 56, 58, 60}, {2, 2, 2, 3, 3, 3}, {7, 8, 9, 7, 8, 9}};
    run_tests(max, 3, false, t);
    ok(t[0].df == 4 && t[1].df > 4 && is_near(t[0].p, 0.021311641128756804) && t[2].p == 1,
       "the cost of half of all is tested alone: %.17g", t[0].p);
    run_tests(max, 3, true, t);
    ok(t[0].df > 4, "and its share is not");
    run_tests(rows + 3, 1, true, t);
    ok(t[0].p == 1 && fabs(t[0].low) < 1e-12 && fabs(t[0].high) < 1e-12,
       "no spread, and no difference");
    static const double apart[][6] = {{10, 10, 10, 11, 11, 11}};
    run_tests(apart, 1, true, t);
    ok(t[0].p < 1e-20 && is_near(t[0].low, 0.01), "no spread, but a difference");
    struct moderate_runs two = {rows[5], rows[1], 2, 4};
    ok(!moderate_begin(&two, true).is_tested, "two runs are too few");
}

int main(void)
{
    test_gamma();
    test_t();
    test_fit();
    test_corrections();
    test_extremes();
    tidy();
    return tap_done();
}
