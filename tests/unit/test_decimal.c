/* Decimal fractions. */
#include "base/decimal.h"
#include "job.h"
#include "rows/sample.h"
#include "tap.h"

#include <float.h>
#include <math.h>

static struct str sum_of(struct buf *to, const char *const *terms)
{
    struct decimal sum = decimal_of(0);
    to->n = 0;
    for (; *terms != NULL; terms++)
        decimal_add(&sum, decimal_read(str_of(*terms)));
    decimal_write(to, sum);
    return buf_str(to);
}

static void test_sums(void)
{
    static const struct {
        const char *terms[5], *sum;
    } sums[] = {
        {{"0.1", "0.2"}, "0.3"},
        {{"0.01", "0.01", "-0.02"}, "0"},
        {{"1e-05", "1"}, "1.00001"},
        {{"1.50", "0.5"}, "2"},
        {{"9223372036854775807", "9223372036854775807"}, "18446744073709551614"},
        {{"-0.0"}, "0"},
        {{"1E3", "-1"}, "999"},
        {{"1e25"}, "1e25"},
        {{"1e-30"}, "1e-30"},
        {{"-12.34"}, "-12.34"},
        {{"1e300", "1e-300"}, "1e300"},
        {{"1e-300", "1e300"}, "1e300"},
        {{"0", "1234567890123456789e100", "0e-300"}, "1234567890123456789e100"},
        /* 37 digits are kept, and their sum, of 38 */
        {{"1234567890123456789012345678901234567"}, "1234567890123456789012345678901234567e0"},
        {{"-0.9999999999999999999999999999999999999", "-9e-37"},
         "-1.0000000000000000000000000000000000008"},
        {{"12345678901234567890123456789012345678"}, "12345678901234568e21"},
        {{"0.0012345678901234567890123456789012345678"}, "0.0012345678901234567"},
        {{"123456789012345678901234567890123456789"}, "12345678901234568e22"},
        {{"1e999"}, "17976931348623157e292"},
        {{"1e4294967296"}, "17976931348623157e292"},
        {{"-1e+999999999999999999999"}, "-17976931348623157e292"},
        {{"1e-4294967296"}, "0"},
        {{"0.001e-2147483646"}, "0"},
        {{"0e4294967297"}, "0"},
        {{"123456789012345678901e100", "0"}, "123456789012345678901e100"},
    };
    struct buf text = {0};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        is(sum_of(&text, sums[i].terms), str_of(sums[i].sum), sums[i].sum);
    buf_free(&text);
}

static void test_factors(void)
{
    static const struct {
        const char *x, *y, *product;
    } products[] = {
        {"0.1", "30", "3"},
        {"-2.5", "4e-3", "-0.01"},
        {"9223372036854775807", "9223372036854775807", "85070591730234615847396907784232501249e0"},
        {"1234567890123456789012", "1234567890123456789012", "15241578753238837e26"},
        {"1e300", "1e-300", "1"},
        {"0", "1e300", "0"},
    };
    static const struct {
        const char *x;
        int64_t n;
        const char *quotient;
    } quotients[] = {
        {"3", 2, "1.5"},
        {"0.3", 3, "0.1"},
        {"-1", 1024, "-0.0009765625"},
        {"1", 3, "0.3333333333333333"},
        {"2", 9223372036854775807, "2168404344971009e-34"},
        {"0", 7, "0"},
        {"170141183460469231731687303715884105727", 2, "85070591730234615e21"},
    };
    struct buf text = {0};
    for (size_t i = 0; i < sizeof products / sizeof *products; i++) {
        text.n = 0;
        decimal_write(&text, decimal_multiply(decimal_read(str_of(products[i].x)),
                                              decimal_read(str_of(products[i].y))));
        is(buf_str(&text), str_of(products[i].product), products[i].product);
    }
    for (size_t i = 0; i < sizeof quotients / sizeof *quotients; i++) {
        text.n = 0;
        decimal_write(
            &text, decimal_divide(decimal_read(str_of(quotients[i].x)), wide_of(quotients[i].n)));
        is(buf_str(&text), str_of(quotients[i].quotient), quotients[i].quotient);
    }
    buf_free(&text);
}

static void test_order(void)
{
    int64_t integer;
    ok(decimal_compare(decimal_read(STR("0.10")), decimal_read(STR("1e-1"))) == 0 &&
           decimal_compare(decimal_read(STR("-1")), decimal_of(0)) < 0 &&
           decimal_compare(decimal_read(STR("2.5")), decimal_of(2)) > 0,
       "numbers in order");
    ok(decimal_is_integer(decimal_read(STR("-9223372036854775808")), &integer) &&
           integer == INT64_MIN && decimal_is_integer(decimal_read(STR("2.50e1")), &integer) &&
           integer == 25,
       "integers, however they are spelled");
    ok(!decimal_is_integer(decimal_read(STR("9223372036854775808")), &integer) &&
           !decimal_is_integer(decimal_read(STR("0.5")), &integer) &&
           !decimal_is_integer(decimal_read(STR("1e300")), &integer),
       "and what is none");
}

static void test_size(void)
{
    struct decimal sum = decimal_read(STR("1e308"));
    ok(decimal_is_double(decimal_read(STR("-1e999"))) &&
           decimal_is_double(decimal_read(STR("123456789012345678901234567890123456e272"))),
       "sizes that doubles have");
    decimal_add(&sum, sum);
    ok(!decimal_is_double(sum), "a sum is beyond them");
    decimal_add(&sum, decimal_read(STR("1e-300")));
    decimal_add(&sum, decimal_read(STR("-1")));
    ok(!decimal_is_double(sum), "and stays so");
}

