#include "rows/tokens.h"

#include "base/decimal.h"
#include "base/utf8.h"
#include "rows/loss.h"
#include "rows/text.h"
#include "rows/text_chars.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* How many bytes of an invalid token a message shows. */
enum { SHOWN = 40 };

void tokens_open(struct tokens *j, struct in *in)
{
    *j = (struct tokens){.in = in, .line = 1};
}

void tokens_close(struct tokens *j)
{
    in_consume(j->in, (size_t)(j->p - j->start));
    j->start = j->p;
}

/* --- places --- */

/* The maximum length of a message; longer ones are cut. */
enum { MESSAGE = 1000 };

/* Writes FORMAT to TEXT; returns the place of the line of WHERE. */
static struct place say(char text[MESSAGE], const struct tokens *j, struct tokens_place where,
                        const char *format, va_list args)
{
    vsnprintf(text, MESSAGE, format, args);
    return (struct place){in_name(j->in), PLACE_LINE, where.line};
}

void tokens_die(const struct tokens *j, struct tokens_place where, const char *format, ...)
{
    char text[MESSAGE];
    va_list args;
    va_start(args, format);
    struct place place = say(text, j, where, format, args);
    va_end(args);
    die_at_column(CODE_INVALID, place, where.column, "%s", text);
}

void tokens_warn(const struct tokens *j, struct tokens_place where, const char *format, ...)
{
    char text[MESSAGE];
    va_list args;
    va_start(args, format);
    struct place place = say(text, j, where, format, args);
    va_end(args);
    warn_at_column(CODE_INVALID, place, where.column, "%s", text);
}

/* Ends the tool: EXPECTED at WHERE, but the input ends. */
static _Noreturn void die_torn(const struct tokens *j, struct tokens_place where,
                               const char *expected)
{
    die_at_column(CODE_TORN, (struct place){in_name(j->in), PLACE_LINE, where.line}, where.column,
                  "expected %s, found the end of the input", expected);
}

/* The column of the byte at P in the current line. */
static uint64_t column_at(const struct tokens *j, const char *p)
{
    return j->before + (uint64_t)(p - j->start) - j->line_start + 1;
}

/* The place of the byte at P in the current line. */
static struct tokens_place place_of(const struct tokens *j, const char *p)
{
    return (struct tokens_place){j->line, column_at(j, p)};
}

/* The name of the current token in messages; the caller frees it. */
static struct buf describe(const struct tokens *j)
{
    static const char *const names[] = {
        [TOKEN_END] = "the end of the input",
        [TOKEN_OBJECT] = "an object",
        [TOKEN_OBJECT_END] = "}",
        [TOKEN_ARRAY] = "a list",
        [TOKEN_ARRAY_END] = "]",
        [TOKEN_TRUE] = "true",
        [TOKEN_FALSE] = "false",
        [TOKEN_NULL] = "null",
    };
    struct buf to = {0};
    bool is_quoted = j->token == TOKEN_STRING || j->token == TOKEN_NAME;
    if (!is_quoted && j->token != TOKEN_NUMBER) {
        buf_add(&to, str_of(names[j->token]));
        return to;
    }
    size_t n = utf8_cut(j->text, SHOWN);
    buf_add(&to, is_quoted ? STR("\"") : STR(""));
    buf_add(&to, (struct str){j->text.p, n});
    buf_add(&to, n < j->text.n ? STR("...") : STR(""));
    buf_add(&to, is_quoted ? STR("\"") : STR(""));
    return to;
}

void tokens_unexpected(const struct tokens *j, const char *expected)
{
    struct buf found = describe(j);
    tokens_die(j, j->where, "expected %s, found %.*s", expected, STR_ARG(buf_str(&found)));
}

/* --- the window --- */

/* Ends the tool if a token of LENGTH bytes is too long. */
static void check_length(const struct tokens *j, size_t length)
{
    if (length > LIMITS_LINE)
        tokens_die(j, j->where, "the token is longer than %zu MiB", LIMITS_LINE >> 20);
}

