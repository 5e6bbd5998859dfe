#include "rows/text.h"

#include "base/utf8.h"
#include "rows/text_chars.h"

#include <errno.h>
#include <stdlib.h>

/* --- walking --- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void skip_space(struct str *s)
{
    while (s->n > 0 && is_space(*s->p)) {
        s->p++;
        s->n--;
    }
}

static void skip(struct str *s, size_t n)
{
    s->p += n;
    s->n -= n;
}

/* The length of the string at the start of S, quotes included. */
static size_t string_length(struct str s)
{
    const char *end = s.p + s.n, *quote = s.p;
    for (;;) {
        quote = memchr(quote + 1, '"', (size_t)(end - quote - 1));
        if (quote == NULL)
            return s.n;
        /* an odd number of backslashes before it escapes it */
        const char *p = quote;
        while (p[-1] == '\\')
            p--;
        if ((quote - p) % 2 == 0)
            return (size_t)(quote - s.p) + 1;
    }
}

/* The length of the value at the start of S. */
static size_t value_length(struct str s)
{
    if (s.n > 0 && *s.p == '"')
        return string_length(s);
    size_t depth = 0;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (c == '"') {
            i += string_length((struct str){s.p + i, s.n - i}) - 1;
        } else if (c == '{' || c == '[') {
            depth++;
        } else if (c == '}' || c == ']') {
            if (--depth == 0)
                return i + 1;
        } else if (depth == 0 && (c == ',' || is_space(c))) {
            return i;
        }
    }
    return s.n;
}

struct str text_inside(struct str value)
{
    return value.n < 2 ? (struct str){value.p, 0} : (struct str){value.p + 1, value.n - 2};
}

/* Skips the comma before the next item or member; false at the end. */
static bool skip_comma(struct str *rest)
{
    skip_space(rest);
    if (rest->n > 0 && *rest->p == ',') {
        skip(rest, 1);
        skip_space(rest);
    }
    return rest->n > 0;
}

bool text_next_item(struct str *rest, struct str *item)
{
    if (!skip_comma(rest))
        return false;
    *item = (struct str){rest->p, value_length(*rest)};
    skip(rest, item->n);
    return true;
}

bool text_next_member(struct str *rest, struct str *name, struct str *value)
{
    if (!skip_comma(rest))
        return false;
    size_t n = string_length(*rest);
    *name = (struct str){rest->p + 1, n - 2};
    skip(rest, n);
    skip_space(rest);
    skip(rest, 1); /* the colon */
    skip_space(rest);
    *value = (struct str){rest->p, value_length(*rest)};
    skip(rest, value->n);
    return true;
}

struct str text_member(struct str value, struct str name)
{
    if (value.n < 2 || *value.p != '{')
        return (struct str){NULL, 0};
    struct str rest = text_inside(value), key, found;
    while (text_next_member(&rest, &key, &found))
        if (str_equal(key, name))
            return found;
    return (struct str){NULL, 0};
}

bool text_is_string(struct str value, struct str *text)
{
    if (value.n < 2 || *value.p != '"')
        return false;
    *text = text_inside(value);
    return true;
}

bool text_is_integer(struct str value, int64_t *number)
{
    char copy[32] = {0}; /* the scanner reads past the end, where memory may end */
    if (value.n == 0 || value.n >= sizeof copy - 8)
        return false;
    memcpy(copy, value.p, value.n);
    return text_scan_long_integer(copy, number) == copy + value.n;
}

/* --- escaping --- */

static const char hex_digits[] = "0123456789abcdef";

/* The number of bytes at the start of S that need no escape. */
static size_t plain_length(struct str s)
{
    size_t i = 0;
    while (s.n - i >= 8) {
        uint64_t marks = text_special_bytes(bits_load(s.p + i));
        if (marks != 0)
            return i + bits_first(marks);
        i += 8;
    }
    while (i < s.n && (unsigned char)s.p[i] >= 0x20 && (unsigned char)s.p[i] < 0x80 &&
           s.p[i] != '"' && s.p[i] != '\\')
        i++;
    return i;
}

static void escape_control(struct buf *to, unsigned char c)
{
    char letter = text_short_escape(c);
    if (letter != 0)
        buf_add(to, (struct str){(char[]){'\\', letter}, 2});
    else
        buf_add(to, (struct str){
                        (char[]){'\\', 'u', '0', '0', hex_digits[c >> 4], hex_digits[c & 15]}, 6});
}

