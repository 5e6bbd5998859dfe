/* utf8.h - UTF-8. */
#ifndef PROFPIPE_UTF8_H
#define PROFPIPE_UTF8_H

#include "base/str.h"

#include <stdint.h>

/* U+FFFD, which replaces bytes that are not text. */
#define UTF8_REPLACEMENT STR("\xef\xbf\xbd")

/* The length of the UTF-8 sequence at P, 2 to 4; 0 if it is invalid (RFC 3629: no overlong
 * forms, no surrogates, nothing above U+10FFFF).  LEFT bytes may be read. */
static inline unsigned utf8_length(const unsigned char *p, size_t left)
{
    unsigned n = p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : p[0] < 0xf5 ? 4 : 0;
    if (n == 0 || n > left || (p[1] & 0xc0) != 0x80)
        return 0;
    if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
        (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
        return 0;
    for (unsigned i = 2; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    return n;
}

/* Whether half a surrogate pair, U+D800 to U+DFFF, stands at P in the three bytes that UTF-8 would
 * have for it; utf8_length is 0 there.  LEFT bytes may be read. */
static inline bool utf8_is_half(const unsigned char *p, size_t left)
{
    return left >= 3 && p[0] == 0xed && (p[1] & 0xe0) == 0xa0 && (p[2] & 0xc0) == 0x80;
}

/* The code point of the N bytes at P, 1 to 4, which are valid UTF-8 or utf8_is_half. */
static inline uint32_t utf8_decode(const unsigned char *p, unsigned n)
{
    uint32_t c = p[0] & (n == 1 ? 0x7fu : 0xffu >> (n + 1));
    for (unsigned i = 1; i < n; i++)
        c = c << 6 | (p[i] & 0x3fu);
    return c;
}

/* The most bytes that utf8_encode writes. */
enum { UTF8_MAX = 4 };

/* Writes the code point C to TO and returns the number of bytes, 1 to UTF8_MAX.  C is at most
 * U+10FFFF: the caller has checked it.  Half a surrogate pair, which UTF-8 cannot hold, becomes
 * three bytes all the same (utf8_is_half), and so stays apart from every other: a caller that needs
 * valid UTF-8 replaces it first. */
static inline unsigned utf8_encode(char *to, uint32_t c)
{
    static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    const unsigned n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    to[0] = (char)(leads[n] | c >> 6 * (n - 1));
    for (unsigned i = 1; i < n; i++)
        to[i] = (char)(0x80 | (c >> 6 * (n - 1 - i) & 0x3f));
    return n;
}

/* Whether UNIT, 16 bits of UTF-16, is the first or the second half of a surrogate pair, and the
 * code point of the pair HIGH and LOW. */
static inline bool utf8_is_high(uint32_t unit)
{
    return unit >> 10 == 0xd800 >> 10;
}

static inline bool utf8_is_low(uint32_t unit)
{
    return unit >> 10 == 0xdc00 >> 10;
}

static inline uint32_t utf8_join(uint32_t high, uint32_t low)
{
    return 0x10000 + ((high & 0x3ff) << 10 | (low & 0x3ff));
}

/* The length of the first MAX bytes of TEXT, without the part of a character at their end. */
static inline size_t utf8_cut(struct str text, size_t max)
{
    size_t n = text.n < max ? text.n : max;
    while (n < text.n && n > 0 && max - n < 3 && (text.p[n] & 0xc0) == 0x80)
        n--;
    return n;
}

/* Whether TEXT, UTF-8, begins with a character that changes the layout of the text after it:
 * U+2028 or U+2029, which end a line; or U+202A to U+202E or U+2066 to U+2069, which embed or
 * override a direction. */
static inline bool utf8_lays_out(struct str text)
{
    if (text.n < 3 || text.p[0] != '\xe2')
        return false;
    unsigned char last = (unsigned char)text.p[2];
    return (text.p[1] == '\x80' && last >= 0xa8 && last <= 0xae) ||
           (text.p[1] == '\x81' && last >= 0xa6 && last <= 0xa9);
}

/* The length in bytes of the first character of TEXT if it must not reach a terminal: a control
 * character of 7 or 8 bits, or one that changes the layout. 0 if it may. */
static inline unsigned utf8_obeyed(struct str text)
{
    const unsigned char *p = (const unsigned char *)text.p;
    if (p[0] < 0x20 || p[0] == 0x7f)
        return 1;
    if (p[0] == 0xc2 && text.n > 1 && p[1] >= 0x80 && p[1] < 0xa0)
        return 2;
    return utf8_lays_out(text) ? 3 : 0;
}

#endif
