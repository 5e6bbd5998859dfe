/* decimal.h - numbers as they are spelled: exact sums of decimal fractions, which sums of doubles are not. */
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

/* Below 0, 0, or above 0, as X is. */
static inline int decimal_sign(struct decimal x)
{
    return wide_sign(x.digits);
}

static inline struct decimal decimal_of(int64_t integer)
{
    return (struct decimal){wide_of(integer), 0};
}

/* The number TEXT, as JSON spells it.  What has more digits than are kept is rounded to those of a double;
 * what is beyond all doubles becomes the largest of them. */
struct decimal decimal_read(struct str text);

/* The double that TEXT begins with, as strtod has it, but in decimal digits alone: of 0x5 that is the 0. */
double decimal_parse(const char *text, char **end);

/* Adds X to SUM.  Where that has more digits than are kept, the sum is rounded to those of a double; one that is
 * beyond all doubles stays so. */
void decimal_add(struct decimal *sum, struct decimal x);

/* Takes X off FROM; rounded likewise. */
void decimal_subtract(struct decimal *from, struct decimal x);

/* X times Y, and X divided by N, which is not 0; rounded likewise. */
struct decimal decimal_multiply(struct decimal x, struct decimal y);
struct decimal decimal_divide(struct decimal x, struct wide n);

/* X with its sign left aside. */
struct decimal decimal_size(struct decimal x);

/* Below 0, 0, or above 0, as X is less than Y, equal, or greater. */
int decimal_compare(struct decimal x, struct decimal y);

/* Whether X is no larger than doubles are, whatever its digits. */
bool decimal_is_double(struct decimal x);

/* Whether X is an integer of 64 bits; if so *INTEGER is that. */
bool decimal_is_integer(struct decimal x, int64_t *integer);

/* Whether X, rounded to the nearest integer and from the middle between two away from 0, is one of 64 bits; if so
 * *INTEGER is that. */
bool decimal_round(struct decimal x, int64_t *integer);

/* The double that is nearest to X. */
double decimal_to_double(struct decimal x);

/* Appends X to TO as JSON spells it: digits, with a point or an exponent only where it must have one. */
void decimal_write(struct buf *to, struct decimal x);

/* What the number TEXT needs behind it to show that it is a real: nothing where it has a point or an exponent. */
struct str decimal_point(struct str text);

/* Appends X as the text of a real to TO, with NUL behind it.  False where no double holds it; what was too large
 * to be kept exactly is then the largest of them. */
bool decimal_write_real(struct buf *to, struct decimal x);

#endif
