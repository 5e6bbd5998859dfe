#include "text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum {
    DEPTH_MAX = 16,   /* of what text_scan_value proves; jansson takes the deeper */
    MEMBERS_MAX = 16, /* of one object, likewise */
};

/* The length of the UTF-8 sequence at P, 2 to 4, or 0 when it is none (RFC 3629: no overlong
 * forms, no surrogates, nothing above U+10FFFF).  LEFT bytes may be looked at. */
static unsigned utf8_length(const unsigned char *p, size_t left)
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
static char short_escape(unsigned char c)
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
static uint64_t special_bytes(uint64_t v)
{
    uint64_t quote = v ^ BITS_EACH('"'), backslash = v ^ BITS_EACH('\\');
    return (v | (v - BITS_EACH(0x20)) | (quote - BITS_EACH(1)) | (backslash - BITS_EACH(1))) &
           BITS_EACH(0x80);
}

/* Steps over a canonical escape, P on its backslash. */
static const char *scan_escape(const char *p)
{
    switch (p[1]) {
    case '"':
    case '\\':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't': return p + 2;
    case 'u': {
        if (p[2] != '0' || p[3] != '0' || (p[4] != '0' && p[4] != '1'))
            return NULL;
        char low = p[5];
        if (!(low >= '0' && low <= '9') && !(low >= 'a' && low <= 'f'))
            return NULL;
        unsigned c =
            (unsigned)(p[4] - '0') * 16 + (unsigned)(low <= '9' ? low - '0' : low - 'a' + 10);
        return c != 0 && short_escape((unsigned char)c) == 0 ? p + 6 : NULL;
    }
    default: return NULL;
    }
}

const char *text_scan_string(const char *p)
{
    for (;;) {
        uint64_t marks = special_bytes(bits_load(p));
        if (marks == 0) {
            p += 8;
            continue;
        }
        p += bits_first(marks);
        unsigned char c = (unsigned char)*p;
        if (c == '"')
            return p;
        if (c < 0x20)
            return NULL; /* the LF that ends every line is among these */
        if (c == '\\') {
            p = scan_escape(p);
            if (p == NULL)
                return NULL;
            continue;
        }
        do {
            unsigned n = utf8_length((const unsigned char *)p, 4);
            if (n == 0)
                return NULL;
            p += n;
        } while ((unsigned char)*p >= 0x80);
    }
}

const char *text_scan_long_integer(const char *p, int64_t *value)
{
    bool negative = *p == '-';
    p += negative;
    if (*p < '0' || *p > '9' || (*p == '0' && (negative || (p[1] >= '0' && p[1] <= '9'))))
        return NULL;
    uint64_t v = 0;
    for (int i = 0; i < 2 && text_non_digits(bits_load(p)) == 0; i++, p += 8)
        v = v * 100000000 + text_eight_digits(bits_load(p)); /* 16 digits always fit */
    for (; *p >= '0' && *p <= '9'; p++)
        if (__builtin_mul_overflow(v, (uint64_t)10, &v) ||
            __builtin_add_overflow(v, (uint64_t)(*p - '0'), &v))
            return NULL;
    if (v > (uint64_t)INT64_MAX + negative)
        return NULL;
    *value = (int64_t)(negative ? 0 - v : v);
    return p;
}

static const char *skip_digits(const char *p)
{
    while (*p >= '0' && *p <= '9')
        p++;
    return p;
}

const char *text_scan_real(const char *p)
{
    const char *start = p;
    p += *p == '-';
    const char *digits = p;
    p = skip_digits(p);
    if (p == digits || (*digits == '0' && p > digits + 1))
        return NULL;
    const char *whole = p;
    if (*p == '.') {
        p = skip_digits(p + 1);
        if (p == whole + 1)
            return NULL;
    }
    if (*p == 'e' || *p == 'E') {
        p++;
        p += *p == '+' || *p == '-';
        const char *exponent = p;
        p = skip_digits(p);
        if (p == exponent)
            return NULL;
    }
    return p > whole && isfinite(strtod(start, NULL)) ? p : NULL;
}

static const char *scan_number(const char *p)
{
    int64_t value;
    const char *end = text_scan_integer(p, &value);
    if (end == NULL || *end == '.' || *end == 'e' || *end == 'E')
        return text_scan_real(p);
    return end;
}

static const char *scan_value(const char *p, unsigned depth);

/* Steps over `"name":value` and sees to it that the name differs from the COUNT before it. */
static const char *scan_member(const char *p, struct str *names, unsigned count, unsigned depth)
{
    if (*p != '"' || count == MEMBERS_MAX)
        return NULL;
    const char *end = text_scan_string(p + 1);
    if (end == NULL || end[1] != ':')
        return NULL;
    names[count] = (struct str){p + 1, (size_t)(end - p - 1)};
    for (unsigned i = 0; i < count; i++)
        if (str_equal(names[i], names[count]))
            return NULL;
    return scan_value(end + 2, depth);
}

