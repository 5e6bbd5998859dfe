/* The text of JSON values: integers at all limits, reals, escapes, UTF-8 against jansson. */
#include "base/buf.h"
#include "base/in.h"
#include "base/utf8.h"
#include "job.h"
#include "rows/emit.h"
#include "rows/text.h"
#include "tap.h"

#include <jansson.h>
#include <stdlib.h>

/* TEXT and a LF with INPUT_PADDING bytes behind them, as the scanner wants it; valid until the next
 * call. */
static const char *padded(struct str text)
{
    static char copy[4096];
    memcpy(copy, text.p, text.n);
    copy[text.n] = '\n';
    memset(copy + text.n + 1, '7', INPUT_PADDING); /* digits, to be met by one who reads too far */
    return copy;
}

/* --- integers --- */

static bool scans_as(const char *text, int64_t expected)
{
    char line[64];
    int n = snprintf(line, sizeof line, "%s,123456789", text);
    const char *p = padded((struct str){line, (size_t)n});
    int64_t found = 0, whole = 0;
    bool good = text_scan_integer(p, &found) == p + strlen(text) && found == expected &&
                text_is_integer(str_of(text), &whole) && whole == expected;
    struct buf copy = {0};
    emit_number(&copy, expected);
    good = good && str_equal(buf_str(&copy), str_of(text));
    buf_free(&copy);
    return each(good, "%s: found %" PRId64, text, found);
}

/* Every power of ten and of two with its neighbours, both signs. */
static void test_integers(void)
{
    size_t wrong = 0;
    for (int base = 2; base <= 10; base += 8)
        for (uint64_t v = 1; v <= (uint64_t)INT64_MAX; v *= (uint64_t)base) {
            for (int64_t off = -1; off <= 1; off++) {
                char text[32];
                int64_t value = (int64_t)v + off;
                snprintf(text, sizeof text, "%" PRId64, value);
                wrong += !scans_as(text, value);
                snprintf(text, sizeof text, "%" PRId64, -value);
                wrong += !scans_as(text, -value);
            }
            if (v > (uint64_t)INT64_MAX / (uint64_t)base)
                break;
        }
    wrong += !scans_as("9223372036854775807", INT64_MAX);
    wrong += !scans_as("9223372036854775806", INT64_MAX - 1);
    wrong += !scans_as("-9223372036854775808", INT64_MIN);
    wrong += !scans_as("-9223372036854775807", INT64_MIN + 1);
    ok(wrong == 0, "integers around all powers of 2 and 10 and at the limits of 64 bits");
}

static void test_no_integers(void)
{
    static const char *const texts[] = {
        "",
        "-",
        "--1",
        "+1",
        "00",
        "01",
        "-0",
        "-01",
        "0123456",
        "012345678",
        "9223372036854775808",
        "-9223372036854775809",
        "18446744073709551616",
        "18446744073709551617",
        "99999999999999999999",
        "100000000000000000000000",
        "a",
        " 1",
        "\"1\"",
        ".5",
    };
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        int64_t value;
        wrong += !each(text_scan_integer(padded(str_of(texts[i])), &value) == NULL &&
                           !text_is_integer(str_of(texts[i]), &value),
                       "'%s' is taken as an integer", texts[i]);
    }
    ok(wrong == 0, "what is no integer of 64 bits");
}

/* --- reals --- */

static void test_reals(void)
{
    static const struct {
        const char *text;
        bool good;
    } cases[] = {
        {"1.0", true},
        {"0.5", true},
        {"-0.0", true},
        {"1e3", true},
        {"1E+3", true},
        {"1e-400", true},
        {"1.5e300", true},
        {"123456789012345678901.5", true},
        {"0e0", true},
        {"-1.25E-7", true},
        {"1.7976931348623157e308", true},
        {"1e309", false},
        {"-1e309", false},
        {"1", false},
        {"-1", false},
        {"1.", false},
        {".5", false},
        {"1e", false},
        {"1e+", false},
        {"01.5", false},
        {"-", false},
        {"1.e5", false},
        {"+1.5", false},
        {"nan", false},
        {"inf", false},
        {"0x1p3", false},
        {"1.5.5", false},
    };
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *p = padded(str_of(cases[i].text)), *end = text_scan_real(p);
        bool taken = end == p + strlen(cases[i].text);
        json_t *value = json_loads(cases[i].text, JSON_DECODE_ANY, NULL);
        wrong += !each(taken == cases[i].good && taken == json_is_real(value), "%s", cases[i].text);
        json_decref(value);
    }
    ok(wrong == 0, "reals, as jansson reads them");
}

/* --- strings --- */

static const char *scan_string(struct str text)
{
    char line[64];
    memcpy(line, text.p, text.n);
    line[text.n] = '"';
    return text_scan_string(padded((struct str){line, text.n + 1}));
}

