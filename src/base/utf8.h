/* utf8.h - UTF-8. */
#ifndef PROFPIPE_UTF8_H
#define PROFPIPE_UTF8_H

#include "base/str.h"

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