static const char *scan_object(const char *p, unsigned depth)
{
    struct str names[MEMBERS_MAX];
    unsigned count = 0;
    if (*p == '}')
        return p + 1;
    for (;;) {
        p = scan_member(p, names, count++, depth);
        if (p == NULL)
            return NULL;
        if (*p == '}')
            return p + 1;
        if (*p++ != ',')
            return NULL;
    }
}

static const char *scan_array(const char *p, unsigned depth)
{
    if (*p == ']')
        return p + 1;
    for (;;) {
        p = scan_value(p, depth);
        if (p == NULL)
            return NULL;
        if (*p == ']')
            return p + 1;
        if (*p++ != ',')
            return NULL;
    }
}

static const char *scan_word(const char *p, struct str word)
{
    return memcmp(p, word.p, word.n) == 0 ? p + word.n : NULL;
}

static const char *scan_value(const char *p, unsigned depth)
{
    if (depth == DEPTH_MAX)
        return NULL;
    switch (*p) {
    case '"': p = text_scan_string(p + 1); return p == NULL ? NULL : p + 1;
    case '{': return scan_object(p + 1, depth + 1);
    case '[': return scan_array(p + 1, depth + 1);
    case 't': return scan_word(p, STR("true"));
    case 'f': return scan_word(p, STR("false"));
    case 'n': return scan_word(p, STR("null"));
    default: return scan_number(p);
    }
}

const char *text_scan_value(const char *p)
{
    return scan_value(p, 0);
}

const char *text_scan_members(const char *p, char first, struct str taken)
{
    struct str names[MEMBERS_MAX] = {STR("table"), taken};
    unsigned count = 2;
    while (*p == ',') {
        if (first != '\0' && p[2] != first)
            return NULL;
        p = scan_member(p + 1, names, count++, 0);
        if (p == NULL)
            return NULL;
    }
    return p;
}

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
        /* an odd number of backslashes in front escapes it */
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

/* Steps to the next item or member; false at the end. */
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
    char copy[32] = {0}; /* the scanner reads ahead; the value may stand at the end of memory */
    if (value.n == 0 || value.n >= sizeof copy - 8)
        return false;
    memcpy(copy, value.p, value.n);
    return text_scan_long_integer(copy, number) == copy + value.n;
}

/* --- escaping --- */

static const char hex_digits[] = "0123456789abcdef";

/* The number of bytes at the start of S that stand for themselves. */
static size_t plain_run(struct str s)
{
    size_t i = 0;
    while (s.n - i >= 8) {
        uint64_t marks = special_bytes(bits_load(s.p + i));
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
    char letter = short_escape(c);
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
        size_t n = plain_run(bytes);
        buf_add(to, (struct str){bytes.p, n});
        skip(&bytes, n);
        if (bytes.n == 0)
            break;
        unsigned char c = (unsigned char)*bytes.p;
        n = c >= 0x80 ? utf8_length((const unsigned char *)bytes.p, bytes.n) : c != 0;
        if (n == 0) {
            buf_add(to, STR("\xef\xbf\xbd"));
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

unsigned text_hex_value(char c)
{
    return c >= '0' && c <= '9'   ? (unsigned)(c - '0')
           : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
           : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
                                  : 16;
}

static unsigned four_hex(const char *p)
{
    return text_hex_value(p[0]) << 12 | text_hex_value(p[1]) << 8 | text_hex_value(p[2]) << 4 |
           text_hex_value(p[3]);
}

static void add_utf8(struct buf *to, unsigned c)
{
    char *p = buf_reserve(to, 4);
    size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = n - 1; i > 0; i--, c >>= 6)
        p[i] = (char)(0x80 | (c & 0x3f));
    p[0] = (char)(lead[n] | c);
    to->n += n;
}

/* Appends what the escape at the start of TEXT stands for; returns its length. */
static size_t unescape_one(struct buf *to, struct str text)
{
    static const char letters[] = "bfnrt", codes[] = "\b\f\n\r\t";
    if (text.n < 2)
        return text.n;
    if (text.p[1] != 'u') {
        const char *at = strchr(letters, text.p[1]);
        char c = at != NULL && *at != '\0' ? codes[at - letters] : text.p[1];
        buf_add(to, (struct str){&c, 1});
        return 2;
    }
    if (text.n < 6)
        return text.n;
    unsigned c = four_hex(text.p + 2);
    if (c >= 0xd800 && c < 0xdc00 && text.n >= 12) {
        add_utf8(to, 0x10000 + ((c & 0x3ff) << 10) + (four_hex(text.p + 8) & 0x3ff));
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

void text_exact(struct buf *to, struct str text, struct str bytes, struct str column)
{
    struct str hex, exact = text_member(bytes, column);
    if (text_is_string(exact, &hex))
        text_unhex(to, hex);
    else
        text_unescape(to, text);
}
