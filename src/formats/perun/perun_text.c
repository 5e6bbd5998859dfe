#include "formats/perun/perun_text.h"

#include "base/utf8.h"
#include "rows/parse.h"
#include "rows/text.h"
#include "rows/text_chars.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- strings --- */

/* The code point at the start of S; sets *LENGTH. S is UTF-8, or half a surrogate pair in three
 * bytes. Any other byte gives U+FFFD, and *IS_EXACT is false. */
static unsigned code_of(struct str s, size_t *length, bool *is_exact)
{
    const unsigned char *p = (const unsigned char *)s.p;
    unsigned n = p[0] < 0x80 ? 1 : utf8_length(p, s.n);
    if (n == 0 && utf8_is_half(p, s.n))
        n = 3;
    *length = n == 0 ? 1 : n;
    *is_exact &= n != 0;
    return n == 0 ? 0xfffd : utf8_decode(p, n);
}

static void add_code(struct buf *to, unsigned code)
{
    char letter = code < 0x80 ? text_short_escape((unsigned char)code) : 0, text[16];
    if (letter != 0)
        snprintf(text, sizeof text, "\\%c", letter);
    else if (code < 0x10000)
        snprintf(text, sizeof text, "\\u%04x", code);
    else
        snprintf(text, sizeof text, "\\u%04x\\u%04x", 0xd800 + ((code - 0x10000) >> 10),
                 0xdc00 + ((code - 0x10000) & 0x3ff));
    buf_add(to, str_of(text));
}