bool text_escape(struct buf *to, struct str bytes)
{
    bool exact = true;
    while (bytes.n > 0) {
        size_t n = plain_length(bytes);
        buf_add(to, (struct str){bytes.p, n});
        skip(&bytes, n);
        if (bytes.n == 0)
            break;
        unsigned char c = (unsigned char)*bytes.p;
        n = c >= 0x80 ? utf8_length((const unsigned char *)bytes.p, bytes.n) : c != 0;
        if (n == 0) {
            buf_add(to, UTF8_REPLACEMENT);
            exact = false;
            n = 1;
        } else if (c >= 0x80) {
            buf_add(to, (struct str){bytes.p, n});
        } else {
            escape_control(to, c);
        }
        skip(&bytes, n);
    }
    return exact;
}

/* The length of a code point at the start of S that only JSON can escape: NUL, or half a surrogate
 * pair in three bytes; 0 if there is none. */
static size_t odd_length(struct str s, unsigned *code)
{
    const unsigned char *p = (const unsigned char *)s.p;
    *code = 0;
    if (*p == 0)
        return 1;
    if (!utf8_is_half(p, s.n))
        return 0;
    *code = utf8_decode(p, 3);
    return 3;
}

bool text_escape_all(struct buf *to, struct str bytes)
{
    bool good = true;
    for (size_t i = 0, n; i < bytes.n;) {
        unsigned code;
        struct str rest = {bytes.p + i, bytes.n - i};
        if ((n = odd_length(rest, &code)) > 0) {
            buf_add(to, STR("\\u"));
            text_hex(to, (struct str){(char[]){(char)(code >> 8), (char)code}, 2});
            i += n;
            continue;
        }
        for (n = 1; n < rest.n; n++)
            if ((rest.p[n] == 0 || rest.p[n] == '\xed') &&
                odd_length((struct str){rest.p + n, rest.n - n}, &code) > 0)
                break;
        good &= text_escape(to, (struct str){rest.p, n});
        i += n;
    }
    return good;
}

void text_escape_tabs(struct buf *to, struct str bytes)
{
    for (size_t i = 0; i < bytes.n; i++)
        switch (bytes.p[i]) {
        case '\t': buf_add(to, STR("\\t")); break;
        case '\n': buf_add(to, STR("\\n")); break;
        case '\r': buf_add(to, STR("\\r")); break;
        case '\\': buf_add(to, STR("\\\\")); break;
        default: buf_add(to, (struct str){bytes.p + i, 1});
        }
}

bool text_unescape_tabs(struct buf *to, struct str field)
{
    static const char letters[] = "tnr\\", bytes[] = "\t\n\r\\";
    for (size_t i = 0; i < field.n; i++) {
        if (strchr("\t\n\r", field.p[i]) != NULL && field.p[i] != '\0')
            return false;
        if (field.p[i] != '\\') {
            buf_add(to, (struct str){field.p + i, 1});
            continue;
        }
        const char *letter = ++i < field.n ? memchr(letters, field.p[i], sizeof letters - 1) : NULL;
        if (letter == NULL)
            return false;
        buf_add(to, (struct str){bytes + (letter - letters), 1});
    }
    return true;
}

/* BYTES, or a copy in ROOM with U+FFFD for what is not UTF-8, and for NUL unless HAS_NUL. */
static struct str valid(struct buf *room, struct str bytes, bool has_nul)
{
    size_t from = 0;
    room->n = 0;
    for (size_t i = 0; i < bytes.n;) {
        const unsigned char *p = (const unsigned char *)bytes.p + i;
        const unsigned length = *p < 0x80 ? has_nul || *p != 0 : utf8_length(p, bytes.n - i);
        if (length == 0) {
            buf_add(room, (struct str){bytes.p + from, i - from});
            buf_add(room, UTF8_REPLACEMENT);
            from = i + 1;
        }
        i += length == 0 ? 1 : length;
    }
    if (from == 0)
        return bytes;
    buf_add(room, (struct str){bytes.p + from, bytes.n - from});
    return buf_str(room);
}

const char *text_shown(struct str bytes)
{
    enum { SHOWN = 200 };
    struct buf shown = {0};
    text_escape(&shown, str_first(bytes, SHOWN));
    buf_add(&shown, (struct str){"", 1});
    return shown.p;
}

void text_die(struct place where, struct str subject, const char *expected, struct str found)
{
    die_at(where, "%s%sexpected %s, found \"%s\"", text_shown(subject), subject.n > 0 ? ": " : "",
           expected, text_shown(found));
}

struct str text_valid(struct buf *room, struct str bytes)
{
    return valid(room, bytes, false);
}

struct str text_valid_utf8(struct buf *room, struct str bytes)
{
    return valid(room, bytes, true);
}

