#include "base/utf8.h"
#include "rows/text.h"
#include "rows/text_chars.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum {
    DEPTH_MAX = 16,   /* the limit of text_scan_value; jansson reads deeper values */
    MEMBERS_MAX = 16, /* the same for members of one object */
};

/* Scans a canonical escape; P is at its backslash. */
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
        return c != 0 && text_short_escape((unsigned char)c) == 0 ? p + 6 : NULL;
    }
    default: return NULL;
    }
}

const char *text_scan_string(const char *p)
{
    for (;;) {
        uint64_t marks = text_special_bytes(bits_load(p));
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
    static const uint32_t powers[8] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
    uint64_t v = 0;
    for (int i = 0; i < 2; i++) { /* 16 digits always fit */
        uint64_t bytes = bits_load(p), stops = text_non_digits(bytes);
        unsigned n = stops == 0 ? 8 : bits_first(stops);
        if (n == 0)
            break;
        v = v * (n == 8 ? 100000000 : powers[n]) + text_eight_digits(bytes << (64 - 8 * n));
        p += n;
        if (n < 8)
            break;
    }
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

/* Scans `"name":value` and checks that the name differs from the COUNT names before it. */
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