/* Whether C needs no escape. */
static bool is_plain_byte(unsigned char c)
{
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

bool perun_escape(struct buf *to, struct str bytes)
{
    bool is_exact = true;
    for (size_t i = 0, n; i < bytes.n; i += n) {
        for (n = 0; i + n < bytes.n && is_plain_byte((unsigned char)bytes.p[i + n]);)
            n++;
        buf_add(to, (struct str){bytes.p + i, n});
        if (n == 0)
            add_code(to, code_of((struct str){bytes.p + i, bytes.n - i}, &n, &is_exact));
    }
    return is_exact;
}

unsigned perun_code(struct str bytes, size_t *length)
{
    bool is_exact = true;
    return code_of(bytes, length, &is_exact);
}

bool perun_bytes(struct buf *to, struct str value)
{
    struct str text;
    if (!text_is_string(value, &text))
        return false;
    text_unescape(to, text);
    return true;
}

/* --- to rows --- */

/* The end of a string. P is after its opening quote. */
static const char *string_end(const char *p)
{
    for (p++; *p != '"'; p++)
        p += *p == '\\';
    return p + 1;
}

/* Whether all bytes of TEXT are plain, so that its strings have only one spelling. */
static bool is_plain(struct str text)
{
    for (size_t i = 0; i < text.n; i++)
        if ((unsigned char)text.p[i] < 0x20 || (unsigned char)text.p[i] >= 0x7f ||
            text.p[i] == '\\')
            return false;
    return true;
}

/* Whether rows can hold the strings in TEXT, and they are spelled as Python does. */
static bool is_of_python(struct str text)
{
    struct buf bytes = {0}, again = {0}, shown = {0};
    bool good = true;
    for (const char *p = text.p, *end = text.p + text.n; good && p < end;) {
        if (*p++ != '"')
            continue;
        struct str string = {p, (size_t)(string_end(p - 1) - p) - 1};
        bytes.n = again.n = shown.n = 0;
        text_unescape(&bytes, string);
        good = text_escape(&shown, buf_str(&bytes)) && perun_escape(&again, buf_str(&bytes)) &&
               str_equal(buf_str(&again), string);
        p += string.n + 1;
    }
    buf_free(&bytes);
    buf_free(&again);
    buf_free(&shown);
    return good;
}

/* Appends the canonical text of TEXT to TO, if rows can hold it and the spelling of TEXT follows
 * from it. SLOW: the row may be slow to read. */
static bool add_canonical(struct buf *to, struct str text, bool slow)
{
    size_t start = to->n;
    if (is_plain(text)) {
        buf_add(to, text);
    } else {
        if (!is_of_python(text))
            return false;
        text_canonicalize(to, text);
    }
    bool is_quick = perun_is_quick(to, start);
    struct str value = {to->p + start, to->n - start};
    bool good =
        !str_starts(value, STR("{\"json\":")) && (is_quick || (slow && parse_is_value(value)));
    if (!good)
        to->n = start;
    return good;
}

void perun_carry_text(struct buf *to, struct str text)
{
    buf_add(to, STR("{\"json\":\""));
    text_escape(to, text);
    buf_add(to, STR("\"}"));
}

void perun_carry(struct buf *to, struct str text)
{
    if (!add_canonical(to, text, false))
        perun_carry_text(to, text);
}

bool perun_is_quick(struct buf *buf, size_t start)
{
    buf_reserve(buf, 1 + INPUT_PADDING);
    buf->p[buf->n] = '\n';
    return text_scan_value(buf->p + start) == buf->p + buf->n;
}

/* Whether rows can hold the names of MEMBERS, an object. */
static bool has_good_names(struct str members)
{
    struct str rest = text_inside(members), name, value;
    struct buf names = {0}, text = {0};
    buf_add(&names, STR("{\"\":0"));
    while (text_next_member(&rest, &name, &value)) {
        buf_add(&names, STR(",\""));
        buf_add(&names, name);
        buf_add(&names, STR("\":0"));
    }
    buf_add(&names, STR("}"));
    bool good = add_canonical(&text, buf_str(&names), true);
    buf_free(&names);
    buf_free(&text);
    return good;
}

void perun_carry_members(struct buf *to, struct str members)
{
    struct str rest = text_inside(members), name, value;
    struct str json = text_member(members, STR("json"));
    if (json.p != NULL || !has_good_names(members)) {
        perun_carry_text(to, members);
        return;
    }
    buf_add(to, STR("{"));
    for (bool more = false; text_next_member(&rest, &name, &value); more = true) {
        buf_add(to, more ? STR(",") : STR(""));
        text_canonicalize(to, (struct str){name.p - 1, name.n + 2}); /* with its quotes */
        buf_add(to, STR(":"));
        if (!add_canonical(to, value, true))
            perun_carry_text(to, value);
    }
    buf_add(to, STR("}"));
}

/* --- back from rows --- */

/* Appends VALUE, JSON from a row, to TO, with its strings spelled as in Python. */
static void add_value(struct buf *to, struct str value)
{
    struct buf text = {0}, bytes = {0};
    if (is_plain(value)) {
        buf_add(to, value);
        return;
    }
    text_canonicalize(&text, value);
    struct str rest = buf_str(&text);
    while (rest.n > 0) {
        bool is_string = *rest.p == '"';
        const char *quote = memchr(rest.p, '"', rest.n);
        size_t n = is_string       ? (size_t)(string_end(rest.p) - rest.p)
                   : quote == NULL ? rest.n
                                   : (size_t)(quote - rest.p);
        bytes.n = 0;
        if (is_string) {
            text_unescape(&bytes, (struct str){rest.p + 1, n - 2});
            buf_add(to, STR("\""));
            perun_escape(to, buf_str(&bytes));
            buf_add(to, STR("\""));
        } else {
            buf_add(to, (struct str){rest.p, n});
        }
        rest.p += n;
        rest.n -= n;
    }
    buf_free(&text);
    buf_free(&bytes);
}

void perun_spell(struct buf *to, struct str value, struct place where, const char *column)
{
    struct str rest = text_inside(value), name, json, text;
    bool is_object = value.n > 0 && *value.p == '{';
    if (!is_object || !text_next_member(&rest, &name, &json) || !str_equal(name, STR("json")) ||
        !text_is_string(json, &text)) {
        add_value(to, value);
        return;
    }
    struct buf bytes = {0};
    text_unescape(&bytes, text);
    tokens_copy_text(to, buf_str(&bytes), true, where, column);
    buf_free(&bytes);
}

void perun_spell_members(struct buf *to, struct str value, struct place where, const char *column)
{
    struct str rest = text_inside(value), name, member;
    if (value.n == 0 || *value.p != '{' || text_member(value, STR("json")).p != NULL) {
        perun_spell(to, value, where, column);
        return;
    }
    buf_add(to, STR("{"));
    for (bool more = false; text_next_member(&rest, &name, &member); more = true) {
        buf_add(to, more ? STR(",") : STR(""));
        add_value(to, (struct str){name.p - 1, name.n + 2}); /* with its quotes */
        buf_add(to, STR(":"));
        perun_spell(to, member, where, column);
    }
    buf_add(to, STR("}"));
}

/* --- numbers --- */

bool perun_is_plain(struct str text)
{
    enum { DIGITS = 18 };
    size_t i = text.n > 0 && *text.p == '-';
    if (text.n - i > DIGITS || text.n == i || (i == 1 && text.p[1] == '0'))
        return false;
    for (; i < text.n; i++)
        if (!str_is_digit(text.p[i]))
            return false;
    return true;
}

bool perun_is_plain_name(struct str name)
{
    return is_plain(name) && !str_equal(name, STR("json"));
}

bool perun_number(struct str text, struct buf *scratch, struct number *number, bool *is_reported)
{
    *is_reported = true;
    number->kind = NUMBER_INTEGER;
    if (text_is_integer(text, &number->integer))
        return true;
    if (text.n == 0 ||
        !(str_is_digit(*text.p) || (*text.p == '-' && text.n > 1 && str_is_digit(text.p[1]))))
        return false;
    scratch->n = 0;
    buf_add(scratch, text);
    *is_reported = memchr(text.p, '.', text.n) != NULL || memchr(text.p, 'e', text.n) != NULL ||
                   memchr(text.p, 'E', text.n) != NULL;
    if (!*is_reported)
        buf_add(scratch, STR(".0"));
    buf_add(scratch, (struct str){"", 1});
    *number = (struct number){.kind = NUMBER_REAL, .real = {scratch->p, scratch->n - 1}};
    return isfinite(strtod(scratch->p, NULL));
}