/* Whether what this file makes of BYTES agrees with jansson's opinion of their UTF-8. */
static bool agrees(struct str bytes)
{
    static struct buf text, back;
    json_t *value = json_stringn(bytes.p, bytes.n);
    bool valid = value != NULL;
    json_decref(value);
    bool plain = valid;
    for (size_t i = 0; i < bytes.n; i++)
        plain &= (unsigned char)bytes.p[i] >= 0x20 && bytes.p[i] != '"' && bytes.p[i] != '\\';
    text.n = back.n = 0;
    bool exact = text_escape(&text, bytes);
    text_unescape(&back, buf_str(&text));
    const char *canonical = scan_string(buf_str(&text)), *raw = scan_string(bytes);
    ptrdiff_t canonical_n = canonical == NULL ? -1 : canonical - padded(STR(""));
    ptrdiff_t raw_n = raw == NULL ? -1 : raw - padded(STR(""));
    return exact == (valid && memchr(bytes.p, '\0', bytes.n) == NULL) &&
           (!exact || str_equal(buf_str(&back), bytes)) && canonical_n == (ptrdiff_t)text.n &&
           (!plain || raw_n == (ptrdiff_t)bytes.n) && (valid || raw_n != (ptrdiff_t)bytes.n);
}

/* All sequences of N bytes, or every STEPth. */
static void test_utf8(size_t n, uint32_t step)
{
    size_t wrong = 0;
    uint32_t end = (uint32_t)1 << (8 * n);
    for (uint32_t v = 0; v < end && wrong < 5; v += step) {
        char bytes[4] = {(char)(v & 0xff), (char)(v >> 8 & 0xff), (char)(v >> 16)};
        wrong += !each(agrees((struct str){bytes, n}), "%zu bytes, %08x", n, v);
    }
    ok(wrong == 0, "UTF-8 of %zu bytes agrees with jansson's", n);
}

/* Of 4 bytes: all first and second ones with the third and fourth at their limits. */
static void test_utf8_four(void)
{
    static const unsigned char edges[] = {0x00, 0x22, 0x5c, 0x7f, 0x80, 0xbf, 0xc0, 0xff};
    size_t wrong = 0;
    for (unsigned v = 0; v < 0x10000; v++)
        for (size_t i = 0; i < sizeof edges && wrong < 5; i++)
            for (size_t j = 0; j < sizeof edges; j++) {
                char bytes[] = {(char)(v >> 8), (char)v, (char)edges[i], (char)edges[j]};
                wrong +=
                    !each(agrees((struct str){bytes, 4}), "%04x %02x %02x", v, edges[i], edges[j]);
            }
    ok(wrong == 0, "UTF-8 of 4 bytes agrees with jansson's");
}

/* Every code point, and half of a surrogate pair as well. */
static void test_utf8_encode(void)
{
    size_t wrong = 0;
    for (uint32_t c = 0; c <= 0x10ffff && wrong < 5; c++) {
        char bytes[UTF8_MAX];
        const unsigned char *p = (const unsigned char *)bytes;
        const unsigned n = utf8_encode(bytes, c);
        const bool is_half = utf8_is_high(c) || utf8_is_low(c);
        wrong += !each(utf8_decode(p, n) == c, "U+%04x decoded", c);
        wrong += !each((c < 0x80 ? 1 : utf8_length(p, n)) == (is_half ? 0 : n), "U+%04x valid", c);
        wrong += !each(utf8_is_half(p, n) == is_half, "U+%04x half", c);
        wrong += !each(!utf8_is_half(p, n - 1), "U+%04x cut", c);
    }
    ok(wrong == 0, "code points are encoded and decoded");
    ok(utf8_join(0xd800, 0xdc00) == 0x10000 && utf8_join(0xdbff, 0xdfff) == 0x10ffff &&
           utf8_join(0xd83d, 0xde00) == 0x1f600,
       "the halves of a pair are joined");
}

static void test_escapes(void)
{
    struct buf text = {0};
    text_escape(&text, STR("a\"b\\c/\b\f\n\r\t\x01\x1f\x7f\xc3\xa4"));
    is(buf_str(&text), STR("a\\\"b\\\\c/\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\xc3\xa4"),
       "the escapes that we write");
    text.n = 0;
    ok(!text_escape(&text, STR("a\0b\xff\xfe")), "NUL and broken UTF-8 are told");
    is(buf_str(&text),
       STR("a\xef\xbf\xbd"
           "b\xef\xbf\xbd\xef\xbf\xbd"),
       "and shown as U+FFFD, one for each byte");
    text.n = 0;
    text_unescape(&text, STR("\\u0041\\u00e4\\u20AC\\ud83d\\uDE00\\/\\\"\\\\\\b\\f\\n\\r\\tz"));
    is(buf_str(&text), STR("A\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80/\"\\\b\f\n\r\tz"),
       "all escapes of JSON");
    /* an end at every place of the blocks of eight */
    size_t wrong = 0;
    for (size_t n = 0; n < 40; n++) {
        char bytes[48];
        memset(bytes, 'x', sizeof bytes);
        for (size_t at = 0; at < n; at++) {
            bytes[at] = '\n';
            wrong += !agrees((struct str){bytes, n});
            bytes[at] = 'x';
        }
    }
    ok(wrong == 0, "an escape at every place of short strings");
    buf_free(&text);
}

