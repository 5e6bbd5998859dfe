#define PCRE2_CODE_UNIT_WIDTH 8
#include "base/regex.h"

#include "base/diag.h"
#include "base/mem.h"

#include <ctype.h>
#include <pcre2.h>
#include <stdint.h>
#include <stdio.h>

/* How many searches are interpreted before an expression is compiled to machine code, which
 * costs more than a few searches. */
enum { BEFORE_CODE = 8 };

/* Machine code counts steps differently from the interpreter.  Its limit is lower by this
 * factor, so that whatever it finds within its limit the interpreter finds within its own. */
enum { FEWER = 10 };

struct regex {
    pcre2_code *code;
    char *asker, *text; /* copies, for messages */
    unsigned searches;  /* up to BEFORE_CODE */
    bool has_code;      /* it was compiled to machine code */
};

struct regex_room {
    pcre2_match_data *found;
    pcre2_match_context *limits;
};

static void drop(void *block)
{
    pcre2_code_free(((struct regex *)block)->code);
}

static void drop_room(void *block)
{
    struct regex_room *room = block;
    pcre2_match_data_free(room->found);
    pcre2_match_context_free(room->limits);
}

static _Noreturn void die_short(void)
{
    die(CODE_MEMORY, "an expression needs more memory than there is");
}

struct regex_room *regex_room_open(void)
{
    struct regex_room *room = mem_alloc_holder(sizeof *room, drop_room);
    room->found = pcre2_match_data_create(REGEX_PARTS, NULL);
    room->limits = pcre2_match_context_create(NULL);
    if (room->found == NULL || room->limits == NULL)
        die_short();
    return room;
}

void regex_room_free(struct regex_room *room)
{
    if (room != NULL)
        drop_room(room);
    mem_free(room);
}

/* --- expressions --- */

/* Whether TEXT contains `\<` or `\>` outside \Q and \E. */
static bool has_foreign_border(const char *text)
{
    for (bool is_quoted = false; *text != '\0'; text++) {
        if (*text != '\\' || text[1] == '\0')
            continue;
        if (is_quoted) {
            is_quoted = text[1] != 'E';
            continue;
        }
        text++;
        if (*text == '<' || *text == '>')
            return true;
        is_quoted = *text == 'Q';
    }
    return false;
}

/* Compiles TEXT; if it is invalid, returns NULL with the reason in WHY. */
static pcre2_code *compile(const char *text, struct regex_how how, char *why, size_t size)
{
    uint32_t options =
        how.is_fixed ? PCRE2_LITERAL : PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_BACKSLASH_C;
    int error = 0;
    PCRE2_SIZE at = 0;
    pcre2_compile_context *context = pcre2_compile_context_create(NULL);
    if (context == NULL)
        die_short();
    /* whatever the default of the library */
    pcre2_set_newline(context, PCRE2_NEWLINE_LF);
    pcre2_set_bsr(context, PCRE2_BSR_UNICODE);
    pcre2_set_parens_nest_limit(context, LIMITS_EXPRESSION_NESTING);
    pcre2_set_max_pattern_length(context, LIMITS_EXPRESSION);
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED,
                                     options | PCRE2_UTF | (how.ignores_case ? PCRE2_CASELESS : 0),
                                     &error, &at, context);
    pcre2_compile_context_free(context);
    if (error == PCRE2_ERROR_HEAP_FAILED)
        die_short();
    if (code == NULL) {
        pcre2_get_error_message(error, (PCRE2_UCHAR *)why, size);
        size_t n = strlen(why);
        if (at > 0 && at < strlen(text))
            snprintf(why + n, size - n, ", at byte %zu", (size_t)at + 1);
    }
    return code;
}

/* A copy of TEXT. */
static char *copy_of(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(mem_alloc(size), text, size);
}

