/* wide.h - signed 128-bit integers: those of the compiler, or two words if it has none.
 *
 * Always a struct, so that code which compiles on one machine compiles on all.  Results that do
 * not fit 128 bits wrap around, unless a function says otherwise. */
#ifndef PROFPIPE_WIDE_H
#define PROFPIPE_WIDE_H

#include <stdbool.h>
#include <stdint.h>

/* Tests define WIDE_WORDS to get the words where both are possible. */
#if defined __SIZEOF_INT128__ && !defined WIDE_WORDS

struct wide {
    __int128 n;
};

/* LOW plus HIGH times 2^64. */
static inline struct wide wide_join(uint64_t low, int64_t high)
{
    return (struct wide){(__int128)((unsigned __int128)high << 64 | low)};
}

/* The upper and the lower 64 bits. */
static inline int64_t wide_high(struct wide x)
{
    return (int64_t)(x.n >> 64);
}

static inline uint64_t wide_low(struct wide x)
{
    return (uint64_t)x.n;
}

static inline struct wide wide_of(int64_t x)
{
    return (struct wide){x};
}

static inline struct wide wide_of_unsigned(uint64_t x)
{
    return (struct wide){x};
}

static inline struct wide wide_add(struct wide x, struct wide y)
{
    return (struct wide){(__int128)((unsigned __int128)x.n + (unsigned __int128)y.n)};
}

static inline struct wide wide_subtract(struct wide x, struct wide y)
{
    return (struct wide){(__int128)((unsigned __int128)x.n - (unsigned __int128)y.n)};
}

static inline struct wide wide_multiply(struct wide x, struct wide y)
{
    return (struct wide){(__int128)((unsigned __int128)x.n * (unsigned __int128)y.n)};
}

/* Rounds towards 0; Y is not 0. */
static inline struct wide wide_divide(struct wide x, struct wide y)
{
    return (struct wide){x.n / y.n};
}

/* The remainder of that, with the sign of X. */
static inline struct wide wide_rest(struct wide x, struct wide y)
{
    return (struct wide){x.n % y.n};
}

/* Stores the sum or the product in *TO; false if it does not fit 128 bits. */
static inline bool wide_add_fits(struct wide x, struct wide y, struct wide *to)
{
    return !__builtin_add_overflow(x.n, y.n, &to->n);
}

static inline bool wide_multiply_fits(struct wide x, struct wide y, struct wide *to)
{
    return !__builtin_mul_overflow(x.n, y.n, &to->n);
}

/* Below 0, 0, or above 0 if X is less than, equal to, or greater than Y. */
static inline int wide_compare(struct wide x, struct wide y)
{
    return (x.n > y.n) - (x.n < y.n);
}

/* The nearest double. */
static inline double wide_to_double(struct wide x)
{
    return (double)x.n;
}

/* X without its fraction; its absolute value must be below 2^127. */
static inline struct wide wide_of_double(double x)
{
    return (struct wide){(__int128)x};
}

/* The lower 64 bits of X times Y; the upper ones go to *HIGH. */
static inline uint64_t wide_product(uint64_t x, uint64_t y, uint64_t *high)
{
    unsigned __int128 product = (unsigned __int128)x * y;
    *high = (uint64_t)(product >> 64);
    return (uint64_t)product;
}

#else

struct wide {
    uint64_t low;
    int64_t high;
};

static inline struct wide wide_join(uint64_t low, int64_t high)
{
    return (struct wide){low, high};
}

static inline int64_t wide_high(struct wide x)
{
    return x.high;
}

static inline uint64_t wide_low(struct wide x)
{
    return x.low;
}

static inline struct wide wide_of(int64_t x)
{
    return (struct wide){(uint64_t)x, x < 0 ? -1 : 0};
}

static inline struct wide wide_of_unsigned(uint64_t x)
{
    return (struct wide){x, 0};
}

static inline struct wide wide_add(struct wide x, struct wide y)
{
    uint64_t low = x.low + y.low;
    return (struct wide){low, (int64_t)((uint64_t)x.high + (uint64_t)y.high + (low < x.low))};
}

static inline struct wide wide_subtract(struct wide x, struct wide y)
{
    return (struct wide){x.low - y.low,
                         (int64_t)((uint64_t)x.high - (uint64_t)y.high - (x.low < y.low))};
}

static inline int wide_compare(struct wide x, struct wide y)
{
    if (x.high != y.high)
        return x.high < y.high ? -1 : 1;
    return (x.low > y.low) - (x.low < y.low);
}

static inline uint64_t wide_product(uint64_t x, uint64_t y, uint64_t *high)
{
    const uint64_t half = UINT32_MAX;
    uint64_t lowest = (x & half) * (y & half), upper = (x >> 32) * (y & half);
    uint64_t middle = (x & half) * (y >> 32) + (lowest >> 32) + (upper & half);
    *high = (x >> 32) * (y >> 32) + (upper >> 32) + (middle >> 32);
    return middle << 32 | (lowest & half);
}

static inline struct wide wide_multiply(struct wide x, struct wide y)
{
    uint64_t high, low = wide_product(x.low, y.low, &high);
    high += x.low * (uint64_t)y.high + (uint64_t)x.high * y.low;
    return (struct wide){low, (int64_t)high};
}

/* wide.c */
struct wide wide_divide(struct wide x, struct wide y);
struct wide wide_rest(struct wide x, struct wide y);
bool wide_multiply_fits(struct wide x, struct wide y, struct wide *to);
double wide_to_double(struct wide x);
struct wide wide_of_double(double x);

static inline bool wide_add_fits(struct wide x, struct wide y, struct wide *to)
{
    *to = wide_add(x, y);
    return (x.high < 0) != (y.high < 0) || (to->high < 0) == (x.high < 0);
}

#endif

/* The sign of X: below 0, 0, or above 0. */
static inline int wide_sign(struct wide x)
{
    return wide_compare(x, wide_of(0));
}

static inline struct wide wide_negative(struct wide x)
{
    return wide_subtract(wide_of(0), x);
}

static inline void wide_add_to(struct wide *sum, int64_t x)
{
    *sum = wide_add(*sum, wide_of(x));
}

/* X divided by ALL. */
static inline double wide_share(struct wide x, struct wide all)
{
    return wide_to_double(x) / wide_to_double(all);
}

/* The absolute value of X. */
static inline struct wide wide_size(struct wide x)
{
    return wide_high(x) < 0 ? wide_negative(x) : x;
}

/* Whether X fits 64 bits; if so it is stored in *TO. */
static inline bool wide_fits(struct wide x, int64_t *to)
{
    *to = (int64_t)wide_low(x);
    return wide_high(x) == (*to < 0 ? -1 : 0);
}

/* The maximum number of digits, sign included. */
enum { WIDE_DIGITS = 40 };

/* Writes X in decimal to TO, which has WIDE_DIGITS bytes; returns how many it wrote. */
unsigned wide_spell(struct wide x, char *to);

#endif
