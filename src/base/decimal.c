#include "base/decimal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* This many digits always fit, and so does the sum of two such numbers.  A number with an
 * exponent beyond the maximum is read as a double. */
enum { DIGITS_MAX = DECIMAL_EXACT, EXPONENT_MAX = 400 };

/* Removes zeros at the end of X. */
static struct decimal trim(struct decimal x)
{
    int64_t digits;
    if (wide_sign(x.digits) == 0)
        return (struct decimal){0};
    while (!wide_fits(x.digits, &digits)) {
        if (wide_sign(wide_rest(x.digits, wide_of(10))) != 0)
            return x;
        x.digits = wide_divide(x.digits, wide_of(10));
        x.exponent++;
    }
    for (; digits % 10 == 0; digits /= 10)
        x.exponent++;
    x.digits = wide_of(digits);
    return x;
}

/* Adds TEXT, the digits after an 'e', to *EXPONENT; false if that is far out of range. */
static bool add_exponent(struct str text, int *exponent)
{
    char copy[16] = {0};
    if (text.n >= sizeof copy)
        return false;
    memcpy(copy, text.p, text.n);
    long n = strtol(copy, NULL, 10);
    if (labs(n) > 2 * EXPONENT_MAX)
        return false;
    *exponent += (int)n;
    return true;
}

/* Reads the digits and the exponent of TEXT; false if there are more than DIGITS_MAX, or the
 * exponent is too large. */
static bool read_digits(struct str text, struct decimal *to)
{
    bool is_negative = false, is_fraction = false;
    int digits = 0;
    *to = (struct decimal){0};
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (c == '-') {
            is_negative = true;
        } else if (c == '.') {
            is_fraction = true;
        } else if (c == 'e' || c == 'E') {
            if (!add_exponent((struct str){text.p + i + 1, text.n - i - 1}, &to->exponent))
                return false;
            break;
        } else {
            digits += digits > 0 || c != '0';
            if (digits > DIGITS_MAX)
                return false;
            to->digits = wide_add(wide_multiply(to->digits, wide_of(10)), wide_of(c - '0'));
            to->exponent -= is_fraction;
        }
    }
    if (is_negative)
        to->digits = wide_negative(to->digits);
    *to = trim(*to);
    return true;
}

/* 17 digits always say which double it is, and 15 are always those that somebody wrote; of a float
 * 9 and 6. */
size_t decimal_spell(double x, char text[DECIMAL_SPELLED])
{
    int n, digits = 15;
    do
        n = snprintf(text, DECIMAL_SPELLED, "%.*g", digits, x);
    while (digits++ < 17 && strtod(text, NULL) != x);
    return (size_t)n;
}

size_t decimal_spell_float(float x, char text[DECIMAL_SPELLED])
{
    int n, digits = 6;
    do
        n = snprintf(text, DECIMAL_SPELLED, "%.*g", digits, (double)x);
    while (digits++ < 9 && strtof(text, NULL) != x);
    return (size_t)n;
}

struct decimal decimal_of_double(double x)
{
    char text[DECIMAL_SPELLED];
    struct decimal d;
    x = x > DBL_MAX ? DBL_MAX : x < -DBL_MAX ? -DBL_MAX : x;
    read_digits((struct str){text, decimal_spell(x, text)}, &d);
    return d;
}

double decimal_to_double(struct decimal x)
{
    char text[WIDE_DIGITS + 16];
    size_t n = wide_spell(x.digits, text);
    snprintf(text + n, sizeof text - n, "e%d", x.exponent);
    return strtod(text, NULL); /* strtod rounds once: powers of ten are not exact doubles */
}

bool decimal_is_double(struct decimal x)
{
    enum { LARGE = DBL_MAX_10_EXP - 39 }; /* whatever the digits */
    return x.exponent < LARGE || isfinite(decimal_to_double(x));
}

struct decimal decimal_read(struct str text)
{
    struct decimal d;
    if (read_digits(text, &d) && d.exponent >= -EXPONENT_MAX && decimal_is_double(d))
        return d;
    struct buf copy = {0};
    buf_add(&copy, text);
    buf_add(&copy, (struct str){"", 1});
    d = decimal_of_double(strtod(copy.p, NULL));
    buf_free(&copy);
    return d;
}

struct str decimal_take(struct str *text)
{
    const struct str all = *text;
    size_t n = 0;
    bool has_point = false;
    for (; n < all.n && (str_is_digit(all.p[n]) || (all.p[n] == '.' && n > 0 && !has_point)); n++)
        has_point |= all.p[n] == '.';
    *text = (struct str){all.p + n, all.n - n};
    return (struct str){all.p, n};
}

/* Lowers the exponent of *X to EXPONENT; false if that needs too many digits. */
static bool align(struct decimal *x, int exponent)
{
    if (decimal_sign(*x) == 0)
        x->exponent = exponent;
    if (x->exponent - exponent > DIGITS_MAX)
        return false;
    for (; x->exponent > exponent; x->exponent--)
        if (!wide_multiply_fits(x->digits, wide_of(10), &x->digits))
            return false;
    return true;
}

/* X as a decimal; beyond the range of doubles if X is. */
static struct decimal rounded(double x)
{
    if (!isfinite(x))
        return (struct decimal){wide_of(x > 0 ? 1 : -1), DBL_MAX_10_EXP + 1};
    return decimal_of_double(x);
}