struct regex *regex_open(const char *text, struct regex_how how, const char *asker, char *why,
                         size_t size)
{
    if (!how.is_fixed && has_foreign_border(text)) {
        snprintf(why, size, "\\< and \\> are no borders of words here, \\b is");
        return NULL;
    }
    struct regex *r = mem_alloc_holder(sizeof *r, drop);
    r->code = compile(text, how, why, size);
    if (r->code == NULL) {
        mem_free(r);
        return NULL;
    }
    r->asker = copy_of(asker);
    r->text = copy_of(text);
    return r;
}

void regex_free(struct regex *r)
{
    if (r == NULL)
        return;
    drop(r);
    mem_free(r->asker);
    mem_free(r->text);
    mem_free(r);
}

size_t regex_part_count(const struct regex *r)
{
    uint32_t count = 0;
    pcre2_pattern_info(r->code, PCRE2_INFO_CAPTURECOUNT, &count);
    return count;
}

struct str regex_part_name(const struct regex *r, size_t part)
{
    uint32_t count = 0, size = 0;
    PCRE2_SPTR item = NULL;
    pcre2_pattern_info(r->code, PCRE2_INFO_NAMECOUNT, &count);
    pcre2_pattern_info(r->code, PCRE2_INFO_NAMEENTRYSIZE, &size);
    pcre2_pattern_info(r->code, PCRE2_INFO_NAMETABLE, &item);
    for (; count > 0; count--, item += size)
        if ((size_t)(item[0] << 8 | item[1]) == part) /* its number, then its name */
            return str_of((const char *)item + 2);
    return STR("");
}

const char *regex_text(const struct regex *r)
{
    return r->text;
}

/* --- searches --- */

