/* text.h - JSON text, below the level of rows.
 *
 * Rows hold strings as canonical JSON text without the quotes: " and \ escaped, control bytes as
 * \b \f \n \r \t or \u00xx in lower case, everything else as it is, in valid UTF-8.  Every
 * string has exactly one such text.  So equal texts are equal strings, and a filter can copy
 * them as bytes.  There are three families of functions:
 *
 * text_scan_*  prove text canonical, fast.  They read lines that end in LF and are followed by
 *              INPUT_PADDING bytes, so they need no other bound.  NULL means "not proven": then
 *              jansson reads the row and decides (parse.c).
 * text_next_*  walk text that is known to be valid, canonical or not.
 * text_*escape convert bytes to canonical text and back. */
#ifndef PROFPIPE_TEXT_H
#define PROFPIPE_TEXT_H

#include "base/bits.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/str.h"

#include <stdint.h>

/* Scans a string from after the opening quote at P; returns the place of the closing quote. */
const char *text_scan_string(const char *p);

/* Scans a value of any kind without white space, without duplicate members in an object, and
 * nested no deeper than a fixed depth; returns what follows it. */
const char *text_scan_value(const char *p);

/* Scans members `,"name":value` with values as for text_scan_value.  No name may occur twice, or
 * be "table" or TAKEN; all must start with FIRST unless that is NUL.  Returns what follows them. */
const char *text_scan_members(const char *p, char first, struct str taken);

/* Scans a number with a fraction or an exponent, in the range of doubles; returns what follows
 * it. */
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

/* Sets the high bit of each byte that is not a digit; only the lowest such mark is reliable. */
static inline uint64_t text_non_digits(uint64_t bytes)
{
    uint64_t digits = bytes ^ BITS_EACH('0'); /* 0 to 9 for a digit */
    return ((digits + BITS_EACH(0x76)) | digits) & BITS_EACH(0x80);
}

/* Scans an integer of 64 bits as JSON spells it (no +, no leading zeros, no -0); returns what
 * follows it.  The caller checks for a fraction or an exponent there. */
static inline const char *text_scan_integer(const char *p, int64_t *value)
{
    uint64_t bytes = bits_load(p);
    uint64_t stops = text_non_digits(bytes);
    if (__builtin_expect(stops == 0 || (bytes & 0xff) == '-', 0))
        return text_scan_long_integer(p, value);
    unsigned n = bits_first(stops);
    if (n == 0 || ((bytes & 0xff) == '0' && n > 1))
        return NULL;
    /* Shift the digits up to the end; the bytes shifted in read as zeros after masking. */
    *value = (int64_t)text_eight_digits(bytes << (64 - 8 * n));
    return p + n;
}

/* The content of VALUE, an object or array, for the functions below. */
struct str text_inside(struct str value);

/* Removes the next member from *REST, the inside of an object or members `,"name":value`.
 * Stores its name, as text without quotes, and its value, without white space around it.  False
 * at the end. */
bool text_next_member(struct str *rest, struct str *name, struct str *value);

/* Removes the next item from *REST, the inside of an array.  False at the end. */
bool text_next_item(struct str *rest, struct str *item);

/* The value of the member NAME of the object VALUE; p is NULL if it has none. */
struct str text_member(struct str value, struct str name);

/* Whether VALUE is a string; if so stores the text between its quotes in *TEXT. */
bool text_is_string(struct str value, struct str *text);

/* Appends to TO the bytes of VALUE: a string, or {"bytes":"hex"} for bytes that text cannot
 * show. */
void text_inner_bytes(struct buf *to, struct str value);

/* Whether VALUE is an integer of 64 bits; if so it is stored in *NUMBER. */
bool text_is_integer(struct str value, int64_t *number);

/* Appends the canonical text of BYTES to TO.  Each NUL, and each byte that is not part of valid
 * UTF-8, becomes U+FFFD; returns false if there was one. */
bool text_escape(struct buf *to, struct str bytes);

/* The same for JSON that is no row: code points that JSON can escape but UTF-8 cannot hold, and NUL,
 * are escaped.  Only other invalid UTF-8 becomes U+FFFD. */
bool text_escape_all(struct buf *to, struct str bytes);

/* The first of BYTES, escaped, for a message that ends the tool: allocated, and never freed. */
const char *text_shown(struct str bytes);

/* Ends the tool (STATUS_INPUT): at WHERE, EXPECTED was expected, and FOUND, bytes, is there: the message
 * has the first of them.  SUBJECT, bytes, is the name of what should hold it; empty: the message names
 * none. */
_Noreturn void text_die(struct place where, struct str subject, const char *expected,
                        struct str found);

/* Appends BYTES to TO as a field between tabs: tab, line feed, carriage return and backslash become
 * \t \n \r \\. */
void text_escape_tabs(struct buf *to, struct str bytes);

/* Appends to TO the bytes of FIELD, which that has made; false if it cannot have. */
bool text_unescape_tabs(struct buf *to, struct str field);

/* BYTES, or a copy in ROOM in which U+FFFD replaces what text_escape replaces. */
struct str text_valid(struct buf *room, struct str bytes);

/* The same where NUL is a character like others, as UTF-8 itself has it. Nothing is in ROOM if
 * nothing was replaced. */
struct str text_valid_utf8(struct buf *room, struct str bytes);

/* Appends to TO the bytes of TEXT, which is valid but perhaps not canonical.  Half a surrogate
 * pair, which UTF-8 cannot encode, is encoded in three bytes all the same. */
void text_unescape(struct buf *to, struct str text);

/* Appends VALUE, any valid JSON, to TO without white space and with canonical strings. */
void text_canonicalize(struct buf *to, struct str value);

/* The value of the hexadecimal digit C; 16 if it is not one. */
unsigned text_hex_value(char c);

/* Removes a number from the start of *S: decimal, of 63 bits, or hexadecimal, of 64 bits and without
 * 0x. False, and nothing is changed, if there is none, or it has more bits. */
bool text_take_number(struct str *s, int64_t *number);
bool text_take_hex(struct str *s, uint64_t *number);

/* Appends BYTES in lower-case hexadecimal to TO. */
void text_hex(struct buf *to, struct str bytes);

/* Appends the bytes of the hexadecimal TEXT to TO; false if TEXT is not hexadecimal. */
bool text_unhex(struct buf *to, struct str text);

/* Appends to TO the bytes of the string COLUMN of a row, whose text is TEXT: the exact ones from
 * BYTES, the value of `.bytes` (p is NULL without one), if it has them. */
void text_exact(struct buf *to, struct str text, struct str bytes, struct str column);

#endif
