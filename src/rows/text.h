/* text.h - the text of JSON values, below the level of rows.
 *
 * Rows hold strings as canonical JSON text without the quotes: " and \ escaped, control bytes as
 * \b \f \n \r \t or \u00xx in lower case, everything else as it is, in valid UTF-8.  Every string
 * has exactly one such text, so equal texts are equal strings, and a filter can forward them as
 * bytes.  Three families of functions:
 *
 * text_scan_*  prove text canonical, fast.  They read from lines that end in LF with INPUT_PADDING
 *              bytes behind them, so they need no other bound.  NULL means "not proven": the row
 *              goes to jansson, which decides (parse.c).
 * text_next_*  walk text that is known to be valid, canonical or not.
 * text_*escape turn bytes into canonical text and back. */
#ifndef PROFPIPE_TEXT_H
#define PROFPIPE_TEXT_H

#include "base/bits.h"
#include "base/buf.h"
#include "base/str.h"

#include <stdint.h>

/* The text from behind the opening quote at P: returns where the closing quote stands. */
const char *text_scan_string(const char *p);

/* A value of any kind without white space, with no member twice in an object, and nested no
 * deeper than a fixed depth: returns what follows it. */
const char *text_scan_value(const char *p);

/* A run of `,"name":value` members as text_scan_value takes them, no name twice, none equal to
 * "table" or TAKEN, and all beginning with FIRST unless that is NUL: returns what follows it. */
const char *text_scan_members(const char *p, char first, struct str taken);

/* A number with a fraction or an exponent that a double can hold: returns what follows it. */
const char *text_scan_real(const char *p);

/* For text_scan_integer. */
const char *text_scan_long_integer(const char *p, int64_t *value);

/* The value of 8 decimal digits, the first in the lowest byte. */
static inline uint64_t text_eight_digits(uint64_t digits)
{
    digits = (digits & BITS_EACH(0x0f)) * 2561 >> 8;
    digits = (digits & 0x00ff00ff00ff00ffu) * 6553601 >> 16;
    return (digits & 0x0000ffff0000ffffu) * 42949672960001u >> 32;
}

/* A high bit in each byte that is not a digit; only the lowest such mark is exact. */
static inline uint64_t text_non_digits(uint64_t bytes)
{
    uint64_t digits = bytes ^ BITS_EACH('0'); /* 0 to 9 where there is one */
    return ((digits + BITS_EACH(0x76)) | digits) & BITS_EACH(0x80);
}

/* An integer of 64 bits as JSON spells it (no +, no leading zeros, no -0): returns what follows
 * it.  A fraction or an exponent behind it is the caller's to see. */
static inline const char *text_scan_integer(const char *p, int64_t *value)
{
    uint64_t bytes = bits_load(p);
    uint64_t stops = text_non_digits(bytes);
    if (__builtin_expect(stops == 0 || (bytes & 0xff) == '-', 0))
        return text_scan_long_integer(p, value);
    unsigned n = bits_first(stops);
    if (n == 0 || ((bytes & 0xff) == '0' && n > 1))
        return NULL;
    /* Shift the digits up against the end; what comes in below reads as zeros after masking. */
    *value = (int64_t)text_eight_digits(bytes << (64 - 8 * n));
    return p + n;
}

/* The content of an object or array VALUE, for the functions below. */
struct str text_inside(struct str value);

/* Takes the next member off *REST (the inside of an object, or a run of `,"name":value`): its
 * name, as text without quotes, and its value, without white space around it.  False at the end. */
bool text_next_member(struct str *rest, struct str *name, struct str *value);

/* Takes the next item off *REST, the inside of an array.  False at the end. */
bool text_next_item(struct str *rest, struct str *item);

/* The value of the member NAME of the object VALUE; p is NULL where it has none. */
struct str text_member(struct str value, struct str name);

/* Whether VALUE is a string; if so *TEXT is what stands between its quotes. */
bool text_is_string(struct str value, struct str *text);

/* Appends to TO the bytes that VALUE stands for: "text", or {"bytes":"hex"} where text cannot show them. */
void text_inner_bytes(struct buf *to, struct str value);

/* Whether VALUE is an integer of 64 bits; if so *NUMBER is that. */
bool text_is_integer(struct str value, int64_t *number);

/* Appends the canonical text of BYTES to TO.  Each byte that is not part of valid UTF-8, and each
 * NUL, becomes U+FFFD; returns false if there was one. */
bool text_escape(struct buf *to, struct str bytes);

/* Appends to TO the bytes that TEXT, valid but perhaps not canonical, stands for.  Half a surrogate pair, which
 * UTF-8 cannot spell, becomes three bytes as if it could. */
void text_unescape(struct buf *to, struct str text);

/* Appends VALUE, any valid JSON, to TO without white space and with every string canonical. */
void text_canonicalize(struct buf *to, struct str value);

/* The value of the hexadecimal digit C; 16 where it is none. */
unsigned text_hex_value(char c);

/* Appends BYTES in lower-case hexadecimal to TO. */
void text_hex(struct buf *to, struct str bytes);

/* Appends the bytes that the hexadecimal TEXT stands for; false if it is not that. */
bool text_unhex(struct buf *to, struct str text);

/* Appends the bytes of a row's string COLUMN, whose text is TEXT: the exact ones where BYTES, the
 * value of `.bytes` (p is NULL without one), has them. */
void text_exact(struct buf *to, struct str text, struct str bytes, struct str column);

#endif