/* N, or the maximum of the library if that is less. */
static uint32_t limit_of(size_t n)
{
    return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

/* Searches TEXT for R from FROM on, within limits.  Returns the number of ranges, or an error
 * below 0. */
static int search(const struct regex *r, struct regex_room *room, struct str text, size_t from,
                  bool by_code)
{
    size_t steps = LIMITS_SEARCH_STEPS + text.n * LIMITS_SEARCH_STEPS_BYTE;
    pcre2_set_match_limit(room->limits, limit_of(by_code ? steps / FEWER : steps));
    pcre2_set_heap_limit(room->limits,
                         limit_of(LIMITS_SEARCH_KIB + text.n / 1024 * LIMITS_SEARCH_BYTE));
    return pcre2_match(r->code, (PCRE2_SPTR)(text.n == 0 ? "" : text.p), text.n, from,
                       PCRE2_NO_UTF_CHECK | (by_code ? 0 : PCRE2_NO_JIT), room->found,
                       room->limits);
}

/* The same in the fastest way that gives an answer. */
static int search_fast(struct regex *r, struct regex_room *room, struct str text, size_t from)
{
    if (r->searches < BEFORE_CODE && ++r->searches == BEFORE_CODE)
        r->has_code = pcre2_jit_compile(r->code, PCRE2_JIT_COMPLETE) == 0;
    int result = search(r, room, text, from, r->has_code);
    if (r->has_code && result < 0 && result != PCRE2_ERROR_NOMATCH)
        result = search(r, room, text, from, false);
    return result;
}

int regex_try(struct regex *r, struct regex_room *room, struct str text)
{
    int result = search_fast(r, room, text, 0);
    return result >= 0 ? 1 : result == PCRE2_ERROR_NOMATCH ? 0 : -1;
}

bool regex_find(struct regex *r, struct regex_room *room, struct str text, size_t from,
                struct regex_part *parts, size_t count)
{
    int result = search_fast(r, room, text, from);
    if (result == PCRE2_ERROR_NOMATCH)
        return false;
    if (result == PCRE2_ERROR_NOMEMORY)
        die_short();
    if (result < 0)
        die(CODE_BAD_EXPRESSION, "%s: \"%s\" takes too many steps, or too much memory, on \"%.*s\"",
            r->asker, r->text, STR_ARG(text));
    const PCRE2_SIZE *places = pcre2_get_ovector_pointer(room->found);
    for (size_t i = 0; i < count; i++) {
        bool is_there = (result == 0 || i < (size_t)result) && places[2 * i] != PCRE2_UNSET;
        parts[i] = is_there ? (struct regex_part){places[2 * i], places[2 * i + 1]}
                            : (struct regex_part){SIZE_MAX, SIZE_MAX};
    }
    return true;
}

/* --- words that a match must contain --- */

/* The length of a class such as [:digit:] that TEXT starts with; 0 if it starts with none. */
static size_t posix_length(struct str text)
{
    size_t i = 2;
    while (i < text.n && (islower((unsigned char)text.p[i]) || text.p[i] == '^'))
        i++;
    bool ends = i + 1 < text.n && text.p[i] == text.p[1] && text.p[i + 1] == ']';
    return ends ? i + 2 : 0;
}

/* The length of the character class that TEXT starts with, brackets included; all of TEXT if it
 * does not end, 0 if where it ends is hard to tell. */
static size_t class_length(struct str text)
{
    size_t i = 1, n;
    i += i < text.n && text.p[i] == '^';
    i += i < text.n && text.p[i] == ']';
    for (; i < text.n && text.p[i] != ']'; i += n) {
        char next = i + 1 < text.n ? text.p[i + 1] : '\0';
        n = 1;
        if (text.p[i] == '\\')
            n = next == 'Q' ? 0 : 2;
        else if (text.p[i] == '[' && (next == ':' || next == '.' || next == '='))
            n = posix_length((struct str){text.p + i, text.n - i});
        if (n == 0)
            return 0;
    }
    return i < text.n ? i + 1 : text.n;
}

/* The length of the quantifier in braces that TEXT starts with; 1 for a brace that is a plain
 * character. */
static size_t count_length(struct str text)
{
    size_t i = 1;
    while (i < text.n && strchr("0123456789, ", text.p[i]) != NULL)
        i++;
    return i < text.n && text.p[i] == '}' ? i + 1 : 1;
}

/* The length of the atom that TEXT starts with, perhaps in brackets or braces; 0 if the rest may
 * mean anything. */
static size_t piece_length(struct str text)
{
    switch (*text.p) {
    case '\\': /* a literal, a class, or an assertion */
        if (text.n < 2)
            return 0;
        return strchr("dDwWsSbBAzZntr", text.p[1]) != NULL || ispunct((unsigned char)text.p[1]) ? 2
                                                                                                : 0;
    case '[': return class_length(text);
    case '(': /* (?i) and similar options change what follows */
        if (text.n > 1 && text.p[1] == '*')
            return 0;
        return text.n < 2 || text.p[1] != '?' ? 1 : text.n > 2 && text.p[2] == ':' ? 3 : 0;
    case '{': return count_length(text);
    default: return 1;
    }
}

struct str regex_word(struct str text)
{
    struct str none = {text.p, 0}, longest = none, run = none;
    size_t depth = 0;
    for (size_t i = 0, n; i < text.n; i += n) {
        char c = text.p[i];
        char next = i + 1 < text.n ? text.p[i + 1] : '\0';
        n = piece_length((struct str){text.p + i, text.n - i});
        if (n == 0 || (c == '|' && depth == 0))
            return none;
        depth += c == '(';
        depth -= c == ')' && depth > 0;
        bool is_text = c >= ' ' && c < 0x7f && strchr("\\^$.[|()?*+{", c) == NULL;
        if (depth > 0 || !is_text || next == '?' || next == '*' || next == '{') {
            run.n = 0; /* it may be absent */
            continue;
        }
        run = (struct str){run.n == 0 ? text.p + i : run.p, run.n + 1};
        if (run.n > longest.n)
            longest = run;
        if (next == '+')
            run.n = 0;
    }
    return longest;
}
