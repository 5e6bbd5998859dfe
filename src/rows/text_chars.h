/* text_chars.h - what the two halves of text.h, text_scan.c and text.c, know of single characters. */
#ifndef PROFPIPE_TEXT_CHARS_H
#define PROFPIPE_TEXT_CHARS_H

#include "base/bits.h"

#include <stdint.h>

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
