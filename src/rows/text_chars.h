/* text_chars.h - tests of single characters, shared by text_scan.c and text.c. */
#ifndef PROFPIPE_TEXT_CHARS_H
#define PROFPIPE_TEXT_CHARS_H

#include "base/bits.h"

#include <stdint.h>

/* The letter after the backslash in the short escape of C; 0 if it has none. */
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

/* Sets the high bit of each byte that needs a closer look: control characters, quote, backslash,
 * not ASCII.  Only the lowest mark is reliable. */
static inline uint64_t text_special_bytes(uint64_t v)
{
    uint64_t quote = v ^ BITS_EACH('"'), backslash = v ^ BITS_EACH('\\');
    return (v | (v - BITS_EACH(0x20)) | (quote - BITS_EACH(1)) | (backslash - BITS_EACH(1))) &
           BITS_EACH(0x80);
}

#endif