static void test_hex(void)
{
    struct buf hex = {0}, bytes = {0};
    text_hex(&hex, STR("\x00\x0f\xf0\xff"));
    is(buf_str(&hex), STR("000ff0ff"), "bytes to hexadecimal");
    ok(text_unhex(&bytes, STR("000fF0fF")) && str_equal(buf_str(&bytes), STR("\x00\x0f\xf0\xff")),
       "and back, in either case");
    ok(!text_unhex(&bytes, STR("0")) && !text_unhex(&bytes, STR("0g")) &&
           !text_unhex(&bytes, STR("  ")),
       "what is not hexadecimal");
    buf_free(&hex);
    buf_free(&bytes);
}

/* --- values --- */

static bool scans_value(const char *text)
{
    char line[256];
    int n = snprintf(line, sizeof line, "%s,", text);
    const char *p = padded((struct str){line, (size_t)n});
    return text_scan_value(p) == p + strlen(text);
}

static void test_values(void)
{
    static const char *const good[] = {
        "null",
        "true",
        "false",
        "0",
        "-1.5",
        "\"\"",
        "[]",
        "{}",
        "[1,[2,{\"a\":[]}]]",
        "{\"a\":{\"a\":1},\"b\":\"\\n\"}",
        "[[[[[[[[1]]]]]]]]",
    };
    static const char *const bad[] = {
        "nul",      "TRUE",  "[1,]",    "[,1]", "{\"a\":1,}", "{\"a\" :1}", "{\"a\":1,\"a\":2}",
        "[1 ]",     "{a:1}", "{\"a\"}", "[",    "{",          "\"",         "\"\\x\"",
        "[\"\n\"]", "",      "[1}",     "{]",
    };
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        wrong += !each(scans_value(good[i]), "%s is refused", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        wrong += !each(!scans_value(bad[i]), "%s is taken", bad[i]);
    ok(wrong == 0, "values");

    char deep[2001];
    memset(deep, '[', 1000);
    memset(deep + 1000, ']', 1000);
    deep[2000] = '\0';
    ok(text_scan_value(padded(str_of(deep))) == NULL, "deep nesting is jansson's");
}

static void test_walking(void)
{
    struct str object =
        STR("{ \"a\" : [1, {\"x\":\"}\"} , \"]\"] ,\"b\\\"\":\"c,\\\\\",\"\": null }");
    struct str rest = text_inside(object), name, value, item;
    ok(text_next_member(&rest, &name, &value), "a first member");
    is(name, STR("a"), "its name");
    is(value, STR("[1, {\"x\":\"}\"} , \"]\"]"), "its value");
    struct str items = text_inside(value);
    ok(text_next_item(&items, &item) && str_equal(item, STR("1")), "a first item");
    ok(text_next_item(&items, &item) && str_equal(item, STR("{\"x\":\"}\"}")), "a second one");
    ok(text_next_item(&items, &item) && str_equal(item, STR("\"]\"")), "a third one");
    ok(!text_next_item(&items, &item), "and no more");
    ok(text_next_member(&rest, &name, &value) && str_equal(name, STR("b\\\"")) &&
           str_equal(value, STR("\"c,\\\\\"")),
       "a second member");
    ok(text_next_member(&rest, &name, &value) && name.n == 0 && str_equal(value, STR("null")),
       "a third one");
    ok(!text_next_member(&rest, &name, &value), "and no more");
    is(text_member(object, STR("")), STR("null"), "a member by its name");
    ok(text_member(object, STR("x")).p == NULL, "no such member");
    ok(text_member(STR("[1]"), STR("x")).p == NULL, "no object");
}

int main(void)
{
#if defined(__SANITIZE_ADDRESS__)
    enum { STEP = 13 };
#else
    enum { STEP = 1 };
#endif
    test_integers();
    test_no_integers();
    test_reals();
    test_utf8(1, 1);
    test_utf8(2, 1);
    test_utf8(3, STEP);
    test_utf8_four();
    test_utf8_encode();
    test_escapes();
    test_hex();
    test_values();
    test_walking();
    tidy();
    return tap_done();
}
