/* decimal.h - decimal numbers.  Sums of decimal fractions are exact, unlike sums of doubles. */
#ifndef PROFPIPE_DECIMAL_H
#define PROFPIPE_DECIMAL_H

#include "base/buf.h"
#include "base/wide.h"

#include <stdint.h>

/* DIGITS times 10 to the EXPONENT.  All zero is 0. */
struct decimal {
    struct wide digits;
    int exponent;
};

/* The sign of X: below 0, 0, or above 0. */
static inline int decimal_sign(struct decimal x)
{
    return wide_sign(x.digits);
}

static inline struct decimal decimal_of(int64_t integer)
{
    return (struct decimal){wide_of(integer), 0};
}

/* Numbers of so many characters, without an exponent, are read as they are. */
enum { DECIMAL_EXACT = 37 };

/* Reads the JSON number TEXT.  A number with more digits than are kept is rounded to the
 * precision of a double; one beyond the range of doubles becomes the largest double. */
struct decimal decimal_read(struct str text);

/* Takes off *TEXT the digits that it begins with, and one point that is not the first of them, for
 * decimal_read; empty if there are none. */
struct str decimal_take(struct str *text);

/* Stores X in TEXT in the fewest digits that read back as the same double or float, and NUL. 
 * Returns the length.  What is no finite number becomes "inf", "-inf", "nan" or "-nan". */
enum { DECIMAL_SPELLED = 32 };
size_t decimal_spell(double x, char text[DECIMAL_SPELLED]);
size_t decimal_spell_float(float x, char text[DECIMAL_SPELLED]);

/* X as decimal_spell has it; one beyond the range of doubles becomes the largest double. */
struct decimal decimal_of_double(double x);

/* Like strtod, but for decimal digits only: of 0x5 it reads the 0. */
double decimal_parse(const char *text, char **end);

/* Adds X to SUM.  A sum with more digits than are kept is rounded to the precision of a double;
 * a sum beyond the range of doubles stays beyond it. */
void decimal_add(struct decimal *sum, struct decimal x);

/* Subtracts X from FROM; rounds like decimal_add. */
void decimal_subtract(struct decimal *from, struct decimal x);

/* X times Y, and X divided by N, which is not 0; both round like decimal_add. */
struct decimal decimal_multiply(struct decimal x, struct decimal y);
struct decimal decimal_divide(struct decimal x, struct wide n);

/* The absolute value of X. */
struct decimal decimal_size(struct decimal x);

/* Below 0, 0, or above 0 if X is less than, equal to, or greater than Y. */
int decimal_compare(struct decimal x, struct decimal y);

/* Whether X is in the range of doubles, however many digits it has. */
bool decimal_is_double(struct decimal x);

/* Whether X is an integer of 64 bits; if so it is stored in *INTEGER. */
bool decimal_is_integer(struct decimal x, int64_t *integer);

/* Rounds X to the nearest integer, halves away from 0.  Returns whether that fits 64 bits; if so
 * it is stored in *INTEGER. */
bool decimal_round(struct decimal x, int64_t *integer);

/* The double nearest to X. */
double decimal_to_double(struct decimal x);

/* Appends X to TO as a JSON number, with a decimal point or an exponent only if it needs one. */
void decimal_write(struct buf *to, struct decimal x);

/* What to append to the number TEXT to show that it is a real: empty if it has a point or an
 * exponent. */
struct str decimal_point(struct str text);

/* Appends X, which is finite, to TO as the text of a real, in the digits of decimal_spell. */
void decimal_write_double(struct buf *to, double x);

/* Appends X to TO as the text of a real, followed by NUL.  If X is beyond the range of doubles,
 * appends the largest double and returns false. */
bool decimal_write_real(struct buf *to, struct decimal x);

#endif