/* Fills the window with more than HAVE bytes from j->p on; false if the input ends before. */
static bool more(struct tokens *j, size_t have)
{
    if (j->at_end)
        return false;
    check_length(j, have);
    j->before += (uint64_t)(j->p - j->start);
    in_consume(j->in, (size_t)(j->p - j->start));
    struct str window = in_peek(j->in, have + 1);
    j->start = j->p = window.p;
    j->end = window.p + window.n;
    j->at_end = window.n <= have;
    return !j->at_end;
}

/* Ends the tool: EXPECTED was expected at j->p. */
static _Noreturn void die_here(struct tokens *j, const char *expected)
{
    size_t n = 0, left = (size_t)(j->end - j->p);
    while (left < (size_t)SHOWN + 1 && more(j, left)) /* the same for every size of reads */
        left = (size_t)(j->end - j->p);
    left = (size_t)(j->end - j->p);
    struct buf shown = {0};
    if (left == 0)
        die_torn(j, place_of(j, j->p), expected);
    while (n < left && n < SHOWN && memchr(" \t\r\n", j->p[n], 4) == NULL)
        n++;
    n = utf8_cut((struct str){j->p, left}, n);
    text_escape(&shown, (struct str){j->p, n > 0 ? n : 1});
    tokens_die(j, place_of(j, j->p), "expected %s, found %.*s", expected, STR_ARG(buf_str(&shown)));
}

static bool skip_spaces(struct tokens *j)
{
    for (;;) {
        for (; j->p < j->end; j->p++) {
            if (*j->p == '\n') {
                j->line++;
                j->line_start = j->before + (uint64_t)(j->p - j->start) + 1;
            } else if (*j->p != ' ' && *j->p != '\t' && *j->p != '\r') {
                return true;
            }
        }
        if (!more(j, 0))
            return false;
    }
}

/* Skips white space, of which there mostly is none; false at the end of the input. */
static inline bool skip_space(struct tokens *j)
{
    return (j->p < j->end && (unsigned char)*j->p > ' ') || skip_spaces(j);
}

/* --- strings --- */

/* The length of the escape at P, in LEFT bytes; 0 if it is invalid or cut off. */
static size_t escape_length(const char *p, size_t left)
{
    if (left < 2)
        return 0;
    if (p[1] != 'u')
        return memchr("\"\\/bfnrt", p[1], 8) != NULL ? 2 : 0;
    for (size_t i = 2; i < 6; i++)
        if (i >= left || text_hex_value(p[i]) > 15)
            return 0;
    return 6;
}

/* Skips plain characters and escapes from P on, as long as they are whole.  Returns where
 * something else is: the quote, the end of the window, or an invalid byte. */
static const char *skip_string(struct tokens *j, const char *p)
{
    for (;;) {
        while (j->end - p >= 8) {
            uint64_t marks = text_special_bytes(bits_load(p));
            p += marks == 0 ? 8 : bits_first(marks);
            if (marks != 0)
                break;
        }
        size_t left = (size_t)(j->end - p), n;
        if (left == 0 || *p == '"')
            return p;
        unsigned char c = (unsigned char)*p;
        j->has_escapes |= c == '\\';
        if (c == '\\')
            n = escape_length(p, left);
        else if (c < 0x80)
            n = c >= 0x20;
        else
            n = utf8_length((const unsigned char *)p, left);
        if (n == 0)
            return p;
        j->continued += c < 0x80 ? 0 : n - 1;
        p += n;
    }
}

/* Reads the string at j->p. */
static void read_string(struct tokens *j)
{
    size_t length = 1;
    j->has_escapes = false;
    for (;;) {
        const char *p = skip_string(j, j->p + length);
        length = (size_t)(p - j->p);
        if (p < j->end && *p == '"')
            break;
        /* an invalid character may only be cut off by the window */
        if (j->end - p < 8 && more(j, (size_t)(j->end - j->p)))
            continue;
        struct tokens_place where = place_of(j, j->p + length);
        if (j->p + length == j->end)
            die_torn(j, where, "the end of a string");
        unsigned char c = (unsigned char)j->p[length];
        tokens_die(j, where, "expected %s",
                   c == '\\'  ? "an escape of JSON behind \\"
                   : c < 0x20 ? "a string without control characters"
                              : "UTF-8");
    }
    check_length(j, length);
    j->text = (struct str){j->p + 1, length - 1};
    j->p += length + 1;
}