unsigned text_hex_value(char c)
{
    return c >= '0' && c <= '9'   ? (unsigned)(c - '0')
           : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
           : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
                                  : 16;
}

bool text_take_number(struct str *s, int64_t *number)
{
    int64_t value = 0;
    size_t i = 0;
    for (; i < s->n && str_is_digit(s->p[i]); i++)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, s->p[i] - '0', &value))
            return false;
    if (i == 0)
        return false;
    *number = value;
    s->p += i;
    s->n -= i;
    return true;
}

bool text_take_hex(struct str *s, uint64_t *number)
{
    uint64_t value = 0;
    size_t i = 0;
    for (unsigned digit; i < s->n && (digit = text_hex_value(s->p[i])) < 16; i++) {
        if (value >> 60 != 0)
            return false;
        value = value << 4 | digit;
    }
    if (i == 0)
        return false;
    *number = value;
    s->p += i;
    s->n -= i;
    return true;
}

static unsigned four_hex(const char *p)
{
    return text_hex_value(p[0]) << 12 | text_hex_value(p[1]) << 8 | text_hex_value(p[2]) << 4 |
           text_hex_value(p[3]);
}

static void add_utf8(struct buf *to, unsigned c)
{
    to->n += utf8_encode(buf_reserve(to, UTF8_MAX), c);
}

/* Appends the character of the escape at the start of TEXT; returns the length of the escape. */
static size_t unescape_one(struct buf *to, struct str text)
{
    static const char letters[] = "bfnrt", codes[] = "\b\f\n\r\t";
    if (text.p[1] != 'u') {
        const char *at = strchr(letters, text.p[1]);
        char c = at != NULL && *at != '\0' ? codes[at - letters] : text.p[1];
        buf_add(to, (struct str){&c, 1});
        return 2;
    }
    unsigned c = four_hex(text.p + 2);
    if (utf8_is_high(c) && text.n >= 12 && text.p[6] == '\\' && text.p[7] == 'u' &&
        utf8_is_low(four_hex(text.p + 8))) {
        add_utf8(to, utf8_join(c, four_hex(text.p + 8)));
        return 12;
    }
    add_utf8(to, c);
    return 6;
}

void text_unescape(struct buf *to, struct str text)
{
    while (text.n > 0) {
        const char *escape = memchr(text.p, '\\', text.n);
        size_t n = escape == NULL ? text.n : (size_t)(escape - text.p);
        buf_add(to, (struct str){text.p, n});
        skip(&text, n);
        if (text.n > 0)
            skip(&text, unescape_one(to, text));
    }
}

static void canonicalize_string(struct buf *to, struct str text)
{
    buf_add(to, STR("\""));
    if (memchr(text.p, '\\', text.n) == NULL) {
        buf_add(to, text);
    } else {
        struct buf bytes = {0};
        text_unescape(&bytes, text);
        text_escape(to, buf_str(&bytes));
        buf_free(&bytes);
    }
    buf_add(to, STR("\""));
}

void text_canonicalize(struct buf *to, struct str value)
{
    while (value.n > 0) {
        size_t n = *value.p == '"' ? string_length(value) : 1;
        struct str token = {value.p, n}, text;
        if (text_is_string(token, &text))
            canonicalize_string(to, text);
        else if (!is_space(*value.p))
            buf_add(to, token);
        skip(&value, n);
    }
}

void text_hex(struct buf *to, struct str bytes)
{
    char *p = buf_reserve(to, 2 * bytes.n);
    for (size_t i = 0; i < bytes.n; i++) {
        unsigned char c = (unsigned char)bytes.p[i];
        *p++ = hex_digits[c >> 4];
        *p++ = hex_digits[c & 15];
    }
    to->n += 2 * bytes.n;
}

bool text_unhex(struct buf *to, struct str text)
{
    if (text.n % 2 != 0)
        return false;
    for (size_t i = 0; i < text.n; i += 2) {
        unsigned high = text_hex_value(text.p[i]), low = text_hex_value(text.p[i + 1]);
        if (high > 15 || low > 15)
            return false;
        char c = (char)(high << 4 | low);
        buf_add(to, (struct str){&c, 1});
    }
    return true;
}

void text_inner_bytes(struct buf *to, struct str value)
{
    struct str text;
    if (text_is_string(value, &text))
        text_unescape(to, text);
    else if (text_is_string(text_member(value, STR("bytes")), &text))
        text_unhex(to, text);
}

void text_exact(struct buf *to, struct str text, struct str bytes, struct str column)
{
    struct str hex, exact = text_member(bytes, column);
    if (text_is_string(exact, &hex))
        text_unhex(to, hex);
    else
        text_unescape(to, text);
}
