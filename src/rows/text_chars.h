/* text_chars.h - what the two halves of text.h, text_scan.c and text.c, know of single characters. */
#ifndef PROFPIPE_TEXT_CHARS_H
#define PROFPIPE_TEXT_CHARS_H

#include "base/bits.h"

#include <stdint.h>

/* The length of the UTF-8 sequence at P, 2 to 4, or 0 when it is none (RFC 3629: no overlong
 * forms, no surrogates, nothing above U+10FFFF).  LEFT bytes may be looked at. */
static inline unsigned text_utf8_length(const unsigned char *p, size_t left)
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

/* The letter behind the backslash in the short escape of C, or 0. */
static inline char text_short_escape(unsigned char c)
{
    switch (c) {
    case '"': return '"';
    case '\\': return '\\';
    case '\b': return 'b';
    case '\f': return 'f';
    case '\n': return 'n';
    case '\r': return 'r';
    case '\t': return 't';
    default: return 0;
    }
}

/* A high bit in each byte that needs a second look: control, quote, backslash, not ASCII.  Marks
 * above the lowest may be wrong. */
static inline uint64_t text_special_bytes(uint64_t v)
{
    uint64_t quote = v ^ BITS_EACH('"'), backslash = v ^ BITS_EACH('\\');
    return (v | (v - BITS_EACH(0x20)) | (quote - BITS_EACH(1)) | (backslash - BITS_EACH(1))) &
           BITS_EACH(0x80);
}

#endif