/* --- numbers and words --- */

/* The scanners of numbers need no bound: what follows the window is no part of a number. */
static inline const char *skip_digits(const char *p)
{
    uint64_t stops;
    while ((stops = text_non_digits(bits_load(p))) == 0)
        p += 8;
    return p + bits_first(stops);
}

/* The end of the number at P; NULL if it is none. */
static inline const char *skip_number(const char *p)
{
    p += *p == '-';
    const char *digits = p;
    p = skip_digits(p);
    if (p == digits || (p > digits + 1 && *digits == '0'))
        return NULL;
    if (*p == '.') {
        digits = ++p;
        if ((p = skip_digits(p)) == digits)
            return NULL;
    }
    if ((*p | 0x20) == 'e') {
        p++;
        p += *p == '-' || *p == '+';
        digits = p;
        if ((p = skip_digits(p)) == digits)
            return NULL;
    }
    return p;
}

/* Whether WORD is NaN or an infinity as Python writes it. */
static bool is_python_number(struct str word)
{
    return str_equal(word, STR("NaN")) || str_equal(word, STR("Infinity")) ||
           str_equal(word, STR("-Infinity"));
}

/* Whether C may be part of a word or number. */
static bool is_word(char c)
{
    return str_is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '+' || c == '-' ||
           c == '.' || c == '_';
}

/* Reads the whole word at j->p into the window, and the byte after it if there is one; returns
 * its end. */
static const char *whole_word(struct tokens *j)
{
    size_t n = 0;
    for (;;) {
        while (n < (size_t)(j->end - j->p) && is_word(j->p[n]))
            n++;
        if (n == (size_t)(j->end - j->p) && more(j, n))
            continue;
        check_length(j, n);
        return j->p + n;
    }
}

/* Reads the number at j->p; false if it is none, or the window does not show where it ends. */
static bool read_number(struct tokens *j)
{
    const char *end = skip_number(j->p);
    if (end == NULL || end >= j->end || is_word(*end))
        return false;
    j->text = (struct str){j->p, (size_t)(end - j->p)};
    check_length(j, j->text.n);
    j->p = end;
    return true;
}

static enum token read_word(struct tokens *j)
{
    if (read_number(j))
        return TOKEN_NUMBER;
    const char *end = whole_word(j);
    struct str word = {j->p, (size_t)(end - j->p)};
    enum token token = TOKEN_NUMBER;
    if (j->takes_nan && is_python_number(word)) {
        token = TOKEN_NUMBER;
    } else if (word.n > 0 && (*word.p == '-' || str_is_digit(*word.p))) {
        if (skip_number(word.p) != end)
            die_here(j, "a number");
    } else if (str_equal(word, STR("true"))) {
        token = TOKEN_TRUE;
    } else if (str_equal(word, STR("false"))) {
        token = TOKEN_FALSE;
    } else if (str_equal(word, STR("null"))) {
        token = TOKEN_NULL;
    } else {
        die_here(j, "a value");
    }
    j->text = word;
    j->p = end;
    return token;
}

/* --- tokens --- */

static bool in_object(const struct tokens *j)
{
    return j->depth > 0 && (j->objects[(j->depth - 1) / 64] >> (j->depth - 1) % 64 & 1) != 0;
}

static enum token open_value(struct tokens *j, bool is_object)
{
    uint64_t *word = &j->objects[j->depth / 64], bit = (uint64_t)1 << j->depth % 64;
    if (j->depth == LIMITS_NESTING)
        tokens_die(j, place_of(j, j->p), "expected values that nest no deeper than %d",
                   LIMITS_NESTING);
    *word = is_object ? *word | bit : *word & ~bit;
    j->depth++;
    j->p++;
    j->is_first = true;
    j->wants = is_object ? TOKENS_WANTS_NAME : TOKENS_WANTS_ITEM;
    return is_object ? TOKEN_OBJECT : TOKEN_ARRAY;
}

