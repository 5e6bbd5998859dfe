#include "base/wide.h"

#include <string.h>

#if !defined __SIZEOF_INT128__ || defined WIDE_WORDS

/* The absolute value of X, which may need all 128 bits. */
struct words {
    uint64_t low, high;
};

static struct words words_of(struct wide x)
{
    x = wide_size(x);
    return (struct words){x.low, (uint64_t)x.high};
}

static struct wide with_sign(struct words n, bool is_negative)
{
    struct wide x = {n.low, (int64_t)n.high};
    return is_negative ? wide_negative(x) : x;
}

static bool is_less(struct words x, struct words y)
{
    return x.high != y.high ? x.high < y.high : x.low < y.low;
}

/* Divides X by Y, bit by bit; stores the remainder in *REST. */
static struct words divide(struct words x, struct words y, struct words *rest)
{
    struct words quotient = {0, 0};
    if (x.high == 0 && y.high == 0) {
        *rest = (struct words){x.low % y.low, 0};
        return (struct words){x.low / y.low, 0};
    }
    *rest = (struct words){0, 0};
    for (int bit = 127; bit >= 0; bit--) {
        uint64_t next = (bit >= 64 ? x.high >> (bit - 64) : x.low >> bit) & 1;
        *rest = (struct words){rest->low << 1 | next, rest->high << 1 | rest->low >> 63};
        quotient = (struct words){quotient.low << 1, quotient.high << 1 | quotient.low >> 63};
        if (!is_less(*rest, y)) {
            bool borrows = rest->low < y.low;
            *rest = (struct words){rest->low - y.low, rest->high - y.high - borrows};
            quotient.low |= 1;
        }
    }
    return quotient;
}

struct wide wide_divide(struct wide x, struct wide y)
{
    struct words rest;
    return with_sign(divide(words_of(x), words_of(y), &rest), (x.high < 0) != (y.high < 0));
}

struct wide wide_rest(struct wide x, struct wide y)
{
    struct words rest;
    divide(words_of(x), words_of(y), &rest);
    return with_sign(rest, x.high < 0);
}

bool wide_multiply_fits(struct wide x, struct wide y, struct wide *to)
{
    struct words a = words_of(x), b = words_of(y), product;
    uint64_t upper = 0, cross;
    bool is_negative = (x.high < 0) != (y.high < 0);
    *to = wide_multiply(x, y);
    if (a.high != 0 && b.high != 0)
        return false;
    cross = wide_product(a.high != 0 ? a.high : b.high, a.high != 0 ? b.low : a.low, &upper);
    product.low = wide_product(a.low, b.low, &product.high);
    product.high += cross;
    if (upper != 0 || product.high < cross)
        return false;
    return product.high >> 63 == 0 ||
           (is_negative && product.high == (uint64_t)1 << 63 && product.low == 0);
}

double wide_to_double(struct wide x)
{
    struct words n = words_of(x);
    double power = 18446744073709551616.0, size; /* 2^64 */
    if (n.high == 0) {
        size = (double)n.low;
    } else {
        for (; n.high >> 63 == 0; power /= 2)
            n = (struct words){n.low << 1, n.high << 1 | n.low >> 63};
        size = (double)(n.high | (n.low != 0)) * power; /* one bit for all that rounding drops */
    }
    return x.high < 0 ? -size : size;
}

struct wide wide_of_double(double x)
{
    const double power = 18446744073709551616.0;
    double size = x < 0 ? -x : x;
    uint64_t high = (uint64_t)(size / power);
    return with_sign((struct words){(uint64_t)(size - (double)high * power), high}, x < 0);
}

#endif

unsigned wide_spell(struct wide x, char *to)
{
    enum { AT_ONCE = 18 };
    const int64_t power = INT64_C(1000000000000000000); /* 10^18: few steps need 128 bits */
    char digits[3 * AT_ONCE];
    unsigned at = sizeof digits, n = 0;
    bool is_negative = wide_sign(x) < 0;
    for (struct wide left = x; at == sizeof digits || wide_sign(left) != 0;) {
        struct wide rest = wide_rest(left, wide_of(power));
        uint64_t part = wide_low(wide_size(rest));
        left = wide_divide(left, wide_of(power));
        for (unsigned i = 0;
             i < AT_ONCE && (part != 0 || wide_sign(left) != 0 || at == sizeof digits);
             i++, part /= 10)
            digits[--at] = (char)('0' + (int)(part % 10));
    }
    if (is_negative)
        to[n++] = '-';
    memcpy(to + n, digits + at, sizeof digits - at);
    return n + (unsigned)(sizeof digits - at);
}
