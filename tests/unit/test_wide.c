/* Integers of 128 bits.  Compiled twice: with those of the compiler and with words (WIDE_WORDS), both against what
 * was worked out elsewhere and, where the compiler has such integers, against those. */
#include "base/wide.h"

#include "../random.h"
#include "base/str.h"
#include "tap.h"

static struct str spelled(struct wide x)
{
    static char text[WIDE_DIGITS];
    return (struct str){text, wide_spell(x, text)};
}

static struct wide power(int64_t base, int n)
{
    struct wide x = wide_of(1);
    while (n-- > 0)
        x = wide_multiply(x, wide_of(base));
    return x;
}

static void test_known(void)
{
    const struct wide min = wide_join(0, INT64_MIN), max = wide_join(UINT64_MAX, INT64_MAX);
    struct wide x;
    int64_t n;
    is(spelled(wide_of(0)), STR("0"), "0");
    is(spelled(wide_of(-10)), STR("-10"), "a sign");
    is(spelled(wide_of_unsigned(UINT64_MAX)), STR("18446744073709551615"), "64 bits");
    is(spelled(power(10, 36)), STR("1000000000000000000000000000000000000"), "zeros at each step");
    is(spelled(max), STR("170141183460469231731687303715884105727"), "the largest");
    is(spelled(min), STR("-170141183460469231731687303715884105728"), "the least");
    is(spelled(wide_multiply(power(3, 70), wide_of(-5))),
       STR("-12515777524966208006577859930429245"), "a product");
    is(spelled(wide_divide(power(10, 38), power(-7, 25))), STR("-74567399858373588"), "a quotient");
    is(spelled(wide_rest(wide_negative(power(10, 38)), power(7, 25))),
       STR("-504364102795231314484"), "the rest has the sign of what was divided");
    ok(wide_fits(wide_of(INT64_MIN), &n) && n == INT64_MIN &&
           !wide_fits(wide_of_unsigned((uint64_t)INT64_MAX + 1), &n) &&
           !wide_fits(wide_subtract(wide_of(INT64_MIN), wide_of(1)), &n),
       "what 64 bits hold");
    ok(wide_add_fits(max, min, &x) && wide_compare(x, wide_of(-1)) == 0 &&
           !wide_add_fits(max, wide_of(1), &x) && !wide_add_fits(min, wide_of(-1), &x),
       "sums at the ends");
    ok(wide_multiply_fits(power(2, 63), power(-2, 64), &x) == false &&
           wide_multiply_fits(power(2, 64), wide_negative(power(2, 63)), &x) &&
           wide_compare(x, min) == 0 && !wide_multiply_fits(power(2, 64), power(2, 63), &x) &&
           !wide_multiply_fits(power(2, 64), power(2, 64), &x) &&
           !wide_multiply_fits(min, wide_of(-1), &x),
       "products at the ends");
    ok(wide_compare(min, max) < 0 && wide_compare(wide_of(-1), wide_of(0)) < 0 &&
           wide_compare(power(2, 64), wide_of(INT64_MAX)) > 0 && wide_sign(min) < 0 &&
           wide_sign(wide_join(0, 1)) > 0 && wide_sign(wide_join(1, 0)) > 0,
       "order");
    ok(wide_to_double(max) == 0x1p127 && wide_to_double(min) == -0x1p127 &&
           wide_to_double(wide_add(power(2, 64), wide_of(2049))) == 0x1.0000000000001p64 &&
           wide_to_double(wide_add(power(2, 64), wide_of(2048))) == 0x1p64 &&
           wide_to_double(wide_add(power(2, 120), power(2, 67))) == 0x1p120 &&
           wide_to_double(wide_add(wide_add(power(2, 120), power(2, 67)), wide_of(1))) ==
               0x1.0000000000001p120,
       "the nearest doubles, and of two the even one");
    ok(wide_compare(wide_of_double(-0x1.8p100), wide_multiply(power(2, 99), wide_of(-3))) == 0 &&
           wide_compare(wide_of_double(-1.9), wide_of(-1)) == 0 &&
           wide_compare(wide_of_double(0x1.0000000000001p64),
                        wide_add(power(2, 64), wide_of(4096))) == 0,
       "doubles without their fraction");
}

#ifdef __SIZEOF_INT128__
static __int128 native(struct wide x)
{
    return (__int128)((unsigned __int128)wide_high(x) << 64 | wide_low(x));
}

/* Numbers of any length, many of them at an edge. */
static struct wide any(void)
{
    uint64_t low = random_next(), high = random_next();
    unsigned shift = (unsigned)pick(128);
    if (pick(4) == 0)
        low = pick(2) == 0 ? 0 : UINT64_MAX;
    if (pick(4) == 0)
        high = pick(2) == 0 ? 0 : UINT64_MAX;
    if (shift >= 64)
        low = high >> (shift - 64), high = 0;
    else if (shift > 0)
        low = low >> shift | high << (64 - shift), high >>= shift;
    struct wide x = wide_join(low, (int64_t)high);
    return pick(2) == 0 ? x : wide_negative(x);
}

static bool is_same(struct wide x, struct wide y)
{
    __int128 a = native(x), b = native(y), found;
    struct wide to;
    uint64_t high, low = wide_product(wide_low(x), wide_low(y), &high);
    unsigned __int128 product = (unsigned __int128)wide_low(x) * wide_low(y);
    bool sum_fits = !__builtin_add_overflow(a, b, &found);
    bool good = wide_add_fits(x, y, &to) == sum_fits && native(to) == found;
    good &= native(wide_add(x, y)) == found;
    bool product_fits = !__builtin_mul_overflow(a, b, &found);
    good &= wide_multiply_fits(x, y, &to) == product_fits && native(to) == found;
    good &= native(wide_multiply(x, y)) == found;
    good &= (unsigned __int128)high << 64 == product >> 64 << 64 && low == (uint64_t)product;
    good &= native(wide_subtract(x, y)) == (__int128)((unsigned __int128)a - (unsigned __int128)b);
    good &= wide_compare(x, y) == (a > b) - (a < b);
    good &= wide_to_double(x) == (double)a;
    if (b != 0 && !(b == -1 && wide_sign(x) < 0 && wide_sign(wide_negative(x)) < 0))
        good &= native(wide_divide(x, y)) == a / b && native(wide_rest(x, y)) == a % b;
    double d = (double)a / 3;
    return good && native(wide_of_double(d)) == (__int128)d;
}

static void test_random(void)
{
    enum { COUNT = 200000 };
    size_t wrong = 0;
    for (int i = 0; i < COUNT; i++) {
        struct wide x = any(), y = any();
        bool good = is_same(x, y);
        wrong += !good;
        if (!good && wrong < 5)
            printf("# %" PRIx64 " %" PRIx64 ", %" PRIx64 " %" PRIx64 "\n", wide_high(x),
                   wide_low(x), wide_high(y), wide_low(y));
    }
    ok(wrong == 0, "the same as the integers of the compiler");
}
#endif

int main(void)
{
    test_known();
#ifdef __SIZEOF_INT128__
    test_random();
#endif
    return tap_done();
}