/* Closes the innermost value, whose end has LENGTH bytes. */
static enum token close_value(struct tokens *j, size_t length)
{
    enum token token = in_object(j) ? TOKEN_OBJECT_END : TOKEN_ARRAY_END;
    j->depth--;
    j->p += length;
    j->wants = TOKENS_WANTS_COMMA;
    return token;
}

static enum token read_value(struct tokens *j)
{
    char c = *j->p;
    if (c == '{' || c == '[')
        return open_value(j, c == '{');
    j->wants = TOKENS_WANTS_COMMA;
    if (c != '"')
        return read_word(j);
    read_string(j);
    return TOKEN_STRING;
}

static enum token read_name(struct tokens *j)
{
    if (*j->p != '"')
        die_here(j, j->is_first ? "a name in quotes, or }" : "a name in quotes");
    read_string(j);
    /* reading on for the colon would move the window away from the text */
    if (j->p == j->end || *j->p != ':') {
        const char *name = j->text.p - 1;
        size_t length = (size_t)(j->p - name), spaces = 0;
        j->p = name;
        for (;; spaces++) {
            if (length + spaces == (size_t)(j->end - j->p) && !more(j, length + spaces))
                break;
            char c = j->p[length + spaces];
            if (c == '\n') {
                j->line++;
                j->line_start = j->before + (uint64_t)(j->p - j->start) + length + spaces + 1;
            } else if (c != ' ' && c != '\t' && c != '\r') {
                break;
            }
        }
        j->text.p = j->p + 1;
        j->p += length + spaces;
        if (j->p == j->end || *j->p != ':')
            die_here(j, "a colon");
    }
    j->p++;
    j->wants = TOKENS_WANTS_VALUE;
    return TOKEN_NAME;
}

/* Whether the innermost value may lack its end here. */
static bool may_stop(const struct tokens *j)
{
    return j->depth > 0 && j->depth <= j->loose && j->wants != TOKENS_WANTS_VALUE;
}

/* Whether the list may end behind a comma, or without an item. */
static bool may_close_list(const struct tokens *j)
{
    return j->wants == TOKENS_WANTS_ITEM && (j->is_first || j->depth <= j->loose);
}

/* Reads the comma before the next item, or the end of the open value; true for the end. */
static bool read_comma(struct tokens *j)
{
    if (*j->p == (in_object(j) ? '}' : ']'))
        return true;
    if (*j->p != ',')
        die_here(j, in_object(j) ? "a comma or }" : "a comma or ]");
    j->p++;
    j->is_first = false;
    j->wants = in_object(j) ? TOKENS_WANTS_NAME : TOKENS_WANTS_ITEM;
    if (!skip_space(j) && !may_stop(j))
        die_here(j, "a value");
    return false;
}

/* Makes up the end of the innermost value, where the input ends. */
static enum token close_torn(struct tokens *j)
{
    j->is_torn = true;
    j->where = place_of(j, j->p);
    return close_value(j, 0);
}

static enum token read_token(struct tokens *j)
{
    bool is_there = skip_space(j);
    if (!is_there && j->depth == 0 && j->wants == TOKENS_WANTS_COMMA)
        return TOKEN_END;
    if (!is_there && may_stop(j))
        return close_torn(j);
    if (!is_there)
        die_here(j, j->depth == 0  ? "a value"
                    : in_object(j) ? "the end of an object"
                                   : "the end of a list");
    if (j->wants == TOKENS_WANTS_COMMA && j->depth > 0 && read_comma(j))
        return close_value(j, 1);
    if (j->p == j->end)
        return close_torn(j); /* behind a comma */
    if (j->wants == TOKENS_WANTS_COMMA && !j->takes_more)
        die_here(j, "the end of the input");
    j->where = place_of(j, j->p);
    if (j->wants == TOKENS_WANTS_NAME && !(j->is_first && *j->p == '}'))
        return read_name(j);
    if (j->wants == TOKENS_WANTS_NAME || (*j->p == ']' && may_close_list(j)))
        return close_value(j, 1);
    return read_value(j);
}