/* The text of a real that X has, or "" where no double holds it. */
static const char *real_of(struct decimal x)
{
    static struct buf text;
    text.n = 0;
    return decimal_write_real(&text, x) ? text.p : "";
}

static void test_reals(void)
{
    ok(strcmp(real_of(decimal_of(3)), "3.0") == 0 &&
           strcmp(real_of(decimal_read(STR("-0.5"))), "-0.5") == 0 &&
           strcmp(real_of(decimal_read(STR("1e300"))), "1e300") == 0,
       "reals are spelled as such");
    struct decimal large = decimal_read(STR("9999999999999999999999999999999999999e271"));
    ok(strcmp(real_of(large), "") != 0 && strcmp(real_of(decimal_read(STR("1e309"))), "") == 0 &&
           strcmp(real_of(decimal_multiply(large, decimal_of(3))), "") == 0 &&
           strcmp(real_of(decimal_multiply(large, decimal_of(20))), "") == 0,
       "what no double holds is told, rounded on the way or not");
}

static void test_rounding(void)
{
    static const struct {
        const char *x;
        int64_t integer;
    } rounded[] = {
        {"0.5", 1},   {"-0.5", -1},   {"0.49999999999999999999999999999999999", 0}, {"1.5e-30", 0},
        {"-2.4", -2}, {"12e2", 1200}, {"9223372036854775807.4", INT64_MAX},
    };
    int64_t integer = 0;
    for (size_t i = 0; i < sizeof rounded / sizeof *rounded; i++)
        ok(decimal_round(decimal_read(str_of(rounded[i].x)), &integer) &&
               integer == rounded[i].integer,
           "%s, rounded", rounded[i].x);
    ok(!decimal_round(decimal_read(STR("9223372036854775807.5")), &integer) &&
           !decimal_round(decimal_read(STR("1e19")), &integer),
       "what has more than 64 bits is not");
    ok(decimal_to_double(decimal_read(STR("0.1"))) == 0.1 &&
           decimal_to_double(decimal_read(STR("-9007199254740993"))) == -9007199254740992.0 &&
           decimal_to_double(decimal_read(STR("1.7976931348623157e308"))) ==
               0x1.fffffffffffffp1023 &&
           decimal_to_double(decimal_read(STR("2.2250738585072011e-308"))) < 0x1p-1022,
       "the nearest doubles");
}

/* Seconds whose nanoseconds have all bits of an integer; a long double of 64 bits is off by one in each. */
static void test_nanoseconds(void)
{
    static const struct {
        const char *seconds;
        int64_t nanoseconds;
    } values[] = {
        {"2878940491.5118958074695453", 2878940491511895807},
        {"8085185733.7086028193679301", 8085185733708602819},
        {"4599861130.5948022135", 4599861130594802214},
        {"-1133454703.5007437915", -1133454703500743792},
        {"9223372036.8547758074", INT64_MAX},
        {"1e-9", 1},
    };
    struct value_types types = {0};
    uint32_t seconds = value_types_add(&types, STR("wall"), STR("seconds"));
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct sample_value v = {
            seconds, {NUMBER_REAL, .real = str_of(values[i].seconds)}, STR("")};
        sample_value_refine(&v, &types);
        ok(v.type == value_types_in_nanoseconds(&types, seconds) &&
               v.value.kind == NUMBER_INTEGER && v.value.integer == values[i].nanoseconds,
           "%s seconds in nanoseconds", values[i].seconds);
    }
    struct sample_value half = {seconds, {NUMBER_REAL, .real = STR("0.0000000005")}, STR("")};
    struct decimal exact = sample_value_refine(&half, &types);
    ok(half.type == value_types_in_nanoseconds(&types, seconds) && half.value.kind == NUMBER_REAL &&
           decimal_compare(exact, decimal_read(STR("0.5"))) == 0,
       "a fraction of a nanosecond is not rounded");
    struct sample_value v = {seconds, {NUMBER_REAL, .real = STR("9223372036.9")}, STR("")};
    sample_value_refine(&v, &types);
    ok(v.type == seconds && v.value.kind == NUMBER_REAL, "what does not fit stays as it is");
    value_types_free(&types);
}

static void test_spelling(void)
{
    static const struct {
        double x;
        const char *spelled;
    } doubles[] = {{0, "0"},
                   {0.1, "0.1"},
                   {0.8588793724593718, "0.8588793724593718"},
                   {0.1 + 0.2, "0.30000000000000004"},
                   {-1e22, "-1e+22"},
                   {5e-324, "4.94065645841247e-324"},
                   {DBL_MAX, "1.7976931348623157e+308"},
                   {(double)INFINITY, "inf"}};
    static const struct {
        float x;
        const char *spelled;
    } floats[] = {{0.1f, "0.1"}, {16777216, "16777216"}, {FLT_MAX, "3.4028235e+38"}};
    char text[DECIMAL_SPELLED];
    struct str found = {text, 0};
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++) {
        found.n = decimal_spell(doubles[i].x, text);
        is(found, str_of(doubles[i].spelled), doubles[i].spelled);
    }
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
        found.n = decimal_spell_float(floats[i].x, text);
        is(found, str_of(floats[i].spelled), floats[i].spelled);
    }
    ok(text[decimal_spell((double)NAN, text)] == '\0', "no number is spelled, too");
}

int main(void)
{
    test_sums();
    test_spelling();
    test_factors();
    test_order();
    test_size();
    test_reals();
    test_rounding();
    test_nanoseconds();
    return tap_done();
}