double decimal_parse(const char *text, char **end)
{
    const char *digits = text + strspn(text, " \t\n\v\f\r");
    digits += *digits == '+' || *digits == '-';
    bool is_hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    return is_hex ? (double)strtol(text, end, 10) : strtod(text, end);
}

void decimal_add(struct decimal *sum, struct decimal x)
{
    struct decimal a = *sum, b = x;
    if (decimal_sign(x) == 0 || decimal_sign(*sum) == 0) {
        *sum = decimal_sign(x) == 0 ? *sum : trim(x);
        return;
    }
    if (align(a.exponent > b.exponent ? &a : &b,
              a.exponent > b.exponent ? b.exponent : a.exponent) &&
        wide_add_fits(a.digits, b.digits, &a.digits))
        *sum = trim(a);
    else
        *sum = rounded(decimal_to_double(*sum) + decimal_to_double(x));
}

struct decimal decimal_multiply(struct decimal x, struct decimal y)
{
    struct decimal product = {.exponent = x.exponent + y.exponent};
    if (wide_multiply_fits(x.digits, y.digits, &product.digits))
        return trim(product);
    return rounded(decimal_to_double(x) * decimal_to_double(y));
}

struct decimal decimal_divide(struct decimal x, struct wide n)
{
    struct decimal d = x;
    struct wide digits = x.digits;
    for (; wide_sign(wide_rest(d.digits, n)) != 0; d.digits = digits, d.exponent--)
        if (!wide_multiply_fits(d.digits, wide_of(10), &digits))
            return decimal_of_double(decimal_to_double(x) / wide_to_double(n));
    d.digits = wide_divide(d.digits, n);
    return trim(d);
}

void decimal_subtract(struct decimal *from, struct decimal x)
{
    x.digits = wide_negative(x.digits);
    decimal_add(from, x);
}

struct decimal decimal_size(struct decimal x)
{
    x.digits = wide_size(x.digits);
    return x;
}

int decimal_compare(struct decimal x, struct decimal y)
{
    decimal_subtract(&x, y);
    return decimal_sign(x);
}

bool decimal_round(struct decimal x, int64_t *integer)
{
    enum { POWER_MAX = 38 }; /* powers of ten that fit 128 bits */
    struct wide power = wide_of(1);
    if (x.exponent < -POWER_MAX)
        x = decimal_of(0);
    for (; x.exponent < 0; x.exponent++)
        power = wide_multiply(power, wide_of(10));
    struct wide whole = wide_divide(x.digits, power);
    struct wide rest = wide_size(wide_subtract(x.digits, wide_multiply(whole, power)));
    bool is_up = wide_compare(rest, wide_subtract(power, rest)) >= 0;
    x.digits = wide_add(whole, wide_of(is_up ? decimal_sign(x) : 0));
    return decimal_is_integer(x, integer);
}

bool decimal_is_integer(struct decimal x, int64_t *integer)
{
    static const int64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000};
    if (x.exponent >= 0 && x.exponent <= 6 && wide_fits(x.digits, integer) &&
        !__builtin_mul_overflow(*integer, powers[x.exponent], integer))
        return true; /* as most are */
    *integer = 0;
    return x.exponent >= 0 && align(&x, 0) && wide_fits(x.digits, integer);
}

void decimal_write(struct buf *to, struct decimal x)
{
    enum { PLAIN = 21 };
    static const char zeros[] = "0000000000000000000000000";
    char text[WIDE_DIGITS], exponent[16];
    struct str digits = {text, wide_spell(x.digits, text)};
    if (str_take(&digits, STR("-")))
        buf_add(to, STR("-"));
    size_t n = digits.n;
    if (x.exponent >= 0 && (int)n + x.exponent <= PLAIN) {
        buf_add(to, digits);
        buf_add(to, (struct str){zeros, (size_t)x.exponent});
    } else if (x.exponent < 0 && (size_t)-x.exponent < n) {
        buf_add(to, (struct str){digits.p, n - (size_t)-x.exponent});
        buf_add(to, STR("."));
        buf_add(to, (struct str){digits.p + n + x.exponent, (size_t)-x.exponent});
    } else if (x.exponent < 0 && -x.exponent <= PLAIN) {
        buf_add(to, STR("0."));
        buf_add(to, (struct str){zeros, (size_t)-x.exponent - n});
        buf_add(to, digits);
    } else {
        int count = snprintf(exponent, sizeof exponent, "e%d", x.exponent);
        buf_add(to, digits);
        buf_add(to, (struct str){exponent, (size_t)count});
    }
}

struct str decimal_point(struct str text)
{
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] == '.' || text.p[i] == 'e' || text.p[i] == 'E')
            return STR("");
    return STR(".0");
}

void decimal_write_double(struct buf *to, double x)
{
    char text[DECIMAL_SPELLED];
    const struct str spelled = {text, decimal_spell(x, text)};
    buf_add(to, spelled);
    buf_add(to, decimal_point(spelled));
}

bool decimal_write_real(struct buf *to, struct decimal x)
{
    size_t begin = to->n;
    decimal_write(to, x);
    buf_add(to, decimal_point((struct str){to->p + begin, to->n - begin}));
    buf_add(to, (struct str){"", 1});
    return fabs(strtod(to->p + begin, NULL)) < DBL_MAX;
}