enum token tokens_next(struct tokens *j)
{
    j->token = read_token(j);
    return j->token;
}

/* Whether an item of a list, or the comma before one, comes next. */
static bool is_in_list(const struct tokens *j)
{
    return j->depth > 0 && !in_object(j) &&
           (j->wants == TOKENS_WANTS_COMMA || (j->wants == TOKENS_WANTS_ITEM && j->is_first));
}

size_t tokens_take_indexes(struct tokens *j, uint32_t limit, uint32_t *numbers, size_t count)
{
    const char *p = j->p, *digits = p, *last = NULL;
    bool needs_comma = j->wants == TOKENS_WANTS_COMMA;
    size_t taken = 0;
    if (!is_in_list(j))
        return 0;
    for (; taken < count && j->end - p >= TOKENS_INDEX_MAX + 3; taken++, needs_comma = true) {
        if (needs_comma && *p != ',')
            break;
        const char *first = p + needs_comma;
        int64_t n;
        const char *q = text_scan_integer(first, &n);
        if (q == NULL || q > first + TOKENS_INDEX_MAX || (*q != ',' && *q != ']') || n < 0 ||
            n >= limit)
            break;
        numbers[taken] = (uint32_t)n;
        digits = first;
        p = last = q;
    }
    if (last == NULL)
        return 0;
    j->where = place_of(j, digits);
    j->token = TOKEN_NUMBER;
    j->text = (struct str){digits, (size_t)(last - digits)};
    j->p = last;
    j->wants = TOKENS_WANTS_COMMA;
    j->is_first = false;
    return taken;
}

void tokens_expect(struct tokens *j, enum token token, const char *what)
{
    if (tokens_next(j) != token)
        tokens_unexpected(j, what);
}

bool tokens_is_integer(const struct tokens *j, int64_t *integer)
{
    return j->token == TOKEN_NUMBER &&
           (text_scan_integer(j->text.p, integer) == j->text.p + j->text.n ||
            decimal_is_integer(decimal_read(j->text), integer));
}

bool tokens_is_double(const struct tokens *j)
{
    enum { SHORT = 300 }; /* digits that always fit */
    struct str text = j->text;
    bool has_exponent = memchr(text.p, 'e', text.n) != NULL || memchr(text.p, 'E', text.n) != NULL;
    if (!has_exponent && text.n < SHORT)
        return true;
    struct buf copy = {0};
    buf_add(&copy, text);
    buf_add(&copy, (struct str){"", 1});
    bool is_finite = isfinite(strtod(copy.p, NULL));
    buf_free(&copy);
    return is_finite;
}

int64_t tokens_integer(const struct tokens *j, int64_t min, const char *what)
{
    int64_t n;
    if (!tokens_is_integer(j, &n) || n < min || n == INT64_MAX)
        tokens_unexpected(j, what);
    return n;
}

void tokens_list(const struct tokens *j, const char *what)
{
    if (j->token != TOKEN_ARRAY)
        tokens_unexpected(j, what);
}

/* Appends the current token to TO, where a value begins at START. */
static void copy_token(const struct tokens *j, struct buf *to, size_t start)
{
    bool is_end = j->token == TOKEN_OBJECT_END || j->token == TOKEN_ARRAY_END;
    bool is_string = j->token == TOKEN_NAME || j->token == TOKEN_STRING;
    char last = to->n > start ? to->p[to->n - 1] : ':';
    if (!is_end && last != '{' && last != '[' && last != ':')
        buf_add(to, STR(","));
    switch (j->token) {
    case TOKEN_OBJECT: buf_add(to, STR("{")); break;
    case TOKEN_ARRAY: buf_add(to, STR("[")); break;
    case TOKEN_OBJECT_END: buf_add(to, STR("}")); break;
    case TOKEN_ARRAY_END: buf_add(to, STR("]")); break;
    default:
        buf_add(to, is_string ? STR("\"") : STR(""));
        buf_add(to, j->text);
        buf_add(to, j->token == TOKEN_NAME ? STR("\":") : is_string ? STR("\"") : STR(""));
    }
}

void tokens_copy(struct tokens *j, struct buf *to)
{
    bool is_open = j->token == TOKEN_OBJECT || j->token == TOKEN_ARRAY;
    size_t start = to->n, depth = j->depth - is_open;
    copy_token(j, to, start);
    while (j->depth > depth) {
        tokens_next(j);
        copy_token(j, to, start);
    }
}

void tokens_copy_text(struct buf *to, struct str text, bool takes_nan, struct place where,
                      const char *column)
{
    struct tokens j;
    char name[512];
    snprintf(name, sizeof name, "%.300s:%llu: %s", where.file, (unsigned long long)where.at,
             column);
    struct in *in = in_open_bytes(name, text, SIZE_MAX);
    tokens_open(&j, in);
    j.takes_nan = takes_nan;
    tokens_next(&j);
    tokens_copy(&j, to);
    tokens_next(&j); /* nothing may follow */
    tokens_close(&j);
    in_close(in);
}

/* Appends the member whose name is the current token to OTHERS; or, if that is NULL, counts it as
 * lost and skips its value. */
static void pass_member(struct tokens *j, struct buf *others)
{
    if (others != NULL) {
        buf_add(others, STR(",\""));
        buf_add(others, j->text);
        buf_add(others, STR("\":"));
        tokens_next(j);
        tokens_copy(j, others);
        return;
    }
    struct buf bytes = {0}, text = {0};
    text_unescape(&bytes, j->text);
    text_escape(&text, buf_str(&bytes));
    loss_add(LOSS_UNKNOWN_FIELDS, buf_str(&text), 1);
    buf_free(&bytes);
    buf_free(&text);
    tokens_next(j);
    tokens_skip(j);
}

void tokens_other_member(struct tokens *j)
{
    pass_member(j, NULL);
}

struct str tokens_bytes(const struct tokens *j, struct buf *room)
{
    if (!j->has_escapes)
        return j->text;
    room->n = 0;
    text_unescape(room, j->text);
    return buf_str(room);
}

/* Whether BYTES are NAME. */
static inline bool is_name(struct str bytes, const char *name)
{
    size_t i = 0;
    while (i < bytes.n && name[i] == bytes.p[i] && name[i] != '\0')
        i++;
    return i == bytes.n && name[i] == '\0';
}

/* The index of the current token, a name, among the COUNT names at NAMES; COUNT if it is none. */
static unsigned find_name(const struct tokens *j, const char *const *names, unsigned count)
{
    struct buf room = {0};
    struct str bytes = tokens_bytes(j, &room);
    unsigned i = 0;
    while (i < count && !is_name(bytes, names[i]))
        i++;
    buf_free(&room);
    return i;
}

bool tokens_next_member(struct tokens *j, const char *const *names, unsigned count, unsigned *seen,
                        unsigned *member)
{
    return tokens_next_member_or(j, names, count, seen, member, NULL);
}

bool tokens_next_member_or(struct tokens *j, const char *const *names, unsigned count,
                           unsigned *seen, unsigned *member, struct buf *others)
{
    for (; tokens_next(j) == TOKEN_NAME; pass_member(j, others)) {
        unsigned i = find_name(j, names, count);
        if (i == count)
            continue;
        if ((*seen & 1u << i) != 0)
            tokens_die(j, j->where, "\"%s\" stands there twice", names[i]);
        *seen |= 1u << i;
        *member = i;
        tokens_next(j);
        return true;
    }
    return false;
}

void tokens_skip(struct tokens *j)
{
    if (j->token != TOKEN_OBJECT && j->token != TOKEN_ARRAY)
        return;
    for (size_t depth = j->depth - 1; j->depth > depth;)
        tokens_next(j);
}
